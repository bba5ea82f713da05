// How often a long page is laid out while it loads: scripts that measure between the changes of others cost a pass each.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { address, tab } from './browser.mjs';

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="20"><rect width="640" height="20" fill="teal"/></svg>';
const SECTION = (n) => `## Section ${n}

${'Some text with `code`, **bold** and a [link](/index). '.repeat(4)}

${n < 24 ? `<img src="/bar.svg" alt="Picture ${n}" loading="eager" />` : ''}

<Tabs><Tab title="One">First.</Tab><Tab title="Two">

\`\`\`js
const a = ${n};
\`\`\`

</Tab></Tabs>

<CodeGroup>
\`\`\`bash npm
npm install x
\`\`\`
\`\`\`bash yarn
yarn add x
\`\`\`
</CodeGroup>

| A | B | C |
| - | - | - |
${'| a | b | c |\n'.repeat(6)}

<Accordion title="More">Text in here.</Accordion>

<ParamField path="x" type="string">A field.</ParamField>
`;

function made(bin, work) {
  const source = path.join(work, 'layouts-source');
  const folder = path.join(work, 'layouts');
  mkdirSync(source);
  writeFileSync(path.join(source, 'docs.json'), JSON.stringify({ theme: 'mint', name: 'Long', colors: { primary: '#0F766E' }, navigation: { tabs: [{ tab: 'A', pages: ['index', 'long'] }, { tab: 'B', pages: ['other'] }] } }));
  for (const name of ['index', 'other']) writeFileSync(path.join(source, `${name}.mdx`), `---\ntitle: ${name}\n---\n\nText.\n`);
  writeFileSync(path.join(source, 'long.mdx'), `---\ntitle: Long\n---\n\n${Array.from({ length: 60 }, (_, n) => SECTION(n)).join('\n')}`);
  writeFileSync(path.join(source, 'bar.svg'), PICTURE);
  execFileSync(bin, ['export', source, '-o', folder, '--format', 'dir', '--progress', 'none'], { stdio: ['ignore', 'ignore', 'pipe'] });
  return folder;
}

export function layouts(test, { bin, work }) {
  let folder;
  for (const width of [1280, 390]) {
    test(`layouts: a page of 6,000 elements at ${width}`, async (browser) => {
      folder ??= made(bin, work);
      // with transitions, which most readers have
      const context = await browser.newContext({ viewport: { width, height: 800 }, offline: true });
      const { page, trouble } = await tab(context);
      const tools = await context.newCDPSession(page);
      await tools.send('Performance.enable');
      const counted = async () => Object.fromEntries((await tools.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]));
      const wrong = [];
      const expect = (fact, words) => { if (!fact) wrong.push(words); };
      const before = await counted();
      await page.goto(address(folder, 'long.html'), { waitUntil: 'load' });
      await page.waitForTimeout(500);
      const loaded = await counted();
      const elements = await page.evaluate(() => document.querySelectorAll('*').length);
      expect(elements > 5_500, `only ${elements} elements`);
      const layouts = loaded.LayoutCount - before.LayoutCount;
      const styles = loaded.RecalcStyleCount - before.RecalcStyleCount;
      expect(layouts <= 10, `laid out ${layouts} times`);
      expect(styles <= 50, `${styles} style passes`);
      await page.evaluate(() => scrollTo(0, 4_000));
      await page.waitForTimeout(500);
      const scrolled = (await counted()).LayoutCount - loaded.LayoutCount;
      expect(scrolled <= 6, `laid out ${scrolled} times by one step of scrolling`);
      await context.close();
      return [...wrong, ...trouble];
    });
  }
}
