// Plays a recorded run, line by line and turn by turn. tools/book/turns.py says what is in a run.
const runs = {}, runData = (name, run) => { runs[name] = run; };
const el = make, span = (className, textContent, title = '') => el('span', { className, textContent, title }), style = el('link', { rel: 'stylesheet', href: `${root}player.css` });
const styled = new Promise((done) => { style.onload = style.onerror = done; });
document.head.append(style);

// Opens the run of a link where the link stands, or closes it. On a run's own page, #turn-8 is turn 8, #turn-8.4 its fourth line, and
// #poll-8.2 the second line of the poll after it, #turn-8-changed turn 8 of the run with another line, #turn-8-beside with the other side.
const openRun = async (link, name = link.dataset.run, at = link.dataset.turn && `turn-${link.dataset.turn}`) => {
  const first = link.closest('.player-place') ? link : $(`.play[data-run="${name}"]`), place = first.parentElement, own = 'open' in first.dataset;
  const beside = place.nextElementSibling, old = own ? $('.player', place) : beside?.matches('.player') ? beside : null;
  if (own && at === undefined && first.dataset.what && /changed/.test(location.hash)) name += '_changed';
  old?.stop();
  if (old && name === old.name && link === first) return old.remove();
  await Promise.all([load(`runs/${name}.js`), load(`player_${zh ? 'zh' : 'en'}.js`), styled]);
  const larger = el('a', {}, word('larger'));
  const run = runs[name], element = player(run, (where) => {
    const place = `#${at = where}${run.of ? '-changed' : ''}`;
    larger.href = pageOf(run.of || name) + place;
    if (own) history.replaceState(null, '', place);
  });
  const [key, question] = run.what || [];
  $('.controls', element).append(...(key ? [el('button', { className: 'what', onclick: () => openRun(first, key, at) }, `⇄ ${tell(question)}`)] : []), ...(own ? [] : [larger]));
  element.name = name;
  old ? old.replaceWith(element) : place[own ? 'append' : 'after'](element);
  (own ? document : element).onkeydown = element.onKey; // its own page has one player, whose keys work beside it, too
  own ? (onhashchange = () => element.open(location.hash))() : element.open(at);
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'nearest' });
};

