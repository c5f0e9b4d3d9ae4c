// Goal: the wallet routes accept what the contract says, refuse the rest with its codes and change nothing then. Method: the API on a real database,
// case by status code; no worker runs, so every created wallet stays `creating`.
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outbox } from '../../drizzle/outbox.ts';
import { advanceWallet, noteWalletWaiting, wallets } from '../../drizzle/wallets.ts';
import { startApi, type TestApi } from '../support/api.ts';

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
      wallet_purpose: 'payouts',
    });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ success: true, message: 'success', code: 0, data: { status: 'creating' } });
    const { wallet_id } = answer.body.data;
    const [row] = await api.db.select().from(wallets).where(eq(wallets.id, wallet_id));
    expect(row).toMatchObject({ name: 'Treasury', walletPurpose: 'payouts', workspaceId: api.workspaceId });
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
    const failure = { errorCode: 'mpc_refused', errorReason: 'the nodes refuse' };
    await advanceWallet(api.db, wallet_id, 'creating', 'failed', failure);
    expect(await status(wallet_id)).toEqual({
      wallet_id,
      status: 'error',
      error_code: 'mpc_refused',
      error_reason: 'the nodes refuse',
    });
  });
});

describe('GET wallet-detail and address', () => {
  test('200: both show the address of the chain family', async () => {
    const wallet_id = await api.makeActiveWallet();
    const detail = await api.call('GET', `/api/v1/web3/wallet-detail/${wallet_id}`);
    expect(detail.body.data).toMatchObject({
      id: wallet_id,
      wallet_id,
      workspace_id: api.workspaceId,
      wallet_type: 'mpc',
      status: 'active',
    });
    const address = await api.call('GET', `/api/v1/wallets/${wallet_id}/address`);
    expect(address.body.data.address).toBe(detail.body.data.address);
    expect(address.body.data.qr_code).toMatch(/^data:image\/png;base64,[A-Za-z0-9+/]+=*$/);
    for (const value of Object.values(address.body.data)) expect(typeof value).toBe('string');
  });

  test('409: a wallet that is still being created has no address', async () => {
    const { wallet_id } = (await api.call('POST', '/api/v1/wallets', { name: 'n', wallet_type: 'mpc' })).body.data;
    const answer = await api.call('GET', `/api/v1/wallets/${wallet_id}/address`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  });

  test.each(['?address_type=doge', '?address_type=', '?type=evm'])('400: %s', async (query) => {
    const wallet_id = await api.makeActiveWallet();
    const answer = await api.call('GET', `/api/v1/wallets/${wallet_id}/address${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});

describe.each([
  (id: string) => `/api/v1/wallets/creation-status/${id}`,
  (id: string) => `/api/v1/web3/wallet-detail/${id}`,
  (id: string) => `/api/v1/wallets/${id}/address`,
])('GET %s', (path) => {
  test('404: no such wallet', async () => {
    expect(await api.call('GET', path(UNKNOWN))).toMatchObject({
      status: 404,
      body: { code: 'not_found', data: null },
    });
  });

  test("404: another workspace's wallet, as if it were not there", async () => {
    const { workspaceId } = await api.makeWorkspace();
    const foreign = await api.makeActiveWallet(workspaceId);
    const answer = await api.call('GET', path(foreign));
    expect(answer).toMatchObject({ status: 404 });
    expect(answer.body).toEqual((await api.call('GET', path(UNKNOWN))).body);
  });

  test('400: an id that is none', async () => {
    expect(await api.call('GET', path('1'))).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});
