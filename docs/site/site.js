// Switches on what the theme offers, and adds what Doxygen's pages lack for keyboards and screen readers.

DoxygenAwesomeDarkModeToggle.init();
DoxygenAwesomeFragmentCopyButton.init();
DoxygenAwesomeParagraphLink.init();
DoxygenAwesomeInteractiveToc.init();

{
  const set = (selector, attributes) => {
    for (const element of document.querySelectorAll(selector)) {
      for (const name in attributes) element.setAttribute(name, attributes[name]);
    }
  };

  // The theme's buttons are not buttons by themselves.
  const press = (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.currentTarget.click();
  };
  const button = (selector, name) => {
    for (const element of document.querySelectorAll(selector)) element.onkeydown = press;
    set(selector, { role: 'button', tabindex: '0', 'aria-label': name });
  };

  // What scrolls must be reachable by keyboard; the width of the window decides.
  const reach = () => {
    for (const box of document.querySelectorAll('.fragment, pre, .contents tbody, .memproto')) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    }
  };

  const mend = () => {
    set('#top', { role: 'banner' });
    set('#side-nav', { role: 'navigation', 'aria-label': 'All pages' });
    set('#doc-content', { role: 'main', tabindex: '0' });
    set('#nav-path', { role: 'navigation', 'aria-label': 'Where this page is' });
    set('div.toc', { role: 'navigation', 'aria-label': 'This page' });
    set('#MSearchField', { 'aria-label': 'Search' });
    set('#main-menu-state', { 'aria-label': 'Menu' });
    set('a:has(> .icondoc)', { 'aria-label': 'Source' });
    button('doxygen-awesome-dark-mode-toggle', 'Light or dark');
    button('doxygen-awesome-fragment-copy-button', 'Copy');
    reach();
  };

  // Doxygen and the theme build parts of the page when it is there already.
  let waiting = false;
  const soon = () => {
    if (!waiting) requestAnimationFrame(() => { waiting = false; mend(); });
    waiting = true;
  };
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
  window.addEventListener('load', mend);
  window.addEventListener('resize', reach);
}
