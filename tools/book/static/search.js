// The search: chapters and the glossary first, the API last, unless a name is what was typed. A word is found in all
// its forms (kill, killed, killing), and with a typing error.
const stem = (word) => word.length > 4 && !word.includes('_') ? word.replace(/(ing|ed|e?s|ers?|ions?)$/, '').replace(/([^aeiouls])\1$/, '$1') : word;
const near = (a, b) => { // one letter is missing, is another one, is too many, or two are exchanged
  let i = 0, j = 1;
  while (i < a.length && a[i] === b[i]) ++i;
  while (j <= Math.min(a.length, b.length) - i && a.at(-j) === b.at(-j)) ++j;
  const [x, y] = [a.slice(i, a.length - j + 1), b.slice(i, b.length - j + 1)];
  return x.length <= 1 && y.length <= 1 || x.length === 2 && x === [...y].reverse().join('');
};
let searchData, vocabulary;
const loadAll = async () => { // in Chinese, an English page only if it isn't translated
  for (const file of searchFiles.split(' ')) await load(file);
  const chinese = self.chineseData ?? [], file = ([url]) => url.replace(/#.*/, ''), translated = new Set(chinese.map(file));
  searchData ??= [...chinese, ...englishData.filter((entry) => !translated.has(`zh_${file(entry)}`))];
};
const known = (word) => { // the word itself, or else the most frequent one that is near
  vocabulary ??= searchData.reduce((all, [, , heading, text]) => { for (const w of `${heading} ${text}`.toLowerCase().split(/[^a-z]+/)) if (w.length > 3) all[w] = (all[w] || 0) + 1; return all; }, Object.create(null));
  const words = Object.keys(vocabulary);
  if (word.length < 4 || words.some((w) => w.includes(word))) return word;
  return words.filter((w) => near(word, w)).sort((a, b) => vocabulary[b] - vocabulary[a])[0] ?? word;
};
// Chinese has no blanks: what is typed becomes words that the book has, each of two characters or more.
// A phrase of four characters stays whole only if it is a term of the glossary.
const SAME = { 竞争条件: '竞态', 轮询: 'poll', 线程池: '不肯协作', 退出: '关闭', 超时: '截止时间', 协程调度: '调度器', 关闭服务器: '优雅关闭', 就绪队列: '队列', 怎么: ' ', 如何: ' ', 为什么: ' ', 什么是: ' ' };
const apart = (typed, text, terms) => {
  if (!typed || text.includes(typed) && (typed.length < 4 || terms.includes(typed))) return typed ? [typed] : [];
  for (let end = 2; end < typed.length - 1; ++end) {
    const rest = text.includes(typed.slice(0, end)) && apart(typed.slice(end), text, terms);
    if (rest) return [typed.slice(0, end), ...rest];
  }
  return text.includes(typed) ? [typed] : undefined;
};
const chineseWords = (typed, entries) => {
  const text = entries.map(([, , heading, text]) => `${heading} ${text}`).join('\n').toLowerCase();
  const terms = entries.filter(([,,,,, step]) => step).map(([, , heading]) => heading);
  for (const [other, ours] of Object.entries(SAME)) typed = typed.replace(other, ours);
  return typed.match(/[\u3400-\u9fff]+|[^\s\u3400-\u9fff]+/g)?.flatMap((part) => part < '\u3400' ? stem(part) : apart(part, text, terms) ?? [part]) ?? [];
};
// The chapters to which the glossary sends for these words.
const chaptersOf = (words, entries) => entries.filter(([, , heading, , , step]) => step && (words.includes(heading) || heading === words.join(''))).map(([, , , , , step]) => `zh_step0${step}`);
const weight = ([url]) => /^(zh_)?step(?!09_reference)/.test(url) ? 3 : /^zh_glossary.html#/.test(url) ? 0.5 : /^glossary.html#/.test(url) ? 1.1 : /^(api|run_)/.test(url) ? 0.25 : /^(zh_)?mistakes/.test(url) ? 3 : 1;
const score = (entry, words) => {
  const [, , heading, text] = entry.slice(0, 4).map((part) => part.toLowerCase());
  let sum = words.length > 1 && `${heading} ${text}`.includes(words.join(' ')) ? 25 : 0;
  for (const word of words) {
    const points = (heading === word) * 20 + (heading.split(/[^\w]+/).map(stem).includes(word)) * 8 + heading.includes(word) * 4 + Math.min(4, text.split(word).length - 1);
    if (!points) return 0;
    sum += points;
  }
  return sum * weight(entry);
};
const excerpt = (text, word, whole) => {
  const at = text.toLowerCase().indexOf(word), from = whole || at < 40 ? 0 : Math.max(at - 60, text.lastIndexOf(' ', at - 30) + 1);
  return at < 0 || at > from + 120 ? [text.slice(0, 120)] : [text.slice(from, at), make('mark', { textContent: text.slice(at, at + word.length) }), text.slice(at + word.length, from + 120)];
};
const search = async () => {
  const typed = field.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1 || word > '\u3400');
  const chinese = !zh && /[\u3400-\u9fff]/.test(field.value); // typed on an English page
  if (typed.length) await loadAll();
  if (chinese) await load('zh_search_data.js');
  const entries = chinese ? chineseData : searchData;
  const words = typed.flatMap((word) => /[\u3400-\u9fff]/.test(word) ? chineseWords(word, entries) : stem(known(stem(word))));
  const chapters = chaptersOf(words, entries);
  const best = words.length ? entries.map((entry) => [score(entry, words) * (chapters.some((chapter) => entry[0].startsWith(chapter)) ? 4 : 1), entry]).filter(([points]) => points).sort((a, b) => b[0] - a[0]).map(([, entry]) => entry) : [];
  const named = best.filter(([,, heading,, steps]) => steps && heading.toLowerCase() === typed.join(' ')).slice(0, 3);
  const others = best.filter((entry) => !named.includes(entry));
  found.replaceChildren(...[...others.slice(0, 3), ...named, ...others.slice(3)].slice(0, 15).map(([url, page, heading, text, steps]) => {
    const title = [make('b', { textContent: heading }), heading === page ? '' : ` ${page}`];
    if (!steps) return make('a', { href: root + url }, ...title, make('span', {}, ...excerpt(text, words[0], url.startsWith('glossary'))));
    const links = Object.entries(steps).map(([step, place]) => make('a', { href: root + place, textContent: zh ? `第 ${step} 步` : `step ${step}` }));
    return make('p', {}, ...title, ...links, make('span', {}, ...excerpt(text, words[0])));
  }));
  if (words.length && !best.length) found.append(make('p', { textContent: zh ? '没有找到，这本书没有讲到。' : 'Nothing found.' }));
  found.hidden = !words.length;
};
