// Goal: what arrives at a wallet on a real chain becomes a deposit, its money and its line in the activity, as far as
// the chain has come and not further; no block is skipped and none is read twice. Method: the product's activities on a
// database of their own, an anvil that mines on command, readings one at a time.
import { sql } from 'drizzle-orm';
import { type Address, concatHex, encodeFunctionData, erc20Abi, getAddress, type Hex, pad } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import { networkBlocks } from '../../../drizzle/networks/network-states.ts';
import { walletAssets } from '../../../drizzle/wallets/wallet-assets.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { type DepositDatabase, openDepositDatabase, watchDeposits } from '../../support/chains/deposit-watch.ts';
import { deploy } from '../../support/chains/evm-contracts.ts';

const NETWORK = 'ETHEREUM_SANDBOX';
const GAS = 3_000_000n;

let anvil: Anvil;
let rows: DepositDatabase;
let watch: ReturnType<typeof watchDeposits>;
let ours: Address;
let walletId: string;
let ether: string;

const chainOf = (trace = false) => evmChain({ rpcUrl: anvil.url, chainId: 31_337, trace });

beforeAll(async () => {
  [anvil, rows] = await Promise.all([startAnvil(), openDepositDatabase()]);
  watch = watchDeposits(rows.db, { networkCode: NETWORK, chain: chainOf() });
  ether = await rows.nativeAsset(NETWORK);
});
beforeEach(async () => {
  ours = privateKeyToAddress(generatePrivateKey());
  walletId = await rows.makeWallet('evm', ours);
});
afterEach(async () => expect(await rows.imbalances()).toEqual([]));
afterAll(async () => {
  await anvil.stop();
  await rows.stop();
});

const mine = (blocks = 1) => anvil.client.mine({ blocks });
const pay = (value: bigint, to = ours, data: Hex = '0x') => anvil.client.sendTransaction({ to, value, data, gas: GAS });
const payToken = (token: Address, amount: bigint, to = ours) =>
  anvil.client.sendTransaction({
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
    gas: GAS,
  });
const amounts = async (id = walletId) => (await rows.depositsOf(id)).map(({ amountBaseUnits }) => amountBaseUnits);

test('pending in the first block, confirmed in the second', async () => {
  const txHash = await pay(5n);
  await mine();
  await watch.read();
  const [deposit] = await rows.depositsOf(walletId);
  expect(deposit).toMatchObject({ status: 'pending', txHash, toAddress: ours, amountBaseUnits: 5n, assetId: ether });
  expect(await rows.balances(walletId, ether)).toEqual({ available: 0n, pending_in: 5n });
  const line = { id: deposit?.id, transactionId: deposit?.id, direction: 'in', method: 'transfer', txHash };
  expect(await rows.activityOf(walletId)).toMatchObject([
    { ...line, status: 'pending', decimals: 18, blockHash: deposit?.blockHash, confirmedAt: null },
  ]);
  await mine();
  await watch.read();
  expect(await rows.depositsOf(walletId)).toMatchObject([{ id: deposit?.id, status: 'confirmed' }]);
  expect(await rows.balances(walletId, ether)).toEqual({ available: 5n, pending_in: 0n });
  expect(await rows.activityOf(walletId)).toMatchObject([
    { ...line, status: 'confirmed', blockNumber: deposit?.blockNumber, confirmedAt: expect.any(Date) },
  ]);
});

test('the asset is attached to the wallet, once', async () => {
  await pay(5n);
  await pay(6n);
  await mine();
  await watch.read();
  const attached = await rows.db.select().from(walletAssets).where(sql`${walletAssets.walletId} = ${walletId}`);
  expect(attached).toMatchObject([
    { assetId: ether, address: ours, addressType: 'evm', status: 'active', derivationPath: 'm/44/60/0/0/0' },
  ]);
  expect(await amounts()).toEqual([5n, 6n]);
});

test('tokens of the catalogue; not those that are off the whitelist or not in it', async () => {
  const [listed, unlisted, unknown] = [
    getAddress(await deploy(anvil, 'honestToken')),
    getAddress(await deploy(anvil, 'honestToken')),
    getAddress(await deploy(anvil, 'honestToken')),
  ];
  const token = await rows.makeAsset(NETWORK, listed);
  await rows.makeAsset(NETWORK, unlisted, 6, false);
  for (const contract of [listed, unlisted, unknown]) await payToken(contract, 30n);
  await mine(2);
  await watch.read();
  expect(await rows.depositsOf(walletId)).toMatchObject([
    { assetId: token, amountBaseUnits: 30n, status: 'confirmed' },
  ]);
  expect(await rows.balances(walletId, token)).toEqual({ available: 30n, pending_in: 0n });
});

