// `offprint dev`: pages follow their files, and say what is wrong with them.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { audit, reader, sideways } from './browser.mjs';

const config = { theme: 'mint', name: 'Live', colors: { primary: '#0F766E' }, navigation: { pages: ['index', 'other'] } };
const long = (number) => Array.from({ length: 30 }, (_, part) => `## Part ${part}\n\n${`Words of part ${part}. `.repeat(40)}\n`).join('\n') + `\nEdit ${number}.\n`;
const tabs = '<Tabs>\n<Tab title="One">\n## First\n\nWords.\n</Tab>\n<Tab title="Two">\n## Second\n\nWords.\n</Tab>\n</Tabs>\n\n<CodeGroup>\n```js a.js\n1\n```\n```js b.js\n2\n```\n</CodeGroup>';
const page = (title, body) => `---\ntitle: ${title}\n---\n\n${body}\n`;

/** Starts the program on a folder with files; returns its address, a way to write files, and an end. */
async function serve(bin, work, files) {
  const folder = mkdtempSync(path.join(work, 'dev-'));
  const write = (name, text) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const child = spawn(bin, ['dev', folder, '--port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const address = await new Promise((resolve, reject) => {
    let printed = '';
    child.stderr.on('data', (text) => {
      printed += text;
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(printed);
      if (found) resolve(found[0]);
    });
    child.on('exit', () => reject(new Error(`offprint dev ended: ${printed}`)));
  });
  return { address, write, end: () => { child.removeAllListeners('exit'); child.kill('SIGINT'); } };
}

/** Waits until the heading stands where it stood; a caller says what is wrong if it never does. */
const near = (tab, before) => tab.waitForFunction((before) => Math.abs(document.getElementById('part-20').getBoundingClientRect().top - before) <= 2, before, { timeout: 10_000 }).catch(() => {});

