// Goal: a key reaches what it was made for, from where and until when it was made for, and its last use is noted.
// Method: signed requests against the API on a real database; addresses as a socket or a proxy would give them.
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import { type CallOptions, startApi, type TestApi, type TestKey } from '../../support/api/api.ts';

const SELF = '/api/v1/api-keys/self';
const UNAUTHORIZED = { success: false, message: 'invalid api signature', code: 'unauthorized', data: null };

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

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
});

test('an end holds to the moment, although the key was just used', async () => {
  const key = await api.makeKey({ expiresAt: new Date(Date.now() + 400) });
  expect((await api.call('GET', SELF, undefined, { key })).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 450));
  expect((await api.call('GET', SELF, undefined, { key })).status).toBe(401);
});

describe('where a key may be used from', () => {
  const from = (key: TestKey, remoteAddress: string, options: CallOptions = {}) =>
    api.call('GET', SELF, undefined, { key, remoteAddress, ...options });

  test('403 ip_not_allowed elsewhere, and only after a valid signature', async () => {
    const key = await api.makeKey({ ipAllowlist: ['203.0.113.0/24', '2001:db8::/32'] });
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::9'])
      expect([address, (await from(key, address)).status]).toEqual([address, 200]);
    for (const address of ['203.0.114.9', '::ffff:203.0.114.9', '2001:db9::9', '127.0.0.1'])
      expect(await from(key, address)).toMatchObject({ status: 403, body: { code: 'ip_not_allowed' } });
    const stolen = { apiKey: key.apiKey, apiSecret: api.admin.apiSecret };
    expect(await from(stolen, '203.0.114.9')).toMatchObject({ status: 401, body: UNAUTHORIZED });
  });

  test('X-Forwarded-For counts for nothing when no proxy is trusted', async () => {
    const key = await api.makeKey({ ipAllowlist: ['203.0.113.9'] });
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9', forwarded: 'for=203.0.113.9' };
    expect((await from(key, '198.51.100.1', { headers })).status).toBe(403);
    expect((await from(key, '203.0.113.9', { headers: { 'x-forwarded-for': '198.51.100.1' } })).status).toBe(200);
  });

  test.each([
    [1, '203.0.113.9', 200],
    [1, '198.51.100.1, 203.0.113.9', 200],
    [1, '203.0.113.9, 198.51.100.1', 403],
    [1, '203.0.113.9, 10.0.0.2', 403],
    [1, '203.0.113.9:4711', 403],
    [1, 'unknown', 403],
    [2, '203.0.113.9, 10.0.0.2', 200],
    [2, '198.51.100.1, 203.0.113.9, 10.0.0.2', 200],
    [2, '203.0.113.9, 198.51.100.1, 10.0.0.2', 403],
    [2, '203.0.113.9, 203.0.113.9, 198.51.100.1, 10.0.0.2', 403],
    [2, '203.0.113.9', 200],
  ])('behind %d trusted proxies, "%s" leads to %d', async (trustedProxies, forwarded, status) => {
    const behind = await api.startAnother({ http: { trustedProxies } });
    try {
      const key = await api.makeKey({ ipAllowlist: ['203.0.113.9'] });
      const options = { at: behind.app, headers: { 'x-forwarded-for': forwarded } };
      expect((await from(key, '10.0.0.1', options)).status).toBe(status);
    } finally {
      await behind.stop();
    }
  });
});

describe('the last use', () => {
  const useOf = async (key: TestKey) => (await api.db.select().from(apiKeys).where(eq(apiKeys.apiKey, key.apiKey)))[0];

  test('is written for all keys in one statement, not at the request, and is no change of the key', async () => {
    const another = await api.startAnother();
    const keys = await Promise.all(Array.from({ length: 20 }, () => api.makeKey({})));
    const madeAt = (await useOf(keys[0] as TestKey))?.updatedAt;
    await api.db.execute(sql`create table counted (at timestamptz default now())`);
    await api.db.execute(
      sql`create function count_update() returns trigger language plpgsql as 'begin insert into counted default values; return null; end'`,
    );
    await api.db.execute(
      sql`create trigger counting after update on api_keys for each statement execute function count_update()`,
    );
    const startedMs = performance.now();
    for (const key of keys)
      for (const remoteAddress of ['198.51.100.1', '::ffff:203.0.113.9'])
        expect((await api.call('GET', SELF, undefined, { key, remoteAddress, at: another.app })).status).toBe(200);
    await another.stop();
    await api.db.execute(sql`drop trigger counting on api_keys`);
    // Each of the two processes writes every three seconds, and at its end: forty requests alone would be forty
    // statements.
    const most = 2 * (1 + Math.floor((performance.now() - startedMs) / 3_000));
    const statements = (await api.db.execute(sql`select * from counted`)).length;
    expect(statements).toBeGreaterThan(0);
    expect(statements).toBeLessThanOrEqual(most);
    for (const key of keys) {
      const row = await useOf(key);
      expect(row).toMatchObject({ lastUsedIp: '203.0.113.9' });
      expect(Date.now() - Number(row?.lastUsedAt)).toBeLessThan(180_000);
    }
    expect((await useOf(keys[0] as TestKey))?.updatedAt).toEqual(madeAt);
    const shown = (await api.call('GET', SELF, undefined, { key: keys[0] as TestKey })).body.data;
    expect(shown).toMatchObject({ last_used_ip: '203.0.113.9', last_used_at: expect.stringMatching(/Z$/) });
  });

  test('an older use never replaces a later one, and a failure leaves no trace', async () => {
    const key = await api.makeKey({ lastUsedAt: new Date(Date.now() + 60_000), lastUsedIp: '192.0.2.1' });
    const untouched = await api.makeKey({});
    const another = await api.startAnother();
    await api.call('GET', SELF, undefined, { key, at: another.app });
    await api.call('GET', SELF, undefined, { key: { ...untouched, apiSecret: 'wrong' }, at: another.app });
    await another.stop();
    expect(await useOf(key)).toMatchObject({ lastUsedIp: '192.0.2.1' });
    expect(await useOf(untouched)).toMatchObject({ lastUsedAt: null, lastUsedIp: null });
  });

  test('it is written by itself within seconds', async () => {
    const key = await api.makeKey({});
    await api.call('GET', SELF, undefined, { key });
    await expect.poll(async () => (await useOf(key))?.lastUsedAt, { timeout: 60_000 }).toBeInstanceOf(Date);
  });
});
