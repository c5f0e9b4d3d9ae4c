// Goal: keys are made and listed as the contract says, a key gives away nothing that it lacks, and a secret is shown
// once. Method: the API on a real database, case by status code; every new secret is tried by signing with it.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../../domain/scopes.ts';
import { apiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { Seals } from '../../../drizzle/seals/seals.ts';
import { KeyRing } from '../../../src/authentication/key-ring.ts';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import { runCommand } from '../../../src/local/processes/service-processes.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { codeOf, KeyCalls, keyOf, SELF, soon, UNKNOWN_ID } from '../../support/api/api-keys.ts';
import { createTestDatabase } from '../../support/processes/postgres.ts';

let api: TestApi;
let keys: KeyCalls;
beforeAll(async () => {
  api = await startApi();
  keys = new KeyCalls(api);
});
afterAll(() => api.stop());

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
    const answer = await keys.create({ name: 'reader', ...body });
    expect(answer.status).toBe(201);
    const { data } = answer.body;
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      api_key: expect.stringMatching(/^ck_[0-9a-f]{32}$/),
      api_secret: expect.stringMatching(/^cs_[\w-]{43}$/),
      workspace_id: api.workspaceId,
      user_id: await keys.userOf(api.admin),
      name: 'reader',
      ...body,
      wallet_ids: [walletId],
      created_by: await keys.userOf(api.admin),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const self = await api.call('GET', SELF, undefined, { key: keyOf(answer) });
    const { api_secret, ...record } = data;
    expect(self.body.data).toEqual(record);
    expect(JSON.stringify(await keys.rowOf(data.id))).not.toContain(api_secret);
    expect(Buffer.from((await keys.rowOf(data.id))?.secretEncrypted ?? []).includes(api_secret)).toBe(false);
  });

  test('201 again: a repeated idempotency key answers the same record without the secret, and makes no second key', async () => {
    const headers = { 'x-idempotency-key': 'create-once' };
    const body = { name: 'once', scopes: ['wallets:read'] };
    const first = await keys.write('POST', keys.list, body, { headers });
    const before = (await keys.rows()).length;
    const again = await keys.write('POST', keys.list, body, { headers });
    const { api_secret, ...record } = first.body.data;
    expect(api_secret).toBeDefined();
    expect(again).toMatchObject({ status: 201, body: { data: record } });
    expect(again.body.data).not.toHaveProperty('api_secret');
    expect((await keys.rows()).length).toBe(before);
    const other = await keys.write('POST', keys.list, { ...body, name: 'twice' }, { headers });
    expect(codeOf(other)).toEqual([409, 'idempotency_key_reused']);
  });

  test('absent fields stay absent', async () => {
    const { data } = (await keys.create()).body;
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
    expect((await keys.create({ legacy_path_signing: true })).body.data.legacy_path_signing).toBe(true);
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
    ['a wallet that is not there', { wallet_ids: [UNKNOWN_ID] }],
    ['an address that is none', { ip_allowlist: ['example.com'] }],
    ['a range with host bits', { ip_allowlist: ['10.0.0.1/8'] }],
    ['an octal address', { ip_allowlist: ['010.0.0.1'] }],
    ['a past end', { expires_at: '2020-01-01T00:00:00Z' }],
    ['an end that is no time', { expires_at: 'tomorrow' }],
    ['an end that is null', { expires_at: null }],
    ['an unknown field', { secret: 'mine' }],
  ];
  test.each(invalid)('400: %s', async (_name, body) => {
    const before = (await keys.rows()).length;
    expect(codeOf(await keys.create(body))).toEqual([400, 'invalid_request']);
    expect((await keys.rows()).length).toBe(before);
  });

  test("400: another workspace's wallet", async () => {
    const other = await api.makeWorkspace();
    const answer = await keys.create({ wallet_ids: [await api.makeActiveWallet(other.workspaceId)] });
    expect(codeOf(answer)).toEqual([400, 'invalid_request']);
  });

  test('403: a key grants only scopes that it has', async () => {
    const key = await api.makeKey({ scopes: ['api_keys:admin', 'wallets:read'] });
    expect((await keys.create({ scopes: ['wallets:read'] }, key)).status).toBe(201);
    expect(codeOf(await keys.create({ scopes: ['wallets:read', 'signing:write'] }, key))).toEqual([
      403,
      'insufficient_scope',
    ]);
  });

  test('403: a key that is bound to wallets grants only some of these', async () => {
    const [own, other] = await Promise.all([api.makeActiveWallet(), api.makeActiveWallet()]);
    const key = await api.makeKey({ scopes: ['api_keys:admin', 'wallets:read'], walletIds: [own] });
    expect((await keys.create({ wallet_ids: [own] }, key)).status).toBe(201);
    for (const wallet_ids of [undefined, [], [other], [own, other]])
      expect(codeOf(await keys.create({ wallet_ids }, key))).toEqual([403, 'insufficient_scope']);
  });

  test('403: without api_keys:admin', async () => {
    const key = await api.makeKey({ scopes: scopes.filter((scope) => scope !== 'api_keys:admin') });
    expect(codeOf(await keys.create({}, key))).toEqual([403, 'insufficient_scope']);
  });

  test("404: another workspace's keys", async () => {
    const { key } = await api.makeWorkspace();
    expect(codeOf(await keys.create({}, key))).toEqual([404, 'not_found']);
  });
});

