// Goal: only a correctly signed request of a usable key passes, and every refusal is the same 401. Method: signed requests against the API on a
// real database, each altered in one way.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../support/api.ts';

const SELF = '/api/v1/api-keys/self';
const UNAUTHORIZED = { success: false, message: 'invalid api signature', code: 'unauthorized', data: null };

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const now = () => Math.floor(Date.now() / 1000);

function headersFor(canonical: { method?: string; path?: string; timestamp?: string; body?: string }) {
  const { method = 'GET', path = SELF, timestamp = String(now()), body = '' } = canonical;
  const sign = createHmac('sha256', api.admin.apiSecret)
    .update(`method=${method}&path=${path}&timestamp=${timestamp}&body=${body}`)
    .digest('hex');
  return { 'access-api-key': api.admin.apiKey, 'access-timestamp': timestamp, 'access-sign': sign };
}

async function get(headers: Record<string, string>, url = SELF) {
  const response = await api.app.inject({ method: 'GET', url, headers });
  return { status: response.statusCode, body: response.json() };
}

describe('accepted', () => {
  test.each(['hex', 'base64'] as const)('a signature as %s', async (encoding) => {
    const answer = await api.call('GET', SELF, undefined, { encoding });
    expect(answer.status).toBe(200);
    expect(answer.body.data.api_key).toBe(api.admin.apiKey);
  });

  test('upper-case hex', async () => {
    const headers = headersFor({});
    expect((await get({ ...headers, 'access-sign': headers['access-sign'].toUpperCase() })).status).toBe(200);
  });

  test.each([-299, 299])('a clock that is %d seconds off', async (skew) => {
    expect((await get(headersFor({ timestamp: String(now() + skew) }))).status).toBe(200);
  });

  test('a path with its query string, signed as sent', async () => {
    const walletId = await api.makeActiveWallet();
    const path = `/api/v1/wallets/${walletId}/address?address_type=evm`;
    expect((await api.call('GET', path)).status).toBe(200);
  });

  test('a body signed byte for byte, with its spaces', async () => {
    const rawBody = '{ "name" : "spaced" ,\n "wallet_type":"mpc" }';
    expect((await api.call('POST', '/api/v1/wallets', undefined, { rawBody })).status).toBe(202);
  });
});

describe('refused with the one 401 body', () => {
  const cases: [string, () => Record<string, string>][] = [
    ['no headers', () => ({})],
    ['no key', () => ({ ...headersFor({}), 'access-api-key': '' })],
    ['unknown key', () => ({ ...headersFor({}), 'access-api-key': 'ck_unknown' })],
    ['no signature', () => ({ ...headersFor({}), 'access-sign': '' })],
    ['short signature', () => ({ ...headersFor({}), 'access-sign': 'ab' })],
    ['signature of the right length but no hex', () => ({ ...headersFor({}), 'access-sign': 'z'.repeat(64) })],
    ['base64 of the raw digest instead of its hex', () => base64OfDigest()],
    ['another method signed', () => headersFor({ method: 'POST' })],
    ['another path signed', () => headersFor({ path: '/api/v1/api-keys/other' })],
    ['the query left out', () => headersFor({ path: `${SELF}?a=1` })],
    ['a body signed that was not sent', () => headersFor({ body: '{}' })],
    ['too old', () => headersFor({ timestamp: String(now() - 302) })],
    ['too far ahead', () => headersFor({ timestamp: String(now() + 302) })],
    ['milliseconds', () => headersFor({ timestamp: String(Date.now()) })],
    ['no number', () => headersFor({ timestamp: 'now' })],
    ['a sign before the number', () => headersFor({ timestamp: `+${now()}` })],
    ['another timestamp sent than signed', () => ({ ...headersFor({}), 'access-timestamp': String(now() - 1) })],
  ];

  test.each(cases)('%s', async (_name, makeHeaders) => {
    expect(await get(makeHeaders())).toEqual({ status: 401, body: UNAUTHORIZED });
  });

  test('a secret of another key', async () => {
    const other = await api.makeKey({});
    const key = { apiKey: api.admin.apiKey, apiSecret: other.apiSecret };
    expect(await api.call('GET', SELF, undefined, { key })).toMatchObject({ status: 401, body: UNAUTHORIZED });
  });

  test.each([
    ['revoked', { revokedAt: new Date(Date.now() - 1000) }],
    ['expired', { expiresAt: new Date(Date.now() - 1000) }],
  ])('a key that is %s', async (_name, fields) => {
    const key = await api.makeKey(fields);
    expect(await api.call('GET', SELF, undefined, { key })).toMatchObject({ status: 401, body: UNAUTHORIZED });
  });

  test('an altered body, before it is parsed: even one that is no JSON', async () => {
    const headers = headersFor({ method: 'POST', path: '/api/v1/wallets', body: '{"name":"a","wallet_type":"mpc"}' });
    for (const payload of ['{"name":"b","wallet_type":"mpc"}', '{"name":']) {
      const response = await api.app.inject({
        method: 'POST',
        url: '/api/v1/wallets',
        payload,
        headers: { ...headers, 'content-type': 'application/json' },
      });
      expect({ status: response.statusCode, body: response.json() }).toEqual({ status: 401, body: UNAUTHORIZED });
    }
  });

  function base64OfDigest() {
    const headers = headersFor({});
    return { ...headers, 'access-sign': Buffer.from(headers['access-sign'], 'hex').toString('base64') };
  }
});

