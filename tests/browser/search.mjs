// Search, as readers use it: on file:// and over http, by keyboard, in light and dark, with files missing.
import { cpSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { address, audit, reader, sideways, tab } from './browser.mjs';

const queries = readFileSync(fileURLToPath(new URL('../suite/queries.tsv', import.meta.url)), 'utf8').trim().split('\n').map((line) => line.split('\t'));
const DIALOG = '[role=dialog][aria-modal="true"][aria-label][data-search]';

/** The dialog, open and empty. */
export async function open(page) {
  await page.click('#search-bar-entry');
  await page.waitForSelector(`${DIALOG}:not([hidden])`);
}
/** Asks and waits for the answer: the addresses of the results from the bundle's root. */
export async function ask(page, question) {
  await page.fill(`${DIALOG} input[type=search]`, question);
  await page.waitForFunction(() => /ready|empty|error/.test(document.querySelector('[data-search]').dataset.searchState));
  return page.evaluate(() => {
    const root = new URL(document.documentElement.dataset.root || '.', location.href.split('#')[0]).href;
    return [...document.querySelectorAll('[data-search-result] a[href]')].map((link) => decodeURI(link.href).slice(decodeURI(root).length));
  });
}
const state = (page) => page.locator(DIALOG).getAttribute('data-search-state');
const isSearch = (url) => url.includes('_offprint/search');

/** A folder over http, at a sub-path. A file waits for what `held` gives for its path. */
async function serve(folder, held = () => null) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2' };
  const server = createServer(async (request, answer) => {
    const file = path.join(folder, decodeURIComponent(new URL(request.url, 'http://x').pathname).replace('/docs/', ''));
    try {
      await held(file);
      const bytes = readFileSync(file);
      answer.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' }).end(bytes);
    } catch { answer.writeHead(404).end(); }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { root: `http://127.0.0.1:${server.address().port}/docs`, close: () => server.close() };
}

/** Opens a page, gives it to `act`, returns what is wrong. */
const on = (site, file, { fixture = 'docs', ...options }, act) => async (browser) => {
  const { folder } = site(fixture);
  const context = await reader(browser, options);
  const { page, trouble } = await tab(context);
  const wrong = [];
  const expect = (fact, words) => { if (!fact) wrong.push(words); };
  const loaded = [];
  page.on('requestfinished', (request) => { if (isSearch(request.url())) loaded.push(decodeURIComponent(request.url())); });
  await page.goto(address(folder, file), { waitUntil: 'load' });
  await act({ page, expect, folder, loaded, trouble });
  await context.close();
  return [...wrong, ...trouble];
};

export function search(test, site) {
  test('search: names are found as they are written, and quotes mean what they hold', on(site, 'index.html', {}, async ({ page, expect }) => {
    await open(page);
    const count = async (question) => {
      await ask(page, question);
      return parseInt(await page.locator(`${DIALOG} .search-count`).innerText(), 10);
    };
    const [joined, apart] = [await count('offprint.lock '), await count('offprint lock ')];
    expect(joined > 0 && joined < apart, `${joined} pages say the name, ${apart} its words`);
    const [first] = await ask(page, '"exit codes"');
    expect(/command/.test(first ?? ''), `a phrase leads to ${first}`);
  }));
  test('search: found words are marked on the page, and opened pages are remembered', on(site, 'index.html', {}, async ({ page, expect }) => {
    await open(page);
    await page.waitForSelector(`${DIALOG} .search-part`);
    expect(await page.locator(`${DIALOG} .search-results a[href^="file:"]`).count() === await page.locator(`${DIALOG} .search-results a`).count(), 'and no other sites');
    await ask(page, 'accordion');
    await page.click(`${DIALOG} [data-search-result] a`);
    await page.waitForFunction(() => CSS.highlights?.get('op-search')?.size > 0);
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => !CSS.highlights.get('op-search')), 'Escape takes the marks away');
    await open(page);
    expect(/accordion/i.test(await page.locator(`${DIALOG} .search-results li`).nth(1).innerText()), 'the opened page comes first');
  }));
  test('search: the documentation answers what people ask, on file:// and over http alike', async (browser) => {
    const { folder } = site('docs');
    const wrong = [];
    const answers = [];
    const server = await serve(folder);
    for (const root of [address(folder, '.'), server.root]) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const { page, trouble } = await tab(context);
      await page.goto(`${root}/format/code.html`, { waitUntil: 'load' });
      await open(page);
      const found = [];
      const times = [];
      for (const [question, expected] of queries) {
        const started = performance.now();
        const urls = await ask(page, question);
        times.push(performance.now() - started);
        if (!urls.slice(0, 3).some((url) => url.split('#')[0] === `${expected}.html`)) wrong.push(`${question}: ${expected} is not among ${urls.slice(0, 3)}`);
        if (await page.locator('[data-search-result]').count() && !(await page.locator('[data-search-result] mark').count())) wrong.push(`${question}: nothing is marked`);
        found.push(urls);
      }
      times.sort((a, b) => a - b);
      console.log(`     ${queries.length} questions over ${root.slice(0, 5)}: median ${Math.round(times[times.length >> 1])} ms, slowest ${Math.round(times.at(-1))} ms, typing delay included`);
      wrong.push(...trouble.filter((line) => !line.startsWith(`asks for ${server.root}`)));
      answers.push(JSON.stringify(found));
      await context.close();
    }
    server.close();
    if (answers[0] !== answers[1]) wrong.push('file:// and http give different results');
    return wrong;
  });

  test('search: nothing loads before it opens, and a question loads only some of the index', on(site, 'index.html', {}, async ({ page, expect, folder, loaded }) => {
    await page.waitForTimeout(200);
    expect(loaded.length === 0, `loaded at once: ${loaded}`);
    await open(page);
    expect(await state(page) === 'idle', 'not idle at first');
    await ask(page, 'callout');
    const index = readdirSync(path.join(folder, '_offprint/search')).filter((name) => name.startsWith('0'));
    const own = loaded.filter((url) => url.includes('_offprint/search/'));
    expect(own.length < index.length, `loaded ${own.length} of ${index.length} files`);
    expect(own.every((url) => /\/0[.-]/.test(url)), 'another language was loaded');
    const bytes = own.reduce((sum, url) => sum + statSync(path.join(folder, '_offprint/search', path.basename(url))).size, 0);
    expect(bytes < 300_000, `${bytes} bytes for the first question`);
  }));

  test('search: keys open, move, follow and close', on(site, 'quickstart.html', {}, async ({ page, expect }) => {
    const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.closest('[data-search-result]')?.textContent || document.activeElement?.type || '');
    for (const key of ['/', 'Control+k', 'Meta+k']) {
      await page.keyboard.press(key);
      await page.waitForSelector(`${DIALOG}:not([hidden])`);
      expect(await focused() === 'search', `${key}: the field has no focus`);
      await page.keyboard.press('Escape');
      expect(!(await page.locator(DIALOG).isVisible()), `${key}: Escape does not close`);
    }
    await page.focus('#search-bar-entry');
    await page.keyboard.press('Enter');
    await page.waitForSelector(`${DIALOG}:not([hidden])`);
    for (let n = 0; n < 30; n += 1) {
      await page.keyboard.press(n % 7 ? 'Tab' : 'Shift+Tab');
      if (!(await page.evaluate(() => Boolean(document.activeElement?.closest('[data-search]'))))) { expect(false, 'Tab leaves the dialog'); break; }
    }
    const urls = await ask(page, 'line numbers');
    await page.focus(`${DIALOG} input`);
    // Enter in the field opens the first result, so the first step down leads to the second
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement === document.querySelectorAll('[data-search-result] a')[1]), 'down does not lead to the second result');
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate(() => document.activeElement === document.querySelector('[data-search-result] a')), 'the arrows do not move');
    await page.keyboard.type('x');
    expect(await page.inputValue(`${DIALOG} input`) === 'line numbersx', 'typing on a result is lost');
    await page.keyboard.press('Escape');
    expect(await focused() === 'search-bar-entry', 'focus does not come back');
    await page.keyboard.press('/');
    await ask(page, 'line numbers');
    await page.keyboard.press('Enter');
    await page.waitForURL(/line-numbers/);
    expect(decodeURI(page.url()).replace(/\?[^#]*/, '').endsWith(urls[0]), `Enter leads to ${page.url()}, not ${urls[0]}`);
  }));

  test('search: what is typed before the field is there is not lost', async (browser) => {
    const { folder } = site('docs');
    const wrong = [];
    const expect = (fact, words) => { if (!fact) wrong.push(words); };
    let arrive;
    const typed = new Promise((done) => { arrive = done; });
    const server = await serve(folder, (file) => /__opSearch\s*=/.test(readFileSync(file)) && typed);
    const context = await browser.newContext();
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    const value = () => page.inputValue(`${DIALOG} input`);
    try {
      await page.goto(`${server.root}/index.html`, { waitUntil: 'load' });
      await page.keyboard.press('/');
      await page.keyboard.type('line numbersx');
      await page.keyboard.press('Backspace');
      expect(await page.locator(DIALOG).count() === 0, 'the field was there at once: nothing is tested');
      arrive();
      await page.waitForSelector('[data-search-state="ready"]');
      expect(await value() === 'line numbers', `the question is "${await value()}"`);
      await page.keyboard.type('!');
      expect(await value() === 'line numbers!', `what follows is not added at its end: "${await value()}"`);
      await page.keyboard.press('Escape');
      await page.keyboard.press('/');
      await page.waitForSelector(`${DIALOG}:not([hidden])`);
      await page.keyboard.type('cards');
      expect(await value() === 'cards', `the next question is not typed over the last: "${await value()}"`);
    } finally {
      arrive();
      server.close();
      await context.close();
    }
    return wrong;
  });

  test('search: a field of the page keeps its slash', on(site, 'index.html', {}, async ({ page, expect }) => {
    await page.evaluate(() => document.body.insertAdjacentHTML('afterbegin', '<input id="own" aria-label="own">'));
    await page.focus('#own');
    await page.keyboard.press('/');
    expect(await page.inputValue('#own') === '/', 'the slash is taken');
  }));

  test('search: states are told', on(site, 'de/index.html', {}, async ({ page, expect }) => {
    await open(page);
    expect((await ask(page, 'xyzzyqq')).length === 0 && await state(page) === 'empty', 'not empty');
    expect((await page.locator('.search-note').innerText()).includes('Nichts gefunden'), 'no words for nothing');
    expect((await ask(page, 'Bündel')).length > 0 && await state(page) === 'ready', 'not ready');
    expect(/\d/.test(await page.locator(`${DIALOG} [role=status]`).innerText()), 'the number of results is not told');
    await page.fill(`${DIALOG} input`, '');
    await page.waitForFunction(() => document.querySelector('[data-search]').dataset.searchState === 'idle');
    expect(await page.locator('[data-search-result]').count() === 0, 'results stay');
  }));

  test('search: missing files are an error in words', async (browser) => {
    const { folder } = site('docs');
    const copy = `${folder}-broken`;
    cpSync(folder, copy, { recursive: true });
    for (const name of readdirSync(path.join(copy, '_offprint/search'))) if (name.includes('-w')) rmSync(path.join(copy, '_offprint/search', name));
    const context = await reader(browser);
    const { page } = await tab(context);
    await page.goto(address(copy, 'index.html'));
    await open(page);
    await ask(page, 'callout');
    const wrong = await state(page) === 'error' ? [] : [`the state is ${await state(page)}`];
    if (!(await page.locator('.search-note').innerText()).trim()) wrong.push('nothing is said');
    await context.close();
    return wrong;
  });

  for (const scheme of ['light', 'dark']) {
    for (const width of [1280, 390, 320]) {
      test(`search: accessible, ${scheme}, ${width}`, on(site, 'format/code.html', { scheme, width, height: 800 }, async ({ page, expect }) => {
        await open(page);
        for (const question of ['code', 'xyzzyqq', '']) {
          if (question) await ask(page, question); else await page.fill(`${DIALOG} input`, '');
          for (const line of [...await audit(page), ...await sideways(page)]) expect(false, `${question || 'idle'}: ${line}`);
        }
      }));
    }
  }

  for (const theme of ['mint', 'maple', 'willow']) {
    for (const width of [1280, 390]) {
      test(`search: a button in ${theme} at ${width}`, on(site, 'index.html', { fixture: `docs@${theme}`, width, height: 800 }, async ({ page, expect }) => {
        const box = await page.locator('#search-bar-entry').boundingBox();
        expect(box && box.x >= 0 && box.x + box.width <= width && box.width >= 36 && box.height >= 34, `the button is at ${JSON.stringify(box)}`);
        await open(page);
        expect((await ask(page, 'bundle')).length > 0, 'nothing is found');
      }));
    }
  }

  test('search: a start page finds what all tabs hold, in the version that readers are in', on(site, 'index.html', { fixture: 'versions' }, async ({ page, expect, folder }) => {
    const choose = async (name, option) => {
      await page.locator(`${DIALOG} select[aria-label="${name}"]`).selectOption(option);
      await page.waitForFunction(() => /ready|empty|error/.test(document.querySelector('[data-search]').dataset.searchState));
    };
    const found = async (question, expected, where) => {
      const urls = (await ask(page, question)).map((url) => url.split('#')[0]).sort();
      expect(JSON.stringify(urls) === JSON.stringify(expected), `${where}: ${question} finds ${urls}`);
    };
    await open(page);
    await found('SEP-2243', ['seps/2243.html'], 'start');
    expect((await ask(page, 'registry moderation'))[0].startsWith('registry/moderation.html'), 'the registry is not found');
    await found('sampling', ['sdk/2.0/client.html', 'spec/2.0/sampling.html'], 'start');
    expect(await page.locator('.search-version').count() === 0, 'the version that the reader is in is named');
    await choose('Version', 'All versions');
    await found('sampling', ['sdk/1.0/client.html', 'sdk/2.0/client.html', 'spec/1.0/sampling.html', 'spec/2.0/sampling.html', 'spec/draft/sampling.html'], 'all versions');
    expect(await page.locator('.search-version').count() === 5, 'results of all versions do not say theirs');
    await choose('Sections', 'SDK');
    await found('sampling', ['sdk/1.0/client.html', 'sdk/2.0/client.html'], 'one tab');
    await page.goto(address(folder, 'spec/1.0/batching.html'), { waitUntil: 'load' });
    await open(page);
    await found('sampling', ['sdk/1.0/client.html', 'spec/1.0/sampling.html'], 'version 1.0');
    await found('security', ['guides/security.html'], 'version 1.0');
  }));

  test('search: what only another version holds is offered', on(site, 'index.html', { fixture: 'versions' }, async ({ page, expect }) => {
    await open(page);
    await ask(page, 'batching');
    expect(await state(page) === 'empty', 'it is found at once: nothing is tested');
    await page.keyboard.press('ArrowDown');
    expect(/\(1\)/.test(await page.evaluate(() => document.activeElement.textContent)), 'the offer has no focus, or does not say how many');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-search-state="ready"]');
    expect((await page.locator('[data-search-result]').innerText()).includes('1.0'), 'the result does not say its version');
    expect(await page.evaluate(() => document.activeElement.type) === 'search', 'the field has no focus');
  }));

  test('search: all results can be shown', on(site, 'index.html', {}, async ({ page, expect }) => {
    await open(page);
    await ask(page, 'page');
    const count = () => page.locator('[data-search-result]').count();
    const all = Number((await page.locator(`${DIALOG} [role=status]`).innerText()).match(/\d+/)[0]);
    const first = await count();
    expect(first > 6 && first < all, `${first} of ${all} at first`);
    expect((await page.locator('.search-more').innerText()).includes(String(all)), 'the button does not say how many there are');
    await page.focus('.search-more');
    await page.keyboard.press('Enter');
    await page.waitForFunction((first) => document.querySelectorAll('[data-search-result]').length > first, first);
    expect(await page.evaluate((first) => document.activeElement === document.querySelectorAll('[data-search-result] a')[first], first), 'the first new result has no focus');
    for (let n = 0; n < 200 && await count() < all; n += 1) await page.keyboard.press('ArrowDown');
    await page.waitForFunction((all) => document.querySelectorAll('[data-search-result]').length === all, all);
    expect(!(await page.locator('.search-more').isVisible()), 'the button stays');
  }));

  test('search: a site with one version and no tabs has nothing to choose', on(site, 'index.html', { fixture: 'plain' }, async ({ page, expect }) => {
    await open(page);
    await ask(page, 'a');
    expect(await page.locator(`${DIALOG} select`).count() === 0, 'there is a choice');
  }));

  for (const scheme of ['light', 'dark']) {
    for (const width of [1280, 390, 320]) {
      test(`search: versions, accessible, ${scheme}, ${width}`, on(site, 'index.html', { fixture: 'versions', scheme, width, height: 800 }, async ({ page, expect }) => {
        await open(page);
        for (const question of ['client', 'batching']) {
          await ask(page, question);
          for (const line of [...await audit(page), ...await sideways(page)]) expect(false, `${question}: ${line}`);
        }
      }));
    }
  }

  test('search: no button without scripts', on(site, 'index.html', { scripts: false }, async ({ page, expect }) => {
    expect(!(await page.locator('#search-bar-entry').isVisible()), 'the button is there');
  }));
}
