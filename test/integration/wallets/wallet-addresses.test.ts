// Goal: every way to ask where a wallet receives leads to the same, right address, and none is shown that must not be
// paid. Method: the API on a real database; wallets whose addresses come from real keys; Bitcoin's address on another
// network is computed a second time by @scure/btc-signer.
import { NETWORK, p2wpkh, TEST_NETWORK } from '@scure/btc-signer';
import QRCode from 'qrcode';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clearHalt, haltNetwork, noteHead, noteUnwatched } from '../../../drizzle/networks/network-states.ts';
import { findWalletAddress, findWalletKey } from '../../../drizzle/wallets/wallet-keys.ts';
import { advanceWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { connectEveryNetwork } from '../../support/rows/funded.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const USDC = 'bfc0a64b-e218-5deb-9c64-4125afa39d1a';
const network = (number: number) => `6e657477-6f72-4000-8000-${number.toString(16).padStart(12, '0')}`;
const GNOSIS = '6e657477-6f72-4000-8001-000000000064';

let api: TestApi;
let wallet: string;
beforeAll(async () => {
  api = await startApi();
  await connectEveryNetwork(api.db);
  wallet = await api.makeActiveWallet();
});
afterAll(() => api.stop());

const get = (path: string) => api.call('GET', `/api/v1${path}`);
const stored = async (addressType: 'evm' | 'btc' | 'sol' | 'tron') =>
  (await findWalletAddress(api.db, wallet, addressType))?.address;
const creating = async () =>
  (await api.call('POST', '/api/v1/wallets', { name: `${Math.random()}`, wallet_type: 'mpc' })).body.data.wallet_id;

describe('by chain family', () => {
  test.each([
    ['evm', /^0x[0-9a-fA-F]{40}$/],
    ['btc', /^bcrt1q/],
    ['sol', /^[1-9A-HJ-NP-Za-km-z]{32,44}$/],
  ] as const)('200: %s, the same on all three routes, with network and asset', async (addressType, shape) => {
    const address = await stored(addressType);
    expect(address).toMatch(shape);
    const query = `?address_type=${addressType}`;
    const qr_code = await QRCode.toDataURL(address as string, { type: 'image/png' });
    // The main one of the family; the address of a Bitcoin key that wallets are stored with is of the sandbox's.
    const network_id = network({ evm: 4, btc: 3, sol: 7 }[addressType]);
    const [native] = (await get(`/assets?network_id=${network_id}&is_native=true`)).body.data;
    const state = { wallet_id: wallet, asset_id: native.id, network_id, address, memo: '', qr_code };
    for (const [route, data] of [
      ['address', state],
      ['deposit-address', { ...state, qr_code: '' }],
    ] as const)
      expect((await get(`/wallets/${wallet}/${route}${query}`)).body.data).toEqual(data);
    expect((await get(`/wallets/${wallet}/deposit-address${query}&qr_code=true`)).body.data).toEqual(state);
    expect((await get(`/wallets/${wallet}/deposit-address${query}&qr_code=false`)).body.data.qr_code).toBe('');
    const detail = await get(`/web3/wallet-detail/${wallet}${query}`);
    expect(detail).toMatchObject({ status: 200, body: { data: { id: wallet, address } } });
  });

  test('200: evm when nothing is asked for', async () => {
    const address = await stored('evm');
    for (const path of [
      `/wallets/${wallet}/address`,
      `/wallets/${wallet}/deposit-address`,
      `/web3/wallet-detail/${wallet}`,
    ])
      expect((await get(path)).body.data.address).toBe(address);
  });
});

describe('where nobody would see what arrives', () => {
  test('400: Tron, of which the service has no adapter; its address is in the records, for signatures', async () => {
    for (const route of ['address?address_type=tron', `deposit-address?network_id=${network(15)}`]) {
      const answer = await get(`/wallets/${wallet}/${route}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
      expect(answer.body.message).not.toMatch(/operator/);
    }
    const address = await stored('tron');
    expect((await get(`/web3/wallet-detail/${wallet}?address_type=tron`)).body.data).toMatchObject({ address });
    expect((await get(`/wallets/${wallet}`)).body.data.addresses.tron).toBe(address);
  });

  test('503: a network whose node is gone, or that is halted; by family the next one stands for it', async () => {
    const byFamily = async () => (await get(`/wallets/${wallet}/address?address_type=sol`)).body.data;
    const onNetwork = () => get(`/wallets/${wallet}/deposit-address?network_id=${network(7)}`);
    expect((await onNetwork()).status).toBe(200);
    await noteUnwatched(api.db, network(7));
    expect(await onNetwork()).toMatchObject({ status: 503, body: { code: 'dependency_unavailable' } });
    expect(await byFamily()).toMatchObject({ network_id: network(2), address: await stored('sol') });
    for (const number of [2, 8]) await noteUnwatched(api.db, network(number));
    expect(await byFamily()).toMatchObject({ network_id: '', asset_id: '', address: await stored('sol') });
    for (const number of [2, 7, 8]) await noteHead(api.db, network(number), 100, undefined);
    await haltNetwork(api.db, network(7), 101, 'a fork without an end');
    expect(await onNetwork()).toMatchObject({ status: 503, body: { code: 'dependency_unavailable' } });
    await api.db.transaction((tx) => clearHalt(tx, network(7)));
    expect((await onNetwork()).status).toBe(200);
  });
});

describe('by network', () => {
  test('200: Bitcoin has the address of the same key on each network', async () => {
    const key = await findWalletKey(api.db, wallet, 'secp256k1');
    const expected = [
      [network(3), p2wpkh(key?.publicKey as Uint8Array, { ...TEST_NETWORK, bech32: 'bcrt' }).address],
      [network(9), p2wpkh(key?.publicKey as Uint8Array, NETWORK).address],
      [network(22), p2wpkh(key?.publicKey as Uint8Array, TEST_NETWORK).address],
    ] as const;
    for (const [id, address] of expected) {
      const { body } = await get(`/wallets/${wallet}/deposit-address?network_id=${id}`);
      const [native] = (await get(`/assets?network_id=${id}&is_native=true`)).body.data;
      expect(body.data).toMatchObject({ network_id: id, asset_id: native.id, address });
    }
    expect(new Set(expected.map(([, address]) => address?.split('1', 1)[0]))).toEqual(new Set(['bcrt', 'bc', 'tb']));
  });

  test.each([
    [4, 'evm'],
    [11, 'evm'],
    [7, 'sol'],
  ] as const)('200: network %i is of family %s', async (number, addressType) => {
    const { body } = await get(
      `/wallets/${wallet}/deposit-address?network_id=${network(number)}&address_type=${addressType}`,
    );
    expect(body.data).toMatchObject({ network_id: network(number), address: await stored(addressType) });
  });
});

describe('by asset', () => {
  test('409 until it is attached, then 200', async () => {
    const path = `/wallets/${wallet}/deposit-address?asset_id=${USDC.toUpperCase()}`;
    expect(await get(path)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    await api.call('POST', `/api/v1/wallets/${wallet}/assets`, { asset_id: USDC });
    expect((await get(path)).body.data).toMatchObject({
      asset_id: USDC,
      network_id: network(4),
      address: await stored('evm'),
    });
    const agreeing = await get(`${path}&network_id=${network(4)}&address_type=evm`);
    expect(agreeing.status).toBe(200);
  });
});

test.each([
  ['an unknown family', 'address_type=doge'],
  ['an empty family', 'address_type='],
  ['an unknown parameter', 'type=evm'],
  ['an asset that is not in the catalogue', `asset_id=${UNKNOWN}`],
  ['a network that is not in the catalogue', `network_id=${UNKNOWN}`],
  ['a disabled network', `network_id=${GNOSIS}`],
  ['an id that is none', 'asset_id=USDC'],
  ['an asset of another network', `asset_id=${USDC}&network_id=${network(5)}`],
  ['an asset of another family', `asset_id=${USDC}&address_type=sol`],
  ['a network of another family', `network_id=${network(9)}&address_type=evm`],
])('400: %s', async (_name, query) => {
  expect(await get(`/wallets/${wallet}/deposit-address?${query}`)).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', data: null },
  });
});

describe('what the status of the wallet allows', () => {
  test('creating: 409, and an empty address in the detail', async () => {
    const id = await creating();
    for (const route of ['address', 'deposit-address'])
      expect(await get(`/wallets/${id}/${route}`)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    expect((await get(`/web3/wallet-detail/${id}`)).body.data).toMatchObject({ status: 'creating', address: '' });
  });

  test('frozen: it still receives. Archived: no route shows an address any more', async () => {
    const id = await api.makeActiveWallet();
    await advanceWallet(api.db, id, { from: 'active', to: 'frozen' });
    for (const route of ['address', 'deposit-address']) expect((await get(`/wallets/${id}/${route}`)).status).toBe(200);
    await advanceWallet(api.db, id, { from: 'frozen', to: 'archived' });
    for (const route of ['address', 'deposit-address'])
      expect(await get(`/wallets/${id}/${route}`)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    expect((await get(`/web3/wallet-detail/${id}`)).body.data).toMatchObject({ status: 'archived', address: '' });
    expect((await get(`/wallets/${id}`)).body.data).toMatchObject({ status: 'archived', addresses: {} });
  });
});

describe('GET /web3/wallet-detail', () => {
  const ask = async (walletIds: string[], query = '') =>
    api.call('GET', `/api/v1/web3/wallet-detail${query}`, undefined, {
      key: await api.makeKey({ scopes: ['wallets:read'], walletIds }),
    });

  test('200: the wallet of the key', async () => {
    expect(await ask([wallet], '?address_type=sol')).toMatchObject({
      status: 200,
      body: {
        data: { wallet_id: wallet, workspace_id: api.workspaceId, address_type: 'sol', address: await stored('sol') },
      },
    });
  });

  test('409: a key that is bound to none, or to several', async () => {
    for (const walletIds of [[], [wallet, await api.makeActiveWallet()]])
      expect(await ask(walletIds)).toMatchObject({ status: 409, body: { code: 'invalid_state', data: null } });
  });

  test('400 and 401', async () => {
    expect(await ask([wallet], '?address_type=doge')).toMatchObject({ status: 400 });
    expect((await api.app.inject({ method: 'GET', url: '/api/v1/web3/wallet-detail' })).statusCode).toBe(401);
  });
});

describe.each([
  (id: string) => `/web3/wallet-detail/${id}`,
  (id: string) => `/wallets/${id}/address`,
  (id: string) => `/wallets/${id}/deposit-address`,
])('GET %s', (path) => {
  test("404: no such wallet, or another workspace's, as if it were not there; 400: an id that is none", async () => {
    const { workspaceId } = await api.makeWorkspace();
    const foreign = await get(path(await api.makeActiveWallet(workspaceId)));
    expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found', data: null } });
    expect((await get(path(UNKNOWN))).body).toEqual(foreign.body);
    expect(await get(path('1'))).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('401 unsigned; 403 without the scope, or for a key bound to another wallet', async () => {
    expect((await api.app.inject({ method: 'GET', url: `/api/v1${path(wallet)}` })).statusCode).toBe(401);
    const scopeless = await api.makeKey({ scopes: ['catalog:read'] });
    const bound = await api.makeKey({ scopes: ['wallets:read'], walletIds: [await api.makeActiveWallet()] });
    for (const [key, code] of [
      [scopeless, 'insufficient_scope'],
      [bound, 'wallet_not_allowed'],
    ] as const)
      expect(await api.call('GET', `/api/v1${path(wallet)}`, undefined, { key })).toMatchObject({
        status: 403,
        body: { code },
      });
  });
});
