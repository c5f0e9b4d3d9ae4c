// Goal: only a correctly signed request of a usable key passes, and every refusal is the same 401. Method: signed
// requests against the API on a real database, each altered in one way.

import type * as crypto from 'node:crypto';
import { createHmac } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { insertWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { KeyRing } from '../../../src/authentication/key-ring.ts';
import { collectGarbage } from '../../../src/http/collect-garbage.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { testSeals } from '../../support/rows/seals.ts';

const SELF = '/api/v1/api-keys/self';
const UNAUTHORIZED = { success: false, message: 'invalid api signature', code: 'unauthorized', data: null };

const counted = vi.hoisted(() => {
  // What other files of this process have loaded holds the real module.
  vi.resetModules();
  return { hmacs: 0, comparisons: 0 };
});
vi.mock('node:crypto', async (original) => {
  const real = await original<typeof crypto>();
  return {
    ...real,
    createHmac: (...all: Parameters<typeof real.createHmac>) => {
      counted.hmacs += 1;
      return real.createHmac(...all);
    },
    timingSafeEqual: (...all: Parameters<typeof real.timingSafeEqual>) => {
      counted.comparisons += 1;
      return real.timingSafeEqual(...all);
    },
  };
});

/** Apart, so that nothing of the test itself holds what was found. */
const recall = async (ring: KeyRing, apiKey: string) => {
  const found = ring.find(apiKey);
  await found;
  return new WeakRef(found);
};

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
    ['base64 with foreign characters, as a repeated header would be joined', () => withBase64((text) => joined(text))],
    [
      'base64 whose last character holds bits that are not decoded',
      () => withBase64((text) => text.replace(/.==$/, (end) => `${nextLetter(end)}==`)),
    ],
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

  test('an unknown key, signed with the secret of the key that was read last', async () => {
    const known = await api.makeKey({});
    expect((await api.call('GET', SELF, undefined, { key: known })).status).toBe(200);
    for (const apiKey of ['ck_unknown', `${known.apiKey}0`, known.apiKey.toUpperCase()]) {
      const answer = await api.call('GET', SELF, undefined, { key: { ...known, apiKey } });
      expect(answer).toMatchObject({ status: 401, body: UNAUTHORIZED });
    }
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

  function withBase64(alter: (text: string) => string) {
    const headers = headersFor({});
    return { ...headers, 'access-sign': alter(Buffer.from(headers['access-sign']).toString('base64')) };
  }

  /** 86 significant characters and, in the place of the padding, what joins two headers. */
  function joined(text: string) {
    const altered = `${text.slice(0, 40)}, ${text.slice(40, 86)}`;
    expect(altered).toHaveLength(88);
    return altered;
  }

  function nextLetter(end: string) {
    return String.fromCharCode(end.charCodeAt(0) + 1);
  }

  function base64OfDigest() {
    const headers = headersFor({});
    return { ...headers, 'access-sign': Buffer.from(headers['access-sign'], 'hex').toString('base64') };
  }
});

test.each([
  ['four HMACs, two for each form of the request,', `${SELF}?page=2`, 6],
  ['two HMACs, where both forms are the same,', SELF, 4],
])(
  'every outcome takes %s and four comparisons for the signature, and one each for the seals of key and user',
  async (_hmacs, path, hmacs) => {
    const keys = [await api.makeKey({}), await api.makeKey({ legacyPathSigning: true })];
    const unknown = { ...(keys[0] as TestKey), apiKey: 'ck_unknown' };
    const long = { ...(keys[0] as TestKey), apiKey: `ck_${'0'.repeat(100)}` };
    const wrong = { ...(await api.makeKey({})), apiSecret: 'wrong' };
    // What other tests have asked for is remembered no longer: each is read anew, with its seals.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (const key of [...keys, unknown, long, wrong]) {
      // The test's own signature is one of the HMACs.
      counted.hmacs = -1;
      counted.comparisons = 0;
      await api.call('GET', path, undefined, { key });
      expect(counted).toEqual({ hmacs, comparisons: 6 });
    }
  },
);

