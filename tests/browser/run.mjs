// The browser tests: exports the fixtures and looks at them as readers do.
//   node run.mjs [--bin PATH] [--only TEXT]
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstLines, openBrowser } from './browser.mjs';
import { actions } from './actions.mjs';
import { apiPages } from './api-pages.mjs';
import { authors } from './authors.mjs';
import { behavior } from './behaviour.mjs';
import { consoleTests } from './console.mjs';
import { oauthTests } from './console-oauth.mjs';
import { controls } from './controls.mjs';
import { dev } from './dev.mjs';
import { looks } from './looks.mjs';
import { islands } from './islands.mjs';
import { layouts } from './layouts.mjs';
import { pages } from './pages.mjs';
import { policy } from './policy.mjs';
import { print } from './print.mjs';
import { remote } from './remote.mjs';
import { search } from './search.mjs';
import { serviceConsole } from './service-console.mjs';
import { styles } from './styles.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const option = (name) => { const at = process.argv.indexOf(`--${name}`); return at < 0 ? undefined : process.argv[at + 1]; };
const bin = option('bin') ?? process.env.OFFPRINT ?? path.join(process.env.CARGO_TARGET_DIR ?? path.join(root, 'target'), 'quick/offprint');
const only = option('only') ?? '';

// a folder name that only correctly encoded, relative addresses survive
const work = mkdtempSync(path.join(tmpdir(), 'offprint-browser-'));
const folder = path.join(work, 'my docs ü #1 100%');
mkdirSync(folder);

const exported = new Map();
/** The folder of a fixture; `families/content@willow` is a copy with that theme. */
function source(name) {
  const [fixture, theme] = name.split('@');
  const folder = path.join(root, 'fixtures', fixture);
  if (!theme) return folder;
  const copy = path.join(work, name.replaceAll('/', '-'));
  cpSync(folder, copy, { recursive: true });
  const config = path.join(copy, 'docs.json');
  writeFileSync(config, readFileSync(config, 'utf8').replace(/"theme": "\w+"/, `"theme": "${theme}"`));
  return copy;
}

/** Exports a fixture once; returns its folder and the paths of its pages, without those that only lead elsewhere. */
function site(name, ...args) {
  if (!exported.has(name)) {
    const out = path.join(folder, name.replaceAll('/', '-'));
    execFileSync(bin, ['export', source(name), '-o', out, '--format', 'dir', '--progress', 'none', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    const leadsElsewhere = (file) => readFileSync(path.join(out, file), 'utf8').includes('http-equiv="refresh"');
    const files = readdirSync(out, { recursive: true }).map(String).filter((file) => file.endsWith('.html') && !leadsElsewhere(file)).sort();
    exported.set(name, { folder: out, files });
  }
  return exported.get(name);
}

const tests = [];
const test = (name, run) => { if (name.includes(only)) tests.push({ name, run }); };
pages(test, site);
behavior(test, site);
actions(test, site);
authors(test, { bin, work });
looks(test, site);
islands(test, site, { bin, work });
layouts(test, { bin, work });
controls(test, { bin, work });
dev(test, bin, work);
remote(test, { bin, work });
policy(test, { bin, work });
print(test, { bin, work });
consoleTests(test, { bin, work });
oauthTests(test, { bin, work });
apiPages(test, { bin, work });
search(test, site);
serviceConsole(test, { bin, work });
styles(test, { bin, work });

const browser = await openBrowser();
let failed = 0;
const started = Date.now();
try {
  // two at a time: one page is laid out while another one is looked at
  const queue = [...tests];
  await Promise.all([0, 1].map(async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      let wrong;
      const start = Date.now();
      try { wrong = (await next.run(browser)) ?? []; } catch (error) { wrong = [firstLines(error)]; }
      if (wrong.length) { failed += 1; console.log(`FAIL ${next.name}\n${wrong.map((line) => `     ${line}`).join('\n')}`); } else console.log(`ok   ${((Date.now() - start) / 1000).toFixed(1).padStart(5)} s  ${next.name}`);
    }
  }));
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
console.log(`${tests.length - failed} of ${tests.length} browser tests passed in ${Math.round((Date.now() - started) / 1000)} s`);
process.exitCode = failed || !tests.length ? 1 : 0;
