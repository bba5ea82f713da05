// Tokens that the API console gets itself: from an authorization server of the test, which checks what the standard asks of it.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { address, firstLines } from './browser.mjs';
import { exported, opened } from './console.mjs';
import { served } from './policy.mjs';

const CLIENT = 'docs';
const SECRET = 's:e%cret';

/** A server that gives tokens (RFC 6749, 7636, 8628) and has an API that asks for them. `refuse`: what it does not let pages do. */
async function authorizationServer({ refuse = '' } = {}) {
  const codes = new Map();
  const devices = new Map();
  const tokens = new Set();
  const log = [];
  const self = { log, redirect: '', polls: 0 };
  const token = (scope) => {
    const access_token = `t-${randomUUID()}`;
    tokens.add(access_token);
    return { access_token, token_type: 'Bearer', expires_in: 3600, scope };
  };
  const grants = {
    authorization_code(form) {
      const asked = codes.get(form.get('code'));
      codes.delete(form.get('code'));
      if (!asked || asked.redirect !== form.get('redirect_uri') || form.get('client_id') !== CLIENT) return { error: 'invalid_grant' };
      const challenge = createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url');
      return challenge === asked.challenge && form.get('code_verifier').length >= 43 ? token(asked.scope) : { error: 'invalid_grant', error_description: 'the verifier does not fit' };
    },
    client_credentials(form, request) {
      const basic = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString().split(':').map(decodeURIComponent);
      const [id, secret] = request.headers.authorization ? basic : refuse === 'body' ? [] : [form.get('client_id'), form.get('client_secret')];
      log.push(request.headers.authorization ? 'basic' : 'form');
      return id === CLIENT && secret === SECRET ? token(form.get('scope')) : { error: 'invalid_client', error_description: 'who is that?' };
    },
    'urn:ietf:params:oauth:grant-type:device_code'(form) {
      const device = devices.get(form.get('device_code'));
      self.polls += 1;
      if (!device || form.get('client_id') !== CLIENT) return { error: 'invalid_grant' };
      return device.isAllowed ? token('device') : { error: 'authorization_pending' };
    },
  };
  const answer = (response, status, body) => response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body));
  const html = (response, body) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Log in</title><link rel="icon" href="data:,">${body}`);
  const routes = {
    'GET /authorize'({ searchParams: asked }, _, response) {
      const wrong = [['response_type', 'code'], ['client_id', CLIENT], ['redirect_uri', self.redirect], ['code_challenge_method', 'S256']].filter(([name, value]) => asked.get(name) !== value);
      if (wrong.length || !asked.get('state') || !asked.get('code_challenge')) return html(response, `<p id="refused">${wrong.map(([name]) => name).join(', ')}</p>`);
      const more = new URL(self.redirect);
      more.searchParams.set('state', asked.get('state'));
      const [yes, no] = [new URL(more), new URL(more)];
      const code = randomUUID();
      codes.set(code, { challenge: asked.get('code_challenge'), redirect: self.redirect, scope: asked.get('scope') });
      yes.searchParams.set('code', code);
      no.searchParams.set('error', 'access_denied');
      return html(response, `<p id="opener">${asked.get('scope')}</p><a id="allow" href="${yes.href.replaceAll('&', '&amp;')}">Allow</a> <a id="deny" href="${no.href.replaceAll('&', '&amp;')}">Deny</a>`);
    },
    'POST /token'(_, request, response, form) {
      const said = grants[form.get('grant_type')]?.(form, request) ?? { error: 'unsupported_grant_type' };
      answer(response, said.error ? (said.error === 'invalid_client' ? 401 : 400) : 200, said);
    },
    'POST /device'(_, request, response, form) {
      const code = randomUUID();
      if (form.get('client_id') !== CLIENT) return answer(response, 400, { error: 'invalid_client' });
      devices.set(code, { isAllowed: false });
      self.allowDevice = () => { devices.get(code).isAllowed = true; };
      return answer(response, 200, { device_code: code, user_code: 'WDJB-MJHT', verification_uri: `${self.origin}/activate`, interval: 1, expires_in: 60 });
    },
    'GET /.well-known/openid-configuration': (_, request, response) => answer(response, 200, { issuer: self.origin, authorization_endpoint: `${self.origin}/authorize`, token_endpoint: `${self.origin}/token` }),
    'GET /me': (_, request, response) => (tokens.has((request.headers.authorization ?? '').replace(/^Bearer /, '')) ? answer(response, 200, { name: 'Ada' }) : answer(response, 401, { error: 'invalid_token' })),
  };
  const http = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => { text += chunk; });
    request.on('end', () => {
      const url = new URL(request.url, 'http://x');
      const isPreflight = request.method === 'OPTIONS';
      response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
      response.setHeader('access-control-allow-methods', 'GET, POST');
      const wanted = request.headers['access-control-request-headers'] ?? '';
      if (!(refuse === 'basic' && url.pathname === '/token')) response.setHeader('access-control-allow-headers', wanted || '*');
      if (isPreflight) return void response.writeHead(204).end();
      log.push(`${request.method} ${url.pathname}`);
      const route = routes[`${request.method} ${url.pathname}`];
      return void (route ? route(url, request, response, new URLSearchParams(text)) : answer(response, 404, {}));
    });
  });
  await new Promise((done) => http.listen(0, '127.0.0.1', done));
  http.unref();
  return Object.assign(self, { origin: `http://127.0.0.1:${http.address().port}`, close: () => { http.closeAllConnections(); http.close(); } });
}

