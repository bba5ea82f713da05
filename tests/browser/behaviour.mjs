// What readers do: keyboard, theme, menu, copying, addresses with a hash, search.
import { address, onPage, reader, recalls, tab } from './browser.mjs';

/** Opens a page of the documentation and gives it to `act`, which returns what is wrong. */
const on = (site, file, { fixture = 'docs', ...options }, act) => onPage(site, fixture, file, options, act);

const focused = (page) => page.evaluate(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const ring = (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none';
  const inside = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth && box.width > 0 && box.height > 0;
  return { name: `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}" id="${element.id}">`, ring, inside, href: element.getAttribute('href') };
});

export function behavior(test, site) {
  test('the first Tab stop is the skip link', on(site, 'quickstart.html', {}, async ({ page, expect }) => {
    await page.keyboard.press('Tab');
    const stop = await focused(page);
    expect(stop?.href === '#content' && stop.inside, `the first stop is ${JSON.stringify(stop)}`);
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id === 'content' || location.hash === '#content'), 'it does not lead to the content');
  }));

  for (const file of ['index.html', 'components/tabs.html', 'format/code.html', 'components/fields.html']) {
    test(`every Tab stop of ${file} is seen`, on(site, file, {}, async ({ page, expect }) => {
      const seen = new Set();
      for (let stop = 0; stop < 150; stop += 1) {
        await page.keyboard.press('Tab');
        const now = await focused(page);
        if (!now) break;
        if (!now.ring && !seen.has(now.name)) expect(false, `no focus ring: ${now.name}`);
        if (!now.inside && !seen.has(now.name)) expect(false, `off screen: ${now.name}`);
        seen.add(now.name);
      }
      expect(seen.size > 5, `only ${seen.size} different stops`);
    }));
  }

  test('tabs follow the keyboard', on(site, 'components/tabs.html', {}, async ({ page, expect }) => {
    const state = () => page.evaluate(() => {
      const tabs = [...document.querySelector('main .tabs [role=tablist]').querySelectorAll('[role=tab]')];
      return tabs.map((tab) => ({
        title: tab.textContent.trim(), selected: tab.getAttribute('aria-selected') === 'true', stop: tab.tabIndex === 0, focus: tab === document.activeElement,
        shown: document.getElementById(tab.getAttribute('aria-controls')).checkVisibility(),
      }));
    });
    const first = page.locator('main .tabs [role=tab]').first();
    await first.focus();
    for (const [key, index] of [['ArrowRight', 1], ['ArrowRight', 0], ['ArrowLeft', 1], ['Home', 0], ['End', 1]]) {
      await page.keyboard.press(key);
      const tabs = await state();
      for (const [at, tab] of tabs.entries()) {
        const on = at === index;
        expect(tab.selected === on && tab.stop === on && tab.focus === on && tab.shown === on, `after ${key}: ${JSON.stringify(tab)}`);
      }
    }
  }));

  test('equal titles switch together and are remembered', on(site, 'components/tabs.html', {}, async ({ page, open, expect }) => {
    const selected = () => page.evaluate(() => [...document.querySelectorAll('main [role=tab][aria-selected=true]')].map((tab) => tab.textContent.trim()));
    await page.locator('main .code-group [role=tab]', { hasText: 'Python' }).first().click();
    expect((await selected()).includes('Python'), 'the tab is not selected');
    expect(await recalls(() => open('components/tabs.html'), async () => (await selected()).includes('Python')), 'the choice is not remembered');
  }));

  test('a menu of code follows the tabs of equal titles, and they follow it', on(site, 'components/tabs.html', {}, async ({ page, expect }) => {
    const menu = page.locator('main .tab-menu select').first();
    const state = () => menu.evaluate((select) => ({
      chosen: select.selectedOptions[0].textContent,
      shown: [...select.options].filter((option) => document.getElementById(option.value).checkVisibility()).map((option) => option.textContent).join(),
      titles: [...select.closest('.code-tabs').querySelectorAll('.tab-title')].filter((title) => title.checkVisibility()).length,
    }));
    const expectShown = async (title, when) => {
      const now = await state();
      expect(now.chosen === title && now.shown === title && now.titles === 0, `${when}: ${JSON.stringify(now)}`);
    };
    expect(await menu.isVisible(), 'there is no menu');
    await expectShown('JavaScript', 'at first');
    await page.locator('main [role=tab]', { hasText: 'Python' }).first().click();
    await expectShown('Python', 'after a click on a tab');
    await menu.selectOption({ label: 'JavaScript' });
    await expectShown('JavaScript', 'after a choice');
    const tab = await page.locator('main .code-group [role=tab][aria-selected=true]').first().textContent();
    expect(tab.trim() === 'JavaScript', `the tabs show ${tab}`);
  }));

  test('the color scheme is kept', on(site, 'index.html', {}, async ({ page, open, expect }) => {
    const dark = () => page.evaluate(() => document.documentElement.classList.contains('dark'));
    const toggle = page.locator('[data-component-name="theme-toggle"]:visible').first();
    expect(await dark() === false, 'dark at first');
    await toggle.click();
    expect(await dark(), 'the click did nothing');
    expect(await recalls(() => open('format/code.html'), dark), 'forgotten on the next page');
    expect(await recalls(() => page.reload(), dark), 'forgotten after a reload');
    await page.locator('[data-component-name="theme-toggle"]:visible').first().click();
    expect(await dark() === false, 'there is no way back');
  }));

  test('the menu of a narrow window', on(site, 'format/code.html', { width: 390, height: 800 }, async ({ page, expect }) => {
    const button = page.locator('button[aria-controls="sidebar"]:visible').first();
    const link = page.locator('#sidebar a[aria-current=page]');
    expect(!(await link.isVisible()), 'the page tree is open at first');
    expect(await button.getAttribute('aria-expanded') === 'false', 'aria-expanded is not false at first');
    await button.click();
    await link.waitFor({ state: 'visible' });
    expect(await button.getAttribute('aria-expanded') === 'true', 'aria-expanded does not follow');
    await page.keyboard.press('Escape');
    await link.waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-controls')) === 'sidebar', 'focus does not go back to the button');
  }));

  test('the menu of a narrow window scrolls below the top bar', on(site, 'format/code.html', { width: 390, height: 500 }, async ({ page, expect }) => {
    await page.locator('button[aria-controls="sidebar"]:visible').first().click();
    await page.locator('#sidebar').waitFor({ state: 'visible' });
    const at = await page.evaluate(() => {
      const tree = document.getElementById('sidebar');
      const box = tree.getBoundingClientRect();
      tree.scrollTop = 0;
      const first = tree.querySelector('a').getBoundingClientRect();
      tree.scrollTop = 1e6;
      const last = [...tree.querySelectorAll('a')].filter((link) => link.checkVisibility()).at(-1).getBoundingClientRect();
      return { top: box.top, bar: document.getElementById('header').getBoundingClientRect().bottom, bottom: box.bottom, window: innerHeight, first: first.top, last: last.bottom };
    });
    expect(at.top >= at.bar - 1 && at.first >= at.bar, `its top lies under the bar: ${JSON.stringify(at)}`);
    expect(at.bottom <= at.window && at.last <= at.window, `its end cannot be reached: ${JSON.stringify(at)}`);
  }));

  test('a page without a tree at its side opens it as a menu', on(site, 'guides/center.html', { fixture: 'families/content@maple' }, async ({ page, expect }) => {
    const link = page.locator('#sidebar a').first();
    expect(!(await link.isVisible()), 'the page tree is open at first');
    await page.locator('button[aria-controls="sidebar"]:visible').first().click();
    await link.waitFor({ state: 'visible' });
    const top = await page.evaluate(() => document.getElementById('sidebar').getBoundingClientRect().top >= document.getElementById('header').getBoundingClientRect().bottom - 1);
    expect(top, 'the tree lies under the bar');
    await page.keyboard.press('Escape');
    await link.waitFor({ state: 'hidden' });
  }));

  test('the parts of the top bar do not lie over each other', on(site, 'index.html', { width: 360, height: 700 }, async ({ page, expect }) => {
    await page.evaluate(() => {
      const logo = document.querySelector('.op-logo');
      logo.innerHTML = '<img alt="wide" width="400" height="40" src="data:image/svg+xml,%3Csvg xmlns=%27http://www.w3.org/2000/svg%27 width=%27400%27 height=%2740%27/%3E">';
      logo.insertAdjacentHTML('afterend', '<div class="op-switches"><details class="op-menu op-switch"><summary><span class="op-switch-label">v3.0.0 (release candidate)</span></summary></details></div>');
    });
    const over = await page.evaluate(() => {
      const parts = [...document.querySelectorAll('.op-bar-row > *, .op-bar-row > div > *, #search-bar-entry')].filter((part) => part.checkVisibility() && !part.querySelector('#search-bar-entry'));
      const boxes = parts.map((part) => [part.getAttribute('class'), part.getBoundingClientRect()]).filter(([, box]) => box.width).sort((a, b) => a[1].left - b[1].left);
      return boxes.flatMap(([name, box], at) => (at && boxes[at - 1][1].right > box.left + 0.5 ? [`${name} over ${boxes[at - 1][0]}`] : []));
    });
    expect(!over.length, over.join(', '));
  }));

  test('copy buttons copy the code and nothing else', on(site, 'format/code.html', {}, async ({ page, expect }) => {
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => { globalThis.__copied.push(text); } } });
    });
    const blocks = page.locator('main div.code-block:has(button[data-copy])');
    const count = await blocks.count();
    expect(count > 10, `only ${count} copy buttons`);
    let found = 0;
    let clicks = 0;
    for (let index = 0; index < count; index += 1) {
      const block = blocks.nth(index);
      if (!(await block.isVisible())) continue;
      await block.hover();
      await block.locator('button[data-copy]').click({ force: true });
      clicks += 1;
      const [copied, code, label] = await block.evaluate(async (element, clicks) => {
        for (let left = 500; left && globalThis.__copied.length < clicks; left -= 1) await new Promise((done) => { setTimeout(done, 20); });
        const copy = element.querySelector('pre code').cloneNode(true);
        copy.querySelectorAll('[data-chrome], [aria-hidden=true]').forEach((mark) => mark.remove());
        const button = element.querySelector('button[data-copy]');
        return [globalThis.__copied[clicks - 1], copy.textContent.replace(/\n$/, ''), button.getAttribute('aria-label') ?? button.textContent];
      }, clicks);
      expect(copied?.replace(/\n$/, '') === code, `copied ${JSON.stringify(copied)} instead of ${JSON.stringify(code)}`);
      expect(/cop/i.test(label), `the button is called ${JSON.stringify(label)}`);
      if (/version = "0\.1\.1"$/m.test(copied ?? '') && !/\[!code/.test(copied)) found += 1;
    }
    expect(found >= 1, 'the block with differences was not copied as plain code');
  }));

  test('copying works without the clipboard API', on(site, 'quickstart.html', {}, async ({ page, expect }) => {
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
      document.execCommand = (name) => { if (name === 'copy') globalThis.__copied.push(String(getSelection()) || document.activeElement.value); return true; };
    });
    await page.locator('main button[data-copy]:visible').first().click({ force: true });
    await page.waitForFunction(() => globalThis.__copied.length);
    expect((await page.evaluate(() => globalThis.__copied[0])) === 'cargo build --release', `copied ${JSON.stringify(await page.evaluate(() => globalThis.__copied))}`);
  }));

  test('an address with a hash opens what holds it', on(site, 'components/accordions.html#scripts', {}, async ({ page, open, expect }) => {
    const isOpen = (id) => page.evaluate((id) => { const element = document.getElementById(id); return Boolean(element?.checkVisibility()) && Boolean(element.closest('details')?.open); }, id);
    expect(await isOpen('scripts'), 'the accordion is closed');
    await open('format/docs-json.html#param-eyebrows');
    expect(await isOpen('param-eyebrows'), 'a field inside an expandable stays hidden');
    await open('components/accordions.html');
    await page.locator('main a[href="#scripts"]').evaluate((link) => { link.closest('details').open = true; });
    await page.locator('main details#scripts').evaluate((details) => { details.open = false; });
    await page.evaluate(() => { location.hash = '#scripts'; });
    await page.locator('main details#scripts[open]').waitFor({ timeout: 10_000 }).catch(() => {});
    expect(await isOpen('scripts'), 'a later hash does not open it');
  }));

  test('a hash opens a tab', on(site, 'components/tabs.html#first-of-two', {}, async ({ page, expect }) => {
    expect(await page.locator('#first-of-two').isVisible(), 'the tab is not shown');
  }));

  test('the banner stays away', on(site, 'index.html', {}, async ({ page, open, expect }) => {
    const banner = page.locator('#banner');
    expect(await banner.isVisible(), 'there is no banner');
    await banner.locator('button').click();
    expect(!(await banner.isVisible()), 'it cannot be closed');
    expect(await recalls(() => open('quickstart.html'), () => banner.isHidden()), 'it comes back');
  }));

  test('views switch', on(site, 'format/views.html', {}, async ({ page, expect }) => {
    const shown = () => page.evaluate(() => [...document.querySelectorAll('main [data-component=View]')].filter((view) => view.checkVisibility()).map((view) => view.id));
    expect((await shown()).join() === 'linux', `at first: ${await shown()}`);
    await page.locator('.view-switcher button', { hasText: 'Windows' }).click();
    expect((await shown()).join() === 'windows', `after a click: ${await shown()}`);
    expect(await recalls(() => page.reload(), async () => (await shown()).join() === 'windows'), `after a reload: ${await shown()}`);
  }));

  test('a variation is chosen and remembered', on(site, 'index.html', { fixture: 'families/content@willow' }, async ({ page, open, expect }) => {
    const expectShown = async (name, when) => {
      const shown = await page.evaluate(() => [...document.querySelectorAll('main .variation')].filter((part) => part.checkVisibility()).map((part) => part.dataset.variation));
      const labels = await page.locator('main .variation-title:visible').count();
      const pressed = await page.locator('.variation-switcher [aria-pressed=true]').allTextContents();
      expect(shown.length === 2 && shown.every((part) => part === name) && labels === 0 && pressed.length === 1, `${when}: ${shown} with ${labels} labels, pressed ${pressed}`);
    };
    await expectShown('cloud', 'at first');
    await page.locator('.variation-switcher button', { hasText: 'Self-hosted' }).click();
    await expectShown('self', 'after a click');
    await open('guides/install.html');
    await recalls(() => open('index.html'), () => page.locator('main .variation[data-variation=self]').first().isVisible());
    await expectShown('self', 'on the next visit');
    const id = await page.locator('main .variation[data-variation=cloud]').first().getAttribute('id');
    await page.evaluate((hash) => { location.hash = hash; }, id);
    await page.locator(`#${id}`).waitFor({ state: 'visible' });
    await expectShown('cloud', 'after an address inside the other one');
  }));

  test('the changelog can be filtered', on(site, 'changelog.html', {}, async ({ page, expect }) => {
    const shown = () => page.locator('main .update:visible').count();
    const all = await shown();
    expect(all === 3, `${all} entries`);
    await page.locator('button:visible, label:visible', { hasText: /^Components$/ }).first().click();
    expect(await shown() === 1, `${await shown()} entries with the tag`);
  }));

  test('pictures open large', on(site, 'format/images.html', {}, async ({ page, expect }) => {
    await page.locator('main img[src*="sheets"]').first().click();
    const dialog = page.locator('dialog[open]');
    await dialog.waitFor({ state: 'visible' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.locator('main img[src*="grid"]').first().click();
    expect(await dialog.count() === 0, 'noZoom is ignored');
  }));

  test('storage that throws does not break a page', async (browser) => {
    const { folder } = site('docs');
    const context = await reader(browser);
    await context.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(globalThis, name, { get() { throw new DOMException('no storage', 'SecurityError'); } });
    });
    const { page, trouble } = await tab(context);
    await page.goto(address(folder, 'components/tabs.html'));
    await page.locator('[data-component-name="theme-toggle"]:visible').first().click();
    await page.locator('main [role=tab]').nth(1).click();
    await context.close();
    return trouble;
  });

  test('both schemes are set before the first paint', async (browser) => {
    const { folder } = site('docs');
    const context = await reader(browser, { scheme: 'dark' });
    const { page, trouble } = await tab(context);
    await page.goto(address(folder, 'index.html'), { waitUntil: 'commit' });
    await page.waitForSelector('body', { state: 'attached' });
    const dark = await page.evaluate(() => document.documentElement.classList.contains('dark'));
    await context.close();
    return [...trouble, ...(dark ? [] : ['the scheme comes after the body'])];
  });

  test('dark pages print black on white', on(site, 'components/tabs.html', { scheme: 'dark' }, async ({ page, expect }) => {
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const pale = await page.evaluate(() => {
      const light = (color) => { const canvas = document.createElement('canvas').getContext('2d'); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data; return (r + g + b) / 765; };
      const clear = (color) => /, 0\)$|\/ 0\)$|^transparent$/.test(color);
      const wrong = [];
      for (const element of [document.documentElement, ...document.querySelectorAll('main :is(h1, h2, p, code, .code-tabs, .tab-title, .code-block, .card, .callout)')]) {
        const style = getComputedStyle(element);
        if (!element.checkVisibility()) continue;
        if (!clear(style.backgroundColor) && light(style.backgroundColor) < 0.9) wrong.push(`the ground of ${element.tagName}.${element.className}: ${style.backgroundColor}`);
        if (light(style.color) > 0.6) wrong.push(`the text of ${element.tagName}.${element.className}: ${style.color}`);
      }
      return wrong;
    });
    expect(!pale.length, pale.slice(0, 3).join(', '));
  }));

  test('pages print their content only', on(site, 'components/accordions.html', {}, async ({ page, expect }) => {
    await page.emulateMedia({ media: 'print' });
    for (const frame of ['#sidebar', '#navbar', '#table-of-contents']) {
      const element = page.locator(frame);
      expect(!(await element.count()) || !(await element.first().isVisible()), `${frame} is printed`);
    }
    expect(await page.locator('#page-title').isVisible(), 'the title is not printed');
  }));
}