const player = (run, changed) => {
  const W = word, says = tell;
  const div = (className, ...inside) => el('div', { className }, ...inside), small = (className, textContent) => el('small', { className, textContent });
  const { isArray } = Array, { max, min } = Math, { entries } = Object, { ev, turns, actors, states, who: everybody, tasks: ids, nets, waits } = run, THROW = 3, CATCH = 4, NET = 5, looped = run.loop.length, LOOP = run.src.length;
  const focus = () => element.focus({ preventScroll: true }), calm = matchMedia('(prefers-reduced-motion)').matches;
  const tint = (e, who) => { e.style.setProperty('--who', `var(--${/^(main|sched|poll)$/.test(who) ? 'soft' : `dot${(who?.slice(5) - 1) % 6 || 0}`})`); return e; };
  const badge = (id, who = `task ${id}`) => tint(el('b', {}, id), who), shift = (x, y) => `translate(${x}px,${y}px)`;
  let number = -1; // what main does before the first turn is turn 0
  const numbers = turns.map(([, who]) => who === 'poll' ? number : ++number); // a poll has the number of the turn before it
  const named = (t) => W(turns[t][1] === 'poll' ? 'Poll' : 'Turn', numbers[t]);
  const turnOf = (n) => turns.findLastIndex(([from]) => from <= n), first = (t) => turns[t][0], last = (t) => (turns[t + 1]?.[0] ?? ev.length) - 1;

  // All that exists after event n: keys of one letter are the scheduler's, the others are names.
  const at = (n) => {
    const s = { q: [], r: 0, h: 0, w: {}, a: {}, p: {}, c: 0, n: [], l: [], out: [], who: {}, spot: {}, ran: new Map() }, t = turnOf(n), from = first(t), whose = turns[t][1];
    for (let i = 0; i <= n; ++i) {
      const [actor, file, line, kind, object, d] = ev[i];
      for (const key in d) key === 'o' || key === 'e' ? s.out.push([d[key], actors[actor], i, key]) : (key[1] ? s.who : s)[key] = d[key];
      Object.assign(s.spot, d.d);
      if (kind === NET) s.out.push([says(d.c ? run.script[d.c - 1] : d.x), 'poll', i, 'net']);
      if (object && kind !== THROW) s.spot[object] = [file, line];
      if (i < from) continue;
      s.ran.set(rows[file][line], actors[actor]);
      s.took ||= d.r == whose.slice(5); // not one that is only skipped
      if (file !== LOOP && actors[actor] === whose) s.last = [file, line];
      if (kind === THROW) s.thrown = [file, line, d.x];
      if (kind === CATCH) s.caught = [file, line, W('caught')];
    }
    return s;
  };

  // The parts, each in its own place.
  const box = (className, ...inside) => el('section', { className, tabIndex: 0, ariaLabel: W(className) }, ...inside);
  const title = (name) => el('p', { className: 'title', textContent: says(name) }), rows = [...run.src, 0].map(() => []);
  // The lines of the stack have numbers that are 1000 too large.
  const code = (rows, lines) => el('pre', {}, ...lines.map(([n, html]) => { const r = el('span', { className: 'line', code: html ||= ' ', innerHTML: html }); if (n) { r.dataset.n = n % 1e3; rows[n] = r; } return r; }));
  const sources = (src, rows) => src.flatMap(([name, lines], f) => [title(name), code(rows[f], lines.map((html, i) => [i + 1, html]))]);
  const source = box('source', ...sources(run.src, rows)), loop = box('loop', title(['loop']), code(rows[LOOP], run.loop), ...(run.stack ? [title(['stack']), code(rows[LOOP], run.stack)] : []));
  const cards = box('cards'), printed = el('pre'), output = box('output', title([run.script[0] ? 'and network' : 'output']), printed), lanes = box('lanes'), say = el('p', { className: 'say', ariaLive: 'polite' }), score = small('');
  const boxes = ids.map((id) => badge(id)), sockets = nets.map((name) => div('', el('b', {}, name), small('')));
  const shelf = small('shelf'), belt = div('belt'), slot = div('slot'), notes = div('');
  const stage = div(waits ? 'stage' : 'stage low', shelf, slot, belt, notes, ...sockets, ...boxes);
  stage.role = 'img';
  let other, current = -1, timer, pace = 1, top, asks, asked, right = 0, answers = 0, pending, spots = {}, folded = 0;

  const socket = (s, wait) => s.n.findLast((x) => x[1] === wait[0] && x[3] !== 'closed')?.[0];
  const fate = (s, id) => s.who[`task ${id}`];
  const put = (box, [x, y, is, note = '']) => { box.className = `box ${is}`; box.dataset.note = note; box.style.transform = shift(x, y); return box; };
  // The queue: where each task's box is, and how it moves there.
  const places = (s) => {
    const w = stage.clientWidth, step = 46, left = 112, wide = min(170, (w - 8) / nets.length), narrow = wide < 110, found = {}, dead = ids.filter((id) => fate(s, id)?.trim).reverse(); // has a word in the place of bodies
    let free = 0;
    top = waits ? (wide < 70 ? 115 : narrow ? 96 : 86) : 24;
    notes.replaceChildren();
    stage.classList.toggle('narrow', narrow);
    stage.classList.toggle('tiny', wide < 70);
    sockets.forEach((e, i) => { e.style = `left:${4 + i * wide}px;width:${wide - 6}px`; });
    for (const id of ids) {
      const wait = s.w[id], runs = id === s.r, gone = dead.includes(id), places = s.q.flatMap((x, i) => x === id ? [[left + i * step, top, gone ? 'dead' : runs && !s.h ? 'runs' : '']] : []);
      if (runs && s.h) places.unshift([29, top, 'runs']);
      if (wait?.[0] >= 0) places.push([nets.indexOf(socket(s, wait)) * wide + wide - (narrow ? 42 : 46), narrow ? 35 : 21, 'waits', W(`to ${wait[1]}`)]);
      else if (wait) { notes.append(el('small', { style: `left:${left + free * 190 + 46}px` }, says(wait))); places.push([left + free++ * 190, 20, 'waits']); }
      found[id] = places.shift() || (gone ? [w - 46 - dead.indexOf(id) * min(44, (w - 200) / dead.length), top, 'gone'] : runs ? [29, top, 'runs'] : [w, top, 'none']);
      // A task can be in the queue twice, or there although it waits.
      notes.append(...places.map((place) => put(badge(id), place)));
    }
    return found;
  };
  // How: 0 is at once, 1 one line on, 2 a turn on, in which a task goes through the machine.
  const move = (s, how) => {
    const next = places(s), who = actors[ev[current][0]] === 'main' ? 'main' : turns[turnOf(current)][1], task = +who.slice(5);
    const [what, ghost] = s.r ? s.q.includes(s.r) && !s.h ? ['is next', s.r] : next[s.r]?.[2] === 'runs' ? ['has'] : [fate(s, s.r), s.r] : !task ? ['acts', who] : s.took ? ['had', task] : ['next?', '?'], label = W(what);
    slot.replaceChildren(label, ...ghost ? [badge(ghost, +ghost ? undefined : who)] : []);
    const went = s.took && next[task]; // where the task is that had the turn
    ids.forEach((id, i) => {
      const [x, y, is] = next[id], [px, py, was] = spots[id] || next[id], path = [[px, py], [x, y]], through = how > 1 && went === next[id];
      if ((was === 'runs' || through) && !is) path.splice(1, 0, [x, y + 30]); // back along the belt
      if (through) path.splice(1, 0, [29, top], [29, top]);
      const box = put(boxes[i], next[id]);
      if (went === next[id]) box.className += ' went';
      if (how && !calm && (through || px !== x || py !== y)) box.animate(path.map((to) => ({ transform: shift(...to) })), { duration: 450, easing: 'ease-in-out' });
    });
    spots = next;
    stage.dataset.q = s.q.length;
    belt.style.width = `${went?.[0] - 29}px`;
    stage.ariaLabel = W('machine', label, ghost || s.r, s.q[0] ? s.q.map((id) => fate(s, id)?.trim ? ['dead one', id] : [id]) : ['empty'], entries(s.w).map(([id, wait]) => wait[0] >= 0 ? W('on socket', id, socket(s, wait), W(`to ${wait[1]}`)) : W('on other', id, wait)).join(' '), s.k || '');
    stage.dataset.says = W(s.q[0] ? 'front of' : 'is empty');
    shelf.textContent = says(s.k || (waits ? ['waits for'] : ''));
    sockets.forEach((e, i) => {
      const [, , text, state] = s.n.find((x) => x[0] === nets[i]) || [0, 0, '', 'none'];
      e.className = `socket ${Object.values(s.w).some((wait) => wait[1] === 'write' && socket(s, wait) === nets[i]) ? '' : state}`;
      e.lastChild.textContent = says(text);
    });
  };

  const row = ([file, line]) => rows[file][line];
  // Where somebody's innermost body is, if it has begun. Who has ended has a word in the place of bodies, and no spot.
  const spotOf = (s, who) => s.spot[s.who[who]?.at(-1)?.[3]];
  const place = ([file, line]) => file ? `${run.src[file][0].split('/')[1]}:${line}` : W('line', line);
  const told = (pair) => pair[0] === 'awaited by' ? W(...pair) : pair.join(' = ');
  // The values of a card that is folded, in its one line.
  const brief = (frames) => small('brief', frames.flatMap((f) => entries(f[2]).map(told)).join(', '));
  // What each of them holds, and what this turn has changed.
  const card = (who, s, old) => {
    const frames = s.who[who], id = +who.slice(5), before = old.who[who], queued = s.q.includes(id), error = s.p[id], answer = s.a[id], list = isArray(frames) ? frames : [], fresh = who !== 'main' && list.every((f) => !s.spot[f[3]]);
    const its = who === turns[turnOf(current)][1], acts = who === actors[ev[current][0]], runs = acts || id && id === s.r && (s.h || !queued), pair = (key, a, b) => el('code', { className: a !== b ? 'new' : '' }, ...a && a !== b ? [`${key} = `, el('s', {}, a), ` → ${b}`] : [told([key, b])]);
    const wait = s.w[id], note = !frames ? W('not yet') : list !== frames ? W(frames) : wait ? W('waiting') + (wait[0] >= 0 && wait[2] ? `, ${says(wait[2])}` : '') + (queued ? W('is ready') : '') : acts ? W('acts') : runs ? W('has') : who === 'main' ? W('in line', s.m) : W(fresh ? 'fresh' : queued ? 'ready' : 'idle');
    const head = [el('b', {}, says(who)), small('', ` ${note}`)], folds = list.length;
    return tint(el(folds ? 'details' : 'div', { className: `task${runs ? ' runs' : ''}${its ? ' its' : ''}${list !== frames ? ' none' : fresh ? ' fresh' : ''}`, open: true }, ...folds ? [el('summary', {}, ...head, brief(list))] : head,
      ...(error ? [el('code', { className: `thrown${error === old.p[id] ? '' : ' new'}` }, W('throwing', error))] : []), ...(answer ? [pair(W('its answer'), answer === old.a[id] && answer, answer)] : []), ...list.map((f, i) => {
        const was = before?.[i]?.[3] === f[3] ? before[i] : [0, f[1], f[2]], [name, state, held, object] = f;
        return el('details', { className: `frame${was[0] ? '' : ' new'}`, open: true }, el('summary', {}, el('strong', {}, name), small('', s.spot[object] ? place(s.spot[object]) : ''), brief([f])),
          states[name] ? div('states', ...(/^\d/.test(state) ? [el('small', { title: W('index help') }, W('index'))] : []), ...states[name].map((x) => span(x !== state ? '' : was[1] === x ? 'is' : 'is new', x.replace(/line (\d+)/, (_, n) => W('line', n))))) : '',
          ...entries(held).map(([key, value]) => pair(key, was[2][key], value)));
      }).reverse()), who);
  };
  // If not all of it fits, it gets tight. Then what this turn has not changed folds: first the frames of the others, then the others, then the callers.
  // It begins as it was in the line before, because each try costs a layout.
  const fold = () => {
    const folds = ['.task:not(.its, .runs) .frame', '.task:not(.its, .runs)', '.frame ~ .frame'].flatMap((rule) => $$(`details${rule}:not(.new, :has(.new, .thrown))`, cards));
    const fits = (n) => { cards.classList.toggle('tight', n); folds.forEach((e, i) => { e.open = i > n - 2; }); return cards.scrollHeight <= cards.clientHeight; };
    while (folded && fits(folded - 1)) --folded;
    while (!fits(folded) && folded <= folds.length) ++folded;
  };

  // Puts parts into a pane, and leaves there what is the same: a change costs time. Returns whether one is new.
  const renew = (pane, parts) => {
    let some;
    parts.forEach((e, i) => {
      const old = pane.children[i];
      if (old?.html === (e.html = e.outerHTML)) return;
      if (old?.contains(document.activeElement)) focus();
      old ? old.replaceWith(e) : pane.append(e);
      some = true;
    });
    while (pane.children[parts.length]) pane.lastChild.remove();
    return some;
  };

  const changeIn = (pane) => $('.line:has(ins)', pane);
  // Scrolls to an element (without one, to the changed line), and, if they fit, to another one and to the changed line, which is never half in view.
  const into = (pane, e = changeIn(pane), part = .45, other = e) => {
    if (!e) return;
    const room = pane.clientHeight, changed = changeIn(pane), all = (...all) => [min(...all.map((x) => x.offsetTop)), max(...all.map((x) => x.offsetTop + x.offsetHeight))];
    const [top, end] = [all(e, other, changed || e), all(e, other), all(e, changed || e)].find(([from, to]) => to - from < room - 27) || all(e), [from, to] = changed ? all(changed) : [];
    let y = pane.scrollTop;
    if (top < y + 20 || end > y + room - 8) y = top - 5 - max(part && 14, min(room * part, room - end + top - 14));
    pane.scrollTop = from < y + 16 && to > y + 16 ? to - 16 : from < y + room && to > y + room ? from - room : y;
  };
  const show = (n) => {
    n = max(0, min(n, ev.length - 1));
    const before = max(0, current), was = turnOf(before), one = n === current + 1, t = turnOf(n), who = turns[t][1], s = at(n), [actor, file, line, kind, , , said] = ev[n], here = rows[file][line];
    current = n;
    pending = null;
    const quiet = t === was ? ' aria-hidden="true"' : ''; // a screen reader has said it
    move(s, one ? 1 : n === last(t) && (t - was || n - before) > 0 && t - was < 2 ? 2 : 0);
    say.innerHTML = `<b${quiet}>${asks || who === 'poll' ? named(t) : W('of all', named(t), number) + (run.more ? W('more') : '')}</b><small${quiet}> ${W('where', who, n - first(t) + 1, last(t) - first(t) + 1)} </small>${said.map(sentence).join(' ')}`;
    const chips = new Map(), chip = (r, label, whose, name = 'chip') => chips.set(r, (chips.get(r) || '') + tint(span(name, label, whose), whose).outerHTML);
    for (const [whose, frames] of entries(s.who)) if (isArray(frames)) for (const f of frames) if (s.spot[f[3]]) chip(row(s.spot[f[3]]), whose.match(/^task (.*)|$/)[1] || whose[0], whose);
    chip(rows[0][s.m], 'm', 'main');
    if (s.r) chip(rows[LOOP][s.l.at(-1)], s.r, `task ${s.r}`);
    for (const spot of [s.thrown, s.caught]) if (spot) chip(row(spot), `⚡ ${spot[2]}`, 'main', 'bolt');
    rows.forEach((lines, f) => lines.forEach((r, l) => {
      const now = chips.get(r) || '', its = s.ran.get(r), name = `line${its ? ' ran' : ''}${f === LOOP && s.l.includes(l) ? ' outer' : ''}${r === here ? ' here' : ''}`;
      if (r.className !== name || r.who !== its) tint(r, r.who = its).className = name;
      if (r.chips !== now) r.innerHTML = r.code + (r.chips = now);
    }));
    const old = at(max(0, first(t) - 1));
    renew(printed, [...s.out.map(([text, whose, i, key]) => tint(el(i >= first(t) ? 'mark' : 'span', { textContent: text.replace(/\n$/, ''), className: key }), whose)), ...run.script.slice(s.c).map((text) => span('net later', says(text)))]);
    marks.forEach((m, i) => { m.ariaCurrent = i === t ? 'step' : null; m.tabIndex = -(i !== t); m.hidden = asks && i > t; });
    range.value = n;
    // All else is written: from here on, the browser needs few layouts.
    if (renew(cards, everybody.map((w) => card(w, s, old)))) fold();
    into(source, file === LOOP ? row(spotOf(s, who) || s.last || [0, s.m]) : here, .45, looped ? undefined : $$('.line:has(.chip)', source).findLast((r) => r !== here));
    other?.mark(n);
    into(loop, rows[LOOP][file === LOOP ? line : s.l.at(-1)]);
    const shown = $('.runs', cards) || $('.its', cards), news = shown ? $$('.new', shown) : [];
    into(cards, shown, 0);
    into(cards, news[0], 0, news.at(-1));
    into(lanes, marks[t]);
    lanes.scrollLeft = marks[t].offsetLeft - lanes.clientWidth / 2;
    output.scrollTop = 0;
    into(output, printed.children[s.out.length - 1], 1);
    range.ariaValueText = say.textContent;
    changed(`${who === 'poll' ? who : 'turn'}-${numbers[t]}${n === last(t) ? '' : `.${n - first(t) + 1}`}${other ? '-beside' : ''}`);
  };
  // A line leads to where it runs next, or first.
  const leads = (pane, rows, places) => pane.onclick = ({ target }) => { const runs = places.flatMap(([f, l], i) => rows[f][l] === target.closest('.line') ? [i] : []), next = runs.find((i) => i > current) ?? runs[0]; if (next >= 0) go(next); };
  for (const pane of [source, loop]) leads(pane, rows, ev.map(([, ...place]) => place));

  // A question before a turn; the recording knows the answer.
  const pose = ([words, choices, good, decides, where]) => {
    pending = (i) => {
      pending = null;
      score.textContent = W('score', right += i === good, ++answers);
      $$('button', say).forEach((b, k) => { b.disabled = true; b.className = k === good ? 'good' : k === i ? 'bad' : ''; });
      focus();
      say.lastChild.replaceWith(small('', W(i === good ? 'yes' : 'no')), button(sentence(['decides', where]), '', () => { focus(); go(decides); }));
    };
    say.replaceChildren(el('b', {}, sentence(words)), ...choices.map(says).map((text, i) => button(text, text, () => pending?.(i))), small('keys', W('answers', choices.length)));
  };
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = '▶'; };
  const go = (n, playing) => {
    if (!playing) stop();
    const t = turnOf(current), q = asks && turnOf(n) > t && !asked.has(t) && turns[t + 1]?.[2];
    if (!q) return show(n);
    asked.add(t);
    stop();
    show(last(t));
    pose(q);
    if (q[0][0] === 'whose') return;
    const next = turns[t + 1][1], spot = spotOf(at(current), next);
    if (spot) into(source, row(spot));
    into(cards, cards.children[everybody.indexOf(next)], 0);
  };
  const turn = (way, playing) => { const t = turnOf(current); go(way < 0 ? t ? last(t - 1) : 0 : last(current < last(t) || t + 1 === turns.length ? t : t + 1), playing); };
  const button = (text, name, onclick, title = W(name)) => el('button', { textContent: text, title, onclick, ariaLabel: title });
  const play = button('▶', 'Play', ({ shiftKey }) => {
    if (timer) return stop();
    play.textContent = '❚❚';
    timer = setInterval(() => current === ev.length - 1 ? stop() : shiftKey ? turn(1, true) : go(current + 1, true), 700 / pace);
  });
  const speed = button('1×', 'Speed', () => { speed.textContent = `${pace = pace > 2 ? .5 : pace * 2}×`; if (timer) { stop(); play.click(); } });
  const ask = button(W('ask me'), 'Ask', () => { ask.ariaPressed = asks = !asks; asked = new Set(); if (current >= 0) show(current); });
  // The other side: the same program by hand or by the compiler, or, beside a run with another line, as it was.
  const [twin, itsSources, moments, both] = run.twin || [], beside = button(`⇄ ${says(both)}`, 'beside', () => {
    beside.ariaPressed = !other;
    if (other) other = other.remove();
    else {
      const rows = itsSources.map(() => []), alone = el('a', {}, W('own page'));
      other = box('beside', alone, ...sources(itsSources, rows));
      other.mark = (n) => {
        const [file, line, runs, where, state] = moments[n], r = rows[file][line];
        $('.here, .outer', other)?.classList.remove('here', 'outer');
        r.classList.add(runs ? 'here' : 'outer');
        alone.dataset.at = says(state);
        alone.href = `${pageOf(twin)}#${where}`;
        into(other, r);
      };
      leads(other, rows, moments);
      source.after(other);
    }
    show(current);
  });
  const range = el('input', { type: 'range', max: ev.length - 1, ariaLabel: W('Line'), oninput: () => { stop(); show(+range.value); } });
  const lane = (who) => run.lanes.indexOf(who), dead = (id, who) => tint(el('i', { title: W('skipped', `task ${id}`), style: `--down:${lane(`task ${id}`) - lane(who)}` }), `task ${id}`);
  const marks = turns.map(([, who, , skipped, leaves], t) => {
    const mark = tint(Object.assign(button(who === 'poll' ? '·' : numbers[t], `${named(t)}${words[', ']}${says(who)}`, () => { focus(); go(last(t)); }), { ariaDescription: leaves && W('leaves'), style: `grid-area: ${lane(who) + 1} / ${t + 2}` }), who);
    mark.append(...skipped.map((id) => dead(id, who)));
    return mark;
  });
  lanes.append(...run.lanes.map((who) => span('', says(who))), ...marks);
  const element = el('section', { className: `player${looped ? '' : ' alone'}`, ariaLabel: says(run.src[0][0]), style: `--ended:"${W('gone ones')}";--called:"${W('called by')}"` }, div('controls', button(W('← turn'), 'prev turn', () => turn(-1)), button('←', 'prev line', () => go(current - 1)), button('→', 'next line', () => go(current + 1)), button(W('turn →'), 'next turn', () => turn(1)), play, speed, range, ask, ...twin ? [beside] : [], score),
    say, ...(ids[0] ? [stage] : []), source, ...(looped ? [loop] : []), cards, output, lanes,
    el('div', { className: 'foot', innerHTML: run.foot.map((said) => `<span>${sentence(said)}</span>`).join('') }));
  const onKey = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !element.contains(event.target) && !event.target.matches('body, main')) return;
    const key = event.key.toLowerCase(), way = { arrowright: 1, arrowleft: -1 }[key], pressed = { '?': ask, t: twin && beside }[key], end = { home: 0, end: 1e9, o: ev.findIndex(([, , , , , d], i) => i > current && (d.o || d.e)) }[key];
    if (way) event.shiftKey ? turn(way) : go(current + way);
    else if (end >= 0) go(end);
    else if (pending && $$('button', say)[key - 1]) pending(key - 1);
    else if (key === ' ' && !event.target.matches('button, summary')) play.onclick(event);
    else if (pressed) pressed.click();
    else return;
    event.preventDefault();
  };
  new ResizeObserver(() => { cards.replaceChildren(); current < 0 || pending || show(current); }).observe(element);
  return Object.assign(element, { onKey, show, stop, open: (where = '') => {
    const [, poll, turn, line] = where.match(/^#?(?:turn|(poll))-(\d+)(?:[.](\d+))?/) || [], n = min(turn, number), end = numbers.lastIndexOf(n), t = poll ? end : numbers.indexOf(n);
    show(turn ? line ? min(first(t) - 1 + +line, last(end)) : last(t) : 0);
    if (twin && !other && /beside/.test(where)) beside.click();
  }, turn: () => numbers[turnOf(current)] });
};
