// Light or dark, copying, the search, keys, and where the reader was. The pages read as well without it.
const { root, search: searchFiles = 'search_data.js' } = document.currentScript.dataset;
const zh = document.documentElement.lang.startsWith('zh');
const $ = (s, from = document) => from.querySelector(s), $$ = (s, from = document) => [...from.querySelectorAll(s)];
const make = (tag, properties, ...children) => { const e = Object.assign(document.createElement(tag), properties); e.append(...children); return e; };

$('.theme').onclick = () => {
  const html = document.documentElement.classList;
  const dark = html.contains('dark') || (!html.contains('light') && matchMedia('(prefers-color-scheme: dark)').matches);
  html.remove('light', 'dark');
  html.add(dark ? 'light' : 'dark');
  localStorage.setItem('theme', dark ? 'light' : 'dark');
};

for (const figure of $$('figure.code:has(pre)')) {
  const button = make('button', { className: 'copy', type: 'button', textContent: zh ? '复制' : 'copy' });
  button.onclick = async () => { await navigator.clipboard.writeText($('pre', figure).textContent); button.textContent = zh ? '已复制' : 'copied'; setTimeout(() => button.textContent = zh ? '复制' : 'copy', 1500); };
  figure.append(button);
}

// A run opens where its link is. The player is loaded then.
const pageOf = (run) => `${root}${zh ? 'zh_' : ''}run_${run}.html`;
const loaded = {};
const load = (src) => loaded[src] ??= new Promise((done) => document.head.append(make('script', { src: root + src, onload: done })));
for (const link of $$('a[data-run]')) {
  link.onclick = (event) => { event.preventDefault(); load('player.js').then(() => openRun(link)); };
  if ('open' in link.dataset) link.click();
}

// Boxes that scroll sideways can be scrolled with the keys.
const reach = () => { for (const box of $$('pre, .scroll, .drawing')) if (box.scrollWidth > box.clientWidth) box.tabIndex = 0; else box.removeAttribute('tabindex'); };
addEventListener('resize', reach);
addEventListener('load', reach);
document.addEventListener('toggle', reach, true);
let folded;
addEventListener('beforeprint', () => { folded = $$('main details:not([open])'); for (const details of folded) details.open = true; });
addEventListener('afterprint', () => { for (const details of folded) details.open = false; });

// Where the reader was in the chapters: the start page leads back to it.
const place = JSON.parse(localStorage.getItem('place') || 'null');
if ($('#continue') && place) {
  $('#continue').append(make('a', { href: place.url, textContent: place.title }));
  $('#continue').hidden = false;
}
if ($('nav.doors')) addEventListener('scroll', () => {
  const heading = $$('main h2').filter((h) => h.getBoundingClientRect().top < innerHeight / 2).at(-1);
  localStorage.setItem('place', JSON.stringify({
    url: location.pathname.split('/').pop() + (heading ? '#' + heading.id : ''), title: $('h1').textContent + (heading ? ', ' + heading.textContent : ''),
  }));
}, { passive: true });

// The same place in the other language.
$('.language')?.addEventListener('click', ({ currentTarget }) => {
  const heading = $$('main :is(h2, h3)').filter((h) => h.getBoundingClientRect().top < 120).at(-1);
  currentTarget.hash = heading?.id ?? '';
});

// The menu of a narrow window closes when it has led somewhere.
const menu = $('#menu');
$('nav.tree')?.addEventListener('click', (event) => { if (event.target.closest('a')) menu.checked = false; });
document.addEventListener('keydown', (event) => { if (event.key === 'Escape') menu.checked = false; });

// The search is loaded with the first word.
const field = $('input[type=search]'), found = $('#found');
field.oninput = () => load('search.js').then(() => search());
field.form.onsubmit = () => { $('a', found)?.click(); return false; };
document.addEventListener('click', (event) => { if (!field.form.contains(event.target) || event.target.closest('#found a')) found.hidden = true; });
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (field.form.contains(event.target)) {
    const stops = [field, ...$$('a', found)];
    if (event.key === 'Escape') { found.hidden = true; field.focus(); }
    if (step && !found.hidden) { event.preventDefault(); stops[Math.max(0, Math.min(stops.length - 1, stops.indexOf(document.activeElement) + step))].focus(); }
  } else if (event.key === '/' && !event.target.matches('input, textarea')) {
    event.preventDefault();
    field.focus();
  }
});
