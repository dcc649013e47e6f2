// Opens the site in a headless Chromium, from disk, in light and dark, on a desktop and on a phone.
//
//   node check.mjs SITE [CHROMIUM]
//
// Fails if a page says something on the console, asks for a file that is not there, is wider than a
// phone, or has a serious problem for axe-core; if the search finds no Scheduler; if the theme cannot
// be switched; or if a timeline does not step forward and back. Prints each complaint, exit status 1.
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { chromium } from 'playwright-core';

const site = resolve(process.argv[2] ?? 'build/site');
const executablePath = process.argv[3] ?? '/usr/bin/chromium';
const url = (page) => pathToFileURL(`${site}/${page}`).href;

// Every page of the book, and one of each kind of the APIs. pages.html is Doxygen's own index.
const pages = readdirSync(site).filter((name) => /\.html$/.test(name) && !/^dir_/.test(name));
pages.push(
  ...['index', 'annotated', 'files', 'classScheduler', 'scheduler_8hpp_source', 'process_8hpp', 'program_parent_child']
    .map((name) => `api/step04/${name}.html`),
  'api/step09/index.html', 'api/step09/classcoop_1_1Scheduler.html');

// Where many pages are made by one generator, one of them stands for all with axe-core.
const generated = (name) => name.match(/^side_|^timeline_|^states_|_to_/)?.[0];
const some = pages.filter((name, i) => !generated(name) ||
  pages.slice(0, i).filter((other) => generated(other) === generated(name)).length === 0);

const complaints = new Set();
let current = '';
const complain = (text) => complaints.add(`${current}: ${text}`);

const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

function watch(page, where) {
  const note = (text) => complaints.add(`${where()}: ${text}`);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => note(`exception: ${error.message}`));
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') note(`no ${request.url()}`);
  });
  page.on('request', (request) => {
    if (!/^(file|data|blob|about):/.test(request.url())) note(`asks the network for ${request.url()}`);
  });
}

// In dark, colours are all that differs; on a phone, what scrolls and what is cut off.
async function audit(page, where, rules) {
  await page.evaluate(axe.source);
  const result = await page.evaluate((rules) => axe.run(document, {
    resultTypes: ['violations'], iframes: false, preload: false, ...(rules && { runOnly: rules }),
  }), rules);
  for (const violation of result.violations) {
    if (!['serious', 'critical'].includes(violation.impact)) continue;
    for (const node of violation.nodes.slice(0, 5)) {
      const why = node.any[0]?.message ?? node.all[0]?.message ?? '';
      complaints.add(`${where}: ${violation.id}: ${node.target.join(' ')}  ${why}  ${node.html.slice(0, 120)}`);
    }
  }
}

async function look(browser, colorScheme, viewport, rules) {
  const context = await browser.newContext({ colorScheme, viewport });
  const page = await context.newPage();
  let where = '';
  watch(page, () => where);
  // The phone sees every page: what is too wide, is so there.
  for (const name of viewport === phone ? pages : some) {
    where = `${name} (${colorScheme}, ${viewport.width})`;
    await page.goto(url(name));
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > viewport.width) complaints.add(`${where}: ${width} pixels wide`);
    if (some.includes(name)) await audit(page, where, rules);
  }
  await context.close();
}

async function search(browser) {
  const page = await browser.newPage({ viewport: desktop });
  page.setDefaultTimeout(5000);
  current = 'search';
  watch(page, () => current);
  for (const name of ['index.html', 'api/step03/index.html']) {
    await page.goto(url(name));
    await page.fill('#MSearchField', '');
    await page.type('#MSearchField', 'Scheduler');
    const result = (frame) => frame.locator('.SRResult:visible, #found a:visible', { hasText: 'Scheduler' }).first();
    const all = [page, ...page.frames()].map((frame) => result(frame).waitFor({ timeout: 5000 }));
    const found = await Promise.any(all).then(() => true, () => false);
    if (!found) complain(`${name} finds no Scheduler`);
    await page.keyboard.press('Escape');
  }
  await page.close();
}

async function theme(browser) {
  const page = await browser.newPage({ viewport: desktop, colorScheme: 'light' });
  current = 'theme';
  await page.goto(url('step01.html'));
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByRole('button', { name: /light|dark/i }).press('Enter', { timeout: 3000 });
  if (await background() === light) complain('the button does not switch to dark');
  await page.close();
}

async function timeline(browser) {
  const name = pages.find((page) => page.startsWith('timeline_step03'));
  if (!name) return;
  const page = await browser.newPage({ viewport: desktop });
  page.setDefaultTimeout(5000);
  current = name;
  watch(page, () => current);
  await page.goto(url(name));
  const player = page.locator('.timeline').first();
  const text = () => player.locator('[aria-live]').first().innerText();
  const button = (words) => player.getByRole('button', { name: words }).first();
  await button(/first/i).click();
  const seen = [await text()];
  for (let i = 0; i < 5; i++) {
    await button(/forward|next/i).click();
    seen.push(await text());
  }
  if (new Set(seen).size !== 6) complain('six turns do not look like six');
  await button(/back|previous/i).click();
  if (await text() !== seen[4]) complain('back does not go back');
  await page.keyboard.press('ArrowRight');
  if (await text() !== seen[5]) complain('the arrow key does not go forward');
  await button(/last/i).click();
  if (seen.includes(await text())) complain('the last turn looks like one of the first');
  await page.close();
}

async function act(browser) {
  for (const action of [search, theme, timeline]) {
    await action(browser).catch((error) => complain(error.message.split('\n')[0]));
  }
}

const started = Date.now();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
await Promise.all([
  look(browser, 'light', desktop),
  look(browser, 'dark', desktop, ['color-contrast']),
  look(browser, 'light', phone, ['scrollable-region-focusable', 'label', 'link-name', 'button-name']),
  act(browser),
]);
await browser.close();

for (const complaint of [...complaints].sort()) console.log(complaint);
console.log(`${pages.length} pages in ${Math.round((Date.now() - started) / 1000)} s, ${complaints.size} complaints`);
process.exit(complaints.size > 0 ? 1 : 0);