/** The API: one page for each way to get a token. */
const api = (tokens) => (servers) => {
  const get = (operationId, scheme, scopes = ['read:me']) => ({ get: { operationId, summary: operationId, security: [{ [scheme]: scopes }], responses: { 200: { description: 'OK' } } } });
  const scopes = { 'read:me': 'Read who you are' };
  const flow = { authorizationUrl: `${tokens}/authorize`, tokenUrl: `${tokens}/token`, scopes };
  return {
    openapi: '3.2.0',
    info: { title: 'People', version: '1' },
    servers,
    components: {
      securitySchemes: {
        login: { type: 'oauth2', flows: { authorizationCode: flow } },
        machine: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: `${tokens}/token`, scopes } } },
        device: { type: 'oauth2', flows: { deviceAuthorization: { deviceAuthorizationUrl: `${tokens}/device`, tokenUrl: `${tokens}/token`, scopes }, authorizationCode: flow } },
        person: { type: 'openIdConnect', openIdConnectUrl: `${tokens}/.well-known/openid-configuration` },
        elsewhere: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://login.example.org/token', scopes } } },
      },
    },
    // the same path on every page, but for what asks
    paths: Object.fromEntries(['login', 'machine', 'device', 'person', 'elsewhere'].map((name) => [`/me${name === 'login' ? '' : `?by=${name}`}`, get(name, name, name === 'person' ? [] : undefined)])),
  };
};

