// Before the first paint: light or dark, if the reader has chosen.
const chosen = localStorage.getItem('theme');
if (chosen) document.documentElement.classList.add(chosen);