describe('scopes and bindings', () => {
  test('a key without the scope gets 403 insufficient_scope', async () => {
    const key = await api.makeKey({ scopes: ['wallets:read'] });
    const answer = await api.call('POST', '/api/v1/wallets', { name: 'x', wallet_type: 'mpc' }, { key });
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope', data: null } });
  });

  test('a key bound to one wallet reaches no other and creates none', async () => {
    const [own, other] = await Promise.all([api.makeActiveWallet(), api.makeActiveWallet()]);
    const key = await api.makeKey({ scopes: ['wallets:read', 'wallets:write'], walletIds: [own] });
    expect((await api.call('GET', `/api/v1/web3/wallet-detail/${own}`, undefined, { key })).status).toBe(200);
    const answer = await api.call('GET', `/api/v1/web3/wallet-detail/${other}`, undefined, { key });
    expect(answer).toMatchObject({ status: 403, body: { code: 'wallet_not_allowed' } });
    const created = await api.call('POST', '/api/v1/wallets', { name: 'x', wallet_type: 'mpc' }, { key });
    expect(created).toMatchObject({ status: 403, body: { code: 'wallet_not_allowed' } });
  });

  test('a revocation holds within a second, although the key was just used', async () => {
    const key = await api.makeKey({});
    expect((await api.call('GET', SELF, undefined, { key })).status).toBe(200);
    await api.db.execute(`update api_keys set revoked_at = now() where api_key = '${key.apiKey}'`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect((await api.call('GET', SELF, undefined, { key })).status).toBe(401);
  });

  test('a legacy key may sign the path without its query, others may not', async () => {
    const walletId = await api.makeActiveWallet();
    const [path, query] = [`/api/v1/wallets/${walletId}/address`, '?address_type=evm'];
    const legacy = await api.makeKey({ scopes: ['wallets:read'], legacyPathSigning: true });
    const plain = await api.makeKey({ scopes: ['wallets:read'] });
    for (const [key, status] of [
      [legacy, 200],
      [plain, 401],
    ] as const) {
      const timestamp = String(now());
      const sign = createHmac('sha256', key.apiSecret)
        .update(`method=GET&path=${path}&timestamp=${timestamp}&body=`)
        .digest('hex');
      const headers = { 'access-api-key': key.apiKey, 'access-timestamp': timestamp, 'access-sign': sign };
      expect((await get(headers, path + query)).status).toBe(status);
    }
  });
});

test('every answer carries X-Request-Id, also a refusal', async () => {
  const response = await api.app.inject({ method: 'GET', url: SELF });
  expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
});
