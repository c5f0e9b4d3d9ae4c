// Goal: an asset is attached to a wallet once, with the address where the wallet really receives it, and lists show it.
// Method: the API on a real database; Bitcoin's addresses are computed a second time by @scure/btc-signer.
import { NETWORK, p2wpkh, TEST_NETWORK } from '@scure/btc-signer';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assets } from '../../../drizzle/networks/assets.ts';
import { noteHead, noteUnwatched } from '../../../drizzle/networks/network-states.ts';
import { networks } from '../../../drizzle/networks/networks.ts';
import { walletAssets } from '../../../drizzle/wallets/wallet-assets.ts';
import { findWalletAddress, findWalletKey } from '../../../drizzle/wallets/wallet-keys.ts';
import { advanceWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { distinctSeconds } from '../../support/api/distinct-seconds.ts';
import { connectEveryNetwork } from '../../support/rows/funded.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';

let api: TestApi;
let wallet: string;
/** Asset and network ids by code and symbol: `SOL_MAINNET USDC`. */
let ids: Record<string, { assetId: string; networkId: string }>;
beforeAll(async () => {
  api = await startApi();
  await connectEveryNetwork(api.db);
  const rows = await api.db.select().from(assets).innerJoin(networks, eq(networks.id, assets.networkId));
  ids = Object.fromEntries(
    rows.map((row) => [
      `${row.networks.internalCode} ${row.assets.symbol}`,
      { assetId: row.assets.id, networkId: row.networks.id },
    ]),
  );
});
afterAll(() => api.stop());
beforeEach(async () => {
  wallet = await api.makeActiveWallet();
});

const idOf = (name: string) => ids[name]?.assetId as string;
const nextSecond = distinctSeconds();
function attach(walletId: string, body: unknown, headers: Record<string, string> = {}) {
  return api.call('POST', `/api/v1/wallets/${walletId}/assets`, body, { headers, timestamp: nextSecond() });
}
const list = (query = '', walletId = wallet) => api.call('GET', `/api/v1/wallets/${walletId}/assets${query}`);
const attached = async () => (await api.db.select().from(walletAssets).where(eq(walletAssets.walletId, wallet))).length;

describe('POST /wallets/{wallet_id}/assets', () => {
  test('201: the asset with its address; 200: the same again', async () => {
    const body = { asset_id: idOf('BASE_MAINNET USDC') };
    const first = await attach(wallet, body);
    expect(first.status).toBe(201);
    const address = (await findWalletAddress(api.db, wallet, 'evm'))?.address;
    expect(first.body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      wallet_id: wallet,
      asset_id: body.asset_id,
      asset: (await api.call('GET', `/api/v1/assets/${body.asset_id}`)).body.data,
      network_id: ids['BASE_MAINNET USDC']?.networkId,
      address_type: 'evm',
      address,
      deposit_address: address,
      derivation_path: 'm/44/60/0/0/0',
      status: 'active',
      hidden: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    const again = await attach(wallet.toUpperCase(), { asset_id: body.asset_id.toUpperCase() });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await attached()).toBe(1);
  });

  test('201: on each Bitcoin the address of the same key', async () => {
    const { publicKey } = (await findWalletKey(api.db, wallet, 'secp256k1')) as { publicKey: Uint8Array };
    for (const [code, parameters] of [
      ['BTC_MAINNET', NETWORK],
      ['BTC_TESTNET', TEST_NETWORK],
      ['BTC_SANDBOX', { ...TEST_NETWORK, bech32: 'bcrt' }],
    ] as const) {
      const { status, body } = await attach(wallet, { asset_id: idOf(`${code} BTC`) });
      const { address } = p2wpkh(publicKey, parameters);
      expect([code, status, body.data.address]).toEqual([code, 201, address]);
      expect(body.data.derivation_path).toBe('m/44/0/0/0/0');
    }
  });

  test.each([
    ['SOL_MAINNET USDC', 'sol', 'm/44/501/0/0/0'],
    ['ARBITRUM_SEPOLIA_TESTNET ETH', 'evm', 'm/44/60/0/0/0'],
  ] as const)('201: %s', async (name, address_type, derivation_path) => {
    const address = (await findWalletAddress(api.db, wallet, address_type))?.address;
    expect(await attach(wallet, { asset_id: idOf(name) })).toMatchObject({
      status: 201,
      body: { data: { address_type, derivation_path, address } },
    });
  });

  test('of many who attach at once one makes it, and all get the same', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => attach(wallet, { asset_id: idOf('ETHEREUM_MAINNET ETH') })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await attached()).toBe(1);
  });

  test('200: a repeated idempotency key, also one that came when the asset was there already', async () => {
    const body = { asset_id: idOf('ETHEREUM_MAINNET DAI') };
    const first = await attach(wallet, body);
    for (const key of ['late', 'late']) {
      const answer = await attach(wallet, body, { 'x-idempotency-key': key });
      expect(answer).toMatchObject({ status: 200, body: first.body });
    }
    const reused = await attach(wallet, { asset_id: idOf('ETHEREUM_MAINNET ETH') }, { 'x-idempotency-key': 'late' });
    expect(reused).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
  });

  test.each([
    ['an asset that is not in the catalogue', () => ({ asset_id: UNKNOWN })],
    ['an asset of a disabled network', () => ({ asset_id: idOf('GNOSIS_MAINNET XDAI') })],
    ['an asset of a network that nobody could read', () => ({ asset_id: idOf('TRON_MAINNET USDT') })],
    ['a symbol', () => ({ asset_id: 'USDC' })],
    ['nothing', () => ({})],
    ['an unknown field', () => ({ asset_id: idOf('ETHEREUM_MAINNET ETH'), memo: '1' })],
    ['no body', () => undefined],
  ])('400: %s', async (_name, body) => {
    expect(await attach(wallet, body())).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
    expect(await attached()).toBe(0);
  });

  test('frozen: attached all the same. Archived, or still being created: 409', async () => {
    const body = { asset_id: idOf('ETHEREUM_MAINNET ETH') };
    await advanceWallet(api.db, wallet, { from: 'active', to: 'frozen' });
    expect((await attach(wallet, body)).status).toBe(201);
    await advanceWallet(api.db, wallet, { from: 'frozen', to: 'archived' });
    const refused = await attach(wallet, { asset_id: idOf('ETHEREUM_MAINNET DAI') });
    expect(refused).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    expect(await attached()).toBe(1);
    const created = await api.call('POST', '/api/v1/wallets', { name: 'c', wallet_type: 'mpc' });
    expect(await attach(created.body.data.wallet_id, body)).toMatchObject({
      status: 409,
      body: { code: 'invalid_state' },
    });
  });
});

