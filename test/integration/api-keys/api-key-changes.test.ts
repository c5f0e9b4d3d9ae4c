// Goal: keys are changed, rotated and revoked as the contract says, nobody gains by it what he lacks, and a workspace
// keeps a key that administers it. Method: the API on a real database, case by status code; every secret is tried by
// signing with it.
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../../domain/scopes.ts';
import { apiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { codeOf, HOUR_MS, KeyCalls, keyOf, SELF, soon, UNKNOWN_ID } from '../../support/api/api-keys.ts';

let api: TestApi;
let keys: KeyCalls;
beforeAll(async () => {
  api = await startApi();
  keys = new KeyCalls(api);
});
afterAll(() => api.stop());

describe('PATCH /api-keys/{id}', () => {
  const change = (id: string, body: unknown, key?: TestKey) =>
    keys.write('PATCH', `/api/v1/api-keys/${id}`, body, key === undefined ? {} : { key });

  test('200: each field, and null takes away what may be absent', async () => {
    const { id } = (await keys.create({ ip_allowlist: ['10.0.0.0/8'], expires_at: soon() })).body.data;
    const walletId = await api.makeActiveWallet();
    const fields = {
      name: 'renamed',
      scopes: ['signing:read'],
      wallet_ids: [walletId],
      ip_allowlist: ['192.0.2.1'],
      expires_at: soon(),
    };
    const changed = await change(id, fields);
    expect(changed).toMatchObject({ status: 200, body: { data: { id, ...fields } } });
    expect(changed.body.data.updated_at > changed.body.data.created_at).toBe(true);
    const cleared = (await change(id, { ip_allowlist: null, expires_at: null, wallet_ids: [] })).body.data;
    expect(cleared).toMatchObject({ name: 'renamed', wallet_ids: [] });
    expect(cleared).not.toHaveProperty('ip_allowlist');
    expect(cleared).not.toHaveProperty('expires_at');
  });

  test('a change holds at once in the process that made it', async () => {
    const answer = await keys.create();
    const [key, wallets] = [keyOf(answer), `/api/v1/workspaces/${api.workspaceId}/wallets`];
    expect((await api.call('GET', wallets, undefined, { key })).status).toBe(200);
    await change(answer.body.data.id, { scopes: ['signing:read'] });
    expect((await api.call('GET', wallets, undefined, { key })).status).toBe(403);
  });

  test('200 again: a repeated idempotency key changes nothing twice', async () => {
    const { id } = (await keys.create()).body.data;
    const headers = { 'x-idempotency-key': 'rename' };
    const path = `/api/v1/api-keys/${id}`;
    expect((await keys.write('PATCH', path, { name: 'first' }, { headers })).status).toBe(200);
    await change(id, { name: 'second' });
    const again = await api.call('PATCH', path, { name: 'first' }, { headers });
    expect(again).toMatchObject({ status: 200, body: { data: { name: 'first' } } });
    const [row] = await api.db.select().from(apiKeys).where(eq(apiKeys.id, id));
    expect(row?.name).toBe('second');
  });

  test.each([
    ['nothing to change', {}],
    ['an unknown scope', { scopes: ['all'] }],
    ['a wallet that is not there', { wallet_ids: [UNKNOWN_ID] }],
    ['a malformed address', { ip_allowlist: ['1.2.3'] }],
    ['a past end', { expires_at: '2020-01-01T00:00:00Z' }],
    ['the identifier', { api_key: 'ck_mine' }],
    ['legacy signing', { legacy_path_signing: true }],
  ])('400: %s', async (_name, body) => {
    const { id } = (await keys.create()).body.data;
    expect(codeOf(await change(id, body))).toEqual([400, 'invalid_request']);
  });

  test('403: no scope and no wallet is granted that the caller lacks', async () => {
    const [own, other] = await Promise.all([api.makeActiveWallet(), api.makeActiveWallet()]);
    const caller = await api.makeKey({ scopes: ['api_keys:admin', 'wallets:read', 'signing:read'], walletIds: [own] });
    const { id } = (await keys.create({ scopes: ['wallets:read'], wallet_ids: [own] })).body.data;
    for (const body of [{ scopes: ['policies:write'] }, { wallet_ids: [] }, { wallet_ids: [own, other] }])
      expect(codeOf(await change(id, body, caller))).toEqual([403, 'insufficient_scope']);
    expect((await change(id, { scopes: ['wallets:read', 'signing:read'] }, caller)).status).toBe(200);
    const self = await keys.idOf(caller);
    for (const body of [{ wallet_ids: [] }, { scopes: [...scopes] }])
      expect(codeOf(await change(self, body, caller))).toEqual([403, 'insufficient_scope']);
  });

  test("403: a grant never joins the caller's scopes with the wallets of the other key", async () => {
    const [own, other] = await Promise.all([api.makeActiveWallet(), api.makeActiveWallet()]);
    const bound = await api.makeKey({ scopes: ['api_keys:admin', 'signing:write'], walletIds: [own] });
    const elsewhere = await keys.create({ scopes: ['wallets:read'], wallet_ids: [other] });
    const scoped = { scopes: ['wallets:read', 'signing:write'] };
    expect(codeOf(await change(elsewhere.body.data.id, scoped, bound))).toEqual([403, 'insufficient_scope']);
    const admin = await api.makeKey({ scopes: ['api_keys:admin', 'wallets:read'] });
    const signer = await keys.create({ scopes: ['signing:write'], wallet_ids: [own] });
    expect(codeOf(await change(signer.body.data.id, { wallet_ids: [] }, admin))).toEqual([403, 'insufficient_scope']);
    expect(await keys.rowOf(signer.body.data.id)).toMatchObject({ walletIds: [own] });
  });

  test('403: a key that can do more than the caller is left as it is, in every field, also when it is dead', async () => {
    const [own, other] = await Promise.all([api.makeActiveWallet(), api.makeActiveWallet()]);
    const admin = await api.makeKey({ scopes: ['api_keys:admin'] });
    const bound = await api.makeKey({ scopes: ['api_keys:admin', 'wallets:read'], walletIds: [own] });
    const dead = { expiresAt: new Date(Date.now() - 1000), ipAllowlist: ['192.0.2.1'] };
    const signer = await api.makeKey({ scopes: ['signing:write'] });
    const expired = await api.makeKey({ scopes: ['signing:write'], ...dead });
    const elsewhere = await api.makeKey({ scopes: ['wallets:read'], walletIds: [other] });
    const ids = new Map((await keys.rows()).map(({ apiKey, id }) => [apiKey, id]));
    const revive = { expires_at: null, ip_allowlist: null };
    for (const [caller, key] of [
      [admin, signer],
      [admin, expired],
      [bound, elsewhere],
    ] as const) {
      const id = ids.get(key.apiKey) ?? '';
      const before = await keys.rowOf(id);
      for (const body of [revive, { name: 'mine' }, { scopes: ['api_keys:admin'] }, { ip_allowlist: ['192.0.2.2'] }])
        expect(codeOf(await change(id, body, caller))).toEqual([403, 'insufficient_scope']);
      expect(codeOf(await keys.write('DELETE', `/api/v1/api-keys/${id}`, undefined, { key: caller }))).toEqual([
        403,
        'insufficient_scope',
      ]);
      expect(await keys.rowOf(id)).toEqual({ ...before, lastUsedAt: expect.toSatisfy(() => true) });
    }
    expect(await keys.statusWith(expired)).toBe(401);
    expect((await change(ids.get(expired.apiKey) ?? '', revive)).status).toBe(200);
    expect(await keys.statusWith(expired)).toBe(200);
  });

  test("400 for a malformed id, 404 for an unknown one and another workspace's", async () => {
    expect(codeOf(await change('x', { name: 'n' }))).toEqual([400, 'invalid_request']);
    expect(codeOf(await change(UNKNOWN_ID, { name: 'n' }))).toEqual([404, 'not_found']);
    const other = await api.makeWorkspace();
    expect(codeOf(await change(await keys.idOf(other.key), { name: 'n' }))).toEqual([404, 'not_found']);
  });

  test('409: a revoked key', async () => {
    const { id } = (await keys.create()).body.data;
    await keys.write('DELETE', `/api/v1/api-keys/${id}`);
    expect(codeOf(await change(id, { name: 'back' }))).toEqual([409, 'invalid_state']);
  });
});

describe('POST /api-keys/{id}/rotate', () => {
  const rotate = (id: string, body: unknown = {}, key?: TestKey) =>
    keys.write('POST', `/api/v1/api-keys/${id}/rotate`, body, key === undefined ? {} : { key });

  test('200: both secrets sign during the overlap, then only the new one', async () => {
    const first = await keys.create();
    const before = keyOf(first);
    const rotated = await rotate(first.body.data.id, { overlap_seconds: 2 });
    expect(rotated).toMatchObject({ status: 200, body: { data: { api_key: before.apiKey } } });
    const after = keyOf(rotated);
    expect(after.apiSecret).not.toBe(before.apiSecret);
    expect([await keys.statusWith(before), await keys.statusWith(after)]).toEqual([200, 200]);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect([await keys.statusWith(before), await keys.statusWith(after)]).toEqual([401, 200]);
    expect((await api.call('GET', SELF, undefined, { key: after })).body.data).not.toHaveProperty(
      'previous_secret_expires_at',
    );
  });

  test('200: an hour of overlap when nothing is said, none for 0', async () => {
    const first = await keys.create();
    const { id } = first.body.data;
    const rotated = await rotate(id);
    const leftMs = Date.parse(rotated.body.data.previous_secret_expires_at) - Date.now();
    expect(leftMs).toBeGreaterThan(HOUR_MS - 10_000);
    expect(leftMs).toBeLessThanOrEqual(HOUR_MS);
    const again = await rotate(id, { overlap_seconds: 0 });
    expect(again.body.data).not.toHaveProperty('previous_secret_expires_at');
    expect([
      await keys.statusWith(keyOf(first)),
      await keys.statusWith(keyOf(rotated)),
      await keys.statusWith(keyOf(again)),
    ]).toEqual([401, 401, 200]);
    expect(await keys.rowOf(id)).toMatchObject({ previousSecretEncrypted: null, previousSecretExpiresAt: null });
  });

  test('a second rotation ends the secret before the last at once', async () => {
    const first = await keys.create();
    const second = await rotate(first.body.data.id);
    const third = await rotate(first.body.data.id);
    expect([
      await keys.statusWith(keyOf(first)),
      await keys.statusWith(keyOf(second)),
      await keys.statusWith(keyOf(third)),
    ]).toEqual([401, 200, 200]);
  });

  test('200 again: a repeated idempotency key shows no secret and rotates nothing', async () => {
    const first = await keys.create();
    const path = `/api/v1/api-keys/${first.body.data.id}/rotate`;
    const headers = { 'x-idempotency-key': 'rotate-once' };
    const rotated = await keys.write('POST', path, {}, { headers });
    const again = await keys.write('POST', path, {}, { headers });
    expect(again.status).toBe(200);
    const { id, previous_secret_expires_at } = rotated.body.data;
    expect(again.body.data).toMatchObject({ id, previous_secret_expires_at });
    expect(again.body.data).not.toHaveProperty('api_secret');
    expect(await keys.statusWith(keyOf(rotated))).toBe(200);
  });

  test.each([{ overlap_seconds: -1 }, { overlap_seconds: 604_801 }, { overlap_seconds: 1.5 }, { overlap: 5 }])(
    '400: %j',
    async (body) => {
      expect(codeOf(await rotate((await keys.create()).body.data.id, body))).toEqual([400, 'invalid_request']);
    },
  );

  test('403: the secret of a key that may do more is never handed out', async () => {
    const walletId = await api.makeActiveWallet();
    const admin = await keys.idOf(api.admin);
    const lesser = await api.makeKey({ scopes: ['api_keys:admin'] });
    const bound = await api.makeKey({ scopes: [...scopes], walletIds: [walletId] });
    for (const key of [lesser, bound]) {
      expect(codeOf(await rotate(admin, {}, key))).toEqual([403, 'insufficient_scope']);
      expect((await rotate(await keys.idOf(key), {}, key)).status).toBe(200);
    }
    expect(await keys.statusWith(api.admin)).toBe(200);
  });

  test('404: unknown; 409: revoked', async () => {
    expect(codeOf(await rotate(UNKNOWN_ID))).toEqual([404, 'not_found']);
    const { id } = (await keys.create()).body.data;
    await keys.write('DELETE', `/api/v1/api-keys/${id}`);
    expect(codeOf(await rotate(id))).toEqual([409, 'invalid_state']);
  });
});

describe('DELETE /api-keys/{id}', () => {
  const revoke = (id: string, options = {}) => keys.write('DELETE', `/api/v1/api-keys/${id}`, undefined, options);

  test('200: refused at once in this process, both secrets; a repeat answers the same', async () => {
    const first = await keys.create();
    const { id } = first.body.data;
    const rotated = await keys.write('POST', `/api/v1/api-keys/${id}/rotate`, {});
    expect([await keys.statusWith(keyOf(first)), await keys.statusWith(keyOf(rotated))]).toEqual([200, 200]);
    const revoked = await revoke(id);
    expect(revoked).toMatchObject({ status: 200, body: { data: { id, revoked_at: expect.any(String) } } });
    expect([await keys.statusWith(keyOf(first)), await keys.statusWith(keyOf(rotated))]).toEqual([401, 401]);
    const again = await revoke(id);
    expect(again).toMatchObject({ status: 200, body: { data: { revoked_at: revoked.body.data.revoked_at } } });
  });

  test('200: a key may revoke itself', async () => {
    const key = await api.makeKey({ scopes: ['api_keys:admin'] });
    expect((await revoke(await keys.idOf(key), { key })).status).toBe(200);
    expect(await keys.statusWith(key)).toBe(401);
  });

  test("400, 404: malformed, unknown, another workspace's", async () => {
    const other = await api.makeWorkspace();
    expect(codeOf(await revoke('x'))).toEqual([400, 'invalid_request']);
    expect(codeOf(await revoke(UNKNOWN_ID))).toEqual([404, 'not_found']);
    expect(codeOf(await revoke(await keys.idOf(other.key)))).toEqual([404, 'not_found']);
    expect(await keys.statusWith(other.key)).toBe(200);
  });

  test('409: the last key that administers for ever is neither revoked nor stripped', async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    const path = `/api/v1/workspaces/${workspaceId}/api-keys`;
    const id = await keys.idOf(key);
    const walletId = await api.makeActiveWallet(workspaceId);
    // None of these administers all keys for ever: revoked, expired, soon to end, bound to a wallet, without the scope.
    const admin = { workspaceId, scopes: ['api_keys:admin'] };
    await api.makeKey({ ...admin, revokedAt: new Date() });
    await api.makeKey({ ...admin, expiresAt: new Date(Date.now() - 1000) });
    const ending = await api.makeKey({ ...admin, expiresAt: new Date(Date.now() + HOUR_MS) });
    await api.makeKey({ ...admin, walletIds: [walletId] });
    await api.makeKey({ workspaceId, scopes: ['wallets:read'] });
    const patch = async (body: object) => codeOf(await keys.write('PATCH', `/api/v1/api-keys/${id}`, body, { key }));
    expect(codeOf(await revoke(id, { key }))).toEqual([409, 'invalid_state']);
    const takenAway = [
      { scopes: ['wallets:read'] },
      { expires_at: soon() },
      { wallet_ids: [walletId] },
      { ip_allowlist: ['127.0.0.0/8'] },
    ];
    for (const body of takenAway) expect(await patch(body)).toEqual([409, 'invalid_state']);
    expect(await patch({ name: 'kept', expires_at: null, ip_allowlist: null, wallet_ids: [] })).toEqual([200, 0]);
    expect((await revoke(await keys.idOf(ending), { key })).status).toBe(200);
    const second = await keys.write('POST', path, { name: 'second', scopes, ip_allowlist: ['127.0.0.1'] }, { key });
    for (const body of takenAway.slice(1)) expect(await patch(body)).toEqual([200, 0]);
    expect((await revoke(id, { key: keyOf(second) })).status).toBe(200);
    const last = `/api/v1/api-keys/${second.body.data.id}`;
    const same = { ip_allowlist: ['127.0.0.1'], scopes: ['api_keys:admin'] };
    expect((await keys.write('PATCH', last, same, { key: keyOf(second) })).status).toBe(200);
    expect(codeOf(await revoke(second.body.data.id, { key: keyOf(second) }))).toEqual([409, 'invalid_state']);
  });
});