export function dev(test, bin, work) {
  const on = (files, act, options = {}) => async (browser) => {
    const server = await serve(bin, work, { 'docs.json': JSON.stringify(config), 'index.mdx': page('Home', 'Welcome.'), 'other.mdx': page('Other', 'Other words.'), ...files });
    const context = await reader(browser, { offline: false, ...options });
    const tab = await context.newPage();
    const wrong = [];
    tab.on('pageerror', (error) => wrong.push(`exception: ${error.message}`));
    tab.on('console', (message) => { if (['error', 'warning'].includes(message.type()) && !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|status of 50|status of 404/.test(message.text())) wrong.push(`console: ${message.text()}`); });
    const same = (found, expected, what = '') => { if (found !== expected) wrong.push(`${what} ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`); };
    try {
      await act({ tab, server, same, wrong, badge: tab.locator('offprint-dev .badge'), list: tab.locator('offprint-dev .list') });
    } finally {
      await context.close();
      server.end();
    }
    return wrong;
  };

  test('dev: an edit reloads the page, which keeps its place', on({ 'index.mdx': page('Home', long(0)) }, async ({ tab, server, same }) => {
    await tab.goto(server.address, { waitUntil: 'load' });
    const top = () => tab.evaluate(() => Math.round(document.getElementById('part-20').getBoundingClientRect().top));
    await tab.evaluate(() => { document.getElementById('part-20').scrollIntoView({ behavior: 'instant' }); scrollBy({ top: -60, behavior: 'instant' }); });
    const before = await top();
    // what stands above grows
    server.write('index.mdx', page('Home', `A first paragraph.\n\n${'More words before all. '.repeat(80)}\n\n${long(1)}`));
    await tab.getByText('Edit 1.').waitFor({ state: 'attached' });
    await tab.waitForLoadState('load');
    await near(tab, before);
    same(Math.abs(await top() - before) <= 2, true, `the heading stood at ${before} and stands at ${await top()}:`);
    same(await tab.evaluate(() => Object.keys(sessionStorage).includes('offprint:dev:place')), false, 'the place is forgotten:');
  }));

  test('dev: closed tabs are no place on a page', on({ 'index.mdx': page('Home', `${tabs}\n\n${long(0)}\n\n${tabs}\n`) }, async ({ tab, server, same }) => {
    await tab.goto(server.address, { waitUntil: 'load' });
    const top = () => tab.evaluate(() => Math.round(document.getElementById('part-20').getBoundingClientRect().top));
    await tab.evaluate(() => { document.getElementById('part-20').scrollIntoView({ behavior: 'instant' }); scrollBy({ top: -60, behavior: 'instant' }); });
    const before = await top();
    server.write('index.mdx', page('Home', `${tabs}\n\n${long(1)}\n\n${tabs}\n`));
    await tab.getByText('Edit 1.').waitFor({ state: 'attached' });
    await tab.waitForLoadState('load');
    await near(tab, before);
    same(Math.abs(await top() - before) <= 2, true, `the heading stood at ${before} and stands at ${await top()}:`);
  }));

  test('dev: a page that others do not show changes alone', on({}, async ({ tab, server, same }) => {
    await tab.goto(server.address, { waitUntil: 'load' });
    await tab.evaluate(() => { globalThis.untouched = true; });
    server.write('other.mdx', page('Other', 'Quite other words.'));
    await tab.waitForTimeout(400);
    same(await tab.evaluate(() => globalThis.untouched), true);
    await tab.goto(`${server.address}other`);
    await tab.getByText('Quite other words.').waitFor();
    same(await tab.getByText('Quite other words.').count(), 1);
  }));

  test('dev: a style sheet changes without a reload', on({ 'own.css': '.prose p, #content p { color: rgb(1, 2, 3); }' }, async ({ tab, server, same }) => {
    await tab.goto(server.address, { waitUntil: 'load' });
    const color = () => tab.evaluate(() => getComputedStyle([...document.querySelectorAll('#content p')].find((p) => p.textContent === 'Welcome.')).color);
    same(await color(), 'rgb(1, 2, 3)');
    await tab.evaluate(() => { globalThis.untouched = true; });
    server.write('own.css', '.prose p, #content p { color: rgb(4, 5, 6); }');
    await tab.waitForFunction(() => getComputedStyle([...document.querySelectorAll('#content p')].find((p) => p.textContent === 'Welcome.')).color === 'rgb(4, 5, 6)');
    same(await tab.evaluate(() => globalThis.untouched), true);
  }));

  for (const scheme of ['light', 'dark']) {
    for (const width of [1280, 390]) {
      test(`dev: problems are told in the page, ${scheme}, ${width} px`, on({}, async ({ tab, server, same, wrong, badge, list }) => {
        await tab.goto(server.address, { waitUntil: 'load' });
        same(await badge.count(), 0);
        server.write('index.mdx', page('Home', 'Welcome. See [nothing](/no/such/page) and ![x](no.png).'));
        await badge.waitFor();
        same(await badge.textContent(), '2 warnings');
        same(await badge.getAttribute('aria-expanded'), 'false');
        same(await list.isVisible(), false);
        // by keyboard
        await badge.focus();
        await tab.keyboard.press('Enter');
        same(await badge.getAttribute('aria-expanded'), 'true');
        const first = list.locator('article').first();
        same(await first.locator('.kind').textContent(), 'warningbroken-link');
        same(await first.locator('.place').textContent(), 'index.mdx:5:14');
        same(await first.locator('pre code').textContent(), 'Welcome. See [nothing](/no/such/page) and ![x](no.png).');
        same(await first.locator('mark').textContent(), '[');
        same((await first.locator('.hint').textContent()).includes('redirect'), true);
        wrong.push(...await audit(tab), ...await sideways(tab));
        await tab.keyboard.press('Tab');
        await tab.keyboard.press('Escape');
        same(await list.isVisible(), false);
        same(await tab.evaluate(() => document.querySelector('offprint-dev').shadowRoot.activeElement?.className), 'badge', 'focus goes back:');
        server.write('index.mdx', page('Home', 'Welcome back.'));
        await tab.getByText('Welcome back.').waitFor();
        await badge.waitFor({ state: 'detached' });
        same(await badge.count(), 0);
      }, { scheme, width }));
    }
  }

  test('dev: what was hidden stays hidden until it changes', on({ 'index.mdx': page('Home', '[nothing](/no/such/page)') }, async ({ tab, server, same, badge }) => {
    await tab.goto(server.address, { waitUntil: 'load' });
    await badge.waitFor();
    await tab.locator('offprint-dev .close').click();
    same(await badge.count(), 0);
    await tab.reload({ waitUntil: 'load' });
    await tab.waitForTimeout(300);
    same(await badge.count(), 0);
    server.write('index.mdx', page('Home', '[nothing](/no/such/page) and [nowhere](/neither)'));
    await badge.waitFor();
    same(await badge.textContent(), '2 warnings');
  }));

  test('dev: a broken configuration opens the panel over the last good site', on({}, async ({ tab, server, same, badge, list }) => {
    await tab.goto(server.address, { waitUntil: 'load' });
    await tab.evaluate(() => { globalThis.untouched = true; });
    server.write('docs.json', '{\n  "theme": ]\n}');
    await list.waitFor();
    same(await badge.textContent(), '1 error');
    same(await list.locator('.place').textContent(), 'docs.json:2:12');
    same(await tab.getByText('Welcome.').count(), 1);
    server.write('docs.json', JSON.stringify(config));
    await badge.waitFor({ state: 'detached' });
    same(await tab.evaluate(() => globalThis.untouched), true);
  }));

  test('dev: a site that begins broken appears when it is corrected', on({ 'docs.json': '{' }, async ({ tab, server, wrong, list }) => {
    await tab.goto(server.address, { waitUntil: 'load' });
    await list.waitFor();
    wrong.push(...await audit(tab));
    server.write('docs.json', JSON.stringify(config));
    await tab.getByText('Welcome.').waitFor();
  }));

  test('dev: the page says when the server has ended', on({}, async ({ tab, server, badge }) => {
    await tab.goto(server.address, { waitUntil: 'load' });
    server.end();
    await badge.getByText('offprint dev has ended').waitFor();
  }));
}
