// Goal: an asset of a wallet can be taken out of use and put back: without an address and without withdrawals, and
// never without what the wallet has of it. Method: the API on a real database, Temporal away.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { advanceWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { type CallOptions, startApi, type TestApi } from '../../support/api/api.ts';
import { distinctSeconds } from '../../support/api/distinct-seconds.ts';
import { connectNetwork, credit, sandbox } from '../../support/rows/funded.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';

let api: TestApi;
let wallet: string;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  await connectNetwork(api.db, sandbox.ETH.networkId);
});
afterAll(() => api.stop());
beforeEach(async () => {
  wallet = await api.makeActiveWallet();
});

const nextSecond = distinctSeconds();
function send(method: string, path: string, body: unknown, options: CallOptions = {}) {
  return api.call(method, `/api/v1${path}`, body, { timestamp: nextSecond(), ...options });
}
const attach = (id: string, body: unknown) => send('POST', `/wallets/${id}/assets`, body);
const list = (query: string) => api.call('GET', `/api/v1/wallets/${wallet}/assets${query}`);

describe('PATCH /wallets/{wallet_id}/assets/{asset_id}', () => {
  const change = (assetId: string, body: unknown, { id = wallet, ...options }: CallOptions & { id?: string } = {}) =>
    send('PATCH', `/wallets/${id}/assets/${assetId}`, body, options);
  const ether = sandbox.ETH.assetId;
  const withdraw = () =>
    send('POST', `/wallets/${wallet}/request-withdrawal`, {
      asset_id: ether,
      amount: '0.1',
      recipient_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    });

  test('200: disabled it is hidden, has no address, is withdrawn no more, and keeps what it has; enabled all is back', async () => {
    await credit(api.db, wallet, sandbox.ETH, 10n ** 18n);
    const before = (await attach(wallet, { asset_id: ether })).body.data;
    const disabled = await change(ether.toUpperCase(), { status: 'disabled' });
    expect(disabled.status).toBe(200);
    expect(disabled.body.data).toEqual({
      ...before,
      status: 'disabled',
      hidden: true,
      address: '',
      deposit_address: '',
      updated_at: expect.any(String),
    });
    expect((await list('?status=disabled')).body.data).toEqual([disabled.body.data]);
    expect((await attach(wallet, { asset_id: ether })).body.data).toEqual(disabled.body.data);
    const address = await api.call('GET', `/api/v1/wallets/${wallet}/deposit-address?asset_id=${ether}`);
    expect(address).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    expect(await withdraw()).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    const { body } = await api.call('GET', `/api/v1/wallets/${wallet}/balances?asset_id=${ether}`);
    expect(body.data[0].available).toBe('1');
    const again = await change(ether, { status: 'active' });
    expect(again.body.data).toEqual({ ...before, updated_at: expect.any(String) });
    expect((await withdraw()).status).toBe(202);
  });

  test('200 again: a repeated idempotency key, and what is so already', async () => {
    await attach(wallet, { asset_id: ether });
    const headers = { 'x-idempotency-key': 'disable-once' };
    const first = await change(ether, { status: 'disabled' }, { headers });
    expect(await change(ether, { status: 'disabled' }, { headers })).toMatchObject({ status: 200, body: first.body });
    expect((await change(ether, { status: 'disabled' })).body).toEqual(first.body);
    expect(await change(ether, { status: 'active' }, { headers })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    });
  });

  test.each([{}, { status: 'pending' }, { status: null }, { status: 'active', hidden: true }, undefined])(
    '400: %j',
    async (body) => {
      await attach(wallet, { asset_id: ether });
      expect(await change(ether, body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    },
  );

  test('404: an asset that is not attached, no wallet, another workspace; 409: an archived wallet; 401, 403', async () => {
    const body = { status: 'disabled' };
    expect(await change(ether, body)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await change(ether, body, { id: UNKNOWN })).toMatchObject({ status: 404 });
    const { workspaceId } = await api.makeWorkspace();
    expect(await change(ether, body, { id: await api.makeActiveWallet(workspaceId) })).toMatchObject({ status: 404 });
    const url = `/api/v1/wallets/${wallet}/assets/${ether}`;
    expect((await api.app.inject({ method: 'PATCH', url })).statusCode).toBe(401);
    const reader = await api.makeKey({ scopes: ['wallets:read'] });
    expect(await change(ether, body, { key: reader })).toMatchObject({ body: { code: 'insufficient_scope' } });
    const bound = await api.makeKey({ scopes: ['wallets:write'], walletIds: [await api.makeActiveWallet()] });
    expect(await change(ether, body, { key: bound })).toMatchObject({ body: { code: 'wallet_not_allowed' } });
    await attach(wallet, { asset_id: ether });
    await advanceWallet(api.db, wallet, { from: 'active', to: 'archived' });
    expect(await change(ether, body)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  });
});
