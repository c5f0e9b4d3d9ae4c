// Goal: keys are made, changed, rotated and revoked as the contract says, a key gives away nothing that it lacks, and a secret is shown once. Method: the
// API on a real database, case by status code; every new secret is tried by signing with it.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeys } from '../../drizzle/api-keys.ts';
import { connectDatabase } from '../../drizzle/database.ts';
import { KeyRing } from '../../src/api-keys/key-ring.ts';
import { scopes } from '../../src/api-keys/scopes.ts';
import { WriteClock } from '../../src/client/write-clock.ts';
import { runCommand } from '../../src/local/service-processes.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { type Answer, type CallOptions, startApi, type TestApi, type TestKey } from '../support/api.ts';
import { createTestDatabase } from '../support/postgres.ts';

const SELF = '/api/v1/api-keys/self';
const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const HOUR_MS = 3_600_000;

let api: TestApi;
let list: string;
const clock = new WriteClock();

/** Equal writes are signed in different seconds: a signature counts once. */
function write(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
  const timestamp = clock.secondFor(`${method} ${path} ${JSON.stringify(body)} ${options.key?.apiSecret}`);
  return api.call(method, path, body, { timestamp, ...options });
}

beforeAll(async () => {
  api = await startApi();
  list = `/api/v1/workspaces/${api.workspaceId}/api-keys`;
});
afterAll(() => api.stop());

const soon = () => new Date(Date.now() + HOUR_MS).toISOString();
const rows = () => api.db.select().from(apiKeys);
const rowOf = async (id: string) => (await api.db.select().from(apiKeys).where(eq(apiKeys.id, id)))[0];
const keyOf = ({ body }: Answer): TestKey => ({ apiKey: body.data.api_key, apiSecret: body.data.api_secret });
const statusWith = async (key: TestKey) => (await api.call('GET', SELF, undefined, { key })).status;
const create = (body: object = {}, key?: TestKey) =>
  write('POST', list, { name: 'a key', scopes: ['wallets:read'], ...body }, key === undefined ? {} : { key });
const idOf = async (key: TestKey): Promise<string> => (await api.call('GET', SELF, undefined, { key })).body.data.id;
const codeOf = ({ status, body }: Answer) => [status, body.code];

