// Steps through every line of every run, on a laptop and on a phone, and answers the questions. Each fault is told once
// for each run and size.
const sizes = [{ width: 1366, height: 768 }, { width: 390, height: 844 }];

// In the page: shows each line, and looks whether what is spoken of can be seen.
function everyLine() {
  const player = document.querySelector('.player'), run = runs[player.name], found = new Set();
  const all = (selector) => [...player.querySelectorAll(selector)];
  const rect = (element) => element.getBoundingClientRect();
  const place = (element) => ['left', 'top', 'width', 'height'].map((key) => Math.round(rect(element)[key])).join();
  const inside = (element, pane) => rect(element).top >= rect(pane).top - 1 && rect(element).bottom <= rect(pane).bottom + 1;
  // Where a pane begins below its heading, and where it ends.
  const room = (pane) => [rect(pane).top + pane.clientTop + pane.querySelector('.title').offsetHeight, rect(pane).top + pane.clientTop + pane.clientHeight];
  const seen = (line) => rect(line).top > room(line.closest('section'))[0] - 2 && rect(line).bottom < room(line.closest('section'))[1] + 2;
  const change = player.querySelector('.line:has(ins)');
  // On a phone, the source and the loop share their room.
  const panes = [...player.children].filter((pane) => innerWidth > 1000 || !pane.matches('.source, .loop')), places = panes.map(place).join();
  if (rect(player).right > innerWidth) found.add('the player is wider than the window');
  if (all('.controls button').some((button) => button.scrollWidth > button.clientWidth || button.scrollHeight > button.clientHeight)) found.add('the words of a button are cut');
  player.show(0);
  for (const text of run.script.map(tell)) if (!player.querySelector('.output').innerText.includes(text)) found.add(`before the first turn, one does not see that ${text}`);
  if (!/then .*learn run/.test(player.innerText)) found.add('one does not see how to change the program');
  if (!/or play/.test(player.innerText)) found.add('one does not see how to play the changed program');
  if (run.traced && !/or trace/.test(player.innerText)) found.add('one does not see how to draw the turns of the changed program');
  if (innerWidth > 1000 && player.querySelector('.foot').offsetHeight > 25) found.add('the foot has two lines');
  if (innerWidth > 1000 && !/Space plays/.test(player.innerText)) found.add('the keys are not shown');
  history.replaceState = () => {}; // the browser would work for it at each line
  let thrown = {}, colours = new Map();
  const cards = new Map();
  if (rect(innerWidth > 1000 ? player : player.querySelector('.lanes')).bottom > innerHeight) found.add('the player ends below the window');
  for (const pane of all('.source, .loop, .cards, .output')) if (pane.clientHeight < 60) found.add(`${pane.className} is ${pane.clientHeight} px high`);
  for (let n = 0; n < run.ev.length; ++n) {
    player.show(n);
    const [actor, , , kind, , delta] = run.ev[n], who = run.actors[actor], here = all('.line.here');
    if (panes.map(place).join() !== places) found.add('a pane moves');
    if (run.turns.some(([first]) => first === n)) colours.clear();
    here.forEach((line) => colours.set(line, line.style.getPropertyValue('--who')));
    for (const [line, colour] of colours) if (line.style.getPropertyValue('--who') !== colour) found.add('a line that has run has not the colour of its actor');
    if (here.length !== 1) found.add(`${here.length} lines are marked`);
    else if (!seen(here[0])) found.add('the marked line is outside of its pane, or its heading covers it');
    for (const pane of innerWidth > 1000 ? all('.source, .loop') : []) {
      const first = document.elementFromPoint(rect(pane).left + 90, room(pane)[0] + 3)?.closest('.line');
      if (first && rect(first).top < room(pane)[0] - 2 && pane.scrollTop + pane.clientHeight < pane.scrollHeight - 1) found.add('a heading covers half of a line');
    }
    if (change && room(change.closest('section')).some((edge) => rect(change).top < edge - 2 && rect(change).bottom > edge + 2)) found.add('the changed line is half in view');
    if (change && run.loop.length && change.closest('section').contains(here[0]) && Math.max(rect(change).bottom, rect(here[0]).bottom) - Math.min(rect(change).top, rect(here[0]).top) < change.closest('section').clientHeight - 29 && !seen(change)) found.add('the changed line is out of view, although it fits');
    if (change?.closest('.loop') && n < run.turns[1][0] && change.offsetHeight < change.closest('.loop').clientHeight - 29 && !seen(change)) found.add('before the first turn, the changed line of the loop is out of view');
    if (kind === 3 && !player.querySelector('.here .bolt')) found.add('a throw has no mark');
    for (const bolt of all('.bolt')) {
      const { left, right, top, bottom } = rect(bolt), code = document.createRange();
      code.setStart(bolt.parentElement, 0);
      code.setEndBefore(bolt);
      if ([...code.getClientRects()].some((r) => r.width && r.right > left + 1 && r.left < right - 1 && r.bottom > top + 4 && r.top < bottom - 4)) found.add('the mark of a throw covers code');
    }
    if (who === 'main' && !player.querySelector('.chip[title=main]')) found.add('the line of main is not marked');
    const card = player.querySelector('.task.runs');
    if (/^task/.test(who) && !card) found.add('the task that runs has no card');
    if (card && card.offsetHeight + 14 < card.parentElement.clientHeight && !inside(card, card.parentElement)) found.add('the card of the task that runs is cut');
    thrown = delta.p ?? thrown;
    for (const [id, text] of Object.entries(thrown)) {
      if (!all('.task').some((card) => card.innerText.startsWith(`task ${id} `) && card.innerText.includes(text))) found.add('an exception that waits for a task is not on its card');
    }
    const pane = player.querySelector('.cards');
    if (pane.scrollHeight > pane.clientHeight + 1 && all('details.task:not(.its, .runs, .new)[open]').some((card) => !card.querySelector('.new, .thrown'))) found.add('cards are cut, although the turn has not changed others, which are open');
    for (const fold of all('.cards details:not([open])')) {
      const summary = fold.querySelector('summary'), brief = summary.querySelector('.brief');
      if (!summary.checkVisibility()) continue;
      const values = [...fold.querySelectorAll('.frame code, :scope > code')].map((code) => code.textContent).filter((value) => !/^(state_|resume index|its answer|⚡)/.test(value));
      if (!values.every((value) => brief?.textContent.includes(value))) found.add('a folded card does not name its values');
      if (brief?.textContent && !brief.checkVisibility()) found.add('one does not see the values of a folded card');
      if (summary.offsetHeight > 1.6 * parseFloat(getComputedStyle(summary).fontSize)) found.add('a folded card has more than one line');
    }
    if (all('.cards details[open] > summary > .brief').some((brief) => brief.checkVisibility())) found.add('an open card names its values twice');
    const slot = player.querySelector('.slot');
    if (slot && !/^The machine: [^:]+: ./.test(slot.parentElement.ariaLabel)) found.add('a screen reader is not told who has the turn');
    if (slot && slot.scrollHeight > slot.clientHeight) found.add('what the machine says does not fit');
    if (slot && !slot.querySelector('b') && !all('.box.runs').some((box) => inside(box, slot) && rect(box).right < rect(slot).right)) found.add('the machine is empty');
    const [said] = all('.output pre > :not(.later)').slice(-1);
    if (said && said.offsetHeight < 60 && !inside(said, player.querySelector('.output'))) found.add('what was printed last is outside of its pane');
    const named = all('.task b').map((name) => name.textContent);
    for (const box of all('.box:not(.none)')) {
      const stage = rect(box.closest('.stage')), { left, right, bottom } = rect(box);
      if (!named.includes(`task ${box.textContent}`)) found.add(`task ${box.textContent} is in the queue and has no card`);
      if (left < stage.left || right > stage.right || bottom > stage.bottom) found.add(`the box of task ${box.textContent} is outside of the stage`);
    }
    if (all('.socket').some((socket) => socket.scrollHeight > socket.clientHeight + 1)) found.add('the text of a socket leaves its box');
    for (const box of all('.box.waits')) for (const small of all('.socket small')) {
      const text = document.createRange(), { left, right, top, bottom } = rect(box);
      text.selectNodeContents(small);
      if ([...text.getClientRects()].some((r) => r.right > left + 1 && r.left < right - 1 && r.bottom > top + 1 && r.top < bottom - 1)) found.add('a task covers the text of its socket');
    }
    if (all('.socket:not(.none) small').some((small) => small.textContent && !small.checkVisibility())) found.add('one does not see what a socket has to read');
    for (const chip of all('.chip')) {
      const line = chip.parentElement, { left, width, fontSize } = getComputedStyle(line, '::before');
      if (line.dataset.n && chip.offsetLeft + chip.offsetWidth > parseFloat(left) + parseFloat(width) - line.dataset.n.length * .61 * parseFloat(fontSize) + 1) found.add('the marks of bodies cover the number of their line');
    }
    // Without a scheduler, one wants to see both: where main is, and where the body is; in mini_scheduler, unless a third place is marked.
    const both = run.loop.length || !run.traced && !here[0]?.querySelector('.chip') ? [] : all('.line:has(.chip)'), source = player.querySelector('.source');
    if (both.length === 2 && rect(both[1]).bottom - rect(both[0]).top < source.clientHeight - 28 && !both.every((line) => inside(line, source))) found.add('the line of main and that of the body are not both in view');
    const news = all(':is(.runs, .its) .new');
    if (news.length && Math.max(...news.map((part) => rect(part).bottom)) - rect(news[0]).top < pane.clientHeight - 28 && !news.every((part) => inside(part, pane))) found.add('what has changed is cut, although it fits');
    const words = player.querySelector('.say');
    for (const call of words.querySelectorAll('code')) {
      if (/[\w.:]$/.test(call.previousSibling.textContent)) found.add('a call in a sentence is torn');
      const before = document.createRange();
      before.setStart(words, 0);
      before.setEndBefore(call);
      if (before.toString().split('“').length > before.toString().split('”').length) found.add('a call in a quotation looks like code');
    }
    if (/\w\(.*\)/.test(words.textContent.replace(/“[^”]*”/g, '')) && !words.querySelector('code')) found.add('a call in a sentence does not look like code');
    if (!words.innerText.trim()) found.add('no sentence');
    if (words.scrollHeight > words.clientHeight + 2) found.add('a sentence does not fit');
    // What is folded is measured in the end, unfolded, once for each card of a width: here, each fold would cost two layouts.
    for (const card of all('.task')) cards.set(`${pane.className} ${card.offsetWidth} ${card.outerHTML.replaceAll(' open=""', '')}`, card);
  }
  for (const tight of ['cards', 'cards tight']) {
    const pane = player.querySelector('.cards').cloneNode();
    pane.className = tight;
    for (const [key, card] of cards) {
      const [, its, width] = key.match(/^(\D+) (\d+) /);
      if (its !== tight) continue;
      const copy = pane.appendChild(card.cloneNode(true));
      copy.style.flex = `0 0 ${width}px`;
      for (const fold of [copy, ...copy.querySelectorAll('details')]) fold.open = true;
    }
    player.append(pane);
    for (const small of pane.querySelectorAll('.frame > summary small:not(.brief)')) if (small.textContent && rect(small).bottom > rect(small.parentElement).bottom + 1) found.add('the place of a frame covers its state');
    if (innerWidth < 700 && [...pane.querySelectorAll('.frame code:not(.new)')].some((code) => code.offsetHeight > 24)) found.add('a value that has not changed has more than one line');
    pane.remove();
  }
  delete history.replaceState;
  return [...found];
}

