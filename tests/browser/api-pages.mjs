// Pages of operations and of whole descriptions: what stays in sight, what is chosen, at all widths, in both schemes and from right to left.
import { address, audit, firstLines, reader, sideways, tab } from './browser.mjs';
import { exported } from './console.mjs';

const object = (properties) => ({ type: 'object', properties });
const order = object({ id: { type: 'string' }, amount: { type: 'integer' } });

/** A description with a long page, several examples and several servers. */
const description = (servers) => ({
  openapi: '3.1.0',
  info: { title: 'Orders API', version: '2.4', description: 'Take orders.', contact: { name: 'Team', url: 'https://example.com' } },
  servers,
  tags: [{ name: 'Orders', description: 'What customers want.' }],
  components: { schemas: { Order: order }, securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  paths: {
    '/organizations/{organization_id}/shops/{shop_id}/orders': {
      post: {
        operationId: 'order',
        tags: ['Orders'],
        parameters: ['organization_id', 'shop_id'].map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
        requestBody: {
          content: {
            'application/json': {
              schema: object(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`field_${at}`, { type: 'string', description: 'What it is.' }]))),
              examples: { small: { summary: 'Small', value: { field_1: 'a' } }, large: { summary: 'Large', value: { field_1: 'a', field_2: 'b' } } },
            },
          },
        },
        responses: { 200: { description: 'OK', content: { 'application/json': { schema: order } } }, 422: { description: 'No', content: { 'application/json': { schema: order } } } },
      },
    },
    '/shops': { get: { operationId: 'shops', tags: ['Orders'], responses: { 200: { description: 'OK' } } } },
  },
  webhooks: { paid: { post: { summary: 'Paid', requestBody: { content: { 'application/json': { schema: order } } }, responses: { 200: { description: 'OK' } } } } },
});

export function apiPages(test, { bin, work }) {
  const sites = new Map();
  const site = (language) => {
    if (!sites.has(language)) {
      const pages = ['index', 'order', 'shops', 'WEBHOOK paid'];
      const navigation = language === 'en' ? { pages } : { languages: [{ language, pages }] };
      sites.set(language, exported({ bin, work }, `api pages ${language}`, ['https://api.example.com', 'https://test.example.com'], undefined, { navigation }, description));
    }
    return sites.get(language);
  };
  const overview = 'orders-api-overview.html';
  const onPage = (name, options, act, language = 'en') => test(`api pages: ${name}`, async (browser) => {
    const folder = site(language);
    const context = await reader(browser, options);
    const { page, trouble } = await tab(context);
    const wrong = [];
    const expect = (what, found, wanted) => JSON.stringify(found) === JSON.stringify(wanted) || wrong.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
    const open = (file) => page.goto(address(folder, file), { waitUntil: 'load' });
    try { await act({ page, open, expect, wrong }); } catch (error) { wrong.push(firstLines(error)); }
    await context.close();
    return [...wrong, ...trouble];
  });
  /** Whether all of the endpoint is in the window and nothing lies over it. */
  const inSight = (page) => page.evaluate(() => [...document.querySelectorAll('.op-endpoint > *')].map((element) => {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && width > 0;
    const over = document.elementFromPoint(left + width / 2, top + height / 2);
    return isInside && (element === over || element.contains(over));
  }));

  for (const [width, language] of [[1440, 'en'], [1280, 'en'], [1280, 'ar'], [768, 'en'], [390, 'en'], [390, 'ar'], [320, 'en']]) {
    onPage(`method, path and Try it stay in sight, ${width} px, ${language}`, { width, height: 800 }, async ({ page, open, expect, wrong }) => {
      await open('order.html');
      expect('at first', await inSight(page), [true, true, true]);
      for (const part of [0.3, 0.7, 1]) {
        await page.evaluate((part) => scrollTo(0, part * (document.documentElement.scrollHeight - innerHeight)), part);
        await page.waitForTimeout(60);
        expect(`after ${part} of the page`, await inSight(page), [true, true, true]);
      }
      if (width > 1180) {
        const [bar, text] = await page.evaluate(() => ['.op-endpoint', '.mdx-content'].map((selector) => document.querySelector(selector).getBoundingClientRect().left));
        expect('it is in the other column', language === 'ar' ? bar < text : bar > text, true);
      }
      // what a link leads to is not below the bar
      await page.evaluate(() => { location.hash = document.querySelectorAll('main .field')[40].id; });
      await page.waitForTimeout(60);
      expect('a field that is linked', await page.evaluate(() => { const { left, top } = document.querySelector(':target .field-name').getBoundingClientRect(); return Boolean(document.elementFromPoint(left + 2, top + 4)?.closest(':target')); }), true);
      wrong.push(...await sideways(page));
    }, language);
  }

  onPage('examples and the schema are chosen one by one', { width: 1280, height: 900 }, async ({ page, open, expect }) => {
    await open('order.html');
    const shown = (id) => page.locator(`#${id} pre:visible`).allTextContents();
    const choose = (id, text) => page.locator(`#${id} [role=tab]`, { hasText: text }).locator('visible=true').click();
    expect('the first example', (await shown('request-body-example')).map((text) => JSON.parse(text)), [{ field_1: 'a' }]);
    await choose('request-body-example', 'Large');
    expect('the second', (await shown('request-body-example')).map((text) => JSON.parse(text)), [{ field_1: 'a', field_2: 'b' }]);
    await choose('request-body-example', 'Schema');
    expect('the schema', (await shown('request-body-example')).map((text) => text.startsWith('type Body = {')), [true]);
    await choose('response-example', 'Schema');
    expect('of the answer', await shown('response-example'), ['type Response = {\n  id?: string\n  amount?: integer\n}']);
    await choose('response-example', '422');
    expect('each status by itself', (await shown('response-example')).length, 1);
    await page.click('.api-servers summary');
    expect('servers', await page.locator('.api-server:visible').count(), 2);
  });

  onPage('right columns start where others start', { width: 1280, height: 900 }, async ({ page, open, expect }) => {
    const top = async (file) => { await open(file); return page.evaluate(() => { const [column, card] = ['.op-aside-column', '.op-aside-scroll :is(.code-tabs, .code-block)'].map((selector) => document.querySelector(selector).getBoundingClientRect().top); return [Math.round(column), Math.round(card)]; }); };
    const [usual, webhook, short] = [await top('order.html'), await top('api-reference/paid.html'), await top('shops.html')];
    expect('columns', [webhook[0], short[0]], [usual[0], usual[0]]);
    // the path of the first takes several lines
    expect('cards', webhook[1], short[1]);
  });

  for (const scheme of ['light', 'dark']) {
    for (const width of [1280, 390]) {
      onPage(`they can be read, ${scheme}, ${width} px`, { width, height: 900, scheme }, async ({ page, open, wrong }) => {
        for (const file of ['order.html', overview]) {
          await open(file);
          await page.evaluate(() => document.querySelectorAll('main details').forEach((fold) => { fold.open = true; }));
          wrong.push(...await audit(page), ...await sideways(page));
        }
      });
    }
  }

  test('api pages: without scripts every example and the schema stand one below the other', async (browser) => {
    const context = await reader(browser, { scripts: false });
    const page = await context.newPage();
    await page.goto(address(site('en'), 'order.html'));
    const count = await page.locator('#request-body-example pre:visible').count();
    await context.close();
    return count === 3 ? [] : [`${count} blocks`];
  });
}