describe('POST …/api-keys', () => {
  test('201: the record, a secret that signs, and the secret stored only encrypted', async () => {
    const walletId = await api.makeActiveWallet();
    const expires_at = soon();
    const body = {
      scopes: ['wallets:read', 'signing:read'],
      wallet_ids: [walletId.toUpperCase()],
      ip_allowlist: ['127.0.0.0/8', '::1'],
      expires_at,
    };
    const answer = await create({ name: 'reader', ...body });
    expect(answer.status).toBe(201);
    const { data } = answer.body;
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      api_key: expect.stringMatching(/^ck_[0-9a-f]{32}$/),
      api_secret: expect.stringMatching(/^cs_[\w-]{43}$/),
      workspace_id: api.workspaceId,
      name: 'reader',
      ...body,
      wallet_ids: [walletId],
      created_by: await idOf(api.admin),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const self = await api.call('GET', SELF, undefined, { key: keyOf(answer) });
    const { api_secret, ...record } = data;
    expect(self.body.data).toEqual(record);
    expect(JSON.stringify(await rowOf(data.id))).not.toContain(api_secret);
    expect(Buffer.from((await rowOf(data.id))?.secretEncrypted ?? []).includes(api_secret)).toBe(false);
  });

  test('201 again: a repeated idempotency key answers the same record without the secret, and makes no second key', async () => {
    const headers = { 'x-idempotency-key': 'create-once' };
    const body = { name: 'once', scopes: ['wallets:read'] };
    const first = await write('POST', list, body, { headers });
    const before = (await rows()).length;
    const again = await write('POST', list, body, { headers });
    const { api_secret, ...record } = first.body.data;
    expect(api_secret).toBeDefined();
    expect(again).toMatchObject({ status: 201, body: { data: record } });
    expect(again.body.data).not.toHaveProperty('api_secret');
    expect((await rows()).length).toBe(before);
    const other = await write('POST', list, { ...body, name: 'twice' }, { headers });
    expect(codeOf(other)).toEqual([409, 'idempotency_key_reused']);
  });

  test('absent fields stay absent', async () => {
    const { data } = (await create()).body;
    expect(data).toMatchObject({ wallet_ids: [] });
    for (const field of [
      'ip_allowlist',
      'expires_at',
      'revoked_at',
      'last_used_at',
      'last_used_ip',
      'legacy_path_signing',
    ])
      expect(data).not.toHaveProperty(field);
    expect((await create({ legacy_path_signing: true })).body.data.legacy_path_signing).toBe(true);
  });

  const invalid: [string, object][] = [
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['U+0000 in the name', { name: 'a\0b' }],
    ['no scopes', { scopes: [] }],
    ['an unknown scope', { scopes: ['wallets:read', 'wallets:everything'] }],
    ['a scope twice', { scopes: ['wallets:read', 'wallets:read'] }],
    ['scopes as text', { scopes: 'wallets:read' }],
    ['a wallet that is none', { wallet_ids: ['wallet'] }],
    ['a wallet that is not there', { wallet_ids: [UNKNOWN] }],
    ['an address that is none', { ip_allowlist: ['example.com'] }],
    ['a range with host bits', { ip_allowlist: ['10.0.0.1/8'] }],
    ['an octal address', { ip_allowlist: ['010.0.0.1'] }],
    ['a past end', { expires_at: '2020-01-01T00:00:00Z' }],
    ['an end that is no time', { expires_at: 'tomorrow' }],
    ['an end that is null', { expires_at: null }],
    ['an unknown field', { secret: 'mine' }],
  ];
  test.each(invalid)('400: %s', async (_name, body) => {
    const before = (await rows()).length;
    expect(codeOf(await create(body))).toEqual([400, 'invalid_request']);
    expect((await rows()).length).toBe(before);
  });

  test("400: another workspace's wallet", async () => {
    const other = await api.makeWorkspace();
    const answer = await create({ wallet_ids: [await api.makeActiveWallet(other.workspaceId)] });
    expect(codeOf(answer)).toEqual([400, 'invalid_request']);
  });

  test('403: a key grants only scopes that it has', async () => {
    const key = await api.makeKey({ scopes: ['api_keys:admin', 'wallets:read'] });
    expect((await create({ scopes: ['wallets:read'] }, key)).status).toBe(201);
    expect(codeOf(await create({ scopes: ['wallets:read', 'signing:write'] }, key))).toEqual([
      403,
      'insufficient_scope',
    ]);
  });

  test('403: a key that is bound to wallets grants only some of these', async () => {
    const [own, other] = await Promise.all([api.makeActiveWallet(), api.makeActiveWallet()]);
    const key = await api.makeKey({ scopes: ['api_keys:admin', 'wallets:read'], walletIds: [own] });
    expect((await create({ wallet_ids: [own] }, key)).status).toBe(201);
    for (const wallet_ids of [undefined, [], [other], [own, other]])
      expect(codeOf(await create({ wallet_ids }, key))).toEqual([403, 'insufficient_scope']);
  });

  test('403: without api_keys:admin', async () => {
    const key = await api.makeKey({ scopes: scopes.filter((scope) => scope !== 'api_keys:admin') });
    expect(codeOf(await create({}, key))).toEqual([403, 'insufficient_scope']);
  });

  test("404: another workspace's keys", async () => {
    const { key } = await api.makeWorkspace();
    expect(codeOf(await create({}, key))).toEqual([404, 'not_found']);
  });
});

