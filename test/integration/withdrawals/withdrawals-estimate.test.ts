// Goal: an estimate never promises less than it will cost, and says truly whether the balance covers it. Method: known
// fees and balances in a real database; amounts at the very edge of what suffices; every refusal by status code.
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assets } from '../../../drizzle/networks/assets.ts';
import { networkStates } from '../../../drizzle/networks/network-states.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { outbox } from '../../../drizzle/writes/workflow-outbox.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { connectNetwork, credit, feesOf, sandbox } from '../../support/rows/funded.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const GWEI = 10n ** 9n;
const PLAIN_FEE = 21_000n * GWEI;

let api: TestApi;
let walletId: string;
let tokens: Record<'ethereum' | 'solana', { assetId: string; networkId: string }>;

beforeAll(async () => {
  api = await startApi();
  await connectNetwork(api.db, sandbox.ETH.networkId, feesOf(PLAIN_FEE));
  await connectNetwork(api.db, sandbox.SOL.networkId, feesOf(5_001n, { microLamportsPerUnit: '1001' }));
  walletId = await api.makeActiveWallet();
  const rows = await api.db.select().from(assets).where(eq(assets.symbol, 'USDC'));
  const on = (networkId: string) => {
    const row = rows.find((each) => each.networkId === networkId);
    if (row === undefined) throw new Error('the sandbox has no dollar');
    return { assetId: row.id, networkId };
  };
  tokens = { ethereum: on(sandbox.ETH.networkId), solana: on(sandbox.SOL.networkId) };
});
afterAll(() => api.stop());

const estimate = (body: object, wallet = walletId, key = api.admin) =>
  api.call('POST', `/api/v1/wallets/${wallet}/withdrawals/estimate`, body, { key });
const maxFees = ({ body }: Awaited<ReturnType<typeof estimate>>) =>
  ['low', 'medium', 'high'].map((level) => body.data.fees[level].max_fee);
const sufficient = ({ body }: Awaited<ReturnType<typeof estimate>>) =>
  ['low', 'medium', 'high'].map((level) => body.data.fees[level].sufficient);

test('200: the fee of each level, what is there, and when the node was asked; nothing is stored', async () => {
  const wallet = await api.makeActiveWallet();
  await credit(api.db, wallet, sandbox.ETH, 10n ** 18n);
  const asked = {
    recipient_address: TO,
    notes: 'Rent',
    fee_level: 'low',
    max_fee: '1',
    external_id: 'x',
    skip_balance_check: true,
  };
  const answer = await estimate({ asset: 'ETH', network: 'ETHEREUM_SANDBOX', amount: '0.5', ...asked }, wallet);
  expect(answer.status).toBe(200);
  expect(answer.body.data).toEqual({
    wallet_id: wallet,
    asset_id: sandbox.ETH.assetId,
    network_id: sandbox.ETH.networkId,
    fee_asset_id: sandbox.ETH.assetId,
    amount: '0.5',
    available: '1',
    fee_available: '1',
    fees: {
      low: { max_fee: '0.000021', fee_bound: '0.1', amount: '0.5', sufficient: true },
      medium: { max_fee: '0.000042', fee_bound: '0.1', amount: '0.5', sufficient: true },
      high: { max_fee: '0.000084', fee_bound: '0.1', amount: '0.5', sufficient: true },
    },
    quoted_at: expect.stringMatching(/^20.*Z$/),
  });
  expect([await api.db.select().from(withdrawals), await api.db.select().from(outbox)]).toEqual([[], []]);
});

test('200: the native currency must cover amount and fee together, to the last base unit', async () => {
  const wallet = await api.makeActiveWallet();
  await credit(api.db, wallet, sandbox.ETH, 10n ** 18n + 2n * PLAIN_FEE);
  const body = { asset_id: sandbox.ETH.assetId, amount: '1' };
  expect(sufficient(await estimate(body, wallet))).toEqual([true, true, false]);
  expect(sufficient(await estimate({ ...body, amount: '1.000000000000000001' }, wallet))).toEqual([true, false, false]);
  expect(sufficient(await estimate(body, await api.makeActiveWallet()))).toEqual([false, false, false]);
});

