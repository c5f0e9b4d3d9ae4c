// Goal: whatever a client sends, the answer is the envelope with a contract code, an X-Request-Id and nothing of our
// insides. Method: requests that no route expects, over a real socket where the HTTP parser matters.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveNodeHealth } from '../../../drizzle/observability/node-health.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
let port: number;
beforeAll(async () => {
  api = await startApi();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  port = (api.app.addresses()[0] as { port: number }).port;
});
afterAll(() => api.stop());

/** Sends bytes as they are and reads the whole answer. */
function raw(request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
      if (answer.includes('"data":null}')) socket.end();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

const envelope = (code: string) => ({ success: false, message: expect.stringMatching(/\.$/), code, data: null });

test.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const)('404: %s of a path that is no route', async (method) => {
  const response = await api.app.inject({ method, url: '/api/v1/nothing' });
  expect(response.statusCode).toBe(404);
  expect(response.json()).toEqual(envelope('not_found'));
  expect(response.headers['x-request-id']).toBeDefined();
});

describe('405: a known path with another method', () => {
  test.each([
    ['DELETE', '/api/v1/wallets', 'POST'],
    // Fits `/api-keys/{api_key_id}` too, which takes DELETE.
    ['DELETE', '/api/v1/api-keys/self', 'GET, HEAD'],
    ['PUT', '/api/v1/api-keys/self?a=b', 'GET, HEAD'],
    ['GET', '/api/v1/web3/transaction/0198c1d2-3e4f-7a5b-8c6d-7e8f9a0b1c2d/signRaw', 'POST'],
    ['OPTIONS', '/api/v1/networks?limit=1', 'GET, HEAD'],
    ['POST', '/health', 'GET, HEAD'],
  ] as const)('%s %s', async (method, url, allow) => {
    const response = await api.app.inject({ method, url });
    expect(response.statusCode).toBe(405);
    expect(response.json()).toEqual(envelope('method_not_allowed'));
    expect(response.headers['allow']).toBe(allow);
  });

  test('a path that only begins like one is 404', async () => {
    for (const url of ['/api/v1/wallets/', '/api/v1/wallets/a/b/c', '/api/v1xwallets', '/healthy']) {
      const response = await api.app.inject({ method: 'DELETE', url });
      expect([url, response.statusCode]).toEqual([url, 404]);
      expect(response.headers).not.toHaveProperty('allow');
    }
  });
});

test.each([
  ['a UUID with a prefix', (): string => `/api/v1/wallets/urn:uuid:01900000-0000-7000-8000-000000000000`],
  [
    'a year that is 10000 in UTC',
    (): string => `/api/v1/workspaces/${api.workspaceId}/wallets?to=9999-12-31T23:59:59-01:00`,
  ],
  ['a leap second', (): string => `/api/v1/workspaces/${api.workspaceId}/wallets?to=2016-12-31T23:59:60Z`],
] as const)('400: %s, which PostgreSQL would not read', async (_name, path) => {
  expect(await api.call('GET', path())).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

test('415: a content type that is none', async () => {
  const response = await api.app.inject({
    method: 'POST',
    url: '/api/v1/wallets',
    payload: '{}',
    headers: { 'content-type': '/' },
  });
  expect([response.statusCode, response.json()]).toEqual([415, envelope('unsupported_media_type')]);
});

describe('malformed HTTP', () => {
  test('400: a percent sign that begins nothing', async () => {
    const answer = await raw(
      'GET /api/v1/wallets/creation-status/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/i);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual(envelope('invalid_request'));
  });

  test('400: no HTTP at all', async () => {
    const answer = await raw('HELLO\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/i);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual(envelope('invalid_request'));
  });

  test('431 or 400: headers without end', async () => {
    const answer = await raw(`GET /health HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 4(00|31) /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual(envelope('invalid_request'));
  });

  test('duplicate authentication headers are refused', async () => {
    const answer = await raw(
      'GET /api/v1/api-keys/self HTTP/1.1\r\nHost: a\r\nACCESS-API-KEY: a\r\nACCESS-API-KEY: b\r\nACCESS-TIMESTAMP: 1\r\nACCESS-SIGN: c\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });
});

test.each(['/health', '/ready', '/time', '/openapi.json', '/docs/'])('%s needs no key', async (url) => {
  await saveNodeHealth(
    api.db,
    [1, 2].map((node) => ({ cluster: 'main', node, status: 'up', threshold: 2 })),
  );
  // Not ready is what a busy machine answers until it has connected.
  const status = async () => (await api.app.inject({ method: 'GET', url })).statusCode;
  await expect.poll(status, { timeout: 60_000 }).toBe(200);
});

test('the document describes every route, and every signed route names its answers to failures', async () => {
  const { paths, security } = (await api.app.inject({ method: 'GET', url: '/openapi.json' })).json();
  expect(security).toHaveLength(1);
  expect(Object.keys(paths)).toContain('/api/v1/web3/{wallet_id}/sign');
  for (const [path, methods] of Object.entries<Record<string, { responses: object; security?: object[] }>>(paths)) {
    for (const operation of Object.values(methods)) {
      if (path.startsWith('/api/v1')) expect(Object.keys(operation.responses)).toContain('401');
      // None of its own: that of the document. An empty one: unsigned.
      expect(operation.security).toEqual(path.startsWith('/api/v1') ? undefined : []);
    }
  }
});
