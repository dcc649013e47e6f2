// Space and the arrow keys turn the slides, and N shows the notes. Without scripts, scrolling does.
const all = [...document.querySelectorAll('.slide')];
const current = () => Math.max(0, all.findIndex((slide) => slide.getBoundingClientRect().bottom > innerHeight / 2));
const show = (number) => {
  const slide = all[Math.min(Math.max(number, 0), all.length - 1)];
  slide.scrollIntoView();
  slide.focus({ preventScroll: true });
  history.replaceState(null, '', `#${all.indexOf(slide) + 1}`);
};
let notes;
for (const slide of all) {  // the notes are those of the step
  const own = slide.querySelector('.notes');
  if (!own && notes) slide.append(notes.cloneNode(true));
  if (slide.matches('.cover')) notes = own ?? notes;
}
const number = () => { if (Number(location.hash.slice(1))) show(location.hash.slice(1) - 1); };
addEventListener('hashchange', number);
addEventListener('load', number);
const keys = {
  ArrowRight: () => show(current() + 1), ArrowDown: () => show(current() + 1), PageDown: () => show(current() + 1),
  ArrowLeft: () => show(current() - 1), ArrowUp: () => show(current() - 1), PageUp: () => show(current() - 1),
  ' ': (event) => show(current() + (event.shiftKey ? -1 : 1)), Home: () => show(0), End: () => show(all.length - 1),
  n: () => { const open = document.querySelector('.notes[open]'); for (const notes of document.querySelectorAll('.notes')) notes.open = !open; },
};
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key] || event.target.closest('summary, a')) return;
  event.preventDefault();
  keys[event.key](event);
});
