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
  for (const dark of [false, true]) {
    for (let slice = 0; slice < slices; slice += 1) {
      test(`docs: every page is accessible, ${dark ? 'dark' : 'light'} (${slice + 1} of ${slices})`, (browser) => {
        const { folder, files } = site('docs');
        const part = files.filter((_, index) => index % slices === slice);
        return each(browser, { folder, files: part }, { scheme: dark ? 'dark' : 'light' }, async (page, file) => [...(file === '404.html' ? [] : await scheme(page, dark)), ...await audit(page)]);
      });
    }
  }
  for (const width of [320, 390, 768, 1024]) {
    test(`docs: no page scrolls sideways at ${width} px`, (browser) => each(browser, site('docs'), { width, height: 800 }, sideways));
  }
  test('docs: pages are accessible on a narrow window', (browser) => {
    const { folder, files } = site('docs');
    return each(browser, { folder, files: files.filter((file) => /^(index|quickstart|components|format)/.test(file)) }, { width: 390, height: 800 }, audit);
  });
  test('docs: all text is there without scripts', (browser) => each(browser, site('docs'), { scripts: false }, async (page, file) => {
    if (file === '404.html') return [];
    // locators work without scripts of the page
    const wrong = [];
    for (const panel of await page.locator('main [role=tabpanel], main .tab-panel, main [data-component=View], main .step, main .update').all()) {
      if (!(await panel.isVisible())) wrong.push(`hidden: ${(await panel.textContent())?.trim().slice(0, 60)}`);
    }
    for (const control of await page.locator('button[data-copy], [data-component-name="theme-toggle"], [role=tablist]:not([data-island] *), .tab-menu').all()) {
      if (await control.isVisible()) { wrong.push(`a control that needs scripts: ${(await control.evaluate((element) => element.outerHTML)).slice(0, 80)}`); break; }
    }
    return wrong;
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