describe('GET …/api-keys', () => {
  test('200: every key of the workspace, page by page, revoked ones too, never a secret', async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    const path = `/api/v1/workspaces/${workspaceId}/api-keys`;
    const made = [];
    for (const name of ['one', 'two', 'three'])
      made.push((await write('POST', path, { name, scopes: ['wallets:read'] }, { key })).body.data);
    await write('DELETE', `/api/v1/api-keys/${made[1].id}`, undefined, { key });
    const first = await api.call('GET', `${path}?limit=2`, undefined, { key });
    const cursor = String(first.headers['x-next-cursor']);
    const second = await api.call('GET', `${path}?limit=2&cursor=${cursor}`, undefined, { key });
    const names = [...first.body.data, ...second.body.data].map(({ name }: { name: string }) => name);
    expect(names).toEqual(['three', 'two', 'one', 'first admin key']);
    expect(first.body.data[1].revoked_at).toBeDefined();
    expect(second.headers['x-next-cursor']).toBeUndefined();
    for (const { body } of [first, second]) expect(JSON.stringify(body)).not.toMatch(/secret|cs_/);
  });

  test('200: a key that is bound to wallets sees itself and the keys that reach none but these', async () => {
    const { workspaceId } = await api.makeWorkspace();
    const [own, second, other] = await Promise.all([1, 2, 3].map(() => api.makeActiveWallet(workspaceId)));
    const make = (name: string, walletIds: unknown[]) =>
      api.makeKey({ workspaceId, name, scopes: ['api_keys:admin'], walletIds: walletIds as string[] });
    await make('of one', [own]);
    await make('of both', [second, own]);
    await make('of another', [other]);
    await make('of one and another', [own, other]);
    await make('of all', []);
    const seen = async (key: TestKey) => {
      const { body } = await api.call('GET', `/api/v1/workspaces/${workspaceId}/api-keys`, undefined, { key });
      return body.data.map(({ name }: { name: string }) => name);
    };
    expect(await seen(await make('reader of both', [own, second]))).toEqual(['reader of both', 'of both', 'of one']);
    expect(await seen(await make('reader of one', [own]))).toEqual(['reader of one', 'of one']);
  });

  test('403 without the scope, 404 for another workspace, 400 for a filter that there is not', async () => {
    const key = await api.makeKey({ scopes: ['wallets:read'] });
    expect(codeOf(await api.call('GET', list, undefined, { key }))).toEqual([403, 'insufficient_scope']);
    const other = await api.makeWorkspace();
    expect(codeOf(await api.call('GET', list, undefined, { key: other.key }))).toEqual([404, 'not_found']);
    expect(codeOf(await api.call('GET', `${list}?status=active`))).toEqual([400, 'invalid_request']);
  });
});

