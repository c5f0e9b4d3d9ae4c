// Goal: the activities that make a wallet have one effect however often they run, and publish exactly the addresses of
// the keys. Method: real PostgreSQL, a cluster in memory whose private keys are known, so that every address is
// computed a second time by other libraries from the private side.

import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58, createBase58check } from '@scure/base';
import { getAddress } from '@scure/btc-signer';
import { ApplicationFailure } from '@temporalio/common';
import { toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Activities, createActivities } from '../../../activities/index.ts';
import type { GeneratedKey } from '../../../activities/keys/create-wallet.ts';
import type { ClusterErrorCode } from '../../../activities/mpc/port.ts';
import type { BitcoinNetwork } from '../../../domain/catalog/bitcoin-networks.ts';
import type { Curve } from '../../../domain/statuses.ts';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { noChains } from '../../support/chains/no-chains.ts';
import { FakeCluster } from '../../support/cluster/fake-cluster.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { quietEnvironment } from '../../support/processes/activity-environment.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { makeWallet, makeWorkspace, readWallet } from '../../support/rows/operation-rows.ts';
import { testSeals } from '../../support/rows/seals.ts';

let database: TestDatabase;
let connection: DatabaseConnection;
let cluster: FakeCluster;
let activities: Activities;
let workspaceId: string;
let walletId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 4, name: 'test-wallet-activities' });
  workspaceId = await makeWorkspace(connection.db);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});
beforeEach(async () => {
  cluster = new FakeCluster();
  activities = withBitcoin('regtest');
  walletId = await makeWallet(connection.db, workspaceId);
});

const environment = quietEnvironment();
const withBitcoin = (bitcoinNetwork: BitcoinNetwork) =>
  createActivities({
    db: connection.db,
    clusters: onlyMain(cluster),
    chains: noChains,
    seals: testSeals,
    bitcoinNetwork,
  });
const generate = (curve: Curve): Promise<GeneratedKey> =>
  environment.run(() => activities.generateKey(walletId, curve));
const generateBoth = async () => [await generate('secp256k1'), await generate('ed25519')];

describe('an activity that runs twice has one effect', () => {
  test('generateKey: the same key', async () => {
    expect(await generate('secp256k1')).toEqual(await generate('secp256k1'));
    expect(await generate('ed25519')).toEqual(await generate('ed25519'));
  });

  test('generateKey, its first answer lost: the key that was made then', async () => {
    cluster.meet('generateKey', { lost: 'mpc_error' });
    await expect(generate('ed25519')).rejects.toThrow(ApplicationFailure);
    const key = await generate('ed25519');
    expect(key.publicKey).toBe(publicOf(cluster.privateKey(walletId, 'ed25519', [])));
  });

  test('generateKey, which takes long: Temporal is told that its worker lives', async () => {
    const watched = quietEnvironment();
    let heartbeats = 0;
    watched.on('heartbeat', () => {
      heartbeats += 1;
    });
    cluster.meet('generateKey', { delayMs: 2_300 });
    await watched.run(() => activities.generateKey(walletId, 'ed25519'));
    expect(heartbeats).toBeGreaterThanOrEqual(1);
  });

  test('activateWallet: one set of keys and addresses, also side by side', async () => {
    const keys = await generateBoth();
    await activities.activateWallet(walletId, keys);
    const first = await readWallet(connection.db, walletId);
    await Promise.all([activities.activateWallet(walletId, keys), activities.activateWallet(walletId, keys)]);
    expect(await readWallet(connection.db, walletId)).toEqual(first);
    expect(first).toMatchObject({ wallet: { status: 'active' }, keys: [{}, {}], addresses: [{}, {}, {}, {}] });
  });

  test('failWallet: the first reason stays', async () => {
    await activities.failWallet(walletId, 'mpc_refused', 'the first reason');
    const first = await readWallet(connection.db, walletId);
    await activities.failWallet(walletId, 'mpc_error', 'another reason');
    expect(await readWallet(connection.db, walletId)).toEqual(first);
    expect(first.wallet).toMatchObject({ status: 'failed', errorCode: 'mpc_refused', errorReason: 'the first reason' });
  });
});

describe('a wallet that ended stays as it ended', () => {
  test('activateWallet does not bring a failed wallet back, and stores no key of it', async () => {
    const keys = await generateBoth();
    await activities.failWallet(walletId, 'mpc_refused', 'refused');
    await activities.activateWallet(walletId, keys);
    expect(await readWallet(connection.db, walletId)).toMatchObject({
      wallet: { status: 'failed' },
      keys: [],
      addresses: [],
    });
  });

  test('failWallet does not end an active wallet', async () => {
    await activities.activateWallet(walletId, await generateBoth());
    const first = await readWallet(connection.db, walletId);
    await activities.failWallet(walletId, 'mpc_error', 'too late');
    expect(await readWallet(connection.db, walletId)).toEqual(first);
  });

  test('a node that is missed after the end leaves no note', async () => {
    await activities.activateWallet(walletId, await generateBoth());
    cluster.meet('generateKey', 'cluster_not_ready');
    await expect(generate('ed25519')).rejects.toThrow(ApplicationFailure);
    expect((await readWallet(connection.db, walletId)).wallet.statusReason).toBeNull();
  });
});

