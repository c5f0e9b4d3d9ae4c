// Goal: the wallet routes accept what the contract says, refuse the rest with its codes and change nothing then.
// Method: the API on a real database, case by status code; no worker runs, so every created wallet stays `creating`.
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advanceWallet, noteWalletWaiting } from '../../../drizzle/wallets/wallet-steps.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { outbox } from '../../../drizzle/writes/workflow-outbox.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const countWallets = async () => (await api.db.select().from(wallets)).length;

describe('POST /api/v1/wallets', () => {
  test('202: the row exists and its workflow was started', async () => {
    const answer = await api.call('POST', '/api/v1/wallets', {
      name: 'Treasury',
      wallet_type: 'standard',
      wallet_purpose: 'payment',
    });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ success: true, message: 'success', code: 0, data: { status: 'pending' } });
    const { wallet_id } = answer.body.data;
    const [row] = await api.db.select().from(wallets).where(eq(wallets.id, wallet_id));
    expect(row).toMatchObject({ name: 'Treasury', walletPurpose: 'payment', workspaceId: api.workspaceId });
    await api.starter.drain();
    expect(await api.db.select().from(outbox)).toEqual([]);
  });

  test('202 again: a repeated idempotency key answers the same and creates nothing', async () => {
    const body = { name: 'Once', wallet_type: 'mpc' };
    const headers = { 'x-idempotency-key': 'wallet-once' };
    const first = await api.call('POST', '/api/v1/wallets', body, { headers });
    const before = await countWallets();
    const timestamp = Math.floor(Date.now() / 1000) + 1;
    const second = await api.call('POST', '/api/v1/wallets', body, { headers, timestamp });
    expect(second.status).toBe(202);
    expect(second.body).toEqual(first.body);
    expect(await countWallets()).toBe(before);
  });

  test('409: the key comes with another body', async () => {
    const headers = { 'x-idempotency-key': 'wallet-reused' };
    await api.call('POST', '/api/v1/wallets', { name: 'One', wallet_type: 'mpc' }, { headers });
    const answer = await api.call('POST', '/api/v1/wallets', { name: 'Two', wallet_type: 'mpc' }, { headers });
    expect(answer).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused', data: null } });
  });

  const invalid: [string, unknown][] = [
    ['no name', { wallet_type: 'mpc' }],
    ['empty name', { name: '', wallet_type: 'mpc' }],
    ['a number for the name', { name: 7, wallet_type: 'mpc' }],
    ['no type', { name: 'x' }],
    ['unknown type', { name: 'x', wallet_type: 'hot' }],
    ['unknown field', { name: 'x', wallet_type: 'mpc', threshold: 1 }],
    ['a purpose that there is not', { name: 'x', wallet_type: 'mpc', wallet_purpose: 'payouts' }],
    ['an array', [{ name: 'x', wallet_type: 'mpc' }]],
    ['null', null],
    ['a text', 'wallet'],
  ];
  test.each(invalid)('400: %s', async (_name, body) => {
    const before = await countWallets();
    const answer = await api.call('POST', '/api/v1/wallets', body, { headers: { 'x-idempotency-key': 'refused' } });
    expect(answer).toMatchObject({ status: 400, body: { success: false, code: 'invalid_request', data: null } });
    expect(answer.body.message).toMatch(/^\S.*\.$/);
    expect(await countWallets()).toBe(before);
  });

  test('a refused request does not use up its idempotency key', async () => {
    const headers = { 'x-idempotency-key': 'refused' };
    const answer = await api.call('POST', '/api/v1/wallets', { name: 'now right', wallet_type: 'mpc' }, { headers });
    expect(answer.status).toBe(202);
  });

  test.each([
    ['no body at all', ''],
    ['no JSON', '{"name":'],
  ])('400: %s', async (_name, rawBody) => {
    const answer = await api.call('POST', '/api/v1/wallets', undefined, { rawBody });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test.each(['', 'with space', 'ü', 'x'.repeat(129)])('400: idempotency key "%s"', async (key) => {
    const options = { headers: { 'x-idempotency-key': key } };
    const answer = await api.call('POST', '/api/v1/wallets', { name: 'x', wallet_type: 'mpc' }, options);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('413: a body over 1 MiB', async () => {
    const rawBody = JSON.stringify({ name: 'x'.repeat(1024 * 1024), wallet_type: 'mpc' });
    const answer = await api.call('POST', '/api/v1/wallets', undefined, { rawBody });
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large', data: null } });
  });

  test('415: a body that is not JSON', async () => {
    const options = { headers: { 'content-type': 'text/plain' } };
    const answer = await api.call('POST', '/api/v1/wallets', { name: 'x', wallet_type: 'mpc' }, options);
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type', data: null } });
  });
});

describe('GET /api/v1/wallets/creation-status/{wallet_id}', () => {
  const status = async (walletId: string) =>
    (await api.call('GET', `/api/v1/wallets/creation-status/${walletId}`)).body.data;

  test('pending, and why it waits', async () => {
    const { wallet_id } = (await api.call('POST', '/api/v1/wallets', { name: 'p', wallet_type: 'mpc' })).body.data;
    expect(await status(wallet_id)).toEqual({ wallet_id, status: 'pending' });
    await noteWalletWaiting(api.db, wallet_id, 'cluster_not_ready');
    expect(await status(wallet_id)).toEqual({ wallet_id, status: 'pending', status_reason: 'cluster_not_ready' });
  });

  test('success', async () => {
    const wallet_id = await api.makeActiveWallet();
    expect(await status(wallet_id)).toEqual({ wallet_id, status: 'success' });
  });

  test('error, with code and reason', async () => {
    const { wallet_id } = (await api.call('POST', '/api/v1/wallets', { name: 'e', wallet_type: 'mpc' })).body.data;
    const failure = { errorCode: 'mpc_refused', errorReason: 'the nodes refuse' } as const;
    await advanceWallet(api.db, wallet_id, { from: 'creating', to: 'failed', fields: failure });
    expect(await status(wallet_id)).toEqual({
      wallet_id,
      status: 'error',
      error_code: 'mpc_refused',
      error_reason: 'the nodes refuse',
    });
  });
});

describe('GET /api/v1/wallets/{wallet_id}', () => {
  test('200: the record, as the list shows it', async () => {
    const wallet_id = await api.makeActiveWallet();
    const { status, body } = await api.call('GET', `/api/v1/wallets/${wallet_id}`);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: wallet_id,
      wallet_id,
      cluster: 'main',
      workspace_id: api.workspaceId,
      name: 'test wallet',
      wallet_type: 'mpc',
      metadata: {},
      addresses: expect.objectContaining({ evm: expect.stringMatching(/^0x/), tron: expect.stringMatching(/^T/) }),
      status: 'active',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    const list = await api.call('GET', `/api/v1/workspaces/${api.workspaceId}/wallets?limit=1`);
    expect(list.body.data).toEqual([body.data]);
  });
});

describe('PATCH /api/v1/wallets/{wallet_id}', () => {
  const change = (walletId: string, body: unknown, headers: Record<string, string> = {}) =>
    api.call('PATCH', `/api/v1/wallets/${walletId}`, body, { headers });

  test('200: what is sent changes, the rest stays', async () => {
    const id = await api.makeActiveWallet();
    const before = (await api.call('GET', `/api/v1/wallets/${id}`)).body.data;
    const purposeful = await change(id, { wallet_purpose: 'payment' });
    expect(purposeful.status).toBe(200);
    expect(purposeful.body.data).toMatchObject({
      id,
      name: 'test wallet',
      wallet_purpose: 'payment',
      status: 'active',
    });
    const renamed = await change(id, { name: 'Cold' });
    expect(renamed.body.data).toMatchObject({ name: 'Cold', wallet_purpose: 'payment', created_at: before.created_at });
    expect(renamed.body.data.updated_at > before.updated_at).toBe(true);
    const bare = await change(id.toUpperCase(), { wallet_purpose: null });
    expect(bare.body.data).not.toHaveProperty('wallet_purpose');
    expect((await api.call('GET', `/api/v1/wallets/${id}`)).body.data).toEqual(bare.body.data);
  });

  test('200 again: a repeated idempotency key changes nothing; 409 with another body', async () => {
    const id = await api.makeActiveWallet();
    const headers = { 'x-idempotency-key': 'rename-once' };
    const first = await change(id, { name: 'First' }, headers);
    const repeat = await api.call(
      'PATCH',
      `/api/v1/wallets/${id}`,
      { name: 'First' },
      { headers, timestamp: earlier() },
    );
    expect(repeat).toMatchObject({ status: 200, body: first.body });
    expect(await change(id, { name: 'Second' }, headers)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    });
  });

  test('409: a wallet that has come to its end', async () => {
    const archived = await api.makeActiveWallet();
    await advanceWallet(api.db, archived, { from: 'active', to: 'archived' });
    const failed = (await api.call('POST', '/api/v1/wallets', { name: 'f', wallet_type: 'mpc' })).body.data.wallet_id;
    await advanceWallet(api.db, failed, { from: 'creating', to: 'failed' });
    for (const id of [archived, failed])
      expect(await change(id, { name: 'x' })).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  });

  test('200: a wallet that is still being created, or frozen', async () => {
    const creating = (await api.call('POST', '/api/v1/wallets', { name: 'c', wallet_type: 'mpc' })).body.data.wallet_id;
    const frozen = await api.makeActiveWallet();
    await advanceWallet(api.db, frozen, { from: 'active', to: 'frozen' });
    for (const id of [creating, frozen])
      expect(await change(id, { name: 'y' })).toMatchObject({ status: 200, body: { data: { name: 'y' } } });
  });

  test.each([
    ['nothing', {}],
    ['an empty name', { name: '' }],
    ['a long name', { name: 'x'.repeat(201) }],
    ['no name', { name: null }],
    ['a number', { wallet_purpose: 7 }],
    ['what cannot change', { wallet_type: 'standard' }],
    ['a status', { status: 'frozen' }],
    ['a list', []],
    ['no body', undefined],
  ])('400: %s', async (_name, body) => {
    const id = await api.makeActiveWallet();
    expect(await change(id, body)).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
  });
});

describe.each([
  ['GET', (id: string) => `/api/v1/wallets/creation-status/${id}`],
  ['GET', (id: string) => `/api/v1/wallets/${id}`],
  ['PATCH', (id: string) => `/api/v1/wallets/${id}`],
] as const)('%s %s', (method, path) => {
  const body = method === 'PATCH' ? { name: 'x' } : undefined;

  test('404: no such wallet', async () => {
    expect(await api.call(method, path(UNKNOWN), body)).toMatchObject({
      status: 404,
      body: { code: 'not_found', data: null },
    });
  });

  test("404: another workspace's wallet, as if it were not there", async () => {
    const { workspaceId } = await api.makeWorkspace();
    const foreign = await api.makeActiveWallet(workspaceId);
    const answer = await api.call(method, path(foreign), body);
    expect(answer).toMatchObject({ status: 404 });
    expect(answer.body).toEqual((await api.call(method, path(UNKNOWN), body, { timestamp: earlier() })).body);
  });

  test('400: an id that is none', async () => {
    expect(await api.call(method, path('1'), body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('401 unsigned, 403 without the scope, 403 for a key bound to another wallet', async () => {
    const id = await api.makeActiveWallet();
    expect((await api.app.inject({ method, url: path(id) })).statusCode).toBe(401);
    const other = method === 'PATCH' ? 'wallets:read' : 'wallets:write';
    const scopeless = await api.makeKey({ scopes: [other] });
    expect(await api.call(method, path(id), body, { key: scopeless })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
    const bound = await api.makeKey({
      scopes: ['wallets:read', 'wallets:write'],
      walletIds: [await api.makeActiveWallet()],
    });
    expect(await api.call(method, path(id), body, { key: bound })).toMatchObject({
      status: 403,
      body: { code: 'wallet_not_allowed' },
    });
  });
});

/** An equal write in the same second would be a replay. */
const earlier = () => Math.floor(Date.now() / 1000) - 60;