describe('PATCH /api-keys/{id}', () => {
  const change = (id: string, body: unknown, key?: TestKey) =>
    write('PATCH', `/api/v1/api-keys/${id}`, body, key === undefined ? {} : { key });

  test('200: each field, and null takes away what may be absent', async () => {
    const { id } = (await create({ ip_allowlist: ['10.0.0.0/8'], expires_at: soon() })).body.data;
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
    const answer = await create();
    const [key, wallets] = [keyOf(answer), `/api/v1/workspaces/${api.workspaceId}/wallets`];
    expect((await api.call('GET', wallets, undefined, { key })).status).toBe(200);
    await change(answer.body.data.id, { scopes: ['signing:read'] });
    expect((await api.call('GET', wallets, undefined, { key })).status).toBe(403);
  });

  test('200 again: a repeated idempotency key changes nothing twice', async () => {
    const { id } = (await create()).body.data;
    const headers = { 'x-idempotency-key': 'rename' };
    const path = `/api/v1/api-keys/${id}`;
    expect((await write('PATCH', path, { name: 'first' }, { headers })).status).toBe(200);
    await change(id, { name: 'second' });
    const again = await api.call('PATCH', path, { name: 'first' }, { headers });
    expect(again).toMatchObject({ status: 200, body: { data: { name: 'first' } } });
    const [row] = await api.db.select().from(apiKeys).where(eq(apiKeys.id, id));
    expect(row?.name).toBe('second');
  });

  test.each([
    ['nothing to change', {}],
    ['an unknown scope', { scopes: ['all'] }],
    ['a wallet that is not there', { wallet_ids: [UNKNOWN] }],
    ['a malformed address', { ip_allowlist: ['1.2.3'] }],
    ['a past end', { expires_at: '2020-01-01T00:00:00Z' }],
    ['the identifier', { api_key: 'ck_mine' }],
    ['legacy signing', { legacy_path_signing: true }],
  ])('400: %s', async (_name, body) => {
    const { id } = (await create()).body.data;
    expect(codeOf(await change(id, body))).toEqual([400, 'invalid_request']);
  });

  test('403: no scope and no wallet is granted that the caller lacks', async () => {
    const [own, other] = await Promise.all([api.makeActiveWallet(), api.makeActiveWallet()]);
    const caller = await api.makeKey({ scopes: ['api_keys:admin', 'wallets:read', 'signing:read'], walletIds: [own] });
    const { id } = (await create({ scopes: ['wallets:read'], wallet_ids: [own] })).body.data;
    for (const body of [{ scopes: ['policies:write'] }, { wallet_ids: [] }, { wallet_ids: [own, other] }])
      expect(codeOf(await change(id, body, caller))).toEqual([403, 'insufficient_scope']);
    expect((await change(id, { scopes: ['wallets:read', 'signing:read'] }, caller)).status).toBe(200);
    const self = await idOf(caller);
    for (const body of [{ wallet_ids: [] }, { scopes: [...scopes] }])
      expect(codeOf(await change(self, body, caller))).toEqual([403, 'insufficient_scope']);
  });

  test("403: a grant never joins the caller's scopes with the wallets of the other key", async () => {
    const [own, other] = await Promise.all([api.makeActiveWallet(), api.makeActiveWallet()]);
    const bound = await api.makeKey({ scopes: ['api_keys:admin', 'signing:write'], walletIds: [own] });
    const elsewhere = await create({ scopes: ['wallets:read'], wallet_ids: [other] });
    const scoped = { scopes: ['wallets:read', 'signing:write'] };
    expect(codeOf(await change(elsewhere.body.data.id, scoped, bound))).toEqual([403, 'insufficient_scope']);
    const admin = await api.makeKey({ scopes: ['api_keys:admin', 'wallets:read'] });
    const signer = await create({ scopes: ['signing:write'], wallet_ids: [own] });
    expect(codeOf(await change(signer.body.data.id, { wallet_ids: [] }, admin))).toEqual([403, 'insufficient_scope']);
    expect(await rowOf(signer.body.data.id)).toMatchObject({ walletIds: [own] });
  });

  test('403: a key that can do more than the caller is left as it is, in every field, also when it is dead', async () => {
    const [own, other] = await Promise.all([api.makeActiveWallet(), api.makeActiveWallet()]);
    const admin = await api.makeKey({ scopes: ['api_keys:admin'] });
    const bound = await api.makeKey({ scopes: ['api_keys:admin', 'wallets:read'], walletIds: [own] });
    const dead = { expiresAt: new Date(Date.now() - 1000), ipAllowlist: ['192.0.2.1'] };
    const signer = await api.makeKey({ scopes: ['signing:write'] });
    const expired = await api.makeKey({ scopes: ['signing:write'], ...dead });
    const elsewhere = await api.makeKey({ scopes: ['wallets:read'], walletIds: [other] });
    const ids = new Map((await rows()).map(({ apiKey, id }) => [apiKey, id]));
    const revive = { expires_at: null, ip_allowlist: null };
    for (const [caller, key] of [
      [admin, signer],
      [admin, expired],
      [bound, elsewhere],
    ] as const) {
      const id = ids.get(key.apiKey) ?? '';
      const before = await rowOf(id);
      for (const body of [revive, { name: 'mine' }, { scopes: ['api_keys:admin'] }, { ip_allowlist: ['192.0.2.2'] }])
        expect(codeOf(await change(id, body, caller))).toEqual([403, 'insufficient_scope']);
      expect(codeOf(await write('DELETE', `/api/v1/api-keys/${id}`, undefined, { key: caller }))).toEqual([
        403,
        'insufficient_scope',
      ]);
      expect(await rowOf(id)).toEqual({ ...before, lastUsedAt: expect.toSatisfy(() => true) });
    }
    expect(await statusWith(expired)).toBe(401);
    expect((await change(ids.get(expired.apiKey) ?? '', revive)).status).toBe(200);
    expect(await statusWith(expired)).toBe(200);
  });

  test("400 for a malformed id, 404 for an unknown one and another workspace's", async () => {
    expect(codeOf(await change('x', { name: 'n' }))).toEqual([400, 'invalid_request']);
    expect(codeOf(await change(UNKNOWN, { name: 'n' }))).toEqual([404, 'not_found']);
    const other = await api.makeWorkspace();
    expect(codeOf(await change(await idOf(other.key), { name: 'n' }))).toEqual([404, 'not_found']);
  });

  test('409: a revoked key', async () => {
    const { id } = (await create()).body.data;
    await write('DELETE', `/api/v1/api-keys/${id}`);
    expect(codeOf(await change(id, { name: 'back' }))).toEqual([409, 'invalid_state']);
  });
});