test('a key that is missing leaves nothing half done', async () => {
  const key = await generate('secp256k1');
  await expect(activities.activateWallet(walletId, [key])).rejects.toMatchObject({
    nonRetryable: true,
    type: 'mpc_error',
  });
  expect(await readWallet(connection.db, walletId)).toMatchObject({
    wallet: { status: 'creating' },
    keys: [],
    addresses: [],
  });
});

test('keys that collide in the middle of the commit leave nothing half done', async () => {
  const [key] = await generateBoth();
  if (key === undefined) throw new Error('no key');
  const keys = [...(await generateBoth()), key];
  await expect(activities.activateWallet(walletId, keys)).rejects.toThrow();
  expect(await readWallet(connection.db, walletId)).toMatchObject({
    wallet: { status: 'creating' },
    keys: [],
    addresses: [],
  });
});

test.each([
  ['cluster_not_ready', undefined],
  ['cluster_busy', '30s'],
] as const)('what waits (%s) says so, and no longer once it is active', async (code, nextRetryDelay) => {
  cluster.meet('generateKey', code);
  await expect(generate('secp256k1')).rejects.toMatchObject({ type: code, nonRetryable: false, nextRetryDelay });
  expect((await readWallet(connection.db, walletId)).wallet.statusReason).toBe(code);
  await activities.activateWallet(walletId, await generateBoth());
  expect((await readWallet(connection.db, walletId)).wallet).toMatchObject({ status: 'active', statusReason: null });
});

const codes: [ClusterErrorCode, boolean][] = [
  ['cluster_not_ready', false],
  ['cluster_busy', false],
  ['mpc_error', false],
  ['aborted', false],
  ['invalid_request', true],
  ['mpc_refused', true],
  ['counterparty_banned', true],
  ['signature_invalid', false],
];

test.each(codes)('%s reaches Temporal as itself; not retried: %s', async (code, nonRetryable) => {
  cluster.meet('generateKey', code);
  await expect(generate('ed25519')).rejects.toMatchObject({
    type: code,
    nonRetryable,
    message: `the fake cluster answers ${code}`,
  });
});

describe('addresses are those of the private keys', () => {
  async function addresses(): Promise<Record<string, { address: string; path: string }>> {
    await activities.activateWallet(walletId, await generateBoth());
    const rows = (await readWallet(connection.db, walletId)).addresses;
    return Object.fromEntries(
      rows.map(({ addressType, address, derivationPath }) => [addressType, { address, path: derivationPath }]),
    );
  }

  test('EVM, by viem', async () => {
    const { evm } = await addresses();
    const secret = cluster.privateKey(walletId, 'secp256k1', [44, 60, 0, 0, 0]);
    expect(evm).toEqual({ address: privateKeyToAccount(toHex(secret)).address, path: 'm/44/60/0/0/0' });
  });

  test.each([
    ['mainnet', { bech32: 'bc', pubKeyHash: 0x00, scriptHash: 0x05, wif: 0x80 }, /^bc1q/],
    ['testnet', { bech32: 'tb', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }, /^tb1q/],
    ['regtest', { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }, /^bcrt1q/],
  ] as const)('Bitcoin on %s, by @scure/btc-signer', async (network, parameters, shape) => {
    activities = withBitcoin(network);
    const { btc } = await addresses();
    const secret = cluster.privateKey(walletId, 'secp256k1', [44, 0, 0, 0, 0]);
    expect(btc).toEqual({ address: getAddress('wpkh', secret, parameters), path: 'm/44/0/0/0/0' });
    expect(btc?.address).toMatch(shape);
  });

  test('Tron, as base58check of 0x41 and the 20 bytes of viem', async () => {
    const { tron } = await addresses();
    const secret = cluster.privateKey(walletId, 'secp256k1', [44, 195, 0, 0, 0]);
    const account = Buffer.from(privateKeyToAccount(toHex(secret)).address.slice(2), 'hex');
    expect(tron).toEqual({
      address: createBase58check(sha256).encode(Buffer.concat([Buffer.of(0x41), account])),
      path: 'm/44/195/0/0/0',
    });
    expect(tron?.address).toMatch(/^T/);
  });

  test('Solana, as base58 of the child point', async () => {
    const { sol } = await addresses();
    const secret = cluster.privateKey(walletId, 'ed25519', [44, 501, 0, 0, 0]);
    expect(sol).toEqual({ address: base58.encode(Buffer.from(publicOf(secret), 'hex')), path: 'm/44/501/0/0/0' });
  });
});

const publicOf = (secret: Uint8Array) =>
  Buffer.from(ed25519.Point.BASE.multiply(BigInt(toHex(secret))).toBytes()).toString('hex');