test('one block that pays many wallets; a wallet that is archived still has what was sent to it', async () => {
  const others = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const address = privateKeyToAddress(generatePrivateKey());
      return { address, id: await rows.makeWallet('evm', address) };
    }),
  );
  await rows.archive(walletId);
  await pay(7n);
  for (const { address } of others) await pay(8n, address);
  await mine(2);
  await watch.read();
  expect(await amounts()).toEqual([7n]);
  for (const { id } of others) expect(await rows.balances(id, ether)).toEqual({ available: 8n, pending_in: 0n });
});

test('what contracts pass on is seen where the node traces', async () => {
  const forwarder = await deploy(anvil, 'forwarder');
  const to = (way: bigint) => concatHex([pad(ours), pad(`0x0${way}`)]);
  await pay(11n, forwarder, to(0n));
  await pay(12n, forwarder, to(1n));
  await pay(13n, forwarder, to(2n));
  await mine(2);
  await watchDeposits(rows.db, { networkCode: NETWORK, chain: chainOf(true) }).read();
  expect(await rows.depositsOf(walletId)).toMatchObject([{ amountBaseUnits: 11n, arrivalIndex: 'trace:0' }]);
});

describe('the pace', () => {
  test('a reading goes on looking for its time, so that what comes meanwhile is seen by it', async () => {
    await watch.read();
    const looking = watch.look({ shortestMs: 50, longestMs: 50, lingerMs: 1_500, delayMs: 50 });
    await pay(5n);
    await mine(2);
    expect(await looking).toMatchObject({ behind: false });
    expect(await rows.balances(walletId, ether)).toEqual({ available: 5n, pending_in: 0n });
  });

  test('a quiet network is looked at sooner when something is sent to it from here', async () => {
    await watch.read();
    let isOver = false;
    const looking = watch.look({ shortestMs: 100, longestMs: 60_000, lingerMs: 6_000, delayMs: 3_500 });
    const sending = (async () => {
      for (; !isOver; await new Promise((resolve) => setTimeout(resolve, 100)))
        await watch.chain.broadcast('0x00').catch(() => undefined);
    })();
    const { delayMs } = await looking;
    isOver = true;
    await sending;
    // By itself it would have waited 3,500 ms and a half more.
    expect(delayMs).toBeLessThan(3_500);
  });

  test.each([
    [0, 100, 150],
    [1, 100, 100],
    [3, 100, 50],
    [0, 900, 1_000],
    [3, 20, 10],
  ])('after %d blocks in %d ms the next look comes in %d', async (blocks, delayMs, expected) => {
    await watch.read();
    if (blocks > 0) await mine(blocks);
    const pace = { shortestMs: 10, longestMs: 1_000, lingerMs: 0, delayMs };
    expect(await watch.look(pace)).toMatchObject({ blocks, delayMs: expected });
  });
});

describe('the cursor', () => {
  test('a long pause: every block is read, in more than one reading', async () => {
    await watch.read();
    const { nextBlock } = await watch.state();
    for (let round = 0; round < 12; round += 1) {
      await pay(BigInt(round + 1));
      await mine(20);
    }
    await watch.read();
    expect(await amounts()).toEqual(Array.from({ length: 12 }, (_, round) => BigInt(round + 1)));
    expect(await watch.state()).toMatchObject({ nextBlock: nextBlock + 240, headBlock: nextBlock + 239 });
  });

  test('five readers at once: each deposit once, no gap', async () => {
    for (let round = 0; round < 5; round += 1) {
      await pay(1n);
      await mine(3);
    }
    const readers = Array.from({ length: 5 }, () =>
      watchDeposits(rows.db, { networkCode: NETWORK, chain: chainOf() }).read(),
    );
    await Promise.all(readers);
    expect(await amounts()).toEqual([1n, 1n, 1n, 1n, 1n]);
    expect(await rows.balances(walletId, ether)).toEqual({ available: 5n, pending_in: 0n });
    const kept = await rows.db.select().from(networkBlocks).orderBy(networkBlocks.number);
    const { nextBlock } = await watch.state();
    expect(kept.map(({ number }) => number)).toEqual(kept.map((_, place) => nextBlock - kept.length + place));
  });

  test('a network that is read for the first time begins a window before its head; the sandbox at its beginning', async () => {
    const head = await anvil.client.getBlockNumber();
    const elsewhere = watchDeposits(rows.db, { networkCode: 'ETHER_SEPOLIA_TESTNET', chain: chainOf() });
    await elsewhere.readOnce();
    const kept = await rows.db
      .select()
      .from(networkBlocks)
      .where(sql`${networkBlocks.networkId} = ${(await elsewhere.network()).id}`)
      .orderBy(networkBlocks.number);
    expect(kept[0]?.number).toBe(Number(head) - 63);
    expect((await elsewhere.state()).nextBlock).toBe(Number(head) + 1);
    const other = await openDepositDatabase();
    const fresh = watchDeposits(other.db, { networkCode: NETWORK, chain: chainOf() });
    const first = await other.makeWallet('evm', ours);
    await pay(9n);
    await mine(2);
    await fresh.read();
    expect(await other.depositsOf(first)).toMatchObject([{ amountBaseUnits: 9n, status: 'confirmed' }]);
    await other.stop();
  });
});