export function oauthTests(test, { bin, work }) {
  const onPage = (name, file, act, { refuse, onDisk = false, args } = {}) => test(`oauth: ${name}`, async (browser) => {
    const tokens = await authorizationServer({ refuse });
    const folder = exported({ bin, work }, `oauth ${name.replace(/\W+/g, ' ')}`, [tokens.origin], args, {}, api(tokens.origin));
    const host = onDisk ? { address: (file) => address(folder, file), close() {} } : await served(folder);
    tokens.redirect = host.address('_offprint/oauth.html');
    const ask = await opened(browser, host.address(`${file}.html`));
    const fold = async () => { await ask.at('.console-grant summary').click(); return ask.at('.console-grant'); };
    const status = () => ask.at('.console-grant [role=status]').textContent();
    const got = () => ask.page.waitForFunction(() => /A token was received|No token/.test(document.querySelector('.console-grant [role=status]').textContent));
    try { await act({ ask, tokens, folder, host, fold, got, status, label: (text) => ask.page.getByLabel(text, { exact: true }) }); } catch (error) { ask.wrong.push(firstLines(error)); }
    tokens.close();
    host.close();
    return ask.end();
  });
  const press = (ask) => ask.at('.console-grant-foot button').click();
  /** Fills the form of a client that is known to the server, and waits for the answer. */
  const askAsClient = async ({ ask, fold, got, label }) => {
    await fold();
    await label('Client ID').fill('docs');
    await label('Client secret').fill(SECRET);
    await press(ask);
    await got();
  };
  const works = async (ask) => ask.expect('the token is good', (await ask.send()).status, '200 OK');

  onPage('a reader logs in with an authorization code and PKCE', 'login', async ({ ask, tokens, folder, host, fold, got, status, label }) => {
    ask.expect('without a token', (await ask.send()).status, '401 Unauthorized');
    await fold();
    ask.expect('the address to register', await ask.at('.console-grant').textContent(), new RegExp(tokens.redirect.replaceAll('/', '\\/')));
    ask.expect('scopes', await label('Scopes').inputValue(), 'read:me');
    await label('Client ID').fill('docs');
    const [login] = await Promise.all([ask.context.waitForEvent('page'), press(ask)]);
    await login.waitForSelector('#allow');
    ask.expect('it does not know who asks', [await login.evaluate(() => globalThis.opener), await login.locator('#opener').textContent()], [null, 'read:me']);
    await Promise.all([login.waitForEvent('close'), login.click('#allow')]);
    await got();
    ask.expect('said', await status(), 'A token was received. (60 min)');
    await works(ask);
    // the same for the other pages of the tab
    await ask.page.goto(host.address('login.html'));
    await ask.page.click('.api-try');
    await ask.page.waitForSelector('.op-console[open]');
    await works(ask);
    // denied
    await fold();
    const [second] = await Promise.all([ask.context.waitForEvent('page'), press(ask)]);
    await second.waitForSelector('#deny');
    await Promise.all([second.waitForEvent('close'), second.click('#deny')]);
    await got();
    ask.expect('denied', await status(), 'No token: access_denied');
    // given up
    const [third] = await Promise.all([ask.context.waitForEvent('page'), press(ask)]);
    await third.waitForSelector('#allow');
    ask.expect('while it waits', await ask.at('.console-grant-foot button').textContent(), 'Cancel');
    await press(ask);
    await got();
    ask.expect('canceled', await status(), 'No token: The request was canceled.');
    ask.expect('the page to return to', [existsSync(path.join(folder, '_offprint/oauth.html')), readFileSync(path.join(folder, '_offprint/oauth.html'), 'utf8').includes('Content-Security-Policy')], [true, true]);
  });

  onPage('an answer with a foreign state gets nothing', 'login', async ({ ask, tokens, fold, label, status }) => {
    await fold();
    await label('Client ID').fill('docs');
    const [login] = await Promise.all([ask.context.waitForEvent('page'), press(ask)]);
    await login.waitForSelector('#allow');
    await login.goto(`${tokens.redirect}?code=stolen&state=guessed`);
    await ask.page.waitForTimeout(500);
    ask.expect('still waiting', [/Log in in the other window/.test(await status()), tokens.log.includes('POST /token')], [true, false]);
  });

  onPage('a client gets a token by its credentials', 'machine', async ({ ask, tokens, fold, got, status, label }) => {
    await fold();
    await label('Client ID').fill('docs');
    await label('Client secret').fill('wrong');
    await press(ask);
    await got();
    ask.expect('refused', await status(), 'No token: who is that?');
    await label('Client secret').fill(SECRET);
    await press(ask);
    await got();
    await works(ask);
    ask.expect('the way that every server has to know comes first', tokens.log.filter((line) => /^(basic|form)$/.test(line)), ['basic', 'form', 'basic']);
    ask.expect('the secret is kept nowhere', await ask.page.evaluate((secret) => [localStorage, sessionStorage].some((store) => JSON.stringify(store).includes(secret)), SECRET), false);
  });

  onPage('a client that may send its credentials only in the form', 'machine', async (on) => {
    await askAsClient(on);
    await works(on.ask);
    on.ask.expect('in the form', on.tokens.log.filter((line) => /^(basic|form)$/.test(line)), ['form']);
  }, { refuse: 'basic' });

  onPage('from a disk, too, where nothing has to be returned to', 'machine', async (on) => {
    await askAsClient(on);
    await works(on.ask);
  }, { onDisk: true });

  onPage('a login from a disk is not offered, and why is said', 'login', async ({ ask, fold }) => {
    await fold();
    ask.expect('in words', await ask.at('.console-grant').textContent(), /has to be loaded over https, not from a file/);
    ask.expect('no button', await ask.at('.console-grant-foot button').count(), 0);
  }, { onDisk: true });

  onPage('a reader enters a code elsewhere', 'device', async ({ ask, tokens, fold, got, status, label }) => {
    await fold();
    await ask.at('.console-grant select').selectOption({ label: 'Device authorization' });
    await label('Client ID').fill('docs');
    await press(ask);
    await ask.page.waitForSelector('.console-device-code');
    ask.expect('code and address', await status(), new RegExp(`Enter this code: WDJB-MJHT ${tokens.origin}/activate`));
    await ask.page.waitForTimeout(1300);
    ask.expect('asked meanwhile', tokens.polls > 0, true);
    tokens.allowDevice();
    await got();
    await works(ask);
  });

  onPage('an OpenID provider says where its servers are', 'person', async ({ ask, fold, got, label }) => {
    await fold();
    ask.expect('scope', await label('Scopes').inputValue(), 'openid');
    await label('Client ID').fill('docs');
    const [login] = await Promise.all([ask.context.waitForEvent('page'), press(ask)]);
    await login.waitForSelector('#allow');
    await Promise.all([login.waitForEvent('close'), login.click('#allow')]);
    await got();
    await works(ask);
  });

  onPage('a server that the policy does not allow is not asked', 'elsewhere', async ({ ask, fold }) => {
    await fold();
    ask.expect('in words', await ask.at('.console-grant').textContent(), /does not allow requests to https:\/\/login\.example\.org/);
    ask.expect('a token can be pasted all the same', await ask.row('Authorization').isVisible(), true);
  });
}
