// Small controls of a page: the scheme switch, tabs in the address, code, boxes that scroll, the bar of a phone.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { address, audit, reader, sideways, tab } from './browser.mjs';

const LONG = `const long = "${'x'.repeat(160)}";`;
const PAGE = `<Tabs><Tab title="One">First</Tab><Tab title="Two">Second</Tab></Tabs>

\`\`\`js lines
${Array.from({ length: 30 }, (_, at) => `const value${at} = ${at};`).join('\n')}
\`\`\`

\`\`\`js
${LONG}
\`\`\`

\`\`\`mermaid
flowchart LR
  ${Array.from({ length: 14 }, (_, at) => `a${at}[A node with a name ${at}] --> a${at + 1}[A node with a name ${at + 1}]`).join('\n  ')}
\`\`\`

${Array.from({ length: 60 }, (_, at) => `## Heading ${at}\n\nText.`).join('\n\n')}
`;

const ABSENT = ['tiny', 'flat', 'wide'].map((name) => `<div><img className="${name}" src="https://example.invalid/${name}.png" alt="A diagram of the service" /></div>`).join('\n\n');
const SHEET = '.tiny { width: 48px; height: 48px } .flat { width: 120px; height: 30px } .wide { width: 400px; height: 80px }';

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="140" height="28" viewBox="0 0 140 28"><rect width="140" height="28" fill="teal"/></svg>';

function made(bin, work) {
  const source = path.join(work, 'controls-source');
  const folder = path.join(work, 'controls');
  mkdirSync(source);
  const pages = (version) => ({ version, pages: version === '2026' ? ['index', 'next'] : ['old'] });
  const languages = ['en', 'de'].map((language) => ({ language, versions: language === 'en' ? [pages('2026'), pages('17')] : [{ version: '2026', pages: ['de'] }] }));
  writeFileSync(path.join(source, 'docs.json'), JSON.stringify({ theme: 'mint', name: 'Controls', colors: { primary: '#0F766E' }, logo: '/logo.svg', contextual: { options: ['copy'] }, navigation: { languages } }));
  writeFileSync(path.join(source, 'logo.svg'), LOGO);
  writeFileSync(path.join(source, 'style.css'), SHEET);
  for (const name of ['index', 'next', 'old', 'de']) writeFileSync(path.join(source, `${name}.mdx`), `---\ntitle: "Page ${name}"\ndescription: "About this page"\n---\n\n${{ index: PAGE, next: ABSENT }[name] ?? 'Text.'}\n`);
  execFileSync(bin, ['export', source, '-o', folder, '--format', 'dir', '--offline', '--progress', 'none'], { stdio: ['ignore', 'ignore', 'pipe'] });
  return folder;
}

export function controls(test, { bin, work }) {
  let folder;
  const on = (name, file, options, act) => test(name, async (browser) => {
    folder ??= made(bin, work);
    const context = await reader(browser, { width: 1440, height: 900, ...options });
    const { page, trouble } = await tab(context);
    const open = (other) => page.goto(address(folder, '.') + `/${other}`, { waitUntil: 'load' });
    await open(file);
    const wrong = [];
    await act({ page, open, expect: (fact, words) => { if (!fact) wrong.push(words); } });
    await context.close();
    return [...wrong, ...trouble];
  });

  on('the scheme switch goes back to what the system wants, and follows it again', 'index.html', {}, async ({ page, open, expect }) => {
    const state = () => page.evaluate(() => ({ dark: document.documentElement.classList.contains('dark'), choice: document.documentElement.dataset.choice, drawing: [...document.querySelectorAll('.theme-toggle svg')].findIndex((svg) => svg.checkVisibility()), drawings: [...document.querySelectorAll('.theme-toggle svg')].filter((svg) => svg.checkVisibility()).length }));
    const expectState = async (want, when) => {
      // a change of the system is told to the page in its next turn
      await page.waitForTimeout(100);
      const now = await state();
      expect(now.drawings === 1 && Object.entries(want).every(([key, value]) => now[key] === value), `${when}: ${JSON.stringify(now)}`);
    };
    await expectState({ dark: false, choice: 'system', drawing: 2 }, 'at first');
    await page.locator('.theme-toggle').click();
    await expectState({ dark: true, choice: 'dark', drawing: 1 }, 'after a click');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectState({ dark: true, choice: 'dark' }, 'when the system turns dark');
    await page.locator('.theme-toggle').click();
    await expectState({ dark: false, choice: 'light', drawing: 0 }, 'light on a dark system');
    await page.locator('.theme-toggle').click();
    await expectState({ dark: true, choice: 'system' }, 'back to dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await expectState({ dark: false, choice: 'system' }, 'when the system turns light');
    await open('next.html');
    await expectState({ dark: false, choice: 'system' }, 'on the next page');
  });

  on('the address leads to the tab that was chosen', 'index.html', {}, async ({ page, expect }) => {
    const before = await page.evaluate(() => history.length);
    await page.locator('main [role=tab]', { hasText: 'Two' }).click();
    const hash = await page.evaluate(() => location.hash);
    expect(hash.length > 1 && await page.evaluate((id) => document.getElementById(id)?.textContent.includes('Second'), hash.slice(1)), `the address ends in ${hash}`);
    expect(await page.evaluate(() => history.length) === before, 'a choice is a step of the history');
    await page.evaluate(() => { localStorage.clear(); });
    await page.reload();
    expect(await page.locator('main [role=tabpanel]', { hasText: 'Second' }).isVisible(), 'the address does not open it');
  });

  on('long lines of code wrap when a reader asks for it', 'index.html', {}, async ({ page, expect }) => {
    const blocks = page.locator('main .code-block');
    await blocks.nth(0).hover();
    expect(await blocks.nth(0).locator('.code-wrap').count() === 0, 'a block that fits has a switch');
    await blocks.nth(1).hover();
    const button = blocks.nth(1).locator('.code-wrap');
    expect(await button.isVisible() && await button.getAttribute('aria-label') === 'Wrap lines', 'a block that is cut has no switch');
    const cut = () => blocks.nth(1).locator('pre').evaluate((pre) => pre.scrollWidth > pre.clientWidth);
    expect(await cut(), 'the line is not cut');
    await button.click();
    expect(!(await cut()) && await button.getAttribute('aria-pressed') === 'true', 'the line is cut after a click');
    await button.click();
    expect(await cut(), 'there is no way back');
  });

  on('a numbered line has an address', 'index.html', {}, async ({ page, open, expect }) => {
    const line = page.locator('main .code-block .line').nth(11);
    await line.click({ position: { x: 12, y: 10 } });
    expect(await page.evaluate(() => location.hash) === '#code-1-12', `the address ends in ${await page.evaluate(() => location.hash)}`);
    await open('next.html');
    await open('index.html#code-1-25');
    const marked = await page.evaluate(() => [...document.querySelectorAll('.line[data-linked]')].map((it) => it.textContent.trim()).join());
    expect(marked === 'const value24 = 24;', `marked: ${marked}`);
  });

  on('boxes that scroll are reached by keys', 'index.html', { height: 500 }, async ({ page, expect }) => {
    await page.waitForTimeout(300);
    const boxes = await page.evaluate(() => [...document.querySelectorAll('body *')].filter((box) => {
      const { overflowX, overflowY } = getComputedStyle(box);
      const scrolls = (/auto|scroll/.test(overflowX) && box.scrollWidth > box.clientWidth) || (/auto|scroll/.test(overflowY) && box.scrollHeight > box.clientHeight);
      return scrolls && box.checkVisibility() && box.tabIndex < 0 && !box.querySelector(':is(a[href], button, summary):not([tabindex="-1"])');
    }).map((box) => box.className));
    expect(!boxes.length, `no key reaches ${boxes}`);
    expect(await page.locator('.toc-scroll[tabindex="0"]').count() === 1, 'the contents do not take focus');
    const found = await audit(page);
    expect(!found.length, found.join('; '));
  });

  on('diagrams open large, and are moved and resized by keys and pointers', 'index.html', {}, async ({ page, expect }) => {
    const box = page.locator('main .mermaid');
    await box.hover();
    const before = await box.locator('svg').boundingBox();
    await box.locator('button').click();
    const dialog = page.locator('dialog[open]');
    const width = async () => (await dialog.locator('svg').boundingBox()).width;
    expect(Math.abs(await width() - 1344) < 4, `${await width()} px in a window of 1440`);
    const opened = await width();
    await page.keyboard.press('+');
    expect(await width() > opened * 1.2, 'the key makes it no larger');
    await dialog.locator('button', { hasText: '+' }).click();
    const at = () => dialog.evaluate((it) => it.scrollLeft);
    const from = await at();
    await page.mouse.move(700, 450);
    await page.mouse.down();
    await page.mouse.move(600, 450, { steps: 4 });
    await page.mouse.up();
    expect(await at() > from + 60, `moved from ${from} to ${await at()}`);
    const found = await audit(page);
    expect(!found.length, found.join('; '));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const after = await box.locator('svg').boundingBox();
    expect(Math.abs(after.width - before.width) < 1, `${after.width} px afterwards, before ${before.width}`);
    expect(await page.evaluate(() => document.activeElement.className) === 'mermaid-open', 'focus does not go back');
  });

  on('a picture that is not there shows whole words or none', 'next.html', {}, async ({ page, expect }) => {
    await page.waitForTimeout(300);
    const shown = await page.evaluate(() => [...document.querySelectorAll('.image-placeholder')].map((it) => {
      const words = it.querySelector('.image-alt').getBoundingClientRect();
      return { icon: it.classList.contains('image-icon'), width: words.width };
    }));
    expect(shown.map(({ icon }) => icon).join() === 'true,true,false', JSON.stringify(shown));
  });

  on('the tree does not move below what a reader has folded', 'index.html', {}, async ({ page, expect }) => {
    await page.evaluate(() => sessionStorage.setItem(`offprint:${document.documentElement.dataset.site}:nav`, '{"Section":1}'));
    const tree = () => page.evaluate(() => getComputedStyle(document.querySelector('.op-pages')).visibility);
    expect(await tree() === 'visible', 'at first it is hidden');
    let release;
    const held = new Promise((done) => { release = done; });
    await page.route('**/theme-*.js', async (route) => { await held; await route.continue(); });
    const loaded = page.reload({ waitUntil: 'load' });
    await page.waitForTimeout(400);
    const early = await tree();
    release();
    await loaded;
    expect(early === 'hidden', 'it is seen before its groups are as they were left');
    expect(await tree() === 'visible', 'it stays hidden');
  });

  for (const width of [320, 390]) {
    for (const [file, words] of [['index.html', '2026'], ['old.html', '17']]) {
      on(`the version ${words} is read beside a logo at ${width} px`, file, { width, height: 800 }, async ({ page, expect }) => {
        const now = await page.evaluate(() => {
          const box = (selector) => document.querySelector(selector).getBoundingClientRect();
          const label = document.querySelector('.op-switches .op-switch-label');
          const parts = [...document.querySelectorAll('.op-bar-row .op-tree-opener, .op-logo, .op-switches > details, .op-switch-language, #search-bar-entry, .theme-toggle')].filter((part) => part.checkVisibility());
          const ends = parts.map((part) => part.getBoundingClientRect()).sort((a, b) => a.left - b.left);
          return { words: label.textContent, cut: label.scrollWidth > label.clientWidth || label.getBoundingClientRect().right > box('.op-switches').right + 0.5, logo: Math.min(box('.op-logo img').width, box('.op-logo').width), over: ends.some((part, at) => at && ends[at - 1].right > part.left + 0.5), end: ends.at(-1).right };
        });
        expect(now.words === words && !now.cut, `the label: ${JSON.stringify(now)}`);
        expect(now.logo >= 40 && !now.over && now.end <= width, `the bar: ${JSON.stringify(now)}`);
        (await sideways(page)).forEach((line) => expect(false, line));
      });
    }
  }

  on('on a phone the menu of a page stands below its description', 'index.html', { width: 390, height: 800 }, async ({ page, expect }) => {
    const [title, description, menu] = await Promise.all(['#page-title', '.page-description', '.op-actions'].map((part) => page.locator(part).boundingBox()));
    expect(title.y < description.y && description.y + description.height <= menu.y, `title ${title.y}, description ${description.y}, menu ${menu.y}`);
  });

  on('the pager points the way', 'index.html', {}, async ({ page, expect }) => {
    const off = await page.evaluate(() => {
      const arrow = document.querySelector('.pagination-next small > svg').getBoundingClientRect();
      return { past: arrow.right - document.querySelector('.pagination-next .pagination-title').getBoundingClientRect().right, words: document.querySelector('.pagination-next small').innerText.trim() };
    });
    expect(Math.abs(off.past) < 4 && off.words === 'Next', JSON.stringify(off));
  });
}
