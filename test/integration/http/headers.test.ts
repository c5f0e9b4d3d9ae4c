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
  const page = await get('/docs');
  expect(page.statusCode).toBe(200);
  for (const address of ['/docs/', '/docs/operations/requestWithdrawal', '/docs/events/wallet.created'])
    expect((await get(address)).body, address).toBe(page.body);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|upgrade-insecure-requests/);
  expect(page.body).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)[^>]*>|\son\w+=/);
  const loaded = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, url]) => new URL(url as string, 'http://service/docs'),
  );
  expect(loaded.length).toBeGreaterThan(4);
  for (const { origin, pathname } of loaded) {
    expect(origin).toBe('http://service');
    expect([pathname, (await get(pathname)).statusCode]).toEqual([pathname, 200]);
  }
  expect((await get('/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' });
  expect((await get('/docs/json')).statusCode).toBe(404);
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

  test('400 for one that is not known names those that are', async () => {
    const messageAt = async (url: string) => (await api.call('GET', url)).body.message;
    expect(await messageAt(`${SELF}?verbose=true`)).toBe('querystring has an unknown field "verbose": it takes none.');
    expect(await messageAt('/api/v1/networks?page=2')).toMatch(/unknown field "page": it takes .*\bis_testnet\b/);
  });

  test('a list that is repeated is the list that commas make', async () => {
    const path = `/api/v1/workspaces/${api.workspaceId}/wallets`;
    expect((await api.call('GET', `${path}?status=active&status=frozen`)).status).toBe(200);
    const refused = await api.call('GET', `${path}?status=active&status=asleep`);
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('must be one of') } });
  });

  test.each(['/health?a=1', '/time?a=1', '/ready?a=1'])('400: %s', async (url) => {
    expect((await get(url)).statusCode).toBe(400);
  });
});

test('/ leads to the reference, and a 401 to how a request is signed', async () => {
  const root = await get('/');
  expect([root.statusCode, root.headers.location]).toEqual([302, '/docs']);
  expect((await get('/docs')).statusCode).toBeLessThan(400);
  const { headers, statusCode } = await get(SELF);
  expect([statusCode, headers.link]).toEqual([401, '</docs>; rel="help"']);
  // A client whose clock is wrong sees by how much.
  expect(Math.abs(Date.parse(String(headers.date)) - Date.now())).toBeLessThan(60_000);
});

describe('bodies', () => {
  const send = (rawBody: string) => api.call('POST', '/api/v1/wallets', undefined, { rawBody });

  test('400 for a field that is not known names those that are; of one that is malformed it says the form', async () => {
    const messageOf = async (path: string, body: object) => (await api.call('POST', path, body)).body.message;
    expect(await messageOf('/api/v1/wallets', { name: 'a', wallet_type: 'mpc', colour: 'red' })).toBe(
      'body has an unknown field "colour": it takes name, wallet_type, wallet_purpose, external_id, metadata.',
    );
    const walletId = await api.makeActiveWallet();
    const message = await messageOf(`/api/v1/web3/transaction/${walletId}/signMessage`, {
      network_internal_code: 'ETHEREUM_SANDBOX',
      message: 'Hello',
      external_id: 'two words',
    });
    expect(message).toMatch(/^body\.external_id is malformed\. It is: The caller's own name/);
    expect(message).not.toContain('[');
  });

  test.each([
    ['a name twice', '{"name":"a","wallet_type":"mpc","name":"b"}'],
    ['a name twice, once escaped', '{"name":"a","wallet_type":"mpc","n\\u0061me":"b"}'],
    ['__proto__', '{"name":"a","wallet_type":"mpc","__proto__":{"wallet_type":"x"}}'],
    ['U+0000', '{"name":"a\\u0000","wallet_type":"mpc"}'],
    ['half a million levels', `{"name":${'['.repeat(500_000)}`],
  ])('400: %s', async (_name, rawBody) => {
    expect(await send(rawBody)).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
  });

  test('400: a field that is not known where none is needed; {} is none', async () => {
    const path = `/api/v1/workspaces/${api.workspaceId}/withdrawals/unfreeze`;
    expect((await api.call('POST', path, { colour: 'x' })).status).toBe(400);
    expect((await api.call('POST', path, {})).status).toBe(200);
    expect((await api.call('POST', path)).status).toBe(200);
  });
});