// In the page: shows each line beside the program by hand, by the compiler, or as it was.
function everyMoment() {
  const player = document.querySelector('.player'), { twin: [, , moments], ev } = runs[player.name], found = new Set();
  player.show(ev.length >> 1); // a question would need room
  player.dispatchEvent(new KeyboardEvent('keydown', { key: 't', bubbles: true }));
  const pane = player.querySelector('.beside'), source = player.querySelector('.source'), box = pane.getBoundingClientRect();
  if (Math.abs(pane.clientHeight - source.clientHeight) > 1 || Math.abs(pane.clientWidth - source.clientWidth) > 1) found.add('the two sides are not of one size');
  if (moments.length !== ev.length) found.add('not each line has one beside it');
  const look = (n) => {
    const lines = [...pane.querySelectorAll('.here, .outer')], [line] = lines;
    if (lines.length !== 1 || +line.dataset.n !== moments[n][1] || line.matches('.here') !== !!moments[n][2]) found.add('another line is marked beside it');
    const { top, bottom } = line.getBoundingClientRect();
    if (top < box.top + 15 || bottom > box.bottom + 1) found.add('the line beside it is out of view');
  };
  // The loop is below the two sides.
  const loop = player.querySelector('.loop'), where = () => {
    if (![...player.querySelectorAll(':scope > :is(.source, .loop)')].every((pane) => pane.clientHeight > 50)) found.add('beside the other side, the source or the loop is not in view');
    const marked = loop && [...loop.querySelectorAll('.here, .outer')].at(-1)?.getBoundingClientRect(), { top, bottom } = marked ? loop.getBoundingClientRect() : {};
    if (marked && (marked.top < top + 15 || marked.bottom > bottom + 1)) found.add('the marked line of the loop is out of view beside the other side');
  };
  where();
  // To show the whole line takes ten times as long, so each seventh will do.
  for (let n = 0; n < ev.length; ++n) {
    pane.mark(n);
    look(n);
  }
  for (let n = 0; n < ev.length; n += 7) {
    player.show(n);
    look(n);
    where();
  }
  player.dispatchEvent(new KeyboardEvent('keydown', { key: 't', bubbles: true }));
  return [...found];
}

