// The search of the book. Doxygen's own knows the titles of the pages only; this one knows their text.
// It takes over Doxygen's search field. The data is in search_data.js: [url, page, heading, text] for
// each section.
{
  const found = document.createElement('nav');
  found.id = 'found';
  found.setAttribute('aria-label', 'Search results');
  found.hidden = true;
  document.body.append(found);

  const field = () => document.getElementById('MSearchField');
  const links = () => [...found.querySelectorAll('a')];

  // A word in a heading counts more than one in the text, and most if it is all of the heading.
  const score = ([, page, heading, text], words) => {
    let sum = 0;
    for (const word of words) {
      const points = (heading.toLowerCase() === word ? 20 : 0) + (heading.toLowerCase().includes(word) ? 10 : 0) +
        (page.toLowerCase().includes(word) ? 2 : 0) + (text.toLowerCase().includes(word) ? 1 : 0);
      if (points === 0) return 0;
      sum += points;
    }
    return sum;
  };

  const element = (tag, ...children) => {
    const made = document.createElement(tag);
    made.append(...children);
    return made;
  };

  const excerpt = (text, word) => {
    const at = text.toLowerCase().indexOf(word);
    if (at < 0) return [text.slice(0, 110)];
    const from = at < 40 ? 0 : text.lastIndexOf(' ', at - 30) + 1;
    return [text.slice(from, at), element('mark', text.slice(at, at + word.length)), text.slice(at + word.length, from + 110)];
  };

  const show = () => {
    const words = field().value.trim().toLowerCase().split(/\s+/).filter((word) => word.length > 1);
    found.replaceChildren();
    found.hidden = words.length === 0;
    if (found.hidden) return;
    const best = searchData.map((section) => ({ section, points: score(section, words) }))
      .filter(({ points }) => points > 0).sort((a, b) => b.points - a.points).slice(0, 20);
    for (const { section: [url, page, heading, text] } of best) {
      const link = element('a', element('b', heading), heading === page ? '' : ` ${page}`, element('span', ...excerpt(text, words[0])));
      link.href = url;
      found.append(link);
    }
    if (best.length === 0) found.append(element('p', 'Nothing found.'));
  };

  document.addEventListener('input', (event) => { if (event.target === field()) show(); });
  document.addEventListener('focusin', (event) => {
    if (event.target === field()) {
      for (const name of ['onkeyup', 'onkeydown']) field()[name] = null;
      if (field().value === 'Search') field().value = '';
    } else if (!found.contains(event.target)) {
      found.hidden = true;
    }
  });
  document.addEventListener('click', (event) => {
    if (event.target !== field() && !found.contains(event.target)) found.hidden = true;
    else if (event.target.closest('#found a')) found.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    if (found.hidden) return;
    const at = links().indexOf(document.activeElement);
    if (event.key === 'Escape') {
      field().focus();
      found.hidden = true;
    } else if (event.key === 'ArrowDown') {
      links()[at + 1]?.focus();
    } else if (event.key === 'ArrowUp') {
      (links()[at - 1] ?? field()).focus();
    } else if (event.key === 'Enter' && event.target === field()) {
      links()[0]?.click();
    } else {
      return;
    }
    event.preventDefault();
  });
}
