// Goal: a deposit is credited once and only what is final can be spent, whatever the chain takes back and whoever is
// killed while blocks are read (controls D4 to D7). Method: an anvil and a database of each test's own, and the
// product's readings.
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { deposits } from '../../../drizzle/deposits/deposits.ts';
import { InsufficientFunds, ledgerEvents, postLedgerEvent, readLedgerBalance } from '../../../drizzle/ledger/ledger.ts';
import { networkBlocks } from '../../../drizzle/networks/network-states.ts';
import { runCommand } from '../../../src/local/processes/service-processes.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { type DepositDatabase, openDepositDatabase, watchDeposits } from '../../support/chains/deposit-watch.ts';
import { startStack } from '../../support/processes/stack.ts';

const ETHEREUM = 'ETHEREUM_SANDBOX';

let anvil: Anvil;
let own: DepositDatabase;
let ours: Hex;
let walletId: string;
let ether: string;
const chainOf = (rpcUrl = anvil.url) => evmChain({ rpcUrl, chainId: 31_337 });
const watching = () => watchDeposits(own.db, { networkCode: ETHEREUM, chain: chainOf() });
const mine = (blocks = 1) => anvil.client.mine({ blocks });
const pay = (value: bigint, to = ours) => anvil.client.sendTransaction({ to, value });
const balances = () => own.balances(walletId, ether);
const errorsOf = ({ lines }: ReturnType<typeof watchDeposits>) => lines.filter(({ level }) => level === 'ERROR');

beforeEach(async () => {
  [anvil, own] = await Promise.all([startAnvil(), openDepositDatabase()]);
  ether = await own.nativeAsset(ETHEREUM);
  ours = privateKeyToAccount(generatePrivateKey()).address;
  walletId = await own.makeWallet('evm', ours);
  await mine();
});
afterEach(async () => {
  expect(await own.imbalances()).toEqual([]);
  await anvil.stop();
  await own.stop();
});

test('D4: however often its block is replaced, a transaction is credited once', async () => {
  const watch = watching();
  const hash = await pay(5n);
  const serializedTransaction: Hex = await anvil.client.request({
    method: 'eth_getRawTransactionByHash',
    params: [hash],
  } as never);
  for (let round = 0; round < 4; round += 1) {
    await mine(1 + (round % 3));
    await watch.read();
    await anvil.reorganise(1 + (round % 3));
    await anvil.client.sendRawTransaction({ serializedTransaction });
  }
  await mine(3);
  await watch.read();
  expect(await own.depositsOf(walletId)).toMatchObject([{ txHash: hash, status: 'confirmed' }]);
  expect(await balances()).toEqual({ available: 5n, pending_in: 0n });
});

test('D5: what was only seen cannot be spent; what is confirmed can', async () => {
  const watch = watching();
  const spend = () =>
    own.db.transaction((tx) =>
      postLedgerEvent(tx, {
        kind: 'withdrawal_held',
        subjectId: uuidv7(),
        walletId,
        movements: [{ assetId: ether, from: 'available', to: 'held', amount: 5n }],
      }),
    );
  await pay(5n);
  await mine();
  await watch.read();
  expect(await balances()).toEqual({ available: 0n, pending_in: 5n });
  await expect(spend()).rejects.toThrow(InsufficientFunds);
  await mine();
  await watch.read();
  expect(await spend()).toBe(true);
  expect(await balances()).toEqual({ available: 0n, pending_in: 0n });
});

test('D6: a reorganisation is undone by an event of the ledger', async () => {
  const watch = watching();
  await pay(5n);
  await mine(3);
  await watch.read();
  await anvil.reorganise(3);
  await watch.read();
  const kinds = (await own.db.select().from(ledgerEvents).orderBy(ledgerEvents.id)).map(({ kind }) => kind);
  expect(kinds).toEqual(['deposit_seen', 'deposit_confirmed', 'deposit_reversed']);
  expect(await balances()).toEqual({ available: 0n, pending_in: 0n });
});