test('409: an asset that comes while the wallet is being archived', async () => {
  const attaching = await api.db.transaction(async (tx) => {
    await advanceWallet(tx, wallet, { from: 'active', to: 'archived' });
    const asked = attach(wallet, { asset_id: idOf('ETHEREUM_MAINNET ETH') });
    // Long enough to come to the wallet, which is held.
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { asked };
  });
  expect(await attaching.asked).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  expect(await attached()).toBe(0);
});

describe('GET /wallets/{wallet_id}/assets', () => {
  const names = [
    'ETHEREUM_MAINNET ETH',
    'ETHEREUM_MAINNET USDC',
    'BASE_MAINNET USDC',
    'SOL_MAINNET SOL',
    'BTC_MAINNET BTC',
  ];
  const shown = async (query: string) =>
    (await list(query)).body.data.map(({ asset_id }: { asset_id: string }) => asset_id);

  beforeEach(async () => {
    for (const name of names) await attach(wallet, { asset_id: idOf(name) });
  });

  test('200: every asset of this wallet and of no other, page by page', async () => {
    await attach(await api.makeActiveWallet(), { asset_id: idOf('ETHEREUM_MAINNET ETH') });
    const first = await list('?limit=2&sort_order=asc');
    const second = await list(`?limit=2&sort_order=asc&cursor=${String(first.headers['x-next-cursor'])}`);
    const third = await list(`?limit=2&sort_order=asc&cursor=${String(second.headers['x-next-cursor'])}`);
    const walked = [first, second, third].flatMap(({ body }) => body.data);
    expect(walked.map(({ asset_id }) => asset_id)).toEqual(names.map(idOf));
    expect(third.headers).not.toHaveProperty('x-next-cursor');
    const again = await attach(wallet, { asset_id: idOf(names[0] as string) });
    expect(walked[0]).toEqual(again.body.data);
  });

  test('200: each with its asset and network from the catalogue; one that is disabled is hidden', async () => {
    await api.db
      .update(walletAssets)
      .set({ status: 'disabled' })
      .where(and(eq(walletAssets.walletId, wallet), eq(walletAssets.assetId, idOf('SOL_MAINNET SOL'))));
    const { data } = (await list()).body;
    const shownOf = (name: string) => data.find(({ asset_id }: { asset_id: string }) => asset_id === idOf(name));
    expect(shownOf('BASE_MAINNET USDC')).toMatchObject({
      hidden: false,
      asset: {
        id: idOf('BASE_MAINNET USDC'),
        symbol: 'USDC',
        decimals: 6,
        is_native: false,
        network: { internal_code: 'BASE_MAINNET', chain_id: 8453, is_evm: true },
      },
    });
    expect(shownOf('SOL_MAINNET SOL')).toMatchObject({ hidden: true, asset: { symbol: 'SOL', is_native: true } });
  });

  test('200: an archived wallet still shows them, and no address', async () => {
    await advanceWallet(api.db, wallet, { from: 'active', to: 'archived' });
    const { data } = (await list()).body;
    expect(data).toHaveLength(5);
    for (const each of data) expect(each).toMatchObject({ status: 'active', address: '', deposit_address: '' });
  });

  test('200: pending, without an address, while nobody would see what arrives', async () => {
    const base = ids['BASE_MAINNET USDC']?.networkId ?? '';
    await noteUnwatched(api.db, base);
    try {
      const again = await attach(wallet, { asset_id: idOf('BASE_MAINNET USDC') });
      expect(again).toMatchObject({ status: 200, body: { data: { status: 'pending', address: '', hidden: false } } });
      expect(await shown('?status=pending')).toEqual([idOf('BASE_MAINNET USDC')]);
      expect(await shown('?status=active')).toHaveLength(4);
      // What the catalogue says of its network is remembered for a moment, and another one may have come.
      const asset = expect.objectContaining({ id: idOf('BASE_MAINNET USDC') });
      const listed = await list(`?asset_id=${idOf('BASE_MAINNET USDC')}`);
      expect(listed.body.data).toEqual([{ ...again.body.data, asset }]);
    } finally {
      await noteHead(api.db, base, 100, undefined);
    }
    expect(await shown('?status=pending')).toEqual([]);
  });

  test('200: filters', async () => {
    const ethereum = ids['ETHEREUM_MAINNET ETH']?.networkId;
    const solana = ids['SOL_MAINNET SOL']?.networkId;
    expect(await shown(`?network_id=${ethereum}`)).toEqual([names[1], names[0]].map((name) => idOf(name as string)));
    expect(await shown(`?network_id=${ethereum},${solana}&sort_order=asc`)).toHaveLength(3);
    expect(await shown(`?asset_id=${idOf('BASE_MAINNET USDC')}`)).toEqual([idOf('BASE_MAINNET USDC')]);
    expect(await shown('?status=active')).toHaveLength(5);
    expect(await shown('?status=pending,disabled')).toEqual([]);
  });

  test.each(['status=gone', 'network_id=1', 'asset_id=USDC', 'limit=0', 'symbol=USDC'])('400: %s', async (query) => {
    expect(await list(`?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});

describe.each(['GET', 'POST'] as const)('%s /wallets/{wallet_id}/assets', (method) => {
  const call = (walletId: string, key?: { apiKey: string; apiSecret: string }) => {
    const body = method === 'POST' ? { asset_id: idOf('ETHEREUM_MAINNET ETH') } : undefined;
    return api.call(method, `/api/v1/wallets/${walletId}/assets`, body, {
      timestamp: nextSecond(),
      ...(key ? { key } : {}),
    });
  };

  test('400, 401, 403, 404', async () => {
    expect(await call('1')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect((await api.app.inject({ method, url: `/api/v1/wallets/${wallet}/assets` })).statusCode).toBe(401);
    const other = method === 'GET' ? 'wallets:write' : 'wallets:read';
    expect(await call(wallet, await api.makeKey({ scopes: [other] }))).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
    const walletIds = [await api.makeActiveWallet()];
    const bound = await api.makeKey({ scopes: ['wallets:read', 'wallets:write'], walletIds });
    expect(await call(wallet, bound)).toMatchObject({ status: 403, body: { code: 'wallet_not_allowed' } });
    const { workspaceId } = await api.makeWorkspace();
    const foreign = await call(await api.makeActiveWallet(workspaceId));
    expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found', data: null } });
    expect((await call(UNKNOWN)).body).toEqual(foreign.body);
  });
});
