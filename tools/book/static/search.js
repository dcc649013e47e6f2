// The search: chapters and the glossary first, the API last, unless a name is what was typed.
const weight = ([url]) => url.startsWith('step') ? 3 : url.startsWith('glossary.html#') ? 1.1 : /^(api|run_)/.test(url) ? 0.25 : url.startsWith('mistakes') ? 2 : 1;
const score = (entry, words) => {
  const [, , heading, text] = entry.slice(0, 4).map((part) => part.toLowerCase());
  let sum = words.length > 1 && `${heading} ${text}`.includes(words.join(' ')) ? 25 : 0;
  for (const word of words) {
    const points = (heading === word) * 20 + (heading.split(/[^\w]+/).includes(word)) * 8 + heading.includes(word) * 4 + Math.min(4, text.split(word).length - 1);
    if (!points) return 0;
    sum += points;
  }
  return sum * weight(entry);
};
const excerpt = (text, word, whole) => {
  const at = text.toLowerCase().indexOf(word), from = whole || at < 40 ? 0 : text.lastIndexOf(' ', at - 30) + 1;
  return at < 0 || at > from + 120 ? [text.slice(0, 120)] : [text.slice(from, at), make('mark', { textContent: text.slice(at, at + word.length) }), text.slice(at + word.length, from + 120)];
};
const search = async () => {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
  const best = words.length ? (await load('search_data.js').then(() => searchData)).map((entry) => [score(entry, words), entry]).filter(([points]) => points).sort((a, b) => b[0] - a[0]).map(([, entry]) => entry) : [];
  const named = best.filter(([,, heading,, steps]) => steps && heading.toLowerCase() === words.join(' ')).slice(0, 3);
  const others = best.filter((entry) => !named.includes(entry));
  found.replaceChildren(...[...others.slice(0, 3), ...named, ...others.slice(3)].slice(0, 15).map(([url, page, heading, text, steps]) => {
    const title = [make('b', { textContent: heading }), heading === page ? '' : ` ${page}`];
    if (!steps) return make('a', { href: root + url }, ...title, make('span', {}, ...excerpt(text, words[0], url.startsWith('glossary'))));
    const links = Object.entries(steps).map(([step, place]) => make('a', { href: root + place, textContent: `step ${step}` }));
    return make('p', {}, ...title, ...links, make('span', {}, ...excerpt(text, words[0])));
  }));
  if (words.length && !best.length) found.append(make('p', { textContent: 'Nothing found.' }));
  found.hidden = !words.length;
};
