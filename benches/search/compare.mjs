// The search index of a bundle beside Pagefind's, over the same pages in the same run.
//   npm install; (cd ../../tests/browser && npm ci); node compare.mjs --bin PATH [--pages 1000,10000] [--source FOLDER] [--work FOLDER]
// Sizes are those on disk, uncompressed: nothing compresses them on file://. Processor time is the steadier figure on a shared machine.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const { openBrowser } = await import(pathToFileURL(path.join(here, '../../tests/browser/browser.mjs')));
const { ask, open } = await import(pathToFileURL(path.join(here, '../../tests/browser/search.mjs')));
const option = (name, otherwise) => { const at = process.argv.indexOf(`--${name}`); return at < 0 ? otherwise : process.argv[at + 1]; };
const bin = path.resolve(option('bin', path.join(here, '../../target/quick/offprint')));
const work = option('work') ?? mkdtempSync(path.join(tmpdir(), 'offprint-compare-'));
const source = option('source');
const sizes = source ? [0] : option('pages', '1000,10000').split(',').map(Number);
const pagefind = path.join(here, 'node_modules/.bin/pagefind');
const words = option('queries', 'configure the gateway,latency,deploy token,retry,snapshot replica,cluster quo').split(',');

/** Seconds of processor and wall of a command. */
function timed(command, args) {
  const started = performance.now();
  const run = spawnSync('/usr/bin/env', ['bash', '-c', 'TIMEFORMAT="%U %S"; time "$0" "$@" >/dev/null 2>/dev/null', command, ...args], { encoding: 'utf8' });
  const wall = (performance.now() - started) / 1000;
  if (run.status) throw new Error(`${command} ${args.join(' ')}: ${run.stderr}`);
  const cpu = run.stderr.trim().split('\n').at(-1).trim().split(' ').reduce((sum, part) => sum + Number(part), 0);
  return { wall, cpu };
}
function weigh(folder) {
  const files = readdirSync(folder, { recursive: true }).map((name) => path.join(folder, String(name))).filter((file) => statSync(file).isFile());
  return { files: files.length, bytes: files.reduce((sum, file) => sum + statSync(file).size, 0) };
}
const mb = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
const kb = (bytes) => `${Math.round(bytes / 1000)} kB`;

/** First question of a fresh reader, for each of the questions: bytes and milliseconds. */
async function ours(browser, folder) {
  const out = [];
  for (const question of words) {
    const context = await browser.newContext({ offline: true });
    const page = await context.newPage();
    let bytes = 0;
    page.on('requestfinished', (request) => { if (request.url().includes('_offprint/search/')) bytes += statSync(fileURLToPath(request.url())).size; });
    await page.goto(pathToFileURL(path.join(folder, 'index.html')).href);
    await open(page);
    const started = performance.now();
    const found = await ask(page, question);
    out.push({ question, found: found.length, ms: performance.now() - started, bytes });
    await context.close();
  }
  return out;
}
async function theirs(browser, folder) {
  const server = createServer((request, answer) => {
    try { answer.writeHead(200, { 'content-type': request.url.includes('.js') ? 'text/javascript' : request.url.includes('.html') ? 'text/html' : 'application/octet-stream' }).end(readFileSync(path.join(folder, decodeURIComponent(new URL(request.url, 'http://x').pathname)))); } catch { answer.writeHead(404).end(); }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const root = `http://127.0.0.1:${server.address().port}`;
  const out = [];
  for (const question of words) {
    const context = await browser.newContext();
    const page = await context.newPage();
    let bytes = 0;
    page.on('requestfinished', (request) => { if (request.url().includes('/pagefind/')) bytes += statSync(path.join(folder, decodeURIComponent(new URL(request.url()).pathname))).size; });
    await page.goto(`${root}/404.html`);
    const [found, ms] = await page.evaluate(async ([root, question]) => {
      const started = performance.now();
      const pagefind = await import(`${root}/pagefind/pagefind.js`);
      const { results } = await pagefind.search(question);
      await Promise.all(results.slice(0, 6).map((result) => result.data()));
      return [results.length, performance.now() - started];
    }, [root, question]);
    await page.waitForTimeout(50);
    out.push({ question, found, ms, bytes });
    await context.close();
  }
  server.close();
  return out;
}
const show = (name, rows) => {
  const bytes = rows.map((row) => row.bytes);
  console.log(`  ${name}: first question ${kb(Math.min(...bytes))} to ${kb(Math.max(...bytes))}, ${rows.map((row) => `${row.question} ${kb(row.bytes)} ${Math.round(row.ms)} ms`).join('; ')}`);
};

mkdirSync(work, { recursive: true });
const browser = await openBrowser();
for (const pages of sizes) {
  const site = source ?? path.join(work, `${pages}`, 'source');
  const folder = path.join(work, `${pages}-out`);
  rmSync(folder, { recursive: true, force: true });
  if (!source) {
    rmSync(path.join(work, `${pages}`), { recursive: true, force: true });
    const figures = { with: [], without: [] };
    // in turn, because other work on the machine comes and goes
    for (let round = 0; round < 3; round += 1) {
      for (const [name, flags] of [['with', []], ['without', ['--no-search']]]) {
        rmSync(path.join(work, `${pages}`), { recursive: true, force: true });
        const printed = execFileSync(bin, ['bench', '--json', '--pages', String(pages), '--keep', path.join(work, `${pages}`), ...flags], { stdio: ['ignore', 'pipe', 'ignore'] });
        figures[name].push(JSON.parse(printed).runs[0]);
      }
    }
    const least = (name, field) => Math.min(...figures[name].map((run) => run[field]));
    const share = (field) => `${Math.round((least('with', field) / least('without', field) - 1) * 100)} %`;
    console.log(`${pages} pages: export ${least('without', 'seconds').toFixed(2)} s and ${least('without', 'cpuSeconds').toFixed(2)} s of processor, with search ${least('with', 'seconds').toFixed(2)} s (+${share('seconds')}) and ${least('with', 'cpuSeconds').toFixed(2)} s (+${share('cpuSeconds')}), peak ${Math.round(least('with', 'peakBytes') / 2 ** 20)} MiB`);
  }
  execFileSync(bin, ['export', site, '-o', folder, '--format', 'dir', '--progress', 'none'], { stdio: 'ignore' });
  const html = readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.html')).length;
  const own = weigh(path.join(folder, '_offprint/search'));
  console.log(`  offprint: ${own.files} files, ${mb(own.bytes)} for ${html} pages`);
  show('offprint', await ours(browser, folder));
  const run = timed(pagefind, ['--site', folder, '--root-selector', 'main']);
  const other = weigh(path.join(folder, 'pagefind'));
  console.log(`  Pagefind: ${other.files} files, ${mb(other.bytes)}, ${run.wall.toFixed(2)} s and ${run.cpu.toFixed(2)} s of processor`);
  show('Pagefind', await theirs(browser, folder));
}
await browser.close();
if (!option('work')) rmSync(work, { recursive: true, force: true });
