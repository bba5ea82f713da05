// What holds for every page of every fixture.
import { address, audit, reader, sideways, tab } from './browser.mjs';

/** Opens all pages of a site with one reader and gathers what is wrong. */
async function each(browser, { folder, files }, options, look) {
  const context = await reader(browser, options);
  const { page, trouble } = await tab(context);
  // the same complaint on many pages is one line
  const places = new Map();
  const complain = (file, lines) => lines.forEach((line) => places.set(line, [...(places.get(line) ?? []), file]));
  for (const file of files) {
    await page.goto(address(folder, file), { waitUntil: 'load' });
    complain(file, await look(page, file));
    complain(file, trouble.splice(0));
  }
  await context.close();
  return [...places].map(([line, files]) => `${files.slice(0, 3).join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}: ${line}`);
}

const scheme = (page, dark) => page.evaluate((want) => (document.documentElement.classList.contains('dark') === want ? [] : ['the page does not follow the color scheme']), dark);

export function pages(test, site) {
  // the documentation in full, in slices so that two can run side by side
  const slices = 4;
  for (let slice = 0; slice < slices; slice += 1) {
    const part = () => {
      const { folder, files } = site('docs');
      return { folder, files: files.filter((_, index) => index % slices === slice) };
    };
    const check = async (page, file, dark) => (file === '404.html' ? [] : scheme(page, dark));
    test(`docs: every page is accessible, in both color schemes, and scrolls sideways in no window (${slice + 1} of ${slices})`, (browser) => each(browser, part(), { scheme: 'light' }, async (page, file) => {
      const wrong = [...await check(page, file, false), ...await audit(page)];
      const window = page.viewportSize();
      for (const width of [1024, 768, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        wrong.push(...(await sideways(page)).map((line) => `at ${width} px: ${line}`));
      }
      await page.setViewportSize(window);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
      wrong.push(...await check(page, file, true), ...await audit(page));
      await page.emulateMedia({ colorScheme: 'light' });
      return wrong;
    }));
  }
  test('docs: pages are accessible on a narrow window', (browser) => {
    const { folder, files } = site('docs');
    return each(browser, { folder, files: files.filter((file) => /^(index|quickstart|components|format)/.test(file)) }, { width: 390, height: 800 }, audit);
  });
  test('docs: all text is there without scripts', (browser) => each(browser, site('docs'), { scripts: false }, async (page, file) => {
    if (file === '404.html') return [];
    const { hidden, shown } = await page.evaluate(() => {
      // visible is what the browser's driver calls so: with a box, and not made invisible
      const boxed = (element) => { const { width, height } = element.getBoundingClientRect(); return width > 0 && height > 0; };
      const visible = (element) => (getComputedStyle(element).display === 'contents' ? [...element.children].some(visible) : element.checkVisibility({ visibilityProperty: true }) && boxed(element));
      const all = (selector) => [...document.querySelectorAll(selector)];
      return {
        hidden: all('main [role=tabpanel], main .tab-panel, main [data-component=View], main .step, main .update').filter((element) => !visible(element)).map((element) => element.textContent),
        shown: all('button[data-copy], [data-component-name="theme-toggle"], [role=tablist]:not([data-island] *), .tab-menu').filter(visible).slice(0, 1).map((element) => element.outerHTML.slice(0, 80)),
      };
    });
    return [...hidden.map((text) => `hidden: ${text.trim().slice(0, 60)}`), ...shown.map((html) => `a control that needs scripts: ${html}`)];
  }));
  for (const name of ['plain', 'mint', 'navigation', 'families/content', 'families/content@willow', 'families/content@luma', 'families/content@palm']) {
    test(`${name}: every page is clean and accessible`, (browser) => each(browser, site(name), {}, async (page) => [...await audit(page), ...await sideways(page)]));
    test(`${name}: nothing scrolls sideways at 320 px`, (browser) => each(browser, site(name), { width: 320, height: 700 }, sideways));
  }
  test('hostile: nothing runs, nothing is asked for', async (browser) => {
    const wrong = await each(browser, site('hostile'), {}, sideways);
    // two pictures of the author's are on purpose on a host that does not exist
    return wrong.filter((line) => !/links.schemes.*(example\.invalid|x\.png)|ERR_INTERNET_DISCONNECTED|ERR_NAME_NOT_RESOLVED/.test(line));
  });
}
