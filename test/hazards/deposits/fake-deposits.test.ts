// Goal: of a corpus of fake deposits none is credited, while every true one is (controls D1 to D4). Method: each fake
// is played upon a wallet of its own on the real chains (anvil, the sandbox's Solana, btcd), beside a true payment, and
// read by the product's activities; a fake that the chain does not show would prove nothing, so that each is looked for
// there. What a node makes up is in lying-deposit-node.test.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { address, generateKeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import { solanaChain } from '../../../activities/chains/solana/solana-chain.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { newWallet, startBitcoin, type TestBitcoin } from '../../support/chains/bitcoin-wallets.ts';
import { startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import { type DepositDatabase, openDepositDatabase, watchDeposits } from '../../support/chains/deposit-watch.ts';
import { fundedSolanaClient, type SolanaClient } from '../../support/chains/solana.ts';
import { bitcoinCases } from './fake-deposits/bitcoin.ts';
import { evmCases } from './fake-deposits/evm.ts';
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
  async function requestsSince(first: bigint): Promise<string> {
    const requests: unknown[] = [];
    for (let number = first; number <= (await anvil.client.getBlockNumber()); number += 1n) {
      const at = `0x${number.toString(16)}`;
      const ask = (method: string, params: unknown[]) => anvil.client.request({ method, params } as never);
      requests.push(await ask('eth_getBlockByNumber', [at, true]));
      requests.push(await ask('eth_getLogs', [{ fromBlock: at, toBlock: at }]));
      requests.push(await ask('debug_traceBlockByNumber', [at, { tracer: 'callTracer' }]));
    }
    return JSON.stringify(requests).toLowerCase();
  }

  test.each(evmCases)('$control: $name', async ({ play, credited = [] }) => {
    const ours = privateKeyToAccount(generatePrivateKey());
    await anvil.client.setBalance({ address: ours.address, value: parseEther('1') });
    const walletId = await rows.makeWallet('evm', ours.address);
    const [first, gas] = [(await anvil.client.getBlockNumber()) + 1n, await anvil.client.getBalance(ours)];
    await play({ anvil, rows, ours });
    await anvil.client.mine({ blocks: 1 });
    const isShown = (await requestsSince(first)).includes(ours.address.slice(2).toLowerCase());
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
