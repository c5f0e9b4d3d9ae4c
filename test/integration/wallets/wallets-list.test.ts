// Goal: a caller finds wallets by what he calls them, keeps with them and pays into, and each is shown with its
// addresses, but none that this service did not write. Method: the API on a real database; every filter against the
// wallets that it must leave out.
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findWalletAddress } from '../../../drizzle/wallets/wallet-keys.ts';
import { advanceWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { walletAddresses } from '../../../drizzle/wallets/wallets.ts';
import { onBitcoinNetwork } from '../../../src/wallets/bitcoin-address.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { distinctSeconds } from '../../support/api/distinct-seconds.ts';

let api: TestApi;
let workspace: { workspaceId: string; key: TestKey };
let ids: Record<'treasury' | 'user42' | 'user43', string>;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  workspace = await api.makeWorkspace();
  const create = async (body: object) => (await post('/wallets', { wallet_type: 'mpc', ...body })).body.data.wallet_id;
  ids = {
    treasury: await create({ name: 'Treasury', wallet_type: 'standard', external_id: 'main' }),
    user42: await create({
      name: 'User',
      external_id: 'user,42',
      metadata: { customer: '42', 'kyc.level': '2', url: 'https://a:b' },
    }),
    user43: await create({ name: 'user', metadata: { customer: '43', 'kyc.level': '2' } }),
  };
});
afterAll(() => api.stop());

const nextSecond = distinctSeconds();
const send = (method: string, path: string, body: unknown, key: TestKey) =>
  api.call(method, `/api/v1${path}`, body, { key, timestamp: nextSecond() });
const post = (path: string, body: unknown, key = workspace.key) => send('POST', path, body, key);
const list = (query = '', { workspaceId, key } = workspace) =>
  api.call('GET', `/api/v1/workspaces/${workspaceId}/wallets${query}`, undefined, { key });
const named = async (query: string, key = workspace.key) => {
  const { status, body } = await list(query, { ...workspace, key });
  expect([status, body.message]).toEqual([200, 'success']);
  return body.data.map(({ id }: { id: string }) => Object.entries(ids).find(([, each]) => each === id)?.[0]);
};