test('what was verified once is not computed again for as long as the secrets of its key are the same', async () => {
  const id = uuidv7();
  const { workspaceId } = api;
  await api.db.transaction((tx) =>
    insertWallet(tx, testSeals, { id, workspaceId, name: 'waited for', walletType: 'mpc' }),
  );
  counted.hmacs = -1;
  const options = { headers: { prefer: 'wait=2' } };
  const answer = await api.call('GET', `/api/v1/wallets/creation-status/${id}`, undefined, options);
  expect(answer.headers).toHaveProperty('preference-applied', 'wait');
  // Four of the signature, once; two of the seals of key and user, each time that the key is read anew.
  expect([6, 8, 10]).toContain(counted.hmacs);
});

test('identifiers that are too long for a key are never remembered, one by one or at all', async () => {
  const ring = new KeyRing(api.db, [], testSeals);
  const reads = vi.spyOn(api.db.$client, 'unsafe');
  for (let made = 0; made < 50; made += 1) expect((await ring.find('k'.repeat(65 + made))).key).toBeUndefined();
  // Of one identifier: its row, and what was found of it.
  expect(reads.mock.calls.length).toBe(2);
  reads.mockRestore();
  const apiKey = 'k'.repeat(65);
  await api.makeKey({ apiKey });
  expect((await ring.find(apiKey)).key).toBeUndefined();
});

test('secrets leave the memory of the process when they are of no more use, without another request', async () => {
  const ring = new KeyRing(api.db, [Buffer.alloc(32)], testSeals);
  const remembered = await recall(ring, 'ck_unknown');
  collectGarbage();
  expect(remembered.deref()).toBeDefined();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  collectGarbage();
  expect(remembered.deref()).toBeUndefined();
  // The ring itself is still in use.
  expect((await ring.find('ck_unknown')).key).toBeUndefined();
});

test('the log of a failure names the key and the address, and never what was sent as a secret', async () => {
  const another = await api.startAnother();
  const lines: object[] = [];
  another.app.addHook('onRequest', async (request) => {
    request.log.info = (line: object) => void lines.push(line);
  });
  const attempt = async (apiKey: string) => {
    const key = { apiKey, apiSecret: 'wrong' };
    await api.call('GET', SELF, undefined, { key, at: another.app, remoteAddress: '::ffff:203.0.113.9' });
    return lines.pop();
  };
  const address = '203.0.113.9';
  const { apiKey, apiSecret } = api.admin;
  expect(await attempt(apiKey)).toEqual({ reason: 'wrong signature', apiKey, address });
  const reason = 'unknown, revoked or expired key';
  expect(await attempt(`ck_${'0'.repeat(32)}`)).toEqual({ reason, apiKey: `ck_${'0'.repeat(32)}`, address });
  for (const other of [apiSecret, 'cs_secret', `${apiKey}0`, 'x'.repeat(300)])
    expect(await attempt(other)).toEqual({ reason, address });
  expect(lines).toEqual([]);
  await another.stop();
});

test('a body on a read is covered by the signature, and refused where none is taken', async () => {
  const headers = headersFor({});
  const options = { method: 'GET' as const, url: SELF, payload: '{"a":1}' };
  const unsigned = await api.app.inject({ ...options, headers: { ...headers, 'content-type': 'application/json' } });
  expect(unsigned.statusCode).toBe(401);
  const signed = await api.call('GET', SELF, { a: 1 });
  expect([signed.status, signed.body.code]).toEqual([400, 'invalid_request']);
  expect((await api.call('GET', SELF, {})).status).toBe(200);
});

test('every answer carries X-Request-Id, also a refusal', async () => {
  const response = await api.app.inject({ method: 'GET', url: SELF });
  expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
});