test('head and fees stand in the state of the network', async () => {
  await mine();
  const before = Date.now();
  const fresh = watchDeposits(rows.db, { networkCode: NETWORK, chain: chainOf() });
  await fresh.read();
  const { headBlock, headAt, fees } = await fresh.state();
  expect(headBlock).toBe(Number(await anvil.client.getBlockNumber()));
  expect(headAt.getTime()).toBeGreaterThan(before - 1_000);
  for (const level of ['low', 'medium', 'high'] as const)
    expect(fees?.[level]).toMatchObject({ maxFee: expect.stringMatching(/^\d+$/), parameters: { gasLimit: '21000' } });
  expect(Date.parse(fees?.quotedAt ?? '')).toBeGreaterThanOrEqual(before - 1_000);
});

describe('a second look at a transaction', () => {
  test('finds what was missed, and confirms it; a repeat changes nothing', async () => {
    const missed = privateKeyToAddress(generatePrivateKey());
    const txHash = await pay(4n, missed);
    await mine(70);
    await watch.read();
    const late = await rows.makeWallet('evm', missed);
    expect(await watch.rescan(txHash)).toEqual({ outcome: 'recorded', found: 1, recorded: 1 });
    expect(await rows.balances(late, ether)).toEqual({ available: 0n, pending_in: 4n });
    await watch.read();
    expect(await rows.balances(late, ether)).toEqual({ available: 4n, pending_in: 0n });
    expect(await watch.rescan(txHash)).toEqual({ outcome: 'recorded', found: 1, recorded: 0 });
    expect(await rows.balances(late, ether)).toEqual({ available: 4n, pending_in: 0n });
  });

  test('takes nothing of the other transactions of the block', async () => {
    const missed = privateKeyToAddress(generatePrivateKey());
    const [txHash] = [await pay(4n, missed), await pay(5n, missed)];
    await mine(2);
    await watch.read();
    const late = await rows.makeWallet('evm', missed);
    await watch.rescan(txHash);
    expect(await amounts(late)).toEqual([4n]);
  });

  test('leaves to the reading what is not read yet, and what is in no block', async () => {
    await watch.read();
    const txHash = await pay(4n);
    expect(await watch.rescan(txHash)).toEqual({ outcome: 'pending' });
    expect(await watch.rescan(`0x${'ab'.repeat(32)}`)).toEqual({ outcome: 'unknown' });
    await mine();
    expect(await watch.rescan(txHash)).toEqual({ outcome: 'unread' });
    expect(await amounts()).toEqual([]);
    await watch.read();
    expect(await amounts()).toEqual([4n]);
  });

  test('finds nothing in a transaction that failed', async () => {
    const refuser = getAddress(await deploy(anvil, 'refuser'));
    const id = await rows.makeWallet('evm', refuser);
    const txHash = await pay(4n, refuser);
    await mine(2);
    await watch.read();
    expect(await watch.rescan(txHash)).toEqual({ outcome: 'failed' });
    expect(await amounts(id)).toEqual([]);
  });
});

test('a network without a node is left; one that is not in the catalogue is a failure', async () => {
  const none = watchDeposits(rows.db, { networkCode: NETWORK, chain: chainOf() });
  expect(await none.readAs('BASE_MAINNET')).toMatchObject({ state: 'unwatched', blocks: 0 });
  await expect(none.readAs('NOWHERE')).rejects.toMatchObject({ type: 'not_found', nonRetryable: true });
});