describe('GET /workspaces/{workspace_id}/wallets', () => {
  test.each([
    ['', ['user43', 'user42', 'treasury']],
    ['?external_id=main', ['treasury']],
    ['?external_id=main,nobody', ['treasury']],
    ['?external_id=user,42', ['user42']],
    ['?external_id=42', []],
    ['?name=USER', ['user43', 'user42']],
    ['?name=use', []],
    ['?name=user&sort_by=updated_at&limit=1', ['user43']],
    ['?wallet_type=standard', ['treasury']],
    ['?wallet_type=mpc,standard', ['user43', 'user42', 'treasury']],
    ['?wallet_type=mpc&status=creating', ['user43', 'user42']],
    ['?wallet_type=mpc&status=frozen', []],
    ['?metadata=customer:42', ['user42']],
    ['?metadata=kyc.level:2', ['user43', 'user42']],
    ['?metadata=kyc.level:2&external_id=user,42', ['user42']],
    ['?metadata=url:https://a:b', ['user42']],
    ['?metadata=customer:4', []],
    ['?metadata=level:2', []],
  ])('200: %s', async (query, expected) => {
    expect(await named(query)).toEqual(expected);
  });

  test('200: another workspace finds none of them, and a bound key only its own', async () => {
    const foreign = await api.makeWorkspace();
    for (const query of ['?external_id=main', '?name=User', '?metadata=customer:42'])
      expect((await list(query, foreign)).body.data).toEqual([]);
    const bound = await api.makeKey({
      workspaceId: workspace.workspaceId,
      scopes: ['wallets:read'],
      walletIds: [ids.user43],
    });
    expect(await named('?name=user', bound)).toEqual(['user43']);
    expect(await named('?metadata=kyc.level:2', bound)).toEqual(['user43']);
    expect(await named('?external_id=main', bound)).toEqual([]);
  });

  test.each([
    'wallet_type=hot',
    'name=',
    `name=${'x'.repeat(201)}`,
    'metadata=customer',
    'metadata=:42',
    'metadata=a%20b:42',
    'external_id=',
    'address=',
    'owner=me',
  ])('400: %s', async (query) => {
    expect(await list(`?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
  });
});

describe('what a caller calls and keeps with a wallet', () => {
  const read = async (id: string) =>
    (await api.call('GET', `/api/v1/wallets/${id}`, undefined, { key: workspace.key })).body.data;

  test('is in its record', async () => {
    expect(await read(ids.user42)).toMatchObject({
      external_id: 'user,42',
      metadata: { customer: '42', 'kyc.level': '2', url: 'https://a:b' },
    });
    expect(await read(ids.user43)).not.toHaveProperty('external_id');
    expect((await read(ids.treasury)).metadata).toEqual({});
  });

  test('200: metadata that is sent takes the place of what there was, and is found; what is not sent stays', async () => {
    const created = await post('/wallets', { name: 'changing', wallet_type: 'mpc', metadata: { a: '1', b: '2' } });
    const id = created.body.data.wallet_id;
    const found = async (pair: string) => (await list(`?metadata=${pair}`)).body.data.length;
    const change = (body: object) => send('PATCH', `/wallets/${id}`, body, workspace.key);
    expect((await change({ name: 'changed' })).body.data).toMatchObject({
      name: 'changed',
      metadata: { a: '1', b: '2' },
    });
    expect((await change({ metadata: { b: '3' } })).body.data.metadata).toEqual({ b: '3' });
    expect([await found('a:1'), await found('b:2'), await found('b:3')]).toEqual([0, 0, 1]);
    expect((await change({ metadata: {} })).body.data.metadata).toEqual({});
    expect(await found('b:3')).toBe(0);
  });

  test('409 external_id_taken names the wallet that has it; the workspaces have names of their own', async () => {
    const taken = await post('/wallets', { name: 'again', wallet_type: 'mpc', external_id: 'main' });
    expect(taken).toMatchObject({ status: 409, body: { code: 'external_id_taken', data: null } });
    expect(taken.body.message).toContain(`the wallet ${ids.treasury}`);
    const foreign = await api.makeWorkspace();
    expect(await post('/wallets', { name: 'x', wallet_type: 'mpc', external_id: 'main' }, foreign.key)).toMatchObject({
      status: 202,
    });
  });

  test('of many who race for one name one gets it', async () => {
    const { key } = await api.makeWorkspace();
    const external_id = uuidv7();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post('/wallets', { name: 'racer', wallet_type: 'mpc', external_id }, key)),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
  });

  const long = 'x'.repeat(201);
  test.each([
    ['an external_id with a space', { external_id: 'a b' }],
    ['metadata that is a text', { metadata: 'customer:42' }],
    ['a number in metadata', { metadata: { level: 2 } }],
    ['an object in metadata', { metadata: { deep: { er: '1' } } }],
    ['an empty value', { metadata: { level: '' } }],
    ['a long value', { metadata: { level: long } }],
    ['a name with a colon', { metadata: { 'a:b': '1' } }],
    ['a long name', { metadata: { ['n'.repeat(41)]: '1' } }],
    ['21 names', { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`n${n}`, '1'])) }],
  ])('400: %s', async (_name, more) => {
    expect(await post('/wallets', { name: 'x', wallet_type: 'mpc', ...more })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', data: null },
    });
  });
});

describe('addresses', () => {
  const shown = async (id: string) => {
    const { data } = (await api.call('GET', `/api/v1/wallets/${id}`)).body;
    const listed = (await api.call('GET', `/api/v1/workspaces/${api.workspaceId}/wallets`)).body.data;
    expect(listed.find((each: { id: string }) => each.id === id)).toEqual(data);
    return data.addresses;
  };
  const stored = async (id: string, family: 'evm' | 'sol' | 'btc' | 'tron') =>
    (await findWalletAddress(api.db, id, family))?.address ?? '';
  const foundBy = async (address: string) =>
    (await api.call('GET', `/api/v1/workspaces/${api.workspaceId}/wallets?address=${address}`)).body.data.map(
      ({ id }: { id: string }) => id,
    );

  test('of each family are in the record and in the list', async () => {
    const id = await api.makeActiveWallet();
    expect(await shown(id)).toEqual({
      evm: await stored(id, 'evm'),
      sol: await stored(id, 'sol'),
      btc: await stored(id, 'btc'),
      tron: await stored(id, 'tron'),
    });
  });

  test('lead to their wallet, an address of hex in either case, a Bitcoin address on any network', async () => {
    const [id, another] = [await api.makeActiveWallet(), await api.makeActiveWallet()];
    const evm = await stored(id, 'evm');
    for (const text of [evm, evm.toLowerCase(), await stored(id, 'sol'), await stored(id, 'tron')])
      expect(await foundBy(text)).toEqual([id]);
    const bitcoin = await stored(id, 'btc');
    for (const network of ['mainnet', 'testnet', 'regtest'] as const)
      expect(await foundBy(onBitcoinNetwork(bitcoin, network))).toEqual([id]);
    expect(await foundBy(`${evm},${await stored(another, 'sol')}`)).toEqual([another, id]);
    expect(await foundBy('nonsense')).toEqual([]);
    const foreign = await api.makeWorkspace();
    const elsewhere = await api.makeActiveWallet(foreign.workspaceId);
    expect(await foundBy(await stored(elsewhere, 'evm'))).toEqual([]);
  });

  test('one that this service did not write is not shown, and the wallet can still be frozen', async () => {
    const id = await api.makeActiveWallet();
    const [evm, btc] = [await stored(id, 'evm'), await stored(id, 'btc')];
    const thief = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    await api.db.update(walletAddresses).set({ address: thief }).where(eq(walletAddresses.address, evm));
    const addresses = await shown(id);
    expect(addresses).not.toHaveProperty('evm');
    expect(addresses.btc).toBe(btc);
    const frozen = await api.call('POST', `/api/v1/wallets/${id}/freeze`);
    expect(frozen).toMatchObject({ status: 200, body: { data: { status: 'frozen' } } });
    expect(JSON.stringify(frozen.body)).not.toContain(thief);
  });

  test('there are none while the wallet is made, and none when it is archived', async () => {
    const created = await post('/wallets', { name: 'new', wallet_type: 'mpc' }, api.admin);
    expect(await shown(created.body.data.wallet_id)).toEqual({});
    const id = await api.makeActiveWallet();
    await advanceWallet(api.db, id, { from: 'active', to: 'archived' });
    expect(await shown(id)).toEqual({});
  });
});