// In the page: answers each question, and goes on.
function everyQuestion() {
  const player = document.querySelector('.player'), run = runs[player.name];
  player.show(0);
  const ask = [...player.querySelectorAll('button')].find((button) => button.textContent === '? ask me');
  do ask.click(); while (ask.ariaPressed !== 'true');
  let asked = 0;
  for (let steps = 0; player.querySelector('input[type=range]').value < run.ev.length - 1; ++steps) {
    if (steps > 2 * run.ev.length) return ['a question blocks the way'];
    if ([...player.querySelectorAll('.lanes button')].some((mark) => mark.checkVisibility() && +mark.textContent > player.turn())) return ['a turn is shown before it was asked about'];
    player.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true, bubbles: true }));
    const words = player.querySelector('.say'), choices = words.querySelectorAll('button');
    if (!choices.length) continue;
    if (words.scrollHeight > words.clientHeight + 2) return ['a question does not fit'];
    if ([words, ...choices].some((part) => part.scrollWidth > part.clientWidth)) return ['the words of an answer are cut'];
    asked += 1;
    choices[0].click();
    if (player.querySelectorAll('.say .good').length !== 1) return ['not one answer is right'];
  }
  const expected = run.turns.filter((turn) => turn[2]).length;
  return asked === expected ? [] : [`${asked} of ${expected} questions were asked`];
}