test('200: a token on EVM: its fee by gas, from the native currency, and both must suffice', async () => {
  const wallet = await api.makeActiveWallet();
  const body = { asset_id: tokens.ethereum.assetId, amount: '1' };
  const poor = await estimate(body, wallet);
  expect(maxFees(poor)).toEqual(['0.0001', '0.0002', '0.0004']);
  expect(sufficient(poor)).toEqual([false, false, false]);
  await credit(api.db, wallet, sandbox.ETH, 200_000n * GWEI);
  expect(sufficient(await estimate(body, wallet))).toEqual([false, false, false]);
  await credit(api.db, wallet, tokens.ethereum, 1_000_000n);
  const rich = await estimate(body, wallet);
  expect(sufficient(rich)).toEqual([true, true, false]);
  expect(rich.body.data).toMatchObject({ available: '1', fee_available: '0.0002', fee_asset_id: sandbox.ETH.assetId });
});

test('200: a token on Solana: with the account that the recipient may lack, rounded up', async () => {
  // 5,001 + 2,039,280 + 1001 × 90,000 / 1,000,000 lamports
  const [low] = maxFees(await estimate({ asset_id: tokens.solana.assetId, amount: '1' }));
  expect(low).toBe('0.002044372');
});

test('200: an odd fee is rounded up, never down', async () => {
  const ofNetwork = eq(networkStates.networkId, sandbox.ETH.networkId);
  await api.db
    .update(networkStates)
    .set({ fees: feesOf(1n) })
    .where(ofNetwork);
  const [low] = maxFees(await estimate({ asset_id: tokens.ethereum.assetId, amount: '1' }));
  expect(low).toBe('0.000000000000000005');
  await api.db
    .update(networkStates)
    .set({ fees: feesOf(PLAIN_FEE) })
    .where(ofNetwork);
});

describe('POST /wallets/{wallet_id}/withdrawals/estimate', () => {
  test.each([
    [{ amount: '1' }, 'invalid_request'],
    [{ asset_id: sandbox.ETH.assetId }, 'invalid_request'],
    [{ asset_id: sandbox.ETH.assetId, amount: '0' }, 'invalid_request'],
    [{ asset_id: sandbox.ETH.assetId, amount: '20001' }, 'invalid_request'],
    [{ asset_id: sandbox.ETH.assetId, amount: '1', recipient_address: 'nobody' }, 'invalid_address'],
    [{ asset_id: sandbox.ETH.assetId, amount: '1', max_fee: '0' }, 'invalid_request'],
    [{ asset_id: sandbox.ETH.assetId, amount: '1', colour: 'red' }, 'invalid_request'],
  ])('400: %j', async (body, code) => {
    expect(await estimate(body)).toMatchObject({ status: 400, body: { code, data: null } });
  });

  test('403, 404: no scope, another wallet, another workspace, none', async () => {
    const body = { asset_id: sandbox.ETH.assetId, amount: '1' };
    const writer = await api.makeKey({ scopes: ['withdrawals:write'] });
    expect(await estimate(body, walletId, writer)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    const bound = await api.makeKey({ scopes: ['withdrawals:read'], walletIds: [await api.makeActiveWallet()] });
    expect(await estimate(body, walletId, bound)).toMatchObject({ status: 403, body: { code: 'wallet_not_allowed' } });
    const { key } = await api.makeWorkspace();
    expect(await estimate(body, walletId, key)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await estimate(body, UNKNOWN)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('503: no node, one that has told no fees, and one that told them long ago', async () => {
    const coin = { asset_id: sandbox.BTC.assetId, amount: '1' };
    expect(await estimate(coin)).toMatchObject({ status: 503, body: { code: 'dependency_unavailable', data: null } });
    await connectNetwork(api.db, sandbox.BTC.networkId, null);
    expect(await estimate({ ...coin, amount: '2' })).toMatchObject({ status: 503 });
    const told = { ...feesOf(1_000n), quotedAt: new Date(Date.now() - 11 * 60_000).toISOString() };
    await api.db.update(networkStates).set({ fees: told }).where(eq(networkStates.networkId, sandbox.BTC.networkId));
    expect(await estimate({ ...coin, amount: '3' })).toMatchObject({ status: 503 });
  });
});
