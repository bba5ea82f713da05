// What authors write with looks of their own, and tables of many shapes.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { address, reader, sideways, tab } from './browser.mjs';

const SENTENCE = 'Each request carries a header that names the organisation and is refused without one.';
const NAME = '`OFFPRINT_SERVICE_DATA`';

/** A table with cells of one kind, under a heading that names it. */
const table = (columns, kind, cell) => {
  const row = (words) => `| ${Array(columns).fill(words).join(' | ')} |`;
  return `## ${columns} ${kind}\n\n${row('Name')}\n${row('---')}\n${row(cell)}`;
};
const TABLES = [2, 3, 4, 6, 9].flatMap((columns) => [table(columns, 'short', 'yes'), table(columns, 'sentences', SENTENCE), table(columns, 'code', NAME)]).join('\n\n');

/** Names that are wider than a phone, in the first column. */
const NAMES = ['`MY_VERY_LONG_ENVIRONMENT_VARIABLE_NAME_FOR_TEST`', 'ANOTHER_VERY_LONG_CONSTANT_WITHOUT_MARKS', '`server.connection.pool.maximumSizeOfConnections`', '`/v1/organizations/members/invitations/accepted`']
  .map((name) => `## x\n\n| Variable | Description | Default |\n|---|---|---|\n| ${name} | ${SENTENCE} | none |`).join('\n\n');

/** Names beside words in a column of the text: the names would take all of it. */
const BESIDE = `| Name | Meaning | Also |\n|---|---|---|\n| \`${'organization_setting_'.repeat(2)}\` | ${SENTENCE} ${SENTENCE} | \`${'environment_variable_'.repeat(2)}\` |`;

const LOOKS = `export const Long = ({ code }) => <div className="not-prose"><pre><code>{code}</code></pre></div>

<Long code="${'x'.repeat(90)}" />

export const Dark = ({ code }) => <div className="bg-[#1e2030]"><pre id="dark" className="m-0 p-5 text-[#a9b1d6]">{code}</pre></div>

<Dark code="let dark = 1" />

<pre id="plain">plain</pre>

<a id="own" className="card block border" href="/tables"><div className="px-6 py-5">An own card</div></a>

<Card title="Ours" href="/tables">Text of a quokka</Card>

<span id="pill" className="method-pill rounded-lg bg-blue-400 text-white">GET</span>

<div id="step" className="step">own step</div>`;

function made(bin, work) {
  const source = path.join(work, 'authors-source');
  const folder = path.join(work, 'authors');
  mkdirSync(source);
  const pages = { looks: LOOKS, tables: TABLES, names: NAMES, beside: BESIDE };
  writeFileSync(path.join(source, 'docs.json'), JSON.stringify({ theme: 'mint', name: 'Authors', colors: { primary: '#16A34A' }, navigation: { pages: Object.keys(pages) } }));
  for (const [name, body] of Object.entries(pages)) writeFileSync(path.join(source, `${name}.mdx`), `---\ntitle: "${name}"\n---\n\n${body}\n`);
  execFileSync(bin, ['export', source, '-o', folder, '--format', 'dir', '--progress', 'none'], { stdio: ['ignore', 'ignore', 'pipe'] });
  return folder;
}

