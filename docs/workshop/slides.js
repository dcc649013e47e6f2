// Space and the arrow keys turn the slides. Without scripts, scrolling does.
const slides = [...document.querySelectorAll("section")];
const current = () => {
  const middle = innerHeight / 2;
  return Math.max(0, slides.findIndex((slide) => slide.getBoundingClientRect().bottom > middle));
};
// A slide with long code may be higher than the window: then its rest comes first.
const forward = () => {
  const more = slides[current()].getBoundingClientRect().bottom - innerHeight;
  if (more > 8) scrollBy(0, Math.min(more, 0.8 * innerHeight));
  else show(current() + 1);
};
const back = () => show(current() - 1);
const show = (number) => {
  const slide = slides[Math.min(Math.max(number, 0), slides.length - 1)];
  slide.scrollIntoView();
  slide.focus({ preventScroll: true });
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const inCode = event.target.tagName === "PRE" && event.target.scrollWidth > event.target.clientWidth;
  switch (event.key) {
    case "ArrowRight":
    case "ArrowLeft":
      if (inCode) return; // it scrolls
      event.key === "ArrowRight" ? forward() : back();
      break;
    case "ArrowDown":
    case "PageDown":
      forward();
      break;
    case "ArrowUp":
    case "PageUp":
      back();
      break;
    case " ":
      event.shiftKey ? back() : forward();
      break;
    case "Home":
      show(0);
      break;
    case "End":
      show(slides.length - 1);
      break;
    default:
      return;
  }
  event.preventDefault();
});
