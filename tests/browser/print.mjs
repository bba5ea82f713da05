// Pages on paper: what long pages take, and that nothing is cut or stands alone.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { address, reader, tab } from './browser.mjs';

const SENTENCES = 'This sentence stands for the text of a page that is printed to be read elsewhere. '.repeat(5);
const CODES = [...'ABCDE'].flatMap((a) => [...'ABCDEFG'].flatMap((b) => [...'ABCDEFG'].map((c) => a + b + c))).slice(0, 244);
const lines = (count, line) => Array.from({ length: count }, (_, at) => line(at)).join('\n');

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: { '/orders': { post: {
    summary: 'Create an order',
    parameters: [{ name: 'currency', in: 'query', schema: { type: 'string', enum: CODES } }],
    requestBody: { content: { 'application/json': { schema: { type: 'object', properties: {
      currency: { type: 'string', enum: CODES },
      item: { type: 'object', properties: { sku: { type: 'string' }, count: { type: 'integer' } } },
    } } } } },
    responses: { 200: { description: 'It was made' } },
  } } },
};

const PAGES = {
  code: lines(3, (part) => `## Part ${part}\n\n${SENTENCES}\n\n\`\`\`js file-${part}.js\n${lines(70, (at) => `const value${at} = compute(${at});`)}\n\`\`\`\n`),
  short: `${SENTENCES}\n\n`.repeat(9) + lines(12, (part) => `## Part ${part}\n\n\`\`\`js file-${part}.js\n${lines(12, (at) => `const value${at} = compute(${at});`)}\n\`\`\`\n`),
  table: `| Name | Meaning |\n|---|---|\n${lines(25, (at) => `| \`name_${at}\` | ${SENTENCES} |`)}\n`,
  folded: lines(6, (part) => `<Accordion title="Folded ${part}">\n- one\n- two\n\n${SENTENCES}\n</Accordion>\n`),
};

/** Most sheets of A4 that a page takes; each would take more if what is long began on a new one, or values stood in a line each. */
const MOST = { 'code.html': 7, 'short.html': 7, 'table.html': 4, 'folded.html': 2, 'api/create-an-order.html': 3 };

function made(bin, work, theme) {
  const source = path.join(work, `print-source-${theme}`);
  const folder = path.join(work, `print-${theme}`);
  mkdirSync(source);
  const navigation = { groups: [{ group: 'Start', pages: Object.keys(PAGES) }, { group: 'API', openapi: { source: 'openapi.json', directory: 'api' } }] };
  writeFileSync(path.join(source, 'docs.json'), JSON.stringify({ theme, name: 'Print', colors: { primary: '#0F766E' }, navigation }));
  writeFileSync(path.join(source, 'openapi.json'), JSON.stringify(DESCRIPTION));
  for (const [name, body] of Object.entries(PAGES)) writeFileSync(path.join(source, `${name}.mdx`), `---\ntitle: "${name} on paper"\n---\n\n${body}`);
  execFileSync(bin, ['export', source, '-o', folder, '--format', 'dir', '--progress', 'none'], { stdio: ['ignore', 'ignore', 'pipe'] });
  return folder;
}

export function print(test, { bin, work }) {
  for (const theme of ['mint', 'maple', 'almond']) {
    test(`${theme}: long pages fill their sheets`, async (browser) => {
      const folder = made(bin, work, theme);
      const wrong = [];
      for (const [file, most] of Object.entries(MOST)) {
        const context = await reader(browser, { width: 1280 });
        const { page, trouble } = await tab(context);
        await page.goto(address(folder, file), { waitUntil: 'load' });
        const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true });
        const count = (pdf.toString('latin1').match(/\/Type \/Page\b/g) ?? []).length;
        if (count < 1 || count > most) wrong.push(`${file}: ${count} sheets`);
        await page.emulateMedia({ media: 'print' });
        wrong.push(...(await page.evaluate(() => {
          const style = (selector) => [...document.querySelectorAll(`main ${selector}`)].map((part) => [part, getComputedStyle(part)]);
          const width = document.querySelector('.mdx-content').getBoundingClientRect().width;
          return [
            ...style('.code-block > .code-head').filter(([, { display }]) => display !== 'table-header-group').map(() => 'a title of code stands on its first sheet alone'),
            ...style('.field-values > code').filter(([, { display }]) => display !== 'inline').map(() => 'values stand in lines of their own'),
            ...style('.field-children').filter(([part]) => !part.parentElement.closest('.field-children') && part.getBoundingClientRect().width < width - 2).map(([part]) => `a box of attributes is ${part.getBoundingClientRect().width} px wide`),
            ...style('.mdx-content details li').filter(([, { display }]) => display !== 'list-item').map(() => 'a folded list is none'),
            ...style('.mdx-content details > :not(summary)').filter(([part]) => !part.checkVisibility() || !part.getBoundingClientRect().height).map(([part]) => `folded: ${part.textContent.slice(0, 40)}`),
          ];
        })).slice(0, 3).map((line) => `${file}: ${line}`), ...trouble);
        await context.close();
      }
      return wrong;
    });
  }
}