describe('POST /api-keys/{id}/rotate', () => {
  const rotate = (id: string, body: unknown = {}, key?: TestKey) =>
    write('POST', `/api/v1/api-keys/${id}/rotate`, body, key === undefined ? {} : { key });

  test('200: both secrets sign during the overlap, then only the new one', async () => {
    const first = await create();
    const before = keyOf(first);
    const rotated = await rotate(first.body.data.id, { overlap_seconds: 2 });
    expect(rotated).toMatchObject({ status: 200, body: { data: { api_key: before.apiKey } } });
    const after = keyOf(rotated);
    expect(after.apiSecret).not.toBe(before.apiSecret);
    expect([await statusWith(before), await statusWith(after)]).toEqual([200, 200]);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect([await statusWith(before), await statusWith(after)]).toEqual([401, 200]);
    expect((await api.call('GET', SELF, undefined, { key: after })).body.data).not.toHaveProperty(
      'previous_secret_expires_at',
    );
  });

  test('200: an hour of overlap when nothing is said, none for 0', async () => {
    const first = await create();
    const { id } = first.body.data;
    const rotated = await rotate(id);
    const leftMs = Date.parse(rotated.body.data.previous_secret_expires_at) - Date.now();
    expect(leftMs).toBeGreaterThan(HOUR_MS - 10_000);
    expect(leftMs).toBeLessThanOrEqual(HOUR_MS);
    const again = await rotate(id, { overlap_seconds: 0 });
    expect(again.body.data).not.toHaveProperty('previous_secret_expires_at');
    expect([await statusWith(keyOf(first)), await statusWith(keyOf(rotated)), await statusWith(keyOf(again))]).toEqual([
      401, 401, 200,
    ]);
    expect(await rowOf(id)).toMatchObject({ previousSecretEncrypted: null, previousSecretExpiresAt: null });
  });

  test('a second rotation ends the secret before the last at once', async () => {
    const first = await create();
    const second = await rotate(first.body.data.id);
    const third = await rotate(first.body.data.id);
    expect([await statusWith(keyOf(first)), await statusWith(keyOf(second)), await statusWith(keyOf(third))]).toEqual([
      401, 200, 200,
    ]);
  });

  test('200 again: a repeated idempotency key shows no secret and rotates nothing', async () => {
    const first = await create();
    const path = `/api/v1/api-keys/${first.body.data.id}/rotate`;
    const headers = { 'x-idempotency-key': 'rotate-once' };
    const rotated = await write('POST', path, {}, { headers });
    const again = await write('POST', path, {}, { headers });
    expect(again.status).toBe(200);
    const { id, previous_secret_expires_at } = rotated.body.data;
    expect(again.body.data).toMatchObject({ id, previous_secret_expires_at });
    expect(again.body.data).not.toHaveProperty('api_secret');
    expect(await statusWith(keyOf(rotated))).toBe(200);
  });

  test.each([{ overlap_seconds: -1 }, { overlap_seconds: 604_801 }, { overlap_seconds: 1.5 }, { overlap: 5 }])(
    '400: %j',
    async (body) => {
      expect(codeOf(await rotate((await create()).body.data.id, body))).toEqual([400, 'invalid_request']);
    },
  );

  test('403: the secret of a key that may do more is never handed out', async () => {
    const walletId = await api.makeActiveWallet();
    const admin = await idOf(api.admin);
    const lesser = await api.makeKey({ scopes: ['api_keys:admin'] });
    const bound = await api.makeKey({ scopes: [...scopes], walletIds: [walletId] });
    for (const key of [lesser, bound]) {
      expect(codeOf(await rotate(admin, {}, key))).toEqual([403, 'insufficient_scope']);
      expect((await rotate(await idOf(key), {}, key)).status).toBe(200);
    }
    expect(await statusWith(api.admin)).toBe(200);
  });

  test('404: unknown; 409: revoked', async () => {
    expect(codeOf(await rotate(UNKNOWN))).toEqual([404, 'not_found']);
    const { id } = (await create()).body.data;
    await write('DELETE', `/api/v1/api-keys/${id}`);
    expect(codeOf(await rotate(id))).toEqual([409, 'invalid_state']);
  });
});

