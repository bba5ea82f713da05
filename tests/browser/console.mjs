// The API console: opened on pages from a disk and over http, it talks to a server of the test; every other network is cut.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { address, audit, firstLines, reader, recalls, sideways } from './browser.mjs';
import { description, server } from './console-api.mjs';
import { served } from './policy.mjs';

/** Nothing listens there. */
const DOWN = 'http://127.0.0.1:9';

/** Exports the reference of the API with these servers. */
export function exported({ bin, work }, name, servers, args = ['--feature', 'playground=on'], config = {}, describe = description) {
  const [source, folder] = [path.join(work, `${name} source`), path.join(work, `${name} ü #1`)];
  mkdirSync(source, { recursive: true });
  const write = (file, text) => writeFileSync(path.join(source, file), text);
  const spec = describe(servers.map((url) => (typeof url === 'string' ? { url } : url)));
  const pages = Object.entries(spec.paths).flatMap(([where, methods]) => Object.entries(methods).map(([method, { operationId }]) => {
    write(`${operationId}.mdx`, `---\ntitle: ${operationId}\nopenapi: ${method.toUpperCase()} ${where}\n---\n`);
    return operationId;
  }));
  write('openapi.json', JSON.stringify(spec));
  write('index.mdx', '---\ntitle: Home\n---\n\nText.\n');
  write('docs.json', JSON.stringify({ theme: 'mint', name: 'Orders', colors: { primary: '#0F766E' }, api: { examples: { languages: ['curl', 'python', 'javascript', 'php', 'go', 'java', 'ruby', 'c', 'csharp', 'c++', 'dart', 'kotlin', 'dotnet', 'node', 'powershell', 'rust', 'swift', 'typescript'] } }, navigation: { pages: ['index', ...pages] }, ...config }));
  execFileSync(bin, ['export', source, '-o', folder, '--format', 'dir', '--progress', 'none', '--offline', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  return folder;
}

const clientOf = (folder) => readdirSync(path.join(folder, '_offprint')).find((name) => /^console-.*\.js$/.test(name));

/** What no text for a reader holds: values of programs that were joined to it. */
const ODD = String.raw`\[object|undefined|\bNaN\b|(^|[^\w"])(false|0),|,(false|0)(\W|$)|\bfalse$`;

/** A page with its console open. What browsers say of requests that fail is theirs. */
export async function opened(browser, url, { context: shared, ...options } = {}) {
  const context = shared ?? await reader(browser, { offline: false, ...options });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const wrong = [];
  // whatever is said at any time, in any test
  await page.addInitScript((odd) => {
    globalThis.__odd = new Set();
    new MutationObserver(() => {
      for (const element of document.querySelectorAll('.op-console :is(p, h3, label, summary, option, dt, button, .console-error, .console-answer > *)')) {
        const words = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join(' ');
        if (new RegExp(odd).test(words) && !(element.tagName === 'OPTION' && words === 'false') && !element.closest('.console-code, .console-headers dl')) globalThis.__odd.add(words);
      }
      const bare = [...document.querySelectorAll('.op-console :is(.console-answer, .console-form, .console-group, .console-fields, .console-error)')].flatMap((box) => [...box.childNodes]).filter((node) => node.nodeType === 3 && node.data.trim());
      bare.forEach((node) => globalThis.__odd.add(`text outside of a paragraph: ${node.data}`));
    }).observe(document, { subtree: true, childList: true, characterData: true });
  }, ODD);
  page.on('pageerror', (error) => wrong.push(`exception: ${error.message}`));
  page.on('console', (message) => { if (message.type() === 'error' && !/Failed to load resource|CORS policy|Content Security Policy|ERR_/.test(message.text())) wrong.push(`console: ${message.text()}`); });
  page.on('request', (request) => { if (!/^(file|data|blob|about):|^http:\/\/127\.0\.0\.1[:/]|^https:\/\/eu\.example\.com\//.test(request.url())) wrong.push(`asks for ${request.url()}`); });
  await page.goto(url, { waitUntil: 'load' });
  await page.click('.api-try');
  await page.waitForSelector('.op-console[open]');
  const at = (selector) => page.locator(`.op-console ${selector}`);
  const row = (name, inside = '') => at(`${inside} .console-row:has(> .console-label > code:text-is("${name}"))`).locator('input,select,textarea').first();
  const fold = (name) => at(`.console-nest:has(> summary code:text-is("${name}"))`).first();
  const self = {
    page, context, wrong, at, row, fold,
    /** Opens a fold. */
    async unfold(name) { if (!(await fold(name).evaluate((element) => element.open))) await fold(name).locator('> summary').click(); return fold(name); },
    /** Adds items to an array. */
    async list(name, ...values) {
      const box = await self.unfold(name);
      for (const [number, value] of values.entries()) {
        const inputs = box.locator('.console-item input');
        if ((await inputs.count()) <= number) await box.locator('.console-list > .console-button').click();
        await inputs.nth(number).fill(value);
      }
    },
    /** Sends and waits for the end. */
    async send() {
      await at('.console-send').click();
      await page.waitForFunction(() => /done|failed|canceled|held/.test(document.querySelector('.op-console').dataset.console));
      return self.said();
    },
    /** Sends what is not as the page describes it. */
    async anyway() {
      const { state } = await self.send();
      if (state !== 'held') wrong.push(`${state} instead of held`);
      await at('.console-held button').click();
      await page.waitForFunction(() => /done|failed|canceled/.test(document.querySelector('.op-console').dataset.console));
      return self.said();
    },
    /** What stands beside a field that is wrong. */
    async beside(name) { return row(name).evaluate((input) => [input.getAttribute('aria-invalid'), document.getElementById(input.getAttribute('aria-describedby')?.split(' ').pop() ?? '')?.textContent ?? null]); },
    said: () => page.evaluate(() => {
      const text = (selector) => document.querySelector(`.op-console ${selector}`)?.textContent ?? '';
      return { state: document.querySelector('.op-console').dataset.console, status: text('.console-status strong'), body: text('.console-body'), error: text('.console-error'), held: text('.console-held'), missing: text('.console-answer .console-missing'), live: text('[role=status]'), notes: text('.console-answer') };
    }),
    curl: () => page.evaluate(() => { let text = ''; window.__opPage.copy = (copied, then) => { text = copied; then(); }; document.querySelector('.console-curl [data-copies]').click(); return text; }),
    /** Expects something; says what is there instead. */
    expect(what, found, wanted) {
      const [have, want] = [found, wanted].map((value) => JSON.stringify(value));
      if (wanted instanceof RegExp ? !wanted.test(found) : have !== want) wrong.push(`${what}: ${have} instead of ${wanted instanceof RegExp ? wanted : want}`);
    },
    async end() { wrong.push(...await page.evaluate(() => [...globalThis.__odd]).catch(() => [])); await (shared ? page : context).close(); return wrong; },
  };
  return self;
}

/** What the words of a shell are. */
function shell(line) {
  return JSON.parse(execFileSync('sh', ['-c', `node -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- ${line.replace(/^curl /, '')}`]).toString());
}

export function consoleTests(test, { bin, work }) {
  let site;
  /** The site, exported once, with its servers. */
  const ready = async () => {
    site ??= (async () => {
      const [api, silent] = [await server(), await server(false)];
      api.folder = exported({ bin, work }, 'console', [api.origin, silent.origin, DOWN, { url: 'https://{region}.example.com', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } }]);
      return { api, silent, folder: api.folder };
    })();
    return site;
  };
  const onPage = (name, file, act, options) => test(`console: ${name}`, async (browser) => {
    const { api, silent, folder } = await ready();
    const own = await server();
    // each test has a server of its own: its address stands for that of the first one
    const ask = await opened(browser, address(folder, `${file}.html`), options);
    await ask.context.route(`${api.origin}/**`, (route) => route.continue({ url: route.request().url().replace(api.origin, own.origin) }));
    try { await act(ask, own.seen, { api, silent, folder, browser }); } catch (error) { ask.wrong.push(firstLines(error)); } finally { own.close(); }
    return ask.end();
  });

  test('console: the client is small in every language, and no page holds it', async () => {
    const { folder } = await ready();
    const wrong = [];
    const english = gzipSync(readFileSync(path.join(folder, '_offprint', clientOf(folder))), { level: 9 }).length;
    if (english > 22_000) wrong.push(`${english} bytes`);
    const many = exported({ bin, work }, 'console words', [DOWN], undefined, { navigation: { languages: ['ru', 'ja', 'ar', 'de', 'vi'].map((language, at) => ({ language, pages: [['index', 'secured'], ['order'], ['styles'], ['upload'], ['answers']][at] })) } });
    const clients = readdirSync(path.join(many, '_offprint')).filter((name) => /^console-.*\.js$/.test(name));
    if (clients.length !== 5) wrong.push(`${clients.length} clients for five languages`);
    for (const name of clients) {
      const size = gzipSync(readFileSync(path.join(many, '_offprint', name)), { level: 9 }).length;
      if (size > 22_000) wrong.push(`${name}: ${size} bytes`);
    }
    if (readFileSync(path.join(folder, 'secured.html'), 'utf8').includes('<script src="_offprint/console')) wrong.push('a page loads the client by itself');
    return wrong;
  });

  test('console: it is where it is wanted, and nowhere else', async () => {
    const wrong = [];
    const has = (folder, file) => readFileSync(path.join(folder, `${file}.html`), 'utf8').includes('data-playground');
    const features = (folder) => JSON.parse(readFileSync(path.join(folder, '_offprint/manifest.json'), 'utf8'));
    const expect = (what, folder, wanted) => {
      if (has(folder, 'secured') !== wanted) wrong.push(`${what}: the page ${wanted ? 'lacks a' : 'has a'} console`);
      if (features(folder).features.playground !== wanted || Boolean(clientOf(folder)) !== wanted) wrong.push(`${what}: manifest or client`);
    };
    const { folder } = await ready();
    expect('asked for', folder, true);
    if (has(folder, 'index')) wrong.push('a page without operation has a console');
    if (!features(folder).playgroundServers.includes('https://us.example.com')) wrong.push(`servers: ${features(folder).playgroundServers}`);
    expect('air-gapped', exported({ bin, work }, 'console air', [DOWN], []), false);
    const cloud = exported({ bin, work }, 'console cloud', [DOWN], ['--deployment', 'cloud']);
    expect('cloud', cloud, true);
    if (!readFileSync(path.join(cloud, 'secured.html'), 'utf8').includes('connect-src * ')) wrong.push('a page of the cloud cannot ask every server');
    for (const display of ['simple', 'none']) expect(display, exported({ bin, work }, `console ${display}`, [DOWN], ['--deployment', 'cloud'], { api: { playground: { display } } }), false);
    expect('auth', exported({ bin, work }, 'console auth', [DOWN], ['--deployment', 'client-hosted'], { api: { playground: { display: 'auth' } } }), true);
    return wrong;
  });

  onPage('every credential that a browser can send is sent', 'secured', async (ask, seen) => {
    const choose = (label) => ask.at('select[aria-label=Authorization]').selectOption({ label });
    const token = () => ask.row('Authorization');
    await choose('Authorization (bearer)');
    await token().fill('t0ken');
    ask.expect('status', (await ask.send()).status, '200 OK');
    ask.expect('bearer', seen.last.headers.authorization, 'Bearer t0ken');
    await choose('Authorization (basic)');
    await ask.page.getByLabel('User name').fill('Jürgen');
    await ask.page.getByLabel('Password').fill('pä:ss');
    await ask.send();
    ask.expect('basic', seen.last.headers.authorization, `Basic ${Buffer.from('Jürgen:pä:ss').toString('base64')}`);
    ask.expect('curl', shell(await ask.curl()).slice(4), ['--user', 'Jürgen:pä:ss']);
    await choose('X-Key + api_key');
    await ask.row('X-Key').fill('k&1');
    await ask.row('api_key').fill('q&1');
    await ask.send();
    ask.expect('keys', [seen.last.headers['x-key'], seen.last.url], ['k&1', '/secured?api_key=q%261']);
    ask.expect('what is shown', await ask.at('.console-curl code').textContent(), /X-Key: ••••••••'/);
    ask.expect('the address that is shown', await ask.at('.console-address').textContent(), /api_key=%E2%80%A2/);
    await choose('session');
    await ask.row('session').fill('s1');
    await ask.send();
    ask.expect('cookie', [seen.last.headers.cookie, shell(await ask.curl()).slice(-2)], [null, ['--cookie', 'session=s1']].map((value) => value ?? undefined));
    ask.expect('cookie, in words', await ask.at('.console-form').textContent(), /A browser does not send this/);
    for (const scheme of ['oauth2', 'openIdConnect']) {
      await choose(`Authorization (${scheme})`);
      await token().fill('Bearer pasted');
      await ask.send();
      ask.expect(scheme, seen.last.headers.authorization, 'Bearer pasted');
      ask.expect('where tokens come from', await ask.at('.console-note a').first().getAttribute('href'), /^https:\/\/auth\.example\.com\//);
    }
    await choose('Authorization (digest)');
    ask.expect('digest, in words', await ask.at('.console-form').textContent(), /cannot authorize with digest/);
    await choose('None');
    await ask.send();
    ask.expect('nothing', seen.last.headers.authorization, undefined);
  });

  onPage('keys serve all pages of the API in the tab, and stay on the device only if a reader wants that', 'secured', async (ask, _, { folder, browser }) => {
    const { page } = ask;
    const kept = (store) => page.evaluate((store) => Object.entries(globalThis[store]).filter(([key]) => key.endsWith(':console:keys')).map(([key, value]) => [key, value.includes('t0ken')]), store);
    const held = [['offprint:orders:console:keys', true]];
    await ask.row('Authorization').fill('t0ken');
    ask.expect('for the tab', [await kept('sessionStorage'), await kept('localStorage')], [held, []]);
    const opens = async (file) => {
      await page.goto(address(folder, file));
      await page.click('.api-try');
      await page.waitForSelector('.op-console[open]');
    };
    await opens('account.html');
    ask.expect('on another page', await ask.row('Authorization').inputValue(), 't0ken');
    // another tab is another reader, as long as nothing is remembered
    const other = await opened(browser, address(folder, 'account.html'), { context: ask.context });
    other.expect('in another tab', await other.row('Authorization').inputValue(), '');
    ask.wrong.push(...await other.end());
    await page.getByLabel('Remember on this device').check();
    ask.expect('on the device', await kept('localStorage'), held);
    await page.evaluate(() => sessionStorage.clear());
    ask.expect('again', await recalls(() => opens('secured.html'), async () => (await ask.row('Authorization').inputValue()) === 't0ken'), true);
    // another server has keys of its own, and choosing it forgets none
    await ask.at('select[aria-label=Server]').selectOption('1');
    await page.keyboard.press('Escape');
    const forget = ask.at('.console-remember button');
    ask.expect('still kept', await recalls(() => opens('secured.html'), () => forget.isVisible()), true);
    await forget.click();
    ask.expect('forgotten', [await kept('localStorage'), await kept('sessionStorage'), await ask.row('Authorization').inputValue()], [[], [], '']);
  });

  onPage('parameters are written by their style', 'styles', async (ask, seen) => {
    await ask.list('simple', 'a b', 'c/d');
    await ask.list('label', 'x', 'y');
    await ask.list('matrix', '1', '2');
    const inside = async (name, values) => { await ask.unfold(name); for (const [key, value] of Object.entries(values)) await ask.fold(name).locator(`.console-row:has(> .console-label > code:text-is("${key}")) input`).first().fill(value); };
    await inside('object', { a: '1', b: '2' });
    for (const name of ['form', 'joined', 'space', 'pipe']) await ask.list(name, 'p,q', 'r&s');
    await inside('deep', { a: '1' });
    await ask.unfold('b');
    await ask.fold('b').locator('input').fill('2');
    await inside('spread', { x: '1', y: 'ü' });
    await inside('filter', { from: '5' });
    await ask.row('flag').selectOption('=true');
    await ask.list('X-List', 'a', 'b');
    await inside('X-Object', { a: '1', b: '2' });
    await ask.row('User-Agent').fill('mine');
    await ask.row('theme').fill('dark');
    const { status } = await ask.send();
    ask.expect('status', status, '200 OK');
    const [where, query] = seen.last.url.split('?');
    ask.expect('path', where, '/styles/a%20b,c%2Fd/.x.y/;matrix=1;matrix=2/;object=a,1,b,2');
    ask.expect('query', query.split('&'), ['form=p%2Cq', 'form=r%26s', 'joined=p%2Cq,r%26s', 'space=p%2Cq%20r%26s', 'pipe=p%2Cq%7Cr%26s', 'deep%5Ba%5D=1', 'deep%5Bb%5D%5Bc%5D=2', 'x=1', 'y=%C3%BC', 'filter=%7B%22from%22%3A%205%7D', 'flag=true'].map((part) => part.replace('%3A%205', '%3A%205')));
    ask.expect('headers', [seen.last.headers['x-list'], seen.last.headers['x-object']], ['a,b', 'a=1,b=2']);
    const line = shell(await ask.curl());
    ask.expect('curl', [line.includes('User-Agent: mine'), line[line.indexOf('--cookie') + 1]], [true, 'theme=dark']);
  });

  onPage('a body is a form and JSON, and what is typed in one is in the other', 'order', async (ask, seen) => {
    const sent = () => JSON.parse(seen.last.body);
    await ask.at('.console-row input').first().fill("o'1");
    await ask.row('currency').selectOption('=eur');
    await ask.row('amount').fill('12345678901234567890');
    await ask.row('paid').selectOption('=false');
    await ask.row('email').fill('a@b.c');
    await ask.unfold('address');
    await ask.row('city').fill('Ulm');
    const items = await ask.unfold('items');
    await items.locator('.console-list > .console-button').click();
    await items.locator('.console-row input').first().fill('s-1');
    await ask.list('tags', 'x', 'y');
    const labels = await ask.unfold('labels');
    await labels.locator('.console-list > .console-button').click();
    await labels.locator('.console-key').fill('team');
    await labels.locator('.console-item > :nth-child(2)').fill('blue');
    const payment = await ask.unfold('payment');
    await payment.locator('select').first().selectOption({ label: 'Bank' });
    await payment.locator('.console-row:has(code:text-is("iban")) input').fill('DE1');
    await ask.row('code').fill('7');
    await ask.row('extra').fill('{"any": [1]}');
    ask.expect('status', (await ask.send()).status, '200 OK');
    ask.expect('big numbers', seen.last.body.includes('12345678901234567890'), true);
    const { amount, ...rest } = sent();
    ask.expect('form', rest, { currency: 'eur', paid: false, customer: { email: 'a@b.c', address: { city: 'Ulm' } }, items: [{ sku: 's-1' }], tags: ['x', 'y'], labels: { team: 'blue' }, payment: { kind: 'bank', iban: 'DE1' }, code: 7, extra: { any: [1] } });
    ask.expect('type', seen.last.headers['content-type'], 'application/json');
    ask.expect('path', seen.last.url, '/orders/o%271');
    const line = shell(await ask.curl());
    ask.expect('curl', [line[3], line[line.length - 1] === seen.last.body], [`${ask.page.url() && line[3].split('/orders')[0]}/orders/o%271`, true]);
    // as JSON, and back
    await ask.page.getByLabel('JSON', { exact: true }).first().check();
    const area = ask.at('textarea.console-json');
    ask.expect('JSON', (await area.inputValue()).includes('"iban": "DE1"'), true);
    const own = '{"currency": "usd", "note": null, "customer": {"email": "z", "vip": true}, "unknown": {"deep": [1.50]}, "payment": {"kind": "card", "number": "42"}, "tags": ["one"], "amount": 1.50}';
    await area.fill(own);
    await ask.send();
    ask.expect('as it was typed', seen.last.body, own);
    await ask.page.getByLabel('Form', { exact: true }).check();
    ask.expect('back in the form', [await ask.row('currency').inputValue(), await ask.row('email').inputValue(), await ask.row('note').inputValue(), await ask.fold('payment').locator('select').first().inputValue()], ['=usd', 'z', 'null', '0']);
    await ask.row('email').fill('y');
    const { held } = await ask.send();
    ask.expect('1.50 is no integer', [held, await ask.beside('amount')], ['Not as described: amountSend anyway', ['true', 'This is not of the type integer.']]);
    await ask.anyway();
    ask.expect('what the form cannot show is kept', sent(), { currency: 'usd', amount: 1.5, note: null, customer: { email: 'y', vip: true }, tags: ['one'], payment: { kind: 'card', number: '42' }, unknown: { deep: [1.5] } });
    ask.expect('numbers as they were written', seen.last.body.includes('1.50'), true);
    await ask.page.getByLabel('JSON', { exact: true }).first().check();
    await area.fill('{"a": ');
    ask.expect('what is no JSON', await ask.at('.console-missing[role=alert]').textContent(), /This is not JSON/);
    await ask.page.getByLabel('Form', { exact: true }).click();
    ask.expect('stays', await area.inputValue(), '{"a": ');
    const { count } = seen;
    const refused = await ask.send();
    ask.expect('and is not sent', [refused.state, /^This is not JSON/.test(refused.held), seen.count - count, await ask.at('.console-held button').count()], ['held', true, 0, 0]);
  });

  onPage('what cannot be meant is not sent, and what is missing is sent when a reader says so', 'order', async (ask, seen) => {
    const { state, held } = await ask.send();
    ask.expect('names', held, 'The address needs a value for: idRequired, but empty: currency, customer.email');
    ask.expect('refused', [state, seen.count, await ask.at('.console-held button').count()], ['held', 0, 0]);
    ask.expect('marked', await ask.beside('currency'), ['true', 'required']);
    ask.expect('the first one has the focus', await ask.page.evaluate(() => document.activeElement.closest('.console-row').querySelector('code').textContent), 'id');
    for (const hole of [' ', '.', '..']) {
      await ask.at('.console-row input').first().fill(hole);
      ask.expect(`“${hole}” leads elsewhere`, [(await ask.send()).held.startsWith('The address needs a value for: id'), seen.count], [true, 0]);
    }
    await ask.at('.console-row input').first().fill('o1');
    ask.expect('missing', (await ask.send()).held, 'Required, but empty: currency, customer.emailSend anyway');
    ask.expect('sent', [(await ask.anyway()).status, seen.last.url, JSON.parse(seen.last.body)], ['200 OK', '/orders/o1', { customer: {} }]);
    await ask.row('currency').selectOption('=eur');
    ask.expect('no longer', await ask.beside('currency'), [null, null]);
  });

  onPage('types and bounds are told beside the field', 'bounded', async (ask, seen) => {
    const { page } = ask;
    const wrong = { count: ['1.5', 'This is not of the type integer.'], ratio: ['7', 'Allowed: 0 < x ≤ 1'], step: ['7', 'Allowed: multiple of 5'], code: ['abcd', 'Allowed: length 2–3'], slug: ['A b', 'Allowed: pattern ^[a-z-]+$'], id: ['12', 'This is not of the type string<uuid>.'], day: ['1.2.2026', 'This is not of the type string<date>.'] };
    for (const [name, [value]] of Object.entries(wrong)) await ask.row(name).fill(value);
    await ask.list('pair', 'a', 'a');
    ask.expect('on leaving a field', await ask.beside('count'), ['true', wrong.count[1]]);
    const { held } = await ask.send();
    ask.expect('all of them', held, 'Not as described: count, ratio, step, code, slug, id, day, pairSend anyway');
    for (const [name, [, text]] of Object.entries(wrong)) ask.expect(name, await ask.beside(name), ['true', text]);
    ask.expect('of a list', await ask.fold('pair').locator('.console-problem').textContent(), 'Allowed: no duplicates');
    ask.expect('not sent', seen.count, 0);
    ask.wrong.push(...await audit(page));
    const right = { count: '3', ratio: '0.5', step: '10', code: 'äb', slug: 'a-b', id: '0b8f4e8c-0000-4000-8000-000000000000', day: '2026-02-01' };
    for (const [name, value] of Object.entries(right)) await ask.row(name).fill(value);
    await ask.fold('pair').locator('.console-item input').nth(1).fill('b');
    ask.expect('sent', (await ask.send()).status, '200 OK');
    ask.expect('nothing is marked', await ask.at('[aria-invalid], .console-problem').count(), 0);
    ask.expect('words and bounds beside the field', await ask.row('count').evaluate((input) => document.getElementById(input.getAttribute('aria-describedby')).textContent), 'How many there are.1 ≤ x ≤ 10');
    ask.expect('deprecated', await ask.at('.console-deprecated').count(), 1);
  });

  onPage('every example of the description fills the form', 'exemplary', async (ask, seen) => {
    const examples = ask.at('select[aria-label=Example]');
    ask.expect('listed', await examples.locator('option').allTextContents(), ['Example…', 'A small order', 'large']);
    await examples.selectOption({ label: 'large' });
    ask.expect('filled', [await ask.row('amount').inputValue(), await ask.fold('tags').locator('.console-item input').evaluateAll((inputs) => inputs.map((input) => input.value))], ['900', ['bulk', 'late']]);
    await ask.row('shop').fill('berlin');
    await ask.send();
    ask.expect('sent', JSON.parse(seen.last.body), { amount: 900, tags: ['bulk', 'late'] });
    ask.expect('values of a parameter', await ask.row('shop').evaluate((input) => [...input.list.options].map((option) => option.value)), ['ulm', 'bonn']);
    await ask.page.getByLabel('JSON', { exact: true }).first().check();
    await examples.selectOption({ label: 'A small order' });
    ask.expect('as JSON', JSON.parse(await ask.at('textarea.console-json').inputValue()), { amount: 1 });
  });

  onPage('requests of the tab come back', 'exemplary', async (ask, seen, { folder }) => {
    const { page } = ask;
    ask.expect('none yet', await ask.at('.console-past').isVisible(), false);
    await ask.row('shop').fill('a/b');
    await ask.row('amount').fill('12345678901234567890');
    await ask.send();
    await ask.row('shop').fill('other');
    await ask.row('amount').fill('2');
    await ask.send();
    await page.goto(address(folder, 'secured.html'));
    await page.click('.api-try');
    await page.waitForSelector('.op-console[open]');
    await ask.at('.console-past summary').click();
    const lines = ask.at('.console-past li');
    ask.expect('all of the tab', await lines.evaluateAll((lines) => lines.map((line) => [line.firstChild.tagName, line.querySelector('.console-meta').textContent])), [['A', '200 OK'], ['A', '200 OK']]);
    await lines.first().locator('a').click();
    await page.waitForSelector('.api-try:not([hidden])');
    await page.click('.api-try');
    await ask.at('.console-past summary').click();
    await ask.at('.console-past li button').nth(1).click();
    ask.expect('as it was', [await ask.row('shop').inputValue(), await ask.row('amount').inputValue()], ['a/b', '12345678901234567890']);
    await ask.send();
    ask.expect('and sent again', [seen.last.url, seen.last.body.includes('12345678901234567890')], ['/shops/a%2Fb/orders', true]);
  });

  onPage('samples of all languages follow the form', 'order', async (ask, seen, { api }) => {
    await ask.at('.console-row input').first().fill("o'1$#{x}");
    await ask.row('currency').selectOption('=eur');
    await ask.row('email').fill('"q"\\z');
    await ask.row('note').fill('ü $a #{b} \\(c)');
    await ask.send();
    const [url, body] = [seen.last.url, seen.last.body];
    const language = ask.at('.console-curl select');
    const titles = await language.locator('option').allTextContents();
    ask.expect('those of the page', titles, ['cURL', 'Python', 'JavaScript', 'PHP', 'Go', 'Java', 'Ruby', 'C', 'C#', 'C++', 'Dart', 'Kotlin', '.NET', 'Node.js', 'PowerShell', 'Rust', 'Swift', 'TypeScript']);
    // what can run here runs: each sends what the console sends
    const run = { 'Node.js': ['node', ['--input-type=module', '-']], PHP: ['php', []], Ruby: ['ruby', ['-']], Python: ['python3', ['-']] };
    const has = (program, args) => { try { execFileSync(program, args, { stdio: 'ignore' }); return true; } catch { return false; } };
    for (const title of titles.slice(1)) {
      await language.selectOption(title);
      const code = await ask.curl();
      if (!code.includes(url.slice(0, 12)) || !/application\/json/.test(code) || !/eur/.test(code)) ask.wrong.push(`${title}: ${code}`);
      const [program, args] = run[title] ?? [];
      if (!program || !has(program, ['--version']) || (title === 'Python' && !has(program, ['-c', 'import requests']))) continue;
      const own = await server();
      const output = await new Promise((done) => { const child = execFile(program, args, { timeout: 20_000 }, (error, out, err) => done(`${out}${error ? err : ''}`)); child.stdin.end(code.replaceAll(api.origin, own.origin)); });
      ask.expect(`${title} sends the same`, [own.seen.last?.method, own.seen.last?.url, own.seen.last?.body], ['POST', url, body]);
      if (!own.seen.last) ask.wrong.push(output.slice(0, 500));
      own.close();
    }
  });

  onPage('files, forms and texts are sent as their type says', 'upload', async (ask, seen) => {
    const media = (label) => ask.at('select[aria-label="Content type"]').selectOption({ label });
    await ask.row('file').setInputFiles({ name: 'a "b".txt', mimeType: 'text/plain', buffer: Buffer.from('inside') });
    await ask.row('title').fill('@x');
    await ask.list('tags', 'p', 'q');
    await ask.send();
    ask.expect('multipart', seen.last.headers['content-type'], /^multipart\/form-data; boundary=/);
    for (const part of ['filename="a %22b%22.txt"', 'inside', 'name="title"\r\n\r\n@x', 'name="tags"\r\n\r\np', 'name="tags"\r\n\r\nq']) ask.expect(part, seen.last.body.includes(part), true);
    ask.expect('curl', shell(await ask.curl()).slice(4), ['--form', 'file=@"a \\"b\\".txt"', '--form-string', 'title=@x', '--form', 'tags=p', '--form', 'tags=q']);
    await media('application/x-www-form-urlencoded');
    await ask.row('name').fill('a=b c');
    await ask.list('numbers', '1', '2');
    await ask.send();
    ask.expect('form', [seen.last.headers['content-type'], seen.last.body], ['application/x-www-form-urlencoded', 'name=a%3Db%20c&numbers=1&numbers=2']);
    await media('application/octet-stream');
    await ask.at('input[type=file]').setInputFiles({ name: 'x.bin', mimeType: '', buffer: Buffer.from('raw') });
    await ask.send();
    ask.expect('file', [seen.last.headers['content-type'], seen.last.body, shell(await ask.curl()).slice(-2)], ['application/octet-stream', 'raw', ['--data-binary', '@x.bin']]);
    await media('text/plain');
    await ask.at('.console-media textarea').fill('line\nline');
    await ask.send();
    ask.expect('text', [seen.last.headers['content-type'], seen.last.body], ['text/plain', 'line\nline']);
  });

  onPage('every kind of answer is shown, and none of it runs', 'answers', async (ask, seen) => {
    const get = async (kind) => { await ask.row('kind').fill(kind); return ask.send(); };
    const error = await get('error');
    ask.expect('error', [error.status, error.body.includes('12345678901234567890')], ['422 Unprocessable Entity', true]);
    ask.expect('said aloud', error.live, /^422 Unprocessable Entity, .*B$/);
    ask.expect('color', await ask.at('.console-status strong').getAttribute('data-status'), '4');
    ask.expect('headers', [await ask.at('.console-headers dt', {}).allTextContents()].flat().includes('x-request-id'), true);
    ask.expect('text', (await get('text')).body, /grün/);
    ask.expect('html', (await get('html')).body, /<img src=x onerror=/);
    await get('picture');
    ask.expect('picture', await ask.at('.console-picture img').evaluate(async (image) => { await image.decode(); return image.naturalWidth; }), 1);
    await get('drawing');
    ask.expect('drawing', await ask.at('.console-picture img').evaluate(async (image) => { await image.decode(); return [image.naturalWidth, image.src.slice(0, 14)]; }), [40, 'data:image/svg']);
    await get('binary');
    ask.expect('download', await ask.at('a[download]').getAttribute('download'), 'all.zip');
    ask.expect('empty', (await get('empty')).notes, /204 No Content.*no body/);
    ask.expect('broken', (await get('broken')).body, /\{"a":/);
    const big = await get('big');
    ask.expect('big', [await ask.at('.console-line').count() < 1000, /Show 19,900 more/.test(big.body)], [true, true]);
    await ask.at('.console-branch > .console-button').last().click();
    ask.expect('more of it', await ask.at('.console-branch > .console-button').last().textContent(), 'Show 19,800 more');
    // the connection ends when its beginning is on the page: what a browser has not handed over by then it drops
    await ask.row('kind').fill('cut');
    const cut = ask.send();
    await ask.page.waitForFunction(() => /begin/.test(document.querySelector('.console-answer').textContent));
    seen.cut();
    ask.expect('cut', (await cut).notes, /not complete.*begin/s);
    ask.expect('nothing ran', await ask.page.evaluate(() => [window.ran, window.drawn]), [null, null].map(() => undefined).map((value) => value ?? null));
  });

  onPage('a slow answer is shown while it comes, and can be canceled', 'answers', async (ask) => {
    await ask.row('kind').fill('slow');
    await ask.at('.console-send').click();
    await ask.page.waitForFunction(() => /data: one/.test(document.querySelector('.console-answer').textContent));
    ask.expect('meanwhile', [await ask.at('.console-send').textContent(), (await ask.said()).state], ['Cancel', 'sending']);
    await ask.at('.console-send').click();
    await ask.page.waitForSelector('[data-console=canceled]');
    const { notes } = await ask.said();
    ask.expect('canceled', [/canceled/.test(notes), /data: one/.test(notes), await ask.at('.console-send').textContent()], [true, true, 'Send']);
    // before anything came
    await ask.context.route('**/answers?kind=never', () => {});
    await ask.row('kind').fill('never');
    await ask.at('.console-send').click();
    await ask.page.waitForSelector('[data-console=sending]');
    await ask.page.keyboard.press('Escape');
    await ask.page.waitForSelector('[data-console=canceled]', { state: 'attached' });
    ask.expect('closed', await ask.page.evaluate(() => [document.querySelector('.op-console').open, document.activeElement.className]), [false, 'api-try']);
  });

  onPage('why there is no answer is said in words', 'answers', async (ask, seen, { silent, folder, browser, api }) => {
    const server = (number) => ask.at('select[aria-label=Server]').selectOption(String(number));
    await server(1);
    let { error } = await ask.send();
    ask.expect('refused', [silent.seen.count > 0, error.includes(`${silent.origin} answers, but does not let this page read the answer (CORS)`), /origin “null”/.test(error), /opened from a file/.test(error)], [true, true, true, true]);
    await server(2);
    ({ error } = await ask.send());
    ask.expect('down', error, /^http:\/\/127\.0\.0\.1:9 cannot be reached\./);
    await server(3);
    ({ error } = await ask.send());
    ask.expect('no such host', error, /^https:\/\/eu\.example\.com cannot be reached\./);
    await ask.context.setOffline(true);
    ({ error } = await ask.send());
    ask.expect('offline', error, /not connected to a network/);
    await ask.context.setOffline(false);
    const traced = await opened(browser, address(folder, 'trace.html'));
    traced.expect('TRACE', (await traced.send()).error, /does not send TRACE requests/);
    ask.wrong.push(...await traced.end());
    // a host of the pages: the origin is named
    const host = await served(folder);
    try {
      const hosted = await opened(browser, host.address('answers.html'));
      await hosted.at('select[aria-label=Server]').selectOption('1');
      hosted.expect('named', (await hosted.send()).error, new RegExp(`origin “${host.address('').split('/deep')[0]}”`));
      await hosted.at('select[aria-label=Server]').selectOption('0');
      hosted.expect('over http', (await hosted.send()).status, '200 OK');
      ask.wrong.push(...await hosted.end());
    } finally { host.close(); }
    void api;
  });

  test('console: no message holds what only programs say', async (browser) => {
    const { api, folder } = await ready();
    const wrong = [];
    const say = async (file, act, options) => {
      const ask = await opened(browser, address(folder, file), options);
      try { await act(ask); } catch (error) { ask.wrong.push(firstLines(error)); }
      wrong.push(...(await ask.end()).map((line) => `${file}: ${line}`));
    };
    const server = (ask, number) => ask.at('select[aria-label=Server]').selectOption(String(number));
    const failed = async (ask, what, wanted) => {
      const { notes, error } = await ask.send();
      if (new RegExp(ODD).test(notes) || !notes.includes(wanted)) ask.wrong.push(`${what}: ${notes}`);
      const whole = [...error ? [error] : []].join('');
      if (error && notes.replace('Response', '').replace(whole, '').replace(/Required, but empty: [\w, ]+/, '').trim()) ask.wrong.push(`${what}: more than the message: ${notes}`);
    };
    // each failure with nothing else to say, and with a credential that is missing
    for (const file of ['answers.html', 'secured.html']) {
      await say(file, async (ask) => {
        for (const [number, words] of [[1, 'CORS'], [2, 'cannot be reached'], [3, 'cannot be reached']]) { await server(ask, number); await failed(ask, words, words); }
        await ask.context.setOffline(true);
        await failed(ask, 'offline', 'not connected');
        await ask.context.setOffline(false);
        await ask.page.evaluate(() => { document.querySelector('.op-console select[aria-label=Server]').options[0].selected = true; });
        ask.expect('an answer', (await ask.send()).status, '200 OK');
      });
    }
    await say('trace.html', (ask) => failed(ask, 'TRACE', 'TRACE'));
    await say('styles.html', async (ask) => {
      for (const name of ['simple', 'label', 'matrix']) await ask.list(name, 'a');
      await ask.unfold('object');
      await ask.fold('object').locator('input').first().fill('1');
      await ask.row('User-Agent').fill('\u2028');
      await failed(ask, 'a header', 'User-Agent');
    });
    void api;
    return wrong;
  });

  test('console: the policy of an air-gapped page allows its servers and no others', async (browser) => {
    const { api, folder } = await ready();
    const other = await server();
    const ask = await opened(browser, address(folder, 'answers.html'));
    const outcome = (url) => ask.page.evaluate((url) => fetch(url).then(() => 'asked', () => 'refused'), url);
    ask.expect('its own', await outcome(`${api.origin}/answers`), 'asked');
    ask.expect('another', [await outcome(`${other.origin}/answers`), other.seen.count], ['refused', 0]);
    ask.expect('no address of the reader', await ask.at('select[aria-label=Server] option').count(), 4);
    ask.expect('said in words', await ask.at('.console-form').textContent(), /only to the servers that its description lists/);
    // the description changed, the page did not
    await ask.at('select[aria-label=Server] option').first().evaluate((_, origin) => { document.querySelector('.api-server').dataset.server = origin; }, other.origin);
    ask.wrong.push(...await ask.end());
    const changed = await reader(browser, { offline: false });
    const page = await changed.newPage();
    await page.goto(address(folder, 'answers.html'));
    await page.evaluate((origin) => { document.querySelector('.api-server').dataset.server = origin; }, other.origin);
    await page.click('.api-try');
    await page.click('.console-send');
    await page.waitForSelector('[data-console=failed]');
    const error = await page.locator('.console-error').textContent();
    if (!error.startsWith(`The security policy of this page does not allow requests to ${other.origin}.`) || other.seen.count) ask.wrong.push(`refused: ${error}`);
    await changed.close();
    other.close();
    return ask.wrong;
  });

  test('console: where the policy allows it a reader names the server', async (browser) => {
    const api = await server();
    const folder = exported({ bin, work }, 'console open', ['https://api.example.com/v1'], ['--deployment', 'client-hosted']);
    const ask = await opened(browser, address(folder, 'answers.html'));
    await ask.at('select[aria-label=Server]').selectOption('-1');
    ask.expect('no address', (await ask.send()).error, /not the address of a server: \/answers/);
    await ask.page.getByLabel('Address of the server').fill(`${api.origin}/v2/`);
    ask.expect('sent', [(await ask.send()).status, api.seen.last.url], ['200 OK', '/v2/answers']);
    api.close();
    return ask.end();
  });

  onPage('it works with keys alone', 'order', async (ask, seen) => {
    const { page } = ask;
    const focused = () => page.evaluate(() => { const at = document.activeElement; return at.closest('.op-console') ? at.getAttribute('aria-label') || at.labels?.[0]?.textContent || at.textContent : `outside: ${at.tagName}`; });
    ask.expect('starts at the first field', await focused(), 'Server');
    await page.keyboard.press('Tab');
    await page.keyboard.type('k1');
    for (let step = 0; step < 60 && (await focused()).startsWith('outside') === false; step += 1) await page.keyboard.press('Tab');
    ask.expect('behind is nothing to focus', await page.evaluate(() => !document.activeElement.closest('main, .op-bar')), true);
    await ask.at('.console-row input').first().focus();
    await page.keyboard.press('/');
    ask.expect('keys of the page rest', await page.locator('[data-search]:not([hidden])').count(), 0);
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('[data-console=held]');
    await ask.row('currency').selectOption('=eur');
    await ask.row('email').fill('e@f.g');
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('[data-console=done]');
    ask.expect('sent', seen.last.url, '/orders/k1%2F');
    await page.keyboard.press('Escape');
    ask.expect('closed', await page.evaluate(() => [document.querySelector('.op-console').open, document.activeElement.className]), [false, 'api-try']);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.op-console[open]');
    ask.expect('what was typed is there', await ask.at('.console-row input').first().inputValue(), 'k1/');
  });

  for (const scheme of ['light', 'dark']) {
    for (const width of [1280, 390, 320]) {
      onPage(`it is accessible and fits, ${scheme}, ${width} px`, 'order', async (ask) => {
        await ask.unfold('items');
        await ask.fold('items').locator('.console-list > .console-button').click();
        await ask.unfold('payment');
        await ask.unfold('labels');
        await ask.fold('labels').locator('.console-list > .console-button').click();
        ask.wrong.push(...await audit(ask.page));
        await ask.send();
        ask.wrong.push(...await audit(ask.page), ...await sideways(ask.page));
        await ask.at('.console-row input').first().fill('x');
        await ask.anyway();
        await ask.at('.console-headers summary').click();
        ask.wrong.push(...await audit(ask.page), ...await sideways(ask.page));
        const wide = await ask.page.evaluate(() => [...document.querySelectorAll('.op-console *')].filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.console-code, .visually-hidden')).map((element) => element.className));
        ask.expect('nothing sticks out', wide, []);
        await ask.at('select[aria-label=Server]').selectOption('2');
        await ask.anyway();
        const small = await ask.page.evaluate(() => [...document.querySelectorAll('.op-console :is(button, select, summary, input:not([type=checkbox], [type=radio]))')].filter((element) => { const { width, height } = element.getBoundingClientRect(); return width && (width < 24 || height < 24) && !element.closest('.console-code'); }).map((element) => `${element.tagName} ${element.className}`));
        ask.expect('targets of at least 24 px', small, []);
        ask.wrong.push(...await audit(ask.page));
      }, { width, height: 800, scheme });
    }
  }

  test('console: it speaks the language of the page, also from right to left', async (browser) => {
    const api = await server();
    const folder = exported({ bin, work }, 'console ar', [api.origin], undefined, { navigation: { languages: [{ language: 'ar', pages: ['index', 'order'] }] } });
    const ask = await opened(browser, address(folder, 'order.html'), { width: 1280, height: 800 });
    ask.expect('words', await ask.at('.console-send').textContent(), 'إرسال');
    const [form, side] = await Promise.all(['.console-form', '.console-side'].map((part) => ask.at(part).boundingBox()));
    ask.expect('the form is at the right', form.x > side.x, true);
    ask.wrong.push(...await audit(ask.page));
    api.close();
    return ask.end();
  });

  test('console: without scripts there is no button, and the page is whole', async (browser) => {
    const { folder } = await ready();
    const context = await reader(browser, { scripts: false });
    const page = await context.newPage();
    await page.goto(address(folder, 'order.html'));
    const visible = await page.locator('.api-try').isVisible();
    const fields = await page.locator('main .field').count();
    await context.close();
    return visible || fields < 10 ? [`button ${visible}, ${fields} fields`] : [];
  });
}