describe('GET …/api-keys', () => {
  test('200: every key of the workspace, page by page, revoked ones too, never a secret', async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    const path = `/api/v1/workspaces/${workspaceId}/api-keys`;
    const made = [];
    for (const name of ['one', 'two', 'three'])
      made.push((await keys.write('POST', path, { name, scopes: ['wallets:read'] }, { key })).body.data);
    await keys.write('DELETE', `/api/v1/api-keys/${made[1].id}`, undefined, { key });
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
    expect(codeOf(await api.call('GET', keys.list, undefined, { key }))).toEqual([403, 'insufficient_scope']);
    const other = await api.makeWorkspace();
    expect(codeOf(await api.call('GET', keys.list, undefined, { key: other.key }))).toEqual([404, 'not_found']);
    expect(codeOf(await api.call('GET', `${keys.list}?status=active`))).toEqual([400, 'invalid_request']);
  });
});

test("the operator's way back: a key with every scope for a workspace that has lost its own", async () => {
  const database = await createTestDatabase();
  const connection = connectDatabase(database.url, { poolSize: 1, name: 'test-operator' });
  const KEY_ENCRYPTION_KEY = randomBytes(32).toString('hex');
  const { workspaceId } = await createWorkspace(connection.db, 'locked out', KEY_ENCRYPTION_KEY);
  const context = {
    dist: join(import.meta.dirname, '../../../dist'),
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
  const keyEncryptionKeys = [Buffer.from(KEY_ENCRYPTION_KEY, 'hex')];
  const ring = new KeyRing(connection.db, keyEncryptionKeys, new Seals(keyEncryptionKeys));
  expect((await ring.find(shown.api_key)).secret).toBe(shown.api_secret);
  const { userId: user_id } = made[0] ?? {};
  expect(shown).toEqual({ workspace_id: workspaceId, user_id, api_key: shown.api_key, api_secret: expect.any(String) });
  const again = JSON.parse(await run('--workspace', workspaceId, '--user', shown.user_id, '--json'));
  expect(again).toMatchObject({
    workspace_id: workspaceId,
    user_id,
    api_key: expect.not.stringMatching(shown.api_key),
  });
  await expect(run('--workspace', workspaceId, '--user', UNKNOWN_ID)).rejects.toThrow('name no user');
  for (const unknown of [UNKNOWN_ID, 'x'])
    await expect(run('--workspace', unknown)).rejects.toThrow('names no workspace');
  await expect(run()).rejects.toThrow('create-key --workspace ID [--user ID] [--json]');
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
