// Goal: control O1 holds on every family: money that leaves a wallet by what no operation of ours made is found with
// the next reading and freezes the wallet, within 60 seconds of its block; what withdrawals send and what callers
// broadcast after they had it signed is explained, and freezes nothing. Method: withdrawals and signing operations by
// the product's workflows and activities on real chains (anvil, btcd, the sandbox's Solana), PostgreSQL and Temporal;
// the cluster is in memory, and the thief is a stolen quorum: the same cluster, asked beside the product.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { encodeFunctionData, erc20Abi, getAddress, type Hex, pad } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assets } from '../../../drizzle/networks/assets.ts';
import { findNetworkByCode } from '../../../drizzle/networks/network-states.ts';
import { type OutflowRow, unexplainedOutflows } from '../../../drizzle/outflows/outflows.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { transactions } from '../../../drizzle/transactions/transactions.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { startBitcoin, type TestBitcoin } from '../../support/chains/bitcoin-wallets.ts';
import { startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import { deploy } from '../../support/chains/evm-contracts.ts';
import { newFundedWallet, untilSent } from '../../support/chains/funded-wallet.ts';
import { type Family, outflowFamilies, TOKEN } from '../../support/chains/outflow-families.ts';
import { fundedSolanaClient, type SolanaClient } from '../../support/chains/solana.ts';
import { startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const BUILD_MS = 300_000;
const FOUND_WITHIN_MS = 60_000;
const STEP_MS = 60_000;
const CASE_MS = 240_000;
const TOKENS = 10n;

let anvil: Anvil;
let bitcoin: TestBitcoin;
let directory: string;
let node: TestChain;
let solana: SolanaClient;
let stack: WithdrawalStack;
let families: ReturnType<typeof outflowFamilies>;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-o1-'));
  [anvil, bitcoin, node] = await Promise.all([startAnvil(), startBitcoin(), startTestSolana(directory)]);
  solana = await fundedSolanaClient(node.address);
  const rpcUrls = { ETHEREUM_SANDBOX: anvil.url, BTC_SANDBOX: bitcoin.node.rpcUrl, SOL_SANDBOX: node.address };
  stack = await startWithdrawals(rpcUrls, { confirmations: 1 });
  families = outflowFamilies({ anvil, bitcoin, solana, solanaUrl: node.address, db: stack.db });
}, BUILD_MS);
afterAll(async () => {
  await stack.stop();
  await Promise.all([anvil.stop(), bitcoin.node.stop(), node.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

const statusOf = async (walletId: string) => {
  const [row] = await stack.db.select().from(wallets).where(eq(wallets.id, walletId));
  return [row?.status, row?.statusReason];
};
const outflowsOf = (walletId: string): Promise<OutflowRow[]> =>
  stack.db.select().from(unexplainedOutflows).where(eq(unexplainedOutflows.walletId, walletId));
const FROZEN = ['frozen', 'unexplained_outflow'];
const ACTIVE = ['active', null];

const newWalletOn = (family: Family) => newFundedWallet(stack, family);

describe.each(['Ethereum', 'Bitcoin', 'Solana'] as const)('O1 on %s', { timeout: CASE_MS }, (name) => {
  let family: Family;
  let wallet: Awaited<ReturnType<typeof newWalletOn>>;

  beforeEach(async () => {
    family = await families[name]();
    wallet = await newWalletOn(family);
  });

  async function expectNothingFound(): Promise<void> {
    await wallet.read();
    expect(await outflowsOf(wallet.walletId)).toEqual([]);
    expect(await statusOf(wallet.walletId)).toEqual(ACTIVE);
  }

  test('what withdrawals send is explained, and the wallet goes on', async () => {
    await Promise.all([wallet.withdraw(), ...(family.contract === undefined ? [] : [wallet.withdraw(TOKEN)])]);
    // By the hash alone: of their signatures nothing is known here.
    await stack.db
      .update(signingRequests)
      .set({ signature: null })
      .where(eq(signingRequests.walletId, wallet.walletId));
    await expectNothingFound();
    expect((await wallet.readDifferences()).every((difference) => difference === 0n)).toBe(true);
  });

  test('what a caller had signed and broadcast himself is explained and booked; what a stolen quorum signs is found and freezes', async () => {
    await wallet.send('operation');
    if (family.contract !== undefined) await wallet.send('operation', family.contract);
    await expectNothingFound();
    expect(await wallet.readDifferences()).toEqual(family.contract === undefined ? [0n] : [0n, 0n]);

    const txHash = await wallet.send('thief');
    await wallet.read();
    const [outflow, ...more] = await outflowsOf(wallet.walletId);
    expect(more).toEqual([]);
    expect(outflow).toMatchObject({ txHash, kind: 'signed_elsewhere', fromAddress: wallet.from });
    expect(outflow?.amountBaseUnits).toBeGreaterThan(family.amount);
    expect(outflow?.amountBaseUnits).toBeLessThan(2n * family.amount);
    expect((await wallet.readDifferences())[0]).toBe(outflow?.amountBaseUnits);
    expect(await statusOf(wallet.walletId)).toEqual(FROZEN);
    await stack.assertBalanced();
  });

  test.skipIf(name === 'Bitcoin')('tokens that a stolen quorum moves are found', async () => {
    const txHash = await wallet.send('thief', family.contract);
    await wallet.read();
    const found = await outflowsOf(wallet.walletId);
    const [signed, fee] = [
      [txHash, 'signed_elsewhere'],
      found.find(({ amountBaseUnits }) => amountBaseUnits !== TOKENS),
    ];
    expect(found.map((row) => [row.txHash, row.kind])).toEqual([signed, signed]);
    expect(found.map(({ amountBaseUnits }) => amountBaseUnits)).toContain(TOKENS);
    expect(fee?.assetId).not.toBe(found.find(({ amountBaseUnits }) => amountBaseUnits === TOKENS)?.assetId);
    expect(await statusOf(wallet.walletId)).toEqual(FROZEN);
  });
});

test(
  'tokens that the call of a withdrawal moves beside its own asset are booked too',
  async () => {
    const family = await families.Ethereum();
    const { networkCode, contract = '' } = family;
    const { walletId, read, readDifferences } = await newWalletOn(family);
    const args = [getAddress(await family.recipient()), TOKENS] as const;
    const call = { data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }) };
    const fields = { call, method: 'contract_call' as const };
    const id = await stack.withdraw({ walletId, networkCode, amount: 0n, to: contract, fields });
    await untilSent(stack, id);
    await family.mine();
    await stack.until(id, 'completed', STEP_MS);
    await read();
    expect(await readDifferences()).toEqual([0n, 0n]);
    const lines = await stack.db.select().from(transactions).where(eq(transactions.transactionId, id));
    expect(new Set(lines.map(({ amountBaseUnits }) => amountBaseUnits))).toEqual(new Set([0n, TOKENS]));
  },
  CASE_MS,
);

test(
  'O1: a withdrawal of one wallet does not explain what it takes from another',
  async () => {
    const family = await families.Ethereum();
    const { networkCode } = family;
    const { walletId, read } = await newWalletOn(family);
    const victimId = await stack.makeWallet();
    const victim = await stack.addressOf(victimId, networkCode);
    const contract = getAddress(await deploy(anvil, 'robbedToken'));
    const network = await findNetworkByCode(stack.db, networkCode);
    const ofToken = and(eq(assets.networkId, network?.id ?? ''), eq(assets.symbol, TOKEN));
    const [token] = await stack.db.select().from(assets).where(ofToken);
    await stack.db.update(assets).set({ contractAddress: contract }).where(ofToken);
    try {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [victim as Hex, 30n] });
      const call = { data: `${data.slice(0, 10)}${pad(victim as Hex).slice(2)}${data.slice(74)}` };
      const fields = { call, method: 'contract_call' as const };
      const id = await stack.withdraw({ walletId, networkCode, amount: 0n, to: contract, fields });
      await untilSent(stack, id);
      await family.mine();
      await stack.until(id, 'completed', STEP_MS);
      await read();
      expect(await outflowsOf(victimId)).toMatchObject([{ kind: 'token_moved_by_other', amountBaseUnits: 30n }]);
      expect([await statusOf(walletId), await statusOf(victimId)]).toEqual([ACTIVE, FROZEN]);
    } finally {
      await stack.db
        .update(assets)
        .set({ contractAddress: token?.contractAddress ?? null })
        .where(ofToken);
    }
  },
  CASE_MS,
);

test(
  'O1: within 60 seconds of its block, by the workflow that watches the network',
  async () => {
    const family = await families.Ethereum();
    const wallet = await newWalletOn(family);
    const { client, taskQueue } = stack.worker;
    const pace = { shortestMs: 500, longestMs: 500, lingerMs: 5_000, delayMs: 500 };
    const args = [{ networkCode: family.networkCode, pace }];
    const watching = await client.workflow.start('watchNetwork', { workflowId: uuidv7(), taskQueue, args });
    try {
      await wallet.send('thief');
      const sentMs = Date.now();
      await expect.poll(() => statusOf(wallet.walletId), { timeout: FOUND_WITHIN_MS }).toEqual(FROZEN);
      expect(Date.now() - sentMs).toBeLessThan(FOUND_WITHIN_MS);
    } finally {
      await watching.terminate();
    }
  },
  CASE_MS,
);
