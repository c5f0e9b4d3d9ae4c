// Goal: the controls on deposits (D1 to D8 of the list of controls) hold: of a corpus of fake deposits none is credited, while every true one is. Method: each fake
// is played upon a wallet of its own on the real chains (anvil, the sandbox's Solana, btcd), beside a true payment, and read by the product's activities; a
// fake that the chain does not show would prove nothing, so that each is looked for there. Lies are told by a proxy before the node.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { address, generateKeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { getAddress, type Hex, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm-chain.ts';
import { solanaChain } from '../../../activities/chains/solana-chain.ts';
import { connectDatabase } from '../../../drizzle/database.ts';
import { deposits } from '../../../drizzle/deposits.ts';
import { InsufficientFunds, ledgerEvents, postLedgerEvent, readLedgerBalance } from '../../../drizzle/ledger.ts';
import { networkBlocks } from '../../../drizzle/network-states.ts';
import { resumeNetwork } from '../../../drizzle/network-steps.ts';
import { parseThresholds, readWorkerConfig } from '../../../src/config.ts';
import { runCommand } from '../../../src/local/service-processes.ts';
import { type AnsweringProxy, refuses, says, startAnsweringProxy } from '../../support/chains/answering-proxy.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { newWallet, startBitcoin, type TestBitcoin } from '../../support/chains/bitcoin-wallets.ts';
import { startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import { type DepositDatabase, openDepositDatabase, watchDeposits } from '../../support/chains/deposit-watch.ts';
import { deploy } from '../../support/chains/evm-contracts.ts';
import { fundedSolanaClient, type SolanaClient } from '../../support/chains/solana.ts';
import { startStack } from '../../support/processes/stack.ts';
import { bitcoinCases } from './fake-deposits/bitcoin.ts';
import { evmCases, transferCall } from './fake-deposits/evm.ts';
import { lies } from './fake-deposits/lying-node.ts';
import { solanaCases } from './fake-deposits/solana.ts';

const ETHEREUM = 'ETHEREUM_SANDBOX';
/** A true payment, in the block after the fake. */
const TRUE = 7_000_000n;
const BUILD_MS = 300_000;

let rows: DepositDatabase;
beforeAll(async () => {
  rows = await openDepositDatabase();
});
afterAll(() => rows.stop());

/** What of the wallet's deposits is credited, and that the ledger says the same. */
async function creditedTo(walletId: string): Promise<bigint[]> {
  const found = await rows.depositsOf(walletId);
  const confirmed = found.filter(({ status }) => status === 'confirmed');
  for (const assetId of new Set(found.map((deposit) => deposit.assetId))) {
    const due = confirmed.filter((deposit) => deposit.assetId === assetId);
    const available = due.reduce((sum, { amountBaseUnits }) => sum + amountBaseUnits, 0n);
    expect(await rows.balances(walletId, assetId)).toEqual({ available, pending_in: 0n });
  }
  return confirmed.map(({ amountBaseUnits }) => amountBaseUnits);
}

describe('D1, D2: fake deposits on Ethereum', () => {
  let anvil: Anvil;
  let watch: ReturnType<typeof watchDeposits>;

  beforeAll(async () => {
    anvil = await startAnvil();
    const chain = evmChain({ rpcUrl: anvil.url, chainId: 31_337, trace: true });
    watch = watchDeposits(rows.db, { networkCode: ETHEREUM, chain });
  });
  afterAll(() => anvil.stop());

  /** Everything that the chain tells of these blocks: transactions, logs, every frame. */
  async function toldSince(first: bigint): Promise<string> {
    const told: unknown[] = [];
    for (let number = first; number <= (await anvil.client.getBlockNumber()); number += 1n) {
      const at = `0x${number.toString(16)}`;
      const ask = (method: string, params: unknown[]) => anvil.client.request({ method, params } as never);
      told.push(await ask('eth_getBlockByNumber', [at, true]));
      told.push(await ask('eth_getLogs', [{ fromBlock: at, toBlock: at }]));
      told.push(await ask('debug_traceBlockByNumber', [at, { tracer: 'callTracer' }]));
    }
    return JSON.stringify(told).toLowerCase();
  }

  test.each(evmCases)('$control: $name', async ({ play, credited = [] }) => {
    const ours = privateKeyToAccount(generatePrivateKey());
    await anvil.client.setBalance({ address: ours.address, value: parseEther('1') });
    const walletId = await rows.makeWallet('evm', ours.address);
    const [first, gas] = [(await anvil.client.getBlockNumber()) + 1n, await anvil.client.getBalance(ours)];
    await play({ anvil, rows, ours });
    await anvil.client.mine({ blocks: 1 });
    const isShown = (await toldSince(first)).includes(ours.address.slice(2).toLowerCase());
    expect(isShown || (await anvil.client.getBalance(ours)) > gas).toBe(true);
    await anvil.client.sendTransaction({ to: ours.address, value: TRUE });
    await anvil.client.mine({ blocks: 2 });
    await watch.read();
    expect(await creditedTo(walletId)).toEqual([...credited, TRUE]);
  });

  test('D1: a payment that the wallet’s own contract refuses', async () => {
    const refuser = privateKeyToAccount(generatePrivateKey()).address;
    await anvil.client.setCode({ address: refuser, bytecode: '0x60006000fd' });
    const walletId = await rows.makeWallet('evm', refuser);
    const hash = await anvil.client.sendTransaction({ to: refuser, value: 5n, gas: 100_000n });
    await anvil.client.mine({ blocks: 3 });
    expect((await anvil.client.getTransactionReceipt({ hash })).status).toBe('reverted');
    await watch.read();
    expect(await rows.depositsOf(walletId)).toEqual([]);
  });
});

describe('D3: fake deposits on Solana', () => {
  let directory: string;
  let node: TestChain;
  let client: SolanaClient;
  let watch: ReturnType<typeof watchDeposits>;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-solana-'));
    node = await startTestSolana(directory);
    client = await fundedSolanaClient(node.address);
    watch = watchDeposits(rows.db, { networkCode: 'SOL_SANDBOX', chain: solanaChain({ rpcUrl: node.address }) });
  });
  afterAll(async () => {
    await node.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test.each(solanaCases)('D3: $name', async ({ play, credited = [] }) => {
    const ours = await generateKeyPairSigner();
    const to = address(ours.address);
    const walletId = await rows.makeWallet('sol', to);
    await play({ client, rows, ours });
    await client.execute(getTransferSolInstruction({ source: client.payer, destination: to, amount: TRUE }));
    await watch.read();
    expect(await creditedTo(walletId)).toEqual([...credited, TRUE]);
  });
});

describe('D4: fake and repeated deposits on Bitcoin', () => {
  let bitcoin: TestBitcoin;
  let watch: ReturnType<typeof watchDeposits>;

  beforeAll(async () => {
    bitcoin = await startBitcoin();
    watch = watchDeposits(rows.db, { networkCode: 'BTC_SANDBOX', chain: bitcoin.chain });
  }, BUILD_MS);
  afterAll(() => bitcoin.node.stop());

  test.each(bitcoinCases)('D4: $name', async ({ play, credited = [] }) => {
    const ours = newWallet();
    const walletId = await rows.makeWallet('btc', ours.address);
    await play({ bitcoin, ours, read: watch.read });
    await bitcoin.mine(2);
    await bitcoin.pay(bitcoin.miner, ours.address, TRUE);
    await bitcoin.mine();
    await watch.read();
    expect(await creditedTo(walletId)).toEqual([...credited, TRUE]);
  });
});

test('the corpus: at least 45 fakes of which nothing is credited', () => {
  const fakes = [...evmCases, ...solanaCases, ...bitcoinCases].filter(({ credited = [] }) => credited.length === 0);
  expect(fakes.length).toBeGreaterThanOrEqual(45);
});

describe('an anvil and a database of each test’s own', () => {
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
      ...{ method: 'eth_getRawTransactionByHash', params: [hash] },
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
          ...{ kind: 'withdrawal_held', subjectId: uuidv7(), walletId },
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
      ...{ dist: resolve(import.meta.dirname, '../../../dist'), logDirectory: tmpdir(), onStart: () => {} },
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
      await expect.poll(confirmed, { timeout: 40_000, interval: 500 }).toBe(payments);
      const amounts = (await seen()).map(({ amountBaseUnits }) => Number(amountBaseUnits));
      expect(amounts.toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: payments }, (_, place) => place + 1),
      );
      expect(await readLedgerBalance(connection.db, wallet_id, ether, 'available')).toBe(78n);
    } finally {
      await connection.close();
      await stack.stop();
    }
  }, 180_000);

  describe('D8: nodes that lie, lag or are another chain’s', () => {
    let proxy: AnsweringProxy;
    let token: Hex;
    beforeEach(async () => {
      proxy = await startAnsweringProxy(anvil.url);
      token = getAddress(await deploy(anvil, 'honestToken'));
      await own.makeAsset(ETHEREUM, token);
    });
    afterEach(() => proxy.stop());

    const behindProxy = (fields: Partial<Parameters<typeof watchDeposits>[1]> = {}) =>
      watchDeposits(own.db, { networkCode: ETHEREUM, chain: chainOf(`http://${proxy.host}`), ...fields });
    const payToken = (to: Hex) =>
      anvil.client.sendTransaction({ to: token, data: transferCall(to, 3n), gas: 1_000_000n });
    /** A block with a true payment and a transfer of the token to somebody else, and what confirms it. */
    const payAmidOthers = async () => {
      await pay(5n);
      await payToken(privateKeyToAccount(generatePrivateKey()).address);
      await mine(4);
    };

    test.each(lies.filter(({ believable }) => believable !== true))(
      'D8: $name: it is seen through',
      async ({ answers }) => {
        await watching().read();
        await payAmidOthers();
        const watch = behindProxy();
        for (const [method, answer] of Object.entries(answers(ours, token, proxy.asked)))
          proxy.answers.set(method, answer);
        const told = proxy.asked.length;
        for (let attempt = 0; attempt < 3; attempt += 1) {
          const reading = await watch.readOnce().catch(() => undefined);
          expect(reading?.behind === true && reading.blocks === 0).toBe(false); // it would be read again without end
        }
        expect(proxy.asked.slice(told).some(({ method }) => method in answers(ours, token, proxy.asked))).toBe(true);
        for (const { amountBaseUnits } of await own.allDeposits()) expect(amountBaseUnits).toBe(5n);
        expect(await watch.state().catch(() => ({ haltedReason: null }))).toMatchObject({ haltedReason: null });
        proxy.answers.clear();
        await behindProxy().read();
        expect(await own.allDeposits()).toMatchObject([{ walletId, amountBaseUnits: 5n, status: 'confirmed' }]);
        expect(await balances()).toEqual({ available: 5n, pending_in: 0n });
      },
    );

    test.each(lies.filter(({ believable }) => believable === true))(
      'D8: $name: it stays pending, for the second node does not tell it',
      async ({ answers }) => {
        await watching().read();
        const { nextBlock } = await watching().state();
        await payAmidOthers();
        for (const [method, answer] of Object.entries(answers(ours, token, proxy.asked)))
          proxy.answers.set(method, answer);
        const watch = behindProxy({ second: chainOf() });
        await watch.read();
        await mine(5);
        await watch.read();
        const forged = (await own.allDeposits()).filter(({ amountBaseUnits }) => amountBaseUnits !== 5n);
        expect(forged).toMatchObject([{ status: 'pending', walletId }]);
        expect(errorsOf(watch).map(({ message }) => message)).toContain(
          'a deposit stays pending: the second node does not tell of it what the first one did',
        );
        const credited = (await own.allDeposits()).filter(({ status }) => status === 'confirmed');
        for (const { amountBaseUnits } of credited) expect(amountBaseUnits).toBe(5n);
        // The operator has the node replaced, and what it told read again.
        proxy.answers.clear();
        await resumeNetwork(own.db, (await watch.network()).id, nextBlock);
        await behindProxy({ second: chainOf() }).read();
        expect(await balances()).toEqual({ available: 5n, pending_in: 0n });
        const confirmed = (await own.allDeposits()).filter(({ status }) => status === 'confirmed');
        expect(confirmed).toMatchObject([{ amountBaseUnits: 5n, walletId }]);
      },
    );

    test('D8: without a second node these lies would be believed', async () => {
      const [lie] = lies.filter(({ believable }) => believable === true);
      await watching().read();
      await payAmidOthers();
      for (const [method, answer] of Object.entries(lie?.answers(ours, token, proxy.asked) ?? {}))
        proxy.answers.set(method, answer);
      await behindProxy().read();
      expect((await balances()).available).toBeGreaterThan(5n);
    });

    test('D8: a node that leaves out logs is found out by a second look', async () => {
      const asset = await own.makeAsset(ETHEREUM, getAddress(await deploy(anvil, 'honestToken')));
      proxy.answers.set('eth_getLogs', says([]));
      const hash = await payToken(ours);
      await mine(3);
      const watch = behindProxy();
      await watch.read();
      expect(await own.allDeposits()).toEqual([]);
      proxy.answers.clear();
      expect(await watch.rescan(hash)).toEqual({ outcome: 'recorded', found: 1, recorded: 1 });
      await watch.read();
      expect(await own.allDeposits()).toMatchObject([{ amountBaseUnits: 3n, status: 'confirmed' }]);
      expect(await own.balances(walletId, asset)).toEqual({ available: 0n, pending_in: 0n });
    });

    test('D8: a node that lags takes nothing back and gives nothing early', async () => {
      const watch = behindProxy();
      const old = await anvil.client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] });
      await pay(5n);
      await mine();
      await watch.read();
      expect(await balances()).toEqual({ available: 0n, pending_in: 5n });
      proxy.answers.set('eth_getBlockByNumber', async (response, truth) => {
        const isHead = proxy.asked.at(-1)?.params[0] === ('latest' as never);
        says(isHead ? old : (await truth()).result)(response);
      });
      await mine(3);
      await watch.read();
      expect(await balances()).toEqual({ available: 0n, pending_in: 5n });
      proxy.answers.clear();
      await watch.read();
      expect(await balances()).toEqual({ available: 5n, pending_in: 0n });
    });

    test('D8: another chain behind the address is not believed', async () => {
      await pay(5n);
      await mine(3);
      await watching().read();
      await sleep(1_100); // two that begin in one second have the same first block
      const other = await startAnvil();
      await other.client.sendTransaction({ to: ours, value: 9n });
      await other.client.mine({ blocks: 20 });
      const watch = watchDeposits(own.db, { networkCode: ETHEREUM, chain: chainOf(other.url) });
      expect(await watch.read()).toMatchObject({ state: 'halted' });
      expect(await balances()).toEqual({ available: 5n, pending_in: 0n });
      await other.stop();
    });

    test('D8: thresholds are read strictly', () => {
      const variables = { DATABASE_URL: 'postgres://a', TEMPORAL_ADDRESS: 'a:1', MPC_NODES: '1=a:1' };
      const others = { MPC_CLUSTER_FILE: 'a', MPC_CREDENTIALS_DIR: 'a', KEY_ENCRYPTION_KEY: '0f'.repeat(32) };
      const thresholdsOf = (DEPOSIT_SECOND_SOURCE_ABOVE: string) =>
        parseThresholds(
          readWorkerConfig({ ...variables, ...others, DEPOSIT_SECOND_SOURCE_ABOVE }).DEPOSIT_SECOND_SOURCE_ABOVE,
        );
      expect(thresholdsOf('ETH=5,USDC=10000.5')).toEqual({ ETH: '5', USDC: '10000.5' });
      expect(thresholdsOf('')).toEqual({});
      for (const text of ['ETH', 'ETH=1e5', 'ETH=-1', 'ETH=05', 'ETH=5,', 'ETH=.5'])
        expect(() => thresholdsOf(text)).toThrow('DEPOSIT_SECOND_SOURCE_ABOVE is not valid');
    });

    test('D8: the second node is asked above the threshold only, and waited for while it lags or is away', async () => {
      await pay(parseEther('1'));
      await pay(parseEther('1') + 1n);
      await mine(3);
      const isSmall = ({ amountBaseUnits }: { amountBaseUnits: bigint }) => amountBaseUnits === parseEther('1');
      const standing = async () =>
        Object.fromEntries((await own.allDeposits()).map((each) => [isSmall(each) ? 'small' : 'large', each.status]));
      const second = chainOf(`http://${proxy.host}`);
      const read = async () => {
        const watch = watchDeposits(own.db, { networkCode: ETHEREUM, chain: chainOf(), second, above: { ETH: '1' } });
        await watch.read();
        return watch;
      };
      proxy.answers.set('eth_getBlockByNumber', says(null));
      expect(errorsOf(await read())).toHaveLength(1);
      expect(await standing()).toEqual({ small: 'confirmed', large: 'pending' });
      proxy.answers.set('eth_getBlockByNumber', refuses('away'));
      expect((await read()).lines.filter(({ level }) => level === 'WARN')).toHaveLength(1);
      expect(await standing()).toEqual({ small: 'confirmed', large: 'pending' });
      proxy.answers.clear();
      await read();
      expect(await standing()).toEqual({ small: 'confirmed', large: 'confirmed' });
    });
  });
});
