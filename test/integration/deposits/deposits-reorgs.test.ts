// Goal: a deposit stands or falls with its transaction being on the chain: whatever the chain takes back is taken back,
// whatever comes again is the same deposit, and the ledger balances at every step. Method: an anvil of each test's own
// that is reorganised on command, the product's readings one at a time.

import { v7 as uuidv7 } from 'uuid';
import { type Address, type Hex, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import { recordBlock, resumeNetwork, rollBack } from '../../../drizzle/deposits/network-steps.ts';
import { postLedgerEvent } from '../../../drizzle/ledger/ledger.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { type DepositDatabase, openDepositDatabase, watchDeposits } from '../../support/chains/deposit-watch.ts';

const NETWORK = 'ETHEREUM_SANDBOX';

let anvil: Anvil;
let rows: DepositDatabase;
let watch: ReturnType<typeof watchDeposits>;
let ours: Address;
let walletId: string;
let ether: string;

beforeEach(async () => {
  [anvil, rows] = await Promise.all([startAnvil(), openDepositDatabase()]);
  watch = watchDeposits(rows.db, { networkCode: NETWORK, chain: evmChain({ rpcUrl: anvil.url, chainId: 31_337 }) });
  ether = await rows.nativeAsset(NETWORK);
  ours = privateKeyToAddress(generatePrivateKey());
  walletId = await rows.makeWallet('evm', ours);
});
afterEach(async () => {
  expect(await rows.imbalances()).toEqual([]);
  await anvil.stop();
  await rows.stop();
});

const mine = (blocks = 1) => anvil.client.mine({ blocks });
const pay = (value: bigint) => anvil.client.sendTransaction({ to: ours, value });
const rawOf = async (hash: Hex): Promise<Hex> =>
  anvil.client.request({ method: 'eth_getRawTransactionByHash', params: [hash] } as never);
const again = (raw: Hex) => anvil.client.sendRawTransaction({ serializedTransaction: raw });
const only = async () => {
  const found = await rows.depositsOf(walletId);
  expect(found).toHaveLength(1);
  const [deposit] = found;
  if (deposit === undefined) throw new Error('no deposit');
  return deposit;
};
const activity = async () =>
  (await rows.activityOf(walletId)).map(({ status, failedReason }) => [status, failedReason]);
const balances = () => rows.balances(walletId, ether);
const NOTHING = { available: 0n, pending_in: 0n };
const nothingLeft = { departures: [], outflows: [], freeze: false } as const;
const GONE = 'A reorganisation of the chain took its block back.';

test('pending, and mined again in another block: the same deposit, credited once', async () => {
  await mine();
  const raw = await rawOf(await pay(5n));
  await mine();
  await watch.read();
  const before = await only();
  await anvil.reorganise(1);
  await watch.read();
  expect(await only()).toMatchObject({ id: before.id, status: 'pending', blockHash: '' });
  expect(await balances()).toEqual({ available: 0n, pending_in: 5n });
  await again(raw);
  await mine();
  await watch.read();
  const after = await only();
  expect(after).toMatchObject({ id: before.id, status: 'pending', occurrence: 0 });
  expect(after.blockHash).not.toBe(before.blockHash);
  expect((await rows.activityOf(walletId))[0]).toMatchObject({
    blockHash: after.blockHash,
    blockNumber: after.blockNumber,
  });
  await mine();
  await watch.read();
  expect(await only()).toMatchObject({ id: before.id, status: 'confirmed' });
  expect(await balances()).toEqual({ available: 5n, pending_in: 0n });
});

test('pending, and never mined again: lost once the chain has grown past it', async () => {
  await mine();
  await pay(5n);
  await mine();
  await watch.read();
  await anvil.reorganise(1);
  await watch.read();
  expect(await only()).toMatchObject({ status: 'pending' });
  await mine();
  await watch.read();
  expect(await only()).toMatchObject({ status: 'reorged' });
  expect(await balances()).toEqual(NOTHING);
  expect(await activity()).toEqual([['failed', GONE]]);
});

test('lost, and mined again later: it comes back, and is credited once', async () => {
  await mine();
  const raw = await rawOf(await pay(5n));
  await mine();
  await watch.read();
  await anvil.reorganise(1);
  await mine(3);
  await watch.read();
  const lost = await only();
  expect(lost.status).toBe('reorged');
  await again(raw);
  await mine();
  await watch.read();
  expect(await only()).toMatchObject({ id: lost.id, status: 'pending', occurrence: 1 });
  expect(await activity()).toEqual([['pending', null]]);
  await mine();
  await watch.read();
  expect(await balances()).toEqual({ available: 5n, pending_in: 0n });
});

test('confirmed, and reorganised away by three blocks: taken back at once, and given again when it is mined again', async () => {
  await mine();
  const raw = await rawOf(await pay(5n));
  await mine(3);
  await watch.read();
  expect(await balances()).toEqual({ available: 5n, pending_in: 0n });
  await anvil.reorganise(3);
  await watch.read();
  expect(await only()).toMatchObject({ status: 'reorged' });
  expect(await balances()).toEqual(NOTHING);
  expect(await activity()).toEqual([['failed', GONE]]);
  await again(raw);
  await mine(2);
  await watch.read();
  expect(await only()).toMatchObject({ status: 'confirmed', occurrence: 1 });
  expect(await balances()).toEqual({ available: 5n, pending_in: 0n });
});

test('what was spent already and is taken back leaves a debt', async () => {
  await mine();
  await pay(5n);
  await mine(2);
  await watch.read();
  const spent = { assetId: ether, from: 'available', to: 'outside', amount: 4n } as const;
  await rows.db.transaction((tx) =>
    postLedgerEvent(tx, { kind: 'withdrawal_settled', subjectId: uuidv7(), walletId, movements: [spent] }),
  );
  await anvil.reorganise(2);
  await watch.read();
  expect(await balances()).toEqual({ available: -4n, pending_in: 0n });
});

test('a chain that comes back shorter: seen as soon as it shows another block', async () => {
  await mine();
  const raw = await rawOf(await pay(5n));
  await mine(4);
  await watch.read();
  expect(await only()).toMatchObject({ status: 'confirmed' });
  await anvil.client.request({ method: 'anvil_rollback', params: [4] } as never);
  await watch.read();
  // Nothing contradicts what was read: the node may lag.
  expect(await only()).toMatchObject({ status: 'confirmed' });
  await anvil.client.setNextBlockTimestamp({ timestamp: BigInt(Math.floor(Date.now() / 1000) + 1_000) });
  await mine();
  await watch.read();
  expect(await only()).toMatchObject({ status: 'reorged' });
  await again(raw);
  await mine(2);
  await watch.read();
  expect(await only()).toMatchObject({ status: 'confirmed', occurrence: 1 });
});

test('a block that the node has lost: waited for, and named to an operator once no node lags as far', async () => {
  const whole = evmChain({ rpcUrl: anvil.url, chainId: 31_337 });
  const block = async (number: number) => (number === 2 ? undefined : whole.block(number));
  const lossy = watchDeposits(rows.db, { networkCode: NETWORK, chain: { ...whole, block } });
  await mine(60);
  expect(await lossy.read()).toMatchObject({ state: 'watching', nextBlock: 2 });
  expect((await lossy.state()).readingFailure).toBeNull();
  await mine(10);
  await expect(lossy.read()).rejects.toThrow('The node has no block 2, although its newest is block 70.');
  expect((await lossy.state()).readingFailure).toContain('no block 2,');
  await watch.read();
  expect(await watch.state()).toMatchObject({ nextBlock: 71, readingFailure: null });
});

test('deeper than the window: the network is halted, loudly, until an operator says from where', async () => {
  await pay(5n);
  await mine(70);
  await watch.read();
  expect(await balances()).toEqual({ available: 5n, pending_in: 0n });
  const { nextBlock } = await watch.state();
  await anvil.reorganise(69);
  await pay(7n);
  await mine(3);
  expect(await watch.read()).toMatchObject({ state: 'halted' });
  expect(await watch.state()).toMatchObject({ nextBlock, haltedReason: expect.stringContaining('another one') });
  expect(watch.lines.filter(({ level }) => level === 'ERROR')).not.toEqual([]);
  expect(await watch.read()).toMatchObject({ state: 'halted' });
  expect(await rows.depositsOf(walletId)).toHaveLength(1);
  const { id } = await watch.network();
  // The word alone: the chain is still another one, and is still not believed.
  await resumeNetwork(rows.db, id);
  expect(await watch.read()).toMatchObject({ state: 'halted' });
  await resumeNetwork(rows.db, id, 2);
  expect(await watch.read()).toMatchObject({ state: 'watching' });
  expect((await rows.depositsOf(walletId)).map(({ status, amountBaseUnits }) => [status, amountBaseUnits])).toEqual([
    ['confirmed', 5n],
    ['confirmed', 7n],
  ]);
  expect(await balances()).toEqual({ available: 12n, pending_in: 0n });
});

test('an inbound transfer that is another amount when it is executed again is counted by what it is now', async () => {
  await watch.read();
  const { id, confirmationBlocks } = await watch.network();
  const network = { id, confirmationBlocks };
  const credit = (blockHash: string, amountBaseUnits: bigint, blockNumber: number) => ({
    workspaceId: rows.workspaceId,
    walletId,
    assetId: ether,
    networkId: id,
    txHash: '0xaa',
    arrivalIndex: 'log:1',
    fromAddress: null,
    toAddress: ours,
    decimals: 18,
    addressType: 'evm' as const,
    derivationPath: 'm/44/60/0/0/0',
    amountBaseUnits,
    blockNumber,
    blockHash,
  });
  const blockAt = (number: number, letter: string) => ({ number, hash: toHex(`${letter}${number}`), parentHash: '0x' });
  const record = (number: number, letter: string, ...credits: ReturnType<typeof credit>[]) =>
    recordBlock(
      rows.db,
      network,
      { from: number, block: blockAt(number, letter), credits, ...nothingLeft },
      () => true,
    );
  const { nextBlock } = await watch.state();
  await record(nextBlock, 'a', credit('0xa', 5n, nextBlock));
  await rollBack(rows.db, id, nextBlock + 1, nextBlock);
  await record(nextBlock, 'b', credit('0xb', 3n, nextBlock));
  expect(await balances()).toEqual({ available: 0n, pending_in: 3n });
  expect(await only()).toMatchObject({ status: 'pending', amountBaseUnits: 3n, occurrence: 1, blockHash: '0xb' });
  expect((await rows.activityOf(walletId))[0]).toMatchObject({ amountBaseUnits: 3n, status: 'pending' });
  await record(nextBlock + 1, 'b');
  expect(await balances()).toEqual({ available: 3n, pending_in: 0n });
});