describe('DELETE /api-keys/{id}', () => {
  const revoke = (id: string, options = {}) => write('DELETE', `/api/v1/api-keys/${id}`, undefined, options);

  test('200: refused at once in this process, both secrets; a repeat answers the same', async () => {
    const first = await create();
    const { id } = first.body.data;
    const rotated = await write('POST', `/api/v1/api-keys/${id}/rotate`, {});
    expect([await statusWith(keyOf(first)), await statusWith(keyOf(rotated))]).toEqual([200, 200]);
    const revoked = await revoke(id);
    expect(revoked).toMatchObject({ status: 200, body: { data: { id, revoked_at: expect.any(String) } } });
    expect([await statusWith(keyOf(first)), await statusWith(keyOf(rotated))]).toEqual([401, 401]);
    const again = await revoke(id);
    expect(again).toMatchObject({ status: 200, body: { data: { revoked_at: revoked.body.data.revoked_at } } });
  });

  test('200: a key may revoke itself', async () => {
    const key = await api.makeKey({ scopes: ['api_keys:admin'] });
    expect((await revoke(await idOf(key), { key })).status).toBe(200);
    expect(await statusWith(key)).toBe(401);
  });

  test("400, 404: malformed, unknown, another workspace's", async () => {
    const other = await api.makeWorkspace();
    expect(codeOf(await revoke('x'))).toEqual([400, 'invalid_request']);
    expect(codeOf(await revoke(UNKNOWN))).toEqual([404, 'not_found']);
    expect(codeOf(await revoke(await idOf(other.key)))).toEqual([404, 'not_found']);
    expect(await statusWith(other.key)).toBe(200);
  });

  test('409: the last key that administers for ever is neither revoked nor stripped', async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    const path = `/api/v1/workspaces/${workspaceId}/api-keys`;
    const id = await idOf(key);
    const walletId = await api.makeActiveWallet(workspaceId);
    // None of these administers all keys for ever: revoked, expired, soon to end, bound to a wallet, without the scope.
    const admin = { workspaceId, scopes: ['api_keys:admin'] };
    await api.makeKey({ ...admin, revokedAt: new Date() });
    await api.makeKey({ ...admin, expiresAt: new Date(Date.now() - 1000) });
    const ending = await api.makeKey({ ...admin, expiresAt: new Date(Date.now() + HOUR_MS) });
    await api.makeKey({ ...admin, walletIds: [walletId] });
    await api.makeKey({ workspaceId, scopes: ['wallets:read'] });
    const patch = async (body: object) => codeOf(await write('PATCH', `/api/v1/api-keys/${id}`, body, { key }));
    expect(codeOf(await revoke(id, { key }))).toEqual([409, 'invalid_state']);
    const takenAway = [
      { scopes: ['wallets:read'] },
      { expires_at: soon() },
      { wallet_ids: [walletId] },
      { ip_allowlist: ['127.0.0.0/8'] },
    ];
    for (const body of takenAway) expect(await patch(body)).toEqual([409, 'invalid_state']);
    expect(await patch({ name: 'kept', expires_at: null, ip_allowlist: null, wallet_ids: [] })).toEqual([200, 0]);
    expect((await revoke(await idOf(ending), { key })).status).toBe(200);
    const second = await write('POST', path, { name: 'second', scopes, ip_allowlist: ['127.0.0.1'] }, { key });
    for (const body of takenAway.slice(1)) expect(await patch(body)).toEqual([200, 0]);
    expect((await revoke(id, { key: keyOf(second) })).status).toBe(200);
    const last = `/api/v1/api-keys/${second.body.data.id}`;
    const same = { ip_allowlist: ['127.0.0.1'], scopes: ['api_keys:admin'] };
    expect((await write('PATCH', last, same, { key: keyOf(second) })).status).toBe(200);
    expect(codeOf(await revoke(second.body.data.id, { key: keyOf(second) }))).toEqual([409, 'invalid_state']);
  });
});

