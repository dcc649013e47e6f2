// Plays a recorded run: who had the turn, what each coroutine holds, the queue, the source and the output. For a
// program of step 8 there are two panes: the machine by hand, and the one that the compiler has written.
const runs = {};
const runData = (name, panes) => { runs[name] = panes; };
const style = make('link', { rel: 'stylesheet', href: `${root}player.css` });
const styled = new Promise((done) => { style.onload = style.onerror = done; });
document.head.append(style);

const openRun = async (link) => {
  const place = link.closest('figure, .player-place'), open = $('.player', place) || (place.nextElementSibling?.matches('.player') && place.nextElementSibling);
  if (open) { open.stop(); return open.remove(); }
  await Promise.all([load(`runs/${link.dataset.run}.js`), styled]);
  const own = place.matches('.player-place'), element = player(runs[link.dataset.run], link, own);
  own ? place.replaceChildren(element) : place.after(element);
  element.show();
  if ('open' in link.dataset) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'nearest' });
};

const player = (panes, link, own) => {
  const main = panes.at(-1), turns = main.turns, twins = panes.length > 1;
  const colour = (who) => /^task/.test(who) ? `var(--dot${(who.slice(5) - 1) % 6})` : who === 'main' ? 'var(--soft)' : 'var(--dot0)';
  const coloured = (element, who) => { element.style.setProperty('--who', colour(who)); return element; };
  const by = (pane) => pane === main ? 'by the compiler, step 8' : `by hand, step ${pane.step[5]}`;
  const title = (pane) => make('p', { className: 'title', textContent: by(pane) }, ...(pane === main ? [': its state is the ', make('a', { href: `${root}step08.html#the-frame-in-the-debugger`, textContent: 'resume index' })] : []));
  const box = (name, label) => { const b = make('section', { className: name, tabIndex: 0 }); b.setAttribute('aria-label', label); return b; };
  let current = -1, timer = 0;

  // A value before and after; a change is marked.
  const change = (name, old, now) => make('code', old !== undefined && old !== now ? { className: 'new' } : {}, `${name} = `, ...(old && old !== now ? [make('s', { textContent: old }), ' → '] : []), now);
  const card = (frame, who) => {
    const [old, now] = frame.state, state = /^\d/.test(now) ? 'index' : 'state_';
    return coloured(make('div', { className: 'frame' }, make('strong', { textContent: frame.name }),
      now && now !== '-' ? change(state, old, now) : '',
      frame.end ? make('small', { textContent: ` ${frame.end}` }) : '',
      frame.sent ? make('code', { className: 'new', textContent: `sent in: ${frame.sent}` }) : '',
      ...Object.entries(frame.new).map(([name, value]) => change(name, frame.old && (frame.old[name] ?? ''), value))), who);
  };
  const where = (turn) => Object.keys(turn.frames).sort().map((who) => {
    const runs = who === turn.who, frames = turn.frames[who];
    const note = frames.every((frame) => frame.end) ? frames[0].end : turn.waits[who] ? `waits: ${turn.waits[who]}` : runs ? 'had this turn' : /^task/.test(who) ? 'is ready' : 'is suspended';
    const cards = frames.filter((frame) => frame.name).map((frame) => card(frame, who)).reverse();
    return coloured(make('div', { className: runs ? 'task runs' : 'task' }, make('b', { textContent: who }), ' ', make('small', { textContent: note }), ...cards), who);
  });

  // The lines where bodies were resumed and suspended, with the order if a turn has several. In a turn of main, those
  // where they are suspended.
  const done = { calls: 'calls', returns: 'returns', finishes: 'finishes', throws: 'throws', leaves: 'finishes' };
  const places = (turn) => {
    const stops = turn.events.filter((event) => 'at' in event), found = {};
    const label = (place, kind, text) => { (found[place] ??= { kinds: [], texts: [] }).kinds.push(kind); found[place].texts.push(text); };
    stops.forEach((stop, i) => {
      const number = stops.length > 1 ? `${i + 1} ` : '';
      label(stop.from, 'from', `${number}resumed`);
      label(stop.at, i === stops.length - 1 ? 'here' : 'passed', `${number}${done[stop.what.split(' ')[0]] || 'suspended'}`);
    });
    if (!stops.length) for (const [who, frames] of Object.entries(turn.frames)) for (const frame of frames) label(frame.at, 'here', `${who} is suspended`);
    return found;
  };
  const queue = (title, ids) => ids ? make('span', {}, `${title} `, ...(ids.length ? ids : ['–']).map((id) => coloured(make('b', { textContent: id.replace(/[(](.*)[)]/, '$1 (killed)') }), `task ${id.replace(/[()]/g, '')}`))) : '';

  const show = (n) => {
    n = Math.max(0, Math.min(n, turns.length - 1));
    if (n === current) return;
    current = n;
    const turn = turns[n];
    now.replaceChildren(make('b', { textContent: `Turn ${n + 1} of ${turns.length}${main.more ? ', and so on' : ''}` }), ` ${turn.who} ${turn.events.map((event) => event.what).join(', ')}. `, queue('queue before', turn.queue), queue('after', turn.ready));
    for (const pane of panes) {
      pane.where.replaceChildren(...(twins ? [title(pane)] : []), ...where(pane.turns[n]));
      for (const line of Object.values(pane.lines)) { line.classList.remove('here', 'passed', 'from'); delete line.dataset.label; }
      let last;
      for (const [place, { kinds, texts }] of Object.entries(places(pane.turns[n]))) {
        const line = pane.lines[place];
        if (!line) continue;
        line.classList.add(...kinds);
        line.dataset.label = `← ${texts.join(', ')} here`;
        if (kinds.includes('here')) last = line;
      }
      if (last) pane.source.scrollTop = last.offsetTop - pane.source.clientHeight / 2;
    }
    output.replaceChildren(make('p', { className: 'title', textContent: 'output' }), make('pre', {}, ...turns.slice(0, n + 1).flatMap((t, i) => t.events.filter((event) => 'out' in event).map((event) => coloured(make(i === n ? 'mark' : 'span', { textContent: `${event.out}\n` }), t.who)))));
    output.scrollTop = output.scrollHeight;
    marks.forEach((mark, i) => i === n ? mark.setAttribute('aria-current', 'step') : mark.removeAttribute('aria-current'));
    lanes.scrollLeft = marks[n].offsetLeft - lanes.clientWidth / 2;
    range.value = n + 1;
    if (page) page.href = `${link.href}#turn-${n + 1}`;
    else if (location.hash || n) history.replaceState(null, '', `#turn-${n + 1}`);
  };

  const stop = () => { clearInterval(timer); timer = 0; play.textContent = '▶ play'; };
  const go = (n) => { stop(); show(n); };
  const back = make('button', { type: 'button', textContent: '← back', onclick: () => go(current - 1) });
  const next = make('button', { type: 'button', textContent: 'next →', onclick: () => go(current + 1) });
  const play = make('button', { type: 'button', textContent: '▶ play', onclick: () => {
    if (timer) return stop();
    if (current === turns.length - 1) show(0);
    play.textContent = '❚❚ pause';
    timer = setInterval(() => current < turns.length - 1 ? show(current + 1) : stop(), 1200);
  } });
  const range = make('input', { type: 'range', min: 1, max: turns.length, ariaLabel: 'Turn', oninput: () => go(range.value - 1) });
  const page = own ? null : make('a', { textContent: 'open on its own page' });
  const now = make('p', { className: 'now' });
  now.setAttribute('aria-live', 'polite');
  for (const pane of panes) {
    pane.lines = {};
    pane.where = box('where', twins ? `The machine ${by(pane)}` : 'What each coroutine holds');
    pane.source = box('source', twins ? `Source ${by(pane)}` : 'Source');
    for (const [file, text] of pane.sources) pane.source.append(make('p', { className: 'title', textContent: file }), make('pre', {}, ...text.map((html, i) => {
      const line = pane.lines[`${file}:${i + 1}`] = make('span', { className: 'line', innerHTML: html });
      line.dataset.n = i + 1;
      return line;
    })));
  }
  if (!turns.some((turn) => Object.values(turn.frames).flat().some((frame) => frame.state[1]))) main.where.dataset.note = 'The state and the members of the coroutines are shown if gdb is installed when the site is made.';
  const output = box('output', 'Output so far'), lanes = box('lanes', 'All turns');
  const names = [...new Set(turns.map((t) => t.who))].sort();
  const marks = turns.map((turn, i) => {
    const mark = coloured(make('button', { type: 'button', textContent: i + 1, ariaLabel: `Turn ${i + 1}, ${turn.who}`, onclick: () => go(i) }), turn.who);
    mark.style.gridArea = `${names.indexOf(turn.who) + 1} / ${i + 2}`;
    return mark;
  });
  lanes.append(...names.map((who, i) => { const name = make('span', { textContent: who }); name.style.gridRow = i + 1; return name; }), ...marks);

  const group = make('div', { className: 'controls' }, back, next, play, range, make('small', { textContent: 'keys: ← → Space' }), page || '');
  const element = make('section', { className: `player${twins ? ' twins' : ''}${own ? ' own' : ''}` }, group, now, ...panes.map((p) => p.where), output, ...panes.map((p) => p.source), lanes);
  element.setAttribute('aria-label', link.dataset.run.replace('_', ', ') + ', turn by turn');
  (own ? document : element).addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches('input')) return;
    const inside = element.contains(event.target), space = event.key === ' ' && inside && !event.target.matches('button, a');
    const step = { ArrowRight: current + 1, ArrowLeft: current - 1, ...(inside && { Home: 0, End: turns.length - 1 }) }[event.key];
    if (step !== undefined || space) event.preventDefault();
    if (step !== undefined) go(step);
    if (space) play.click();
  });
  const hash = () => go((location.hash.match(/^#turn-(\d+)$/)?.[1] || 1) - 1);
  if (own) addEventListener('hashchange', hash);
  return Object.assign(element, { stop, show: () => own ? hash() : show(0) });
};