export function play(browser, listen, url, pages, fault) {
  return Promise.all(sizes.map(async (viewport) => {
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
    listen(page);
    for (const name of pages) {
      await page.goto(url(name));
      await page.locator('.player').waitFor();
      await page.evaluate(() => document.querySelectorAll('.paper, nav.tree').forEach((part) => part.remove())); // which aren't shown, and make each line slower
      const scrolled = await page.evaluate(() => scrollY);
      await page.keyboard.press(' ');
      await page.keyboard.press(' ');
      const found = await page.evaluate(() => scrollY) === scrolled ? [] : ['Space scrolls'];
      found.push(...await page.evaluate(everyLine), ...await page.evaluate(everyQuestion));
      if (await page.evaluate(() => runs[document.querySelector('.player').name].twin)) found.push(...await page.evaluate(everyMoment));
      if (await page.locator('.player .what').count()) {
        await page.locator('.player .what').click();
        await page.locator('.player ins').waitFor();
        found.push(...await page.evaluate(everyLine), ...await page.evaluate(everyQuestion), ...await page.evaluate(everyMoment));
        if (await page.locator('.player').count() !== 1) found.push('there are two players');
        await page.reload();
        await page.locator('.player').waitFor();
        if (!await page.locator('.player ins').count()) found.push('the address of the run with another line is that of the other run');
      }
      await page.setViewportSize({ width: 768, height: 1024 });
      if (await page.evaluate(() => [...document.querySelectorAll('.controls button')].some((button) => button.scrollWidth > button.clientWidth))) found.push('a button is cut at 768 px');
      if (viewport.width > 1000) found.push(...(await page.evaluate(everyQuestion)).map((text) => `${text} at 768 px`));
      const marked = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
        const [line, pane] = ['.line.here', 'section:has(> pre > .line.here)'].map((part) => document.querySelector(part).getBoundingClientRect());
        done(line.top > pane.top && line.bottom < pane.bottom + 2);
      }))));
      if (!marked) found.push('the marked line is out of view, after the window has got another size');
      await page.setViewportSize(viewport);
      for (const text of found) fault(`${name}, ${viewport.width} px: ${text}`);
    }
    await page.close();
  }));
}
