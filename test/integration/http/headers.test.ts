// Goal: no answer can be framed, sniffed or kept by a cache, the reference page still works in a browser, and what a
// route does not know is refused. Method: the headers of answers of every kind; every file that the page loads is held
// against the page's own policy.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api/api.ts';

const SELF = '/api/v1/api-keys/self';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const get = (url: string) => api.app.inject({ method: 'GET', url });

test.each([
  ['a success', () => api.call('GET', SELF)],
  ['a 400', () => api.call('GET', `${SELF}?a=1`)],
  ['a 401', () => get(SELF)],
  ['a 404', () => get('/nothing')],
  ['a 405', () => api.app.inject({ method: 'POST', url: '/health' })],
  ['a probe', () => get('/health')],
])('%s carries the security headers', async (_name, answer) => {
  expect((await answer()).headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'strict-transport-security': expect.stringContaining('max-age=31536000'),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
});

test('the reference page loads only what its policy allows, and all of it is there', async () => {
  const page = await get('/docs/');
  expect(page.statusCode).toBe(200);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/script-src[^;]*unsafe|upgrade-insecure-requests/);
  expect(page.body).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>|\son\w+=/);
  const loaded = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, url]) => new URL(url as string, 'http://service/docs/'),
  );
  expect(loaded.length).toBeGreaterThan(4);
  for (const { origin, pathname } of loaded) {
    expect(origin).toBe('http://service');
    expect([pathname, (await get(pathname)).statusCode]).toEqual([pathname, 200]);
  }
  expect((await get('/docs/json')).json()).toMatchObject({ openapi: '3.1.0' });
});

describe('query parameters', () => {
  test.each([
    ['unknown, on a route without any', `${SELF}?verbose=true`],
    ['unknown, without a value', `${SELF}?verbose`],
    ['unknown, on a list', '/api/v1/networks?page=2'],
    ['a name that every object has', `${SELF}?constructor=1`],
    ['__proto__', `${SELF}?__proto__=1`],
    ['twice', '/api/v1/networks?limit=1&limit=1'],
    ['twice, once escaped', '/api/v1/networks?limit=1&%6cimit=2'],
    ['U+0000', '/api/v1/assets?q=%00'],
  ])('400: %s', async (_name, url) => {
    expect(await api.call('GET', url)).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
  });

  test.each(['/health?a=1', '/time?a=1', '/ready?a=1'])('400: %s', async (url) => {
    expect((await get(url)).statusCode).toBe(400);
  });
});

describe('bodies', () => {
  const send = (rawBody: string) => api.call('POST', '/api/v1/wallets', undefined, { rawBody });

  test.each([
    ['a name twice', '{"name":"a","wallet_type":"mpc","name":"b"}'],
    ['a name twice, once escaped', '{"name":"a","wallet_type":"mpc","n\\u0061me":"b"}'],
    ['__proto__', '{"name":"a","wallet_type":"mpc","__proto__":{"wallet_type":"x"}}'],
    ['U+0000', '{"name":"a\\u0000","wallet_type":"mpc"}'],
    ['half a million levels', `{"name":${'['.repeat(500_000)}`],
  ])('400: %s', async (_name, rawBody) => {
    expect(await send(rawBody)).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
  });

  test('400: a body where none is taken; {} is none', async () => {
    const path = `/api/v1/workspaces/${api.workspaceId}/withdrawals/unfreeze`;
    expect((await api.call('POST', path, { reason: 'x' })).status).toBe(400);
    expect((await api.call('POST', path, {})).status).toBe(200);
    expect((await api.call('POST', path)).status).toBe(200);
  });
});
