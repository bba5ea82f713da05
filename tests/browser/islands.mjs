// Components of the author's own, come back to life.
import { address, reader, tab } from './browser.mjs';

export function islands(test, site) {
  const on = (act, options = {}) => async (browser) => {
    const { folder } = site('docs');
    const context = await reader(browser, options);
    const { page, trouble } = await tab(context);
    await page.goto(`${address(folder, '.')}/components/custom.html`, { waitUntil: 'load' });
    const wrong = [];
    const same = (found, expected) => { if (found !== expected) wrong.push(`${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`); };
    await act(page, same);
    await context.close();
    return [...wrong, ...trouble];
  };

  test('a counter counts', on(async (page, same) => {
    const button = page.getByRole('button', { name: 'Clicks' });
    const box = page.locator('[data-island]').first();
    same(await box.locator('[data-component=Badge]').count(), 1);
    same(await button.textContent(), 'Clicks: 2');
    await button.click();
    await button.click();
    same(await button.textContent(), 'Clicks: 4');
    same(await box.locator('span.text-sm').textContent(), '4 clicks so far');
    await page.getByRole('button', { name: 'Start again' }).click();
    same(await button.textContent(), 'Clicks: 2');
    same(await page.getByRole('button', { name: 'Start again' }).count(), 0);
    same(await box.locator('[data-component=Badge]').textContent(), 'a child');
  }));

  test('a filter filters', on(async (page, same) => {
    const box = page.locator('[data-island]').nth(1);
    same(await box.locator('li').count(), 4);
    await box.getByRole('searchbox').fill('ca');
    same(await box.locator('li').allTextContents().then((texts) => texts.map((text) => text.trim()).join('|')), 'Cards: ways to go on|Callouts: what a reader must not miss'.split('|').reverse().join('|'));
    const cards = box.locator('a', { hasText: 'Cards' });
    same(await cards.getAttribute('href'), 'cards.html');
    await box.getByRole('searchbox').fill('xyz');
    same(await box.locator('li').count(), 0);
    same((await box.textContent()).includes('Nothing is called that.'), true);
    await box.getByRole('searchbox').fill('');
    same(await box.locator('li').count(), 4);
    await box.locator('a', { hasText: 'Tabs' }).click();
    await page.waitForURL(/tabs\.html$/);
  }));

  test('tabs of the author switch', on(async (page, same) => {
    const box = page.locator('[data-island]').nth(2);
    same(await box.getByRole('tab').allTextContents().then((texts) => texts.join()), 'FIRST,SECOND');
    same((await box.getByRole('tabpanel').textContent()).includes('The first sheet is shown'), true);
    await box.getByRole('tab', { name: 'SECOND' }).click();
    same((await box.getByRole('tabpanel').textContent()).includes('The second one waits.'), true);
    same(await box.locator('[data-component=Note]').count(), 1);
    same(await box.locator('pre code').textContent(), 'const sheet = 2');
    await box.getByRole('tab', { name: 'FIRST' }).click();
    same(await box.locator('strong').textContent(), 'shown');
  }));

  test('effects run in the browser', on(async (page, same) => {
    same(await page.getByText('Your window is 1440 pixels wide.').count(), 1);
  }));

  test('islands can be read without JavaScript', on(async (page, same) => {
    same((await page.locator('main').textContent()).includes('2 clicks so far'), true);
    same(await page.locator('[data-island] li').count(), 4);
  }, { scripts: false }));

  test('pages without islands load no script of theirs', async (browser) => {
    const { folder } = site('docs');
    const context = await reader(browser, {});
    const { page, trouble } = await tab(context);
    await page.goto(`${address(folder, '.')}/components/tabs.html`, { waitUntil: 'load' });
    const scripts = await page.locator('script[src]').evaluateAll((all) => all.map((one) => one.getAttribute('src')));
    await context.close();
    return [...trouble, ...scripts.filter((src) => /islands|script-/.test(src))];
  });
}