export function authors(test, { bin, work }) {
  let folder;
  const on = (name, file, width, act) => test(name, async (browser) => {
    folder ??= made(bin, work);
    const context = await reader(browser, { width, height: 900 });
    const { page, trouble } = await tab(context);
    await page.goto(address(folder, file), { waitUntil: 'load' });
    const wrong = [];
    await act(page, (fact, words) => { if (!fact) wrong.push(words); });
    await context.close();
    return [...wrong, ...trouble];
  });

  /** The tables that are wider than their box, by the headings above them. */
  const cutOff = (page) => page.evaluate(() => [...document.querySelectorAll('.prose h2')].filter((heading) => {
    const next = heading.nextElementSibling;
    return next.scrollWidth > next.clientWidth + 1 || next.scrollWidth > next.parentElement.clientWidth + 1;
  }).map((heading) => heading.id));

  on('cells wrap until their lines get too short to read', 'tables.html', 1280, async (page, expect) => {
    const wide = await cutOff(page);
    expect(wide.join() === '4-code,6-code,9-sentences,9-code', `scroll sideways: ${wide}`);
    const narrowest = await page.evaluate(() => Math.min(...[...document.querySelectorAll('[id="9-sentences"] + .table-scroll td')].map((cell) => cell.offsetWidth)));
    expect(narrowest >= 100, `a cell of sentences is ${narrowest} px wide`);
    wrongPage(await sideways(page), expect);
  });
  on('two columns are read without moving them on a phone', 'tables.html', 390, async (page, expect) => {
    const wide = await cutOff(page);
    expect(!wide.includes('2-short') && !wide.includes('2-sentences'), `scroll sideways: ${wide}`);
    wrongPage(await sideways(page), expect);
  });
  for (const width of [390, 320]) {
    on(`a long name leaves room for the column that explains it, ${width} px`, 'names.html', width, async (page, expect) => {
      const rooms = await page.evaluate(() => [...document.querySelectorAll('.table-scroll')].map((box) => Math.round(box.getBoundingClientRect().right - box.querySelector('td + td').getBoundingClientRect().left)));
      expect(rooms.length === 4 && rooms.every((room) => room >= 110), `room for the second column: ${rooms} px`);
      wrongPage(await sideways(page), expect);
    });
  }
  on('a long name stays whole where there is room', 'names.html', 1280, async (page, expect) => {
    const heights = () => page.evaluate(() => [...document.querySelectorAll('td:first-child')].map((cell) => cell.offsetHeight).join());
    const before = await heights();
    const seams = await page.evaluate(() => { const all = document.querySelectorAll('.seam'); all.forEach((seam) => seam.remove()); return all.length; });
    const after = await heights();
    expect(seams >= 15 && before === after, `${seams} seams, cells are ${before} px high, and ${after} px without them`);
  });
  on('code does not squeeze the words beside it', 'beside.html', 1280, async (page, expect) => {
    const width = await page.evaluate(() => document.querySelector('td + td').offsetWidth);
    expect(width >= 170, `the words have ${width} px`);
    wrongPage(await sideways(page), expect);
  });
  on('looks of an author win over those of the theme', 'looks.html', 390, async (page, expect) => {
    wrongPage(await sideways(page), expect);
    const style = (id) => page.evaluate((it) => { const { backgroundColor, padding, borderTopWidth, color, display } = getComputedStyle(document.getElementById(it)); return { backgroundColor, padding, borderTopWidth, color, display }; }, id);
    const [dark, plain, own, pill, step] = [await style('dark'), await style('plain'), await style('own'), await style('pill'), await style('step')];
    expect(dark.backgroundColor === 'rgba(0, 0, 0, 0)' && dark.borderTopWidth === '0px' && dark.padding === '20px', `a styled pre: ${JSON.stringify(dark)}`);
    expect(plain.borderTopWidth === '1px' && plain.padding === '14px 16px', `a plain pre: ${JSON.stringify(plain)}`);
    expect(own.padding === '0px' && own.display === 'block' && own.borderTopWidth === '1px', `an own card: ${JSON.stringify(own)}`);
    expect(pill.color === 'rgb(255, 255, 255)', `an own pill: ${JSON.stringify(pill)}`);
    expect(step.padding === '0px', `an own step: ${JSON.stringify(step)}`);
    const card = await page.evaluate(() => getComputedStyle(document.querySelector('[data-component="Card"]')).padding);
    expect(card === '20px', `a card of the theme: ${card}`);
  });
  on('one result is one result', 'looks.html', 1280, async (page, expect) => {
    await page.keyboard.press('/');
    await page.keyboard.type('quokka');
    await page.waitForSelector('[data-search-state="ready"]');
    const words = await page.locator('[data-search] [role=status]').innerText();
    expect(words.trim() === '1 result', `it says "${words}"`);
  });
}

const wrongPage = (lines, expect) => lines.forEach((line) => expect(false, line));
