// Makes a timeline playable: buttons and keys go through its turns, and the source, the queue and
// the output show where the run is then. All it needs stands in the page; see tools/timeline_pages.
(function () {
  'use strict';

  function element(name, className, text) {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text || '';
    return made;
  }

  // Scrolls inside of the box only; the page stays where it is.
  function scrollTo(box, target) {
    const from = box.getBoundingClientRect();
    const to = target.getBoundingClientRect();
    box.scrollTop += to.top + to.height / 2 - from.top - from.height / 2;
  }

  function play(timeline) {
    const list = timeline.querySelector('.timeline-turns');
    const turns = Array.from(list.children);
    const code = timeline.querySelector('.timeline-code');
    const lines = new Map();
    code.querySelectorAll('.timeline-line').forEach(line => lines.set(line.dataset.line, line));
    let current = 0;

    const controls = element('div', 'timeline-controls');
    controls.setAttribute('role', 'group');
    controls.setAttribute('aria-label', 'Go through the turns');
    const now = element('p', 'timeline-now');
    now.setAttribute('aria-live', 'polite');
    const queue = element('p', 'timeline-queue');
    const output = element('pre', 'timeline-output');
    output.tabIndex = 0;
    output.setAttribute('role', 'region');
    output.setAttribute('aria-label', 'The output so far');

    function show(n) {
      current = Math.max(0, Math.min(n, turns.length - 1));
      const turn = turns[current];
      turns.forEach(other => other.removeAttribute('aria-current'));
      turn.setAttribute('aria-current', 'step');
      scrollTo(list, turn);

      const who = turn.querySelector('.timeline-who').textContent;
      const facts = Array.from(turn.querySelector('.timeline-facts').children);
      const words = facts.map(fact =>
        fact.tagName === 'SAMP' ? 'prints “' + fact.textContent + '”' : fact.textContent);
      const last = words.pop();
      const all = words.length > 0 ? words.join(', ') + ' and ' + last : last;
      now.textContent = 'Turn ' + (current + 1) + ' of ' + turns.length + ': ' + who + ' ' + all + '.';

      const ready = turn.querySelector('.timeline-ready');
      queue.innerHTML = ready ? ready.innerHTML : '';
      queue.hidden = !ready;

      lines.forEach(line => line.classList.remove('timeline-here', 'timeline-passed'));
      const stops = facts.map(fact => lines.get(fact.dataset.line)).filter(Boolean);
      stops.forEach(line => line.classList.add('timeline-passed'));
      if (stops.length > 0) {
        stops[stops.length - 1].classList.add('timeline-here');
        scrollTo(code, stops[stops.length - 1]);
      }

      output.textContent = '';
      turns.slice(0, current + 1).forEach((earlier, i) => {
        earlier.querySelectorAll('samp').forEach(printed => {
          output.append(element(i === current ? 'mark' : 'span', '', printed.textContent + '\n'));
        });
      });
      output.scrollTop = output.scrollHeight;
    }

    const goes = {
      Home: ['First turn', '|◀', () => 0],
      ArrowLeft: ['One turn back', '◀', () => current - 1],
      ArrowRight: ['One turn forward', '▶', () => current + 1],
      End: ['Last turn', '▶|', () => turns.length - 1],
    };
    Object.entries(goes).forEach(([key, [name, sign, to]]) => {
      const button = element('button', '', sign);
      button.type = 'button';
      button.title = name;
      button.setAttribute('aria-label', name);
      button.setAttribute('aria-keyshortcuts', key);
      button.addEventListener('click', () => show(to()));
      controls.append(button);
    });

    // The keys work in the timeline, and on a page where nothing else has the focus.
    document.addEventListener('keydown', event => {
      const focused = document.activeElement;
      const ours = timeline.contains(focused) && !code.contains(focused) && focused !== output;
      const go = goes[event.key];
      if (!go || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const nobody = focused === document.body || focused.id === 'doc-content';
      if (!ours && !(nobody && event.key.startsWith('Arrow'))) return;
      event.preventDefault();
      show(go[2]());
    });
    list.addEventListener('click', event => {
      const turn = event.target.closest('li');
      if (turn) show(turns.indexOf(turn));
    });

    const player = element('div', 'timeline-player');
    player.append(controls, now, queue);
    timeline.prepend(player);
    const printed = element('section', 'timeline-printed');
    printed.setAttribute('aria-label', 'The output');
    printed.append(element('h2', 'timeline-file', 'The output so far'), output);
    timeline.append(printed);
    timeline.classList.add('timeline-playable');
    show(0);
  }

  function playAll() { document.querySelectorAll('.timeline').forEach(play); }
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', playAll);
  else playAll();
})();