test('D6: one that is deeper than the window halts the network, loudly; an operator’s command resumes it', async () => {
  const watch = watching();
  await pay(5n);
  await mine(70);
  await watch.read();
  await anvil.reorganise(70);
  await pay(6n);
  await mine(2);
  expect(await watch.read()).toMatchObject({ state: 'halted', blocks: 0 });
  expect(errorsOf(watch)[0]?.message).toBe('a network is halted');
  expect(await balances()).toEqual({ available: 5n, pending_in: 0n });
  const context = {
    dist: resolve(import.meta.dirname, '../../../dist'),
    logDirectory: tmpdir(),
    onStart: () => {},
    environment: { PATH: process.env['PATH'], DATABASE_URL: own.url },
  };
  const resume = (...args: string[]) => runCommand(context, 'resume-network', args);
  await expect(resume('--network', 'NOWHERE')).rejects.toThrow('the catalogue has no NOWHERE');
  await expect(resume('--from', '1')).rejects.toThrow('Usage');
  expect(await resume('--network', ETHEREUM, '--from', '1')).toBe(`${ETHEREUM} is read on from block 1.\n`);
  expect(await watch.read()).toMatchObject({ state: 'watching' });
  expect(await balances()).toEqual({ available: 6n, pending_in: 0n });
});

test('D7: a failure within a block moves nothing; then no block is missing', async () => {
  const watch = watching();
  await watch.read();
  const { nextBlock } = await watch.state();
  await pay(5n);
  await mine(3);
  await own.db.execute(sql`create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$`);
  await own.db.execute(sql`create trigger fail before insert on transactions for each row execute function fail()`);
  for (let attempt = 0; attempt < 2; attempt += 1) await expect(watch.read()).rejects.toThrow();
  expect(await watch.state()).toMatchObject({ nextBlock });
  expect(await own.allDeposits()).toEqual([]);
  await own.db.execute(sql`drop trigger fail on transactions`);
  await watch.read();
  expect(await balances()).toEqual({ available: 5n, pending_in: 0n });
  const kept = await own.db.select().from(networkBlocks).orderBy(networkBlocks.number);
  expect(kept.map(({ number }) => number)).toEqual(Array.from({ length: nextBlock + 3 }, (_, number) => number));
  for (const [place, { parentHash }] of kept.entries()) if (place > 0) expect(parentHash).toBe(kept[place - 1]?.hash);
});

test('D7: a worker that is killed again and again, amid a pause too: every deposit is seen, once', async () => {
  const stack = await startStack({ environment: { RPC_URLS: `${ETHEREUM}=${anvil.url}` } });
  const connection = connectDatabase(stack.databaseUrl, { poolSize: 2, name: 'test-fake-deposits' });
  try {
    const { wallet_id } = await stack.client.createWallet({ name: 'killed' }).wait();
    const { address: to } = await stack.client.get('/api/v1/wallets/{wallet_id}/address', {
      path: { wallet_id },
      query: { address_type: 'evm' },
    });
    let worker = stack.worker;
    const payments = 12;
    for (let payment = 1; payment <= payments; payment += 1) {
      await pay(BigInt(payment), to as Hex);
      await mine(payment % 8 === 0 ? 40 : 2);
      if (payment % 4 === 2) worker.kill('SIGKILL');
      if (payment % 4 === 0) worker = await stack.startWorker();
      await sleep(300);
    }
    const seen = () => connection.db.select().from(deposits);
    const confirmed = async () => (await seen()).filter(({ status }) => status === 'confirmed').length;
    await expect.poll(confirmed, { timeout: 90_000, interval: 500 }).toBe(payments);
    const amounts = (await seen()).map(({ amountBaseUnits }) => Number(amountBaseUnits));
    expect(amounts.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: payments }, (_, place) => place + 1),
    );
    expect(await readLedgerBalance(connection.db, wallet_id, ether, 'available')).toBe(78n);
  } finally {
    await connection.close();
    await stack.stop();
  }
}, 300_000);
