// The console of the service, in a browser, with a real service and real exports.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { audit, firstLines, reader, sideways } from './browser.mjs';

const KEY = `opk_${'a'.repeat(43)}`;
const HTML = '<img src=x onerror=alert(1)>';

/** Starts a service with a repository, whose content has problems, and a project whose source does not answer. */
async function serve(bin, work) {
  const folder = mkdtempSync(path.join(work, 'console-'));
  const docs = path.join(folder, 'docs');
  mkdirSync(docs);
  const write = (name, text) => writeFileSync(path.join(docs, name), text);
  write('docs.json', JSON.stringify({ theme: 'mint', name: 'Docs', colors: { primary: '#0F766E' }, navigation: { pages: ['index'] } }));
  write('index.mdx', `---\ntitle: Home\n---\n\nA [link](/nothing-at-all).\n`);
  const git = (...args) => execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main', '-c', 'commit.gpgsign=false', ...args], { cwd: docs, stdio: 'ignore' });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', `With ${HTML}`);
  // accepts and says nothing
  const silent = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const hash = createHash('sha256').update(KEY).digest('hex');
  writeFileSync(path.join(folder, 'offprint.toml'), `
[server]
listen = "127.0.0.1:0"
data_dir = "data"
[git]
allow_protocols = ["file"]
[console]
enabled = true
[[organizations]]
id = "acme"
plan = { static_export = true, preview = true }
[[organizations.keys]]
id = "main"
hash = "${hash}"
[[projects]]
id = "docs"
organization = "acme"
domain = "docs.acme.example"
source = { git = "${docs}" }
[[projects]]
id = "slow"
organization = "acme"
domain = "slow.acme.example"
source = { archive_url = "http://127.0.0.1:${silent.address().port}/docs.zip" }
`);
  const child = spawn(bin, ['serve', '--config', path.join(folder, 'offprint.toml'), '--log', 'json'], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, OFFPRINT_LOG: 'info' } });
  const base = await new Promise((resolve, reject) => {
    let printed = '';
    child.stderr.on('data', (text) => {
      printed += text;
      const found = /"message":"listening","address":"(127\.0\.0\.1:\d+)"|"address":"(127\.0\.0\.1:\d+)"/.exec(printed);
      if (found) resolve(`http://${found[1] ?? found[2]}`);
    });
    child.on('exit', () => reject(new Error(`offprint serve ended: ${printed}`)));
  });
  const ask = async (method, where, body) => {
    const answer = await fetch(base + where, { method, headers: { Authorization: `Bearer ${KEY}`, ...(body && { 'Content-Type': 'application/json' }) }, body: body && JSON.stringify(body) });
    return answer.json();
  };
  const until = async (where, isOver) => {
    for (;;) {
      const found = await ask('GET', where);
      if (isOver(found)) return found;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const start = async (domain) => (await ask('POST', '/v1/static-export/jobs', { domain })).jobId;
  const ended = (id) => until(`/v1/static-export/jobs/${id}`, ({ status }) => status === 'completed' || status === 'failed');
  const preview = async (branch) => {
    const { statusId, previewUrl } = await ask('POST', '/v1/project/preview/docs', { branch });
    await until(`/v1/project/update-status/${statusId}`, ({ status }) => status === 'success' || status === 'failure');
    return { statusId, previewUrl };
  };
  return { base, start, ended, preview, end: () => { child.removeAllListeners('exit'); child.kill('SIGTERM'); silent.close(); } };
}

async function signIn(page, base) {
  await page.goto(`${base}/console`);
  // the field has the focus without a click
  await page.locator('input:focus').waitFor();
  await page.keyboard.type(KEY);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
}

export function serviceConsole(test, { bin, work }) {
  const on = (act, options = {}) => async (browser) => {
    const server = await serve(bin, work);
    const context = await reader(browser, { offline: false, ...options });
    const page = await context.newPage();
    const wrong = [];
    page.on('pageerror', (error) => wrong.push(`exception: ${error.message}`));
    page.on('console', (message) => { if (message.type() === 'error' && !/status of 40/.test(message.text())) wrong.push(`console: ${message.text()}`); });
    page.on('request', (request) => { if (!request.url().startsWith(server.base)) wrong.push(`asks for ${request.url()}`); });
    const expect = (fact, words) => { if (!fact) wrong.push(words); };
    try {
      await act({ page, context, server, expect, wrong });
    } catch (error) {
      wrong.push(firstLines(error));
    } finally {
      await context.close();
      server.end();
    }
    return wrong;
  };

  test('service console: a key is pasted once, and no page shows it', on(async ({ page, context, server: { base }, expect }) => {
    await page.goto(`${base}/console/projects/docs`);
    expect(page.url() === `${base}/console/login`, `without a session the page is ${page.url()}`);
    await page.getByLabel('Admin API key').fill('opk_wrong');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').innerText() === 'This is no valid key.', 'a wrong key is not refused');
    await signIn(page, base);
    const [cookie] = await context.cookies();
    expect(cookie.httpOnly && cookie.sameSite === 'Strict' && cookie.path === '/console' && !cookie.value.includes('opk_'), `the cookie is ${JSON.stringify(cookie)}`);
    expect(await page.evaluate(() => document.cookie) === '', 'scripts see the cookie');
    expect(!(await page.content()).includes(KEY), 'the page has the key');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(`${base}/console`);
    expect(page.url() === `${base}/console/login`, 'the session goes on');
  }));

  test('service console: an export is followed while it runs, and canceled', on(async ({ page, server: { base, start, ended }, expect }) => {
    const slow = await start('slow.acme.example');
    await signIn(page, base);
    const row = page.locator(`[data-export="${slow}"]`);
    await row.locator('.status.running').waitFor();
    // one that ends is shown so without a hand
    const id = await start('docs.acme.example');
    await page.reload();
    await ended(id);
    await page.locator(`[data-export="${id}"] .status.completed`).waitFor();
    await row.getByRole('link').click();
    page.once('dialog', (dialog) => dialog.accept());
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.status.failed').waitFor();
    expect(await page.getByRole('alert').innerText() === 'canceled', 'the cause is not shown');
  }));

  test('service console: problems, previews and their removal', on(async ({ page, server: { base, start, ended, preview }, expect }) => {
    const id = await start('docs.acme.example');
    await ended(id);
    await preview('nothing');
    await preview('main');
    await signIn(page, base);
    await page.locator(`[data-export="${id}"]`).getByRole('link').click();
    const finding = page.locator('.findings li').first();
    expect(/broken-link\s+index\.mdx:5:3/.test(await finding.innerText()), `the problem is ${await finding.innerText()}`);
    expect((await page.locator('dd').allInnerTexts()).some((text) => text.includes(HTML)), 'the message of the commit is not shown as it is');
    expect((await page.locator('pre').innerText()).includes('pages'), 'there is no log');
    const answer = page.waitForResponse((response) => response.url().includes('/bundles/'));
    await page.getByRole('link', { name: 'Download the bundle' }).click().catch(() => {});
    expect((await answer).status() === 200, 'the bundle cannot be downloaded');
    await page.goto(`${base}/console/projects/docs`);
    const card = page.locator('.cards li');
    expect(await card.count() === 1 && /main/.test(await card.innerText()), 'the preview is not shown');
    expect(/preview/.test((await card.getByRole('link', { name: /localhost/ }).getAttribute('href')) ?? '') || await card.getByRole('link', { name: /localhost/ }).count() === 1, 'the preview has no link');
    expect((await page.locator('table').first().innerText()).includes('nothing'), 'the failed deployment is not shown');
    page.once('dialog', (dialog) => dialog.accept());
    await page.getByRole('button', { name: 'Remove the preview of main' }).click();
    await page.getByText('There are no previews.').waitFor();
  }));

  for (const [scheme, width] of [['light', 1280], ['dark', 1280], ['light', 390], ['dark', 390]]) {
    test(`service console: it can be read and used, ${scheme}, ${width} px`, on(async ({ page, server: { base, start, ended, preview }, wrong }) => {
      const look = async (name) => {
        wrong.push(...await audit(page), ...await sideways(page));
        const folder = process.env.OFFPRINT_SCREENSHOTS;
        if (folder) await page.screenshot({ path: path.join(folder, `console-${name}-${scheme}-${width}.png`), fullPage: true });
      };
      const id = await start('docs.acme.example');
      await ended(id);
      await start('slow.acme.example');
      await preview('nothing');
      const { statusId } = await preview('main');
      await page.goto(`${base}/console`);
      await look('login');
      await signIn(page, base);
      await page.locator('.status.running').first().waitFor();
      await look('overview');
      for (const [name, where] of [['export', `exports/${id}`], ['project', 'projects/docs'], ['deployment', `deployments/${statusId}`]]) {
        await page.goto(`${base}/console/${where}`);
        await look(name);
      }
    }, { scheme, width }));
  }
}
