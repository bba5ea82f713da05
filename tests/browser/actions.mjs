// The menu of a page, and the page for missing addresses: on file://, over http under a sub-path, without scripts.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { address, audit, reader, sideways, tab } from './browser.mjs';

/** Serves a folder under a prefix, as static hosts do: what is not there is answered with 404.html. */
async function host(folder, prefix) {
  const kinds = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2', '.md': 'text/markdown; charset=utf-8' };
  const server = createServer((request, response) => {
    const asked = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    const file = asked.startsWith(prefix) ? asked.slice(prefix.length) || 'index.html' : '404.html';
    const send = (status, name) => { const bytes = readFileSync(path.join(folder, name)); response.writeHead(status, { 'content-type': kinds[path.extname(name)] ?? 'text/plain' }); response.end(bytes); };
    try { send(200, file); } catch { send(404, '404.html'); }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { base: `http://127.0.0.1:${server.address().port}${prefix}`, end: () => { server.closeAllConnections(); server.close(); } };
}

export function actions(test, site) {
  const on = (options, act) => async (browser) => {
    const { folder } = site('docs');
    const context = await reader(browser, options);
    const { page, trouble } = await tab(context);
    await page.goto(address(folder, 'quickstart.html'), { waitUntil: 'load' });
    const wrong = [];
    const expect = (fact, words) => { if (!fact) wrong.push(words); };
    await act({ page, folder, expect });
    await context.close();
    return [...wrong, ...trouble];
  };
  const watch = (page) => page.evaluate(() => {
    globalThis.__taken = [];
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => { globalThis.__taken.push(text); } } });
  });

  test('the button beside the title copies the Markdown of the page', on({}, async ({ page, folder, expect }) => {
    await watch(page);
    const button = page.locator('.op-actions > button');
    const width = (await button.boundingBox()).width;
    await button.click();
    await page.waitForFunction(() => globalThis.__taken.length);
    const [taken] = await page.evaluate(() => globalThis.__taken);
    expect(taken === readFileSync(path.join(folder, 'quickstart.md'), 'utf8'), `copied ${taken.slice(0, 200)}`);
    expect(await button.textContent() === 'Copied' && (await button.boundingBox()).width === width, 'the button does not say so, or changes its width');
    expect(await page.locator('.op-actions [role=status]').textContent() === 'Copied', 'it is not announced');
  }));

  test('the menu of a page follows the keyboard', on({}, async ({ page, expect }) => {
    await watch(page);
    const focus = () => page.evaluate(() => document.activeElement.textContent.trim() || document.activeElement.getAttribute('aria-label'));
    const open = () => page.locator('.op-actions details').evaluate((menu) => menu.open);
    await page.locator('.op-actions summary').focus();
    await page.keyboard.press('Enter');
    expect(await open(), 'Enter does not open it');
    await page.keyboard.press('ArrowDown');
    expect(await focus() === 'Copy page', `the first item is ${await focus()}`);
    await page.keyboard.press('ArrowDown');
    expect(await focus() === 'View as Markdown', `the second item is ${await focus()}`);
    await page.keyboard.press('Escape');
    expect(!(await open()) && await focus() === 'More actions', `Escape leaves it open, or the focus on ${await focus()}`);
    await page.keyboard.press('Enter');
    await page.locator('.op-menu-list [data-action=copy]').press('Enter');
    await page.waitForFunction(() => globalThis.__taken.length);
    await page.waitForFunction(() => !document.querySelector('.op-actions details').open);
    expect(await focus() === 'More actions', `after copying the focus is on ${await focus()}`);
  }));

  for (const width of [320, 390, 768, 1280]) {
    test(`the menu of a page stays inside a window of ${width} px`, on({ width }, async ({ page, expect }) => {
      await page.locator('.op-actions summary').click();
      const box = await page.locator('.op-actions .op-menu-list').boundingBox();
      expect(box && box.x >= 0 && box.x + box.width <= width, `the menu is at ${JSON.stringify(box)}`);
      const found = [...await audit(page), ...await sideways(page)];
      expect(!found.length, found.join(', '));
    }));
  }

  test('without scripts the menu of a page has its links', on({ scripts: false }, async ({ page, expect }) => {
    await page.locator('.op-actions summary').click();
    expect(await page.locator('.op-menu-list a:visible').count() === 1, 'no link');
    expect(await page.locator('.op-actions button:visible').count() === 0, 'a button that does nothing');
  }));

  test('the page for missing addresses leads home where the site begins', async (browser) => {
    const { folder } = site('docs');
    const server = await host(folder, '/some/where/');
    const wrong = [];
    const same = (found, expected, what) => { if (found !== expected) wrong.push(`${what}: ${found} instead of ${expected}`); };
    try {
      const context = await reader(browser, { offline: false });
      const page = await context.newPage();
      const home = page.locator('.not-found-home');
      await page.goto(`${server.base}guides/gone/deep`);
      same(await home.getAttribute('href'), '/', 'a stranger to the site');
      same(await home.textContent(), new URL(server.base).host, 'a stranger to the site');
      await page.goto(`${server.base}format/code.html`);
      await page.goto(`${server.base}guides/gone/deep`);
      same(await home.getAttribute('href'), `${server.base}index.html`, 'who knows a page of it');
      const form = page.locator('.not-found-search');
      same(await form.locator('input').inputValue(), 'deep', 'the first guess');
      await form.locator('input').fill('quick start');
      await form.locator('button').click();
      await page.waitForSelector('[data-search-state="ready"]');
      same(await page.locator('[data-search] input[type=search]').inputValue(), 'quick start', 'the search of the start page');
      await page.goto(`${server.base}guides/gone/deep`);
      await page.goBack();
      await page.goBack();
      await page.locator('.not-found-back').click();
      await page.waitForURL('**/format/code.html');
      await page.goto(new URL('/elsewhere/404.html', server.base).href);
      same(await home.getAttribute('href'), new URL('/elsewhere/index.html', server.base).href, 'by its own address');
      await context.close();
    } finally {
      server.end();
    }
    return wrong;
  });

  for (const scheme of ['light', 'dark']) {
    for (const width of [320, 1280]) {
      test(`the page for missing addresses is sound: ${scheme}, ${width} px`, async (browser) => {
        const { folder } = site('docs');
        const context = await reader(browser, { width, scheme });
        const { page, trouble } = await tab(context);
        await page.goto(address(folder, '404.html'), { waitUntil: 'load' });
        const found = [...await audit(page), ...await sideways(page), ...trouble];
        if (await page.locator('.not-found-site img:visible').count() !== 1) found.push('it does not show one logo');
        await context.close();
        return found;
      });
    }
  }
}
