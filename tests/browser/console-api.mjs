// The API that the tests of the console talk to: its description, and servers that note what arrives.
import { createServer } from 'node:http';

const text = { type: 'string' };
const parameter = (name, place, schema, more) => ({ name, in: place, schema, ...more, ...(place === 'path' ? { required: true } : {}) });
const json = (schema, more) => ({ content: { 'application/json': { schema } }, ...more });
const object = (properties, more) => ({ type: 'object', properties, ...more });
const list = (items) => ({ type: 'array', items });

/** A description with these servers. */
export const description = (servers) => ({
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  servers,
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      basic: { type: 'http', scheme: 'basic' },
      digest: { type: 'http', scheme: 'digest' },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      queryKey: { type: 'apiKey', in: 'query', name: 'api_key' },
      cookieKey: { type: 'apiKey', in: 'cookie', name: 'session' },
      oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://auth.example.com/token', scopes: {} } } },
      openId: { type: 'openIdConnect', openIdConnectUrl: 'https://auth.example.com/.well-known/openid-configuration' },
    },
    schemas: {
      Card: object({ kind: { type: 'string', const: 'card' }, number: text }, { title: 'Card', required: ['kind', 'number'] }),
      Bank: object({ kind: { type: 'string', const: 'bank' }, iban: text }, { title: 'Bank', required: ['kind', 'iban'] }),
    },
  },
  paths: {
    '/secured': {
      get: {
        operationId: 'secured',
        summary: 'Ask with a credential',
        security: [{ bearer: [] }, { basic: [] }, { key: [], queryKey: [] }, { cookieKey: [] }, { oauth: [] }, { openId: [] }, { digest: [] }, {}],
        responses: { 200: { description: 'OK' } },
      },
    },
    '/styles/{simple}/{label}/{matrix}/{object}': {
      get: {
        operationId: 'styles',
        summary: 'Send parameters in every style',
        parameters: [
          parameter('simple', 'path', list(text)),
          parameter('label', 'path', list(text), { style: 'label', explode: true }),
          parameter('matrix', 'path', list(text), { style: 'matrix', explode: true }),
          parameter('object', 'path', object({ a: text, b: text }), { style: 'matrix' }),
          parameter('form', 'query', list(text)),
          parameter('joined', 'query', list(text), { explode: false }),
          parameter('space', 'query', list(text), { style: 'spaceDelimited' }),
          parameter('pipe', 'query', list(text), { style: 'pipeDelimited' }),
          parameter('deep', 'query', object({ a: text, b: object({ c: text }) }), { style: 'deepObject' }),
          parameter('spread', 'query', object({ x: text, y: text })),
          { name: 'filter', in: 'query', content: { 'application/json': { schema: object({ from: { type: 'integer' } }) } } },
          parameter('flag', 'query', { type: 'boolean' }),
          parameter('X-List', 'header', list(text)),
          parameter('X-Object', 'header', object({ a: text, b: text }), { explode: true }),
          parameter('User-Agent', 'header', text),
          parameter('theme', 'cookie', text),
        ],
        responses: { 200: { description: 'OK' } },
      },
    },
    '/orders/{id}': {
      post: {
        operationId: 'order',
        summary: 'Change an order',
        parameters: [parameter('id', 'path', text), parameter('id', 'query', text)],
        requestBody: json(
          object(
            {
              id: { type: 'string', readOnly: true },
              currency: { type: 'string', enum: ['eur', 'usd'] },
              amount: { type: 'integer' },
              paid: { type: 'boolean' },
              note: { type: ['string', 'null'] },
              customer: object({ email: text, address: object({ city: text }) }, { required: ['email'] }),
              items: list(object({ sku: text, quantity: { type: 'integer' } }, { required: ['sku'] })),
              tags: list(text),
              labels: { type: 'object', additionalProperties: text },
              payment: { oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Bank' }] },
              code: { type: ['string', 'integer'] },
              extra: { type: 'object' },
            },
            { required: ['currency', 'customer'] },
          ),
          { required: true },
        ),
        responses: { 200: { description: 'OK' } },
      },
    },
    '/files': {
      post: {
        operationId: 'upload',
        summary: 'Upload',
        requestBody: {
          content: {
            'multipart/form-data': { schema: object({ file: { type: 'string', format: 'binary' }, title: text, tags: list(text) }, { required: ['file'] }) },
            'application/x-www-form-urlencoded': { schema: object({ name: text, numbers: list({ type: 'integer' }) }) },
            'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
            'text/plain': { schema: text },
          },
        },
        responses: { 200: { description: 'OK' } },
      },
    },
    '/account': { get: { operationId: 'account', summary: 'Get the account', security: [{ bearer: [] }], responses: { 200: { description: 'OK' } } } },
    '/bounded': {
      get: {
        operationId: 'bounded',
        summary: 'Send values within bounds',
        parameters: [
          parameter('count', 'query', { type: 'integer', minimum: 1, maximum: 10 }, { description: 'How many there are.' }),
          parameter('ratio', 'query', { type: 'number', exclusiveMinimum: 0, maximum: 1 }),
          parameter('step', 'query', { type: 'integer', multipleOf: 5 }),
          parameter('code', 'query', { ...text, minLength: 2, maxLength: 3 }),
          parameter('slug', 'query', { ...text, pattern: '^[a-z-]+$' }),
          parameter('id', 'query', { ...text, format: 'uuid' }),
          parameter('day', 'query', { ...text, format: 'date' }, { deprecated: true }),
          parameter('pair', 'query', { ...list(text), uniqueItems: true }),
        ],
        responses: { 200: { description: 'OK' } },
      },
    },
    '/shops/{shop}/orders': {
      post: {
        operationId: 'exemplary',
        summary: 'Send what examples say',
        parameters: [parameter('shop', 'path', text, { examples: { home: { value: 'ulm' }, branch: { summary: 'A branch', value: 'bonn' } } })],
        requestBody: {
          content: {
            'application/json': {
              schema: object({ amount: { type: 'integer' }, tags: list(text) }),
              examples: { small: { summary: 'A small order', value: { amount: 1 } }, large: { value: { amount: 900, tags: ['bulk', 'late'] } } },
            },
          },
        },
        responses: { 200: { description: 'OK' } },
      },
    },
    '/answers': {
      get: { operationId: 'answers', summary: 'Get an answer', parameters: [parameter('kind', 'query', text)], responses: { 200: { description: 'OK' } } },
      trace: { operationId: 'trace', summary: 'Trace', responses: { 200: { description: 'OK' } } },
    },
  },
});