test("the operator's way back: a key with every scope for a workspace that has lost its own", async () => {
  const database = await createTestDatabase();
  const connection = connectDatabase(database.url, { poolSize: 1, name: 'test-operator' });
  const KEY_ENCRYPTION_KEY = randomBytes(32).toString('hex');
  const { workspaceId } = await createWorkspace(connection.db, 'locked out', KEY_ENCRYPTION_KEY);
  const context = {
    dist: join(import.meta.dirname, '../../dist'),
    logDirectory: '',
    environment: { PATH: process.env['PATH'], DATABASE_URL: database.url, KEY_ENCRYPTION_KEY },
    onStart: () => {},
  };
  const run = (...args: string[]) => runCommand(context, 'workspace', ['create-key', ...args]);
  const shown = JSON.parse(await run('--workspace', workspaceId, '--json'));
  const made = await connection.db.select().from(apiKeys).where(eq(apiKeys.apiKey, shown.api_key));
  expect(made).toMatchObject([
    { workspaceId, scopes, walletIds: [], ipAllowlist: [], expiresAt: null, revokedAt: null, createdBy: 'operator' },
  ]);
  const ring = new KeyRing(connection.db, [Buffer.from(KEY_ENCRYPTION_KEY, 'hex')]);
  expect((await ring.find(shown.api_key)).secret).toBe(shown.api_secret);
  expect(shown).toEqual({ workspace_id: workspaceId, api_key: shown.api_key, api_secret: expect.any(String) });
  for (const unknown of [UNKNOWN, 'x']) await expect(run('--workspace', unknown)).rejects.toThrow('names no workspace');
  await expect(run()).rejects.toThrow('create-key --workspace ID [--json]');
  await connection.close();
  await database.drop();
});

test('GET /api-keys/self: 200 with any scope, 401 without a signature', async () => {
  const key = await api.makeKey({ scopes: [] });
  expect((await api.call('GET', SELF, undefined, { key })).body.data).toMatchObject({
    api_key: key.apiKey,
    scopes: [],
  });
  expect((await api.app.inject({ method: 'GET', url: SELF })).statusCode).toBe(401);
});
