// What pages load from elsewhere: it shows without its server, and nothing else is asked.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { address, audit, reader, sideways, tab } from './browser.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const picture = readFileSync(path.join(root, 'fixtures/docs/logo/favicon.svg'));

/** Exports a site that loads from a server, which is gone before anybody looks. */
async function exported({ bin, work }) {
  const server = createServer((request, response) => {
    const give = (type, body) => response.writeHead(200, { 'content-type': type }).end(body);
    if (request.url.startsWith('/gone')) response.writeHead(404).end();
    else if (request.url.endsWith('.css')) give('text/css', '@import "more.css"; main { --from-elsewhere: yes; background-image: url(a.svg) }');
    else give('image/svg+xml', picture);
  });
  await new Promise((listening) => { server.listen(0, '127.0.0.1', listening); });
  const base = `127.0.0.1:${server.address().port}`;
  const source = path.join(work, 'remote');
  const out = path.join(work, 'remote site');
  mkdirSync(source, { recursive: true });
  const at = (name) => `http://${base}/${name}`;
  writeFileSync(path.join(source, 'docs.json'), JSON.stringify({ theme: 'mint', name: 'Remote', colors: { primary: '#0F766E' }, logo: at('logo.svg'), favicon: at('icon.svg'), navigation: { pages: ['index'] } }));
  writeFileSync(path.join(source, 'site.css'), `@import url(${at('sheet.css')});`);
  writeFileSync(path.join(source, 'index.mdx'), [
    '---\ntitle: Remote\n---', `![shown](${at('a.svg')})`, `<img src="${at('a.svg')}" srcSet="${at('b.svg')} 2x" alt="twice" width="64" />`, `<Card title="Card" icon="${at('icon.svg')}" img="${at('a.svg')}">x</Card>`,
    `![A drawing of the parts and how they hang together, with rather many words](${at('gone.png')})`, `<img src="${at('gone.png')}" alt="sized" width="600" height="300" />`,
    `<Frame caption="framed">![in a frame](${at('gone.png')})</Frame>`, `<img src="${at('gone.svg')}" alt="badge" height="20" />`, `[![linked](${at('gone.png')})](https://example.com)`, `<video src="${at('gone.mp4')}" title="A film" />`,
  ].join('\n\n'));
  await promisify(execFile)(bin, ['export', source, '-o', out, '--format', 'dir', '--progress', 'none', '--cache-dir', path.join(work, 'cache'), `--allow-private=${base}`]);
  await new Promise((closed) => { server.close(closed); server.closeAllConnections(); });
  return out;
}

export function remote(test, settings) {
  let site;
  for (const [scheme, width] of [['light', 1280], ['dark', 390]]) {
    test(`what pages load from elsewhere is there without its server, ${scheme} at ${width} px`, async (browser) => {
      const folder = await (site ??= exported(settings));
      const context = await reader(browser, { scheme, width, height: 800 });
      const { page, trouble } = await tab(context);
      await page.goto(address(folder, 'index.html'), { waitUntil: 'load' });
      const found = await page.evaluate(() => ({
        loaded: [...document.images].filter((image) => image.loading === 'lazy' || image.naturalWidth > 0).length === document.images.length && document.images.length > 3,
        sheet: getComputedStyle(document.querySelector('main')).getPropertyValue('--from-elsewhere').trim(),
        placeholders: [...document.querySelectorAll('main .image-placeholder')].map((element) => element.textContent.length > 3 && element.getBoundingClientRect().height > 10),
        room: document.querySelector('main .image-placeholder[style*="600"]').getBoundingClientRect().height / document.querySelector('main .image-placeholder[style*="600"]').getBoundingClientRect().width,
      }));
      const wrong = [];
      if (!found.loaded) wrong.push('a picture does not show');
      if (found.sheet !== 'yes') wrong.push('the style sheet does not work');
      if (found.placeholders.length !== 5 || found.placeholders.includes(false)) wrong.push(`placeholders: ${JSON.stringify(found.placeholders)}`);
      if (Math.abs(found.room - 0.5) > 0.02) wrong.push(`a placeholder has another shape than its picture: ${found.room}`);
      wrong.push(...await audit(page), ...await sideways(page), ...trouble);
      await context.close();
      return wrong;
    });
  }
}