const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><script>top.drawn = 1</script><path d="M0 0h40v30z"/></svg>';

const ANSWERS = {
  error: (response) => response.writeHead(422, { 'content-type': 'application/problem+json' }).end('{"title":"Wrong","id":12345678901234567890}'),
  text: (response) => response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from('gr\u00fcn', 'latin1')),
  html: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<img src=x onerror="top.ran = 1"><script>top.ran = 1</script>'),
  picture: (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE),
  drawing: (response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(DRAWING),
  binary: (response) => response.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename="../all.zip"' }).end(Buffer.from([80, 75, 0, 1])),
  empty: (response) => response.writeHead(204).end(),
  broken: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":'),
  big: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(Array.from({ length: 20000 }, (_, at) => ({ at, text: '<b>x</b>' })))),
  // the head and a beginning, and never the rest
  slow: (response) => { response.writeHead(200, { 'content-type': 'text/event-stream' }); response.write('data: one\n\n'); },
  // a beginning, until the test calls `seen.cut`
  cut: (response, seen) => { response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 100 }); response.write('begin'); seen.cut = () => response.destroy(); },
};

/** A server that notes the last request. `allows`: it lets pages read its answers. */
export async function server(allows = true) {
  const seen = { last: null, count: 0 };
  const http = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      if (allows) {
        response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
        response.setHeader('access-control-allow-credentials', 'true');
        response.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE');
        response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*');
        response.setHeader('access-control-expose-headers', 'x-request-id, content-disposition');
        response.setHeader('x-request-id', 'r1');
      }
      if (request.method === 'OPTIONS') return void response.writeHead(204).end();
      seen.count += 1;
      seen.last = { method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() };
      const kind = new URL(request.url, 'http://x').searchParams.get('kind');
      if (request.url.startsWith('/answers') && ANSWERS[kind]) return void ANSWERS[kind](response, seen);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(seen.last));
    });
  });
  await new Promise((done) => http.listen(0, '127.0.0.1', done));
  // those that several tests share are open to the end
  http.unref();
  return { seen, origin: `http://127.0.0.1:${http.address().port}`, close: () => { http.closeAllConnections(); http.close(); } };
}
