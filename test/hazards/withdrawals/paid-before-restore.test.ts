// Goal: what a restored backup has as open and was paid since is neither paid again nor given back: it waits, an
// operator completes it by the very outflow that paid it, and the ledger has it once; what was not paid ends by itself.
// What nothing in the backup asked for leaves the balance once an operator has resolved it.
// Method: the product's reading and its search for lost workflows on real chains (anvil, btcd, the sandbox's Solana).
// The same cluster pays beside the product, as if the rows of it were lost; the withdrawal is accepted without a
// workflow.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failedSigning } from '../../../domain/failures.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { resumeNetwork } from '../../../drizzle/deposits/network-steps.ts';
import { networks } from '../../../drizzle/networks/networks.ts';
import { resolveAsDeparture } from '../../../drizzle/outflows/outflow-departures.ts';
import { type OutflowRow, unexplainedOutflows } from '../../../drizzle/outflows/outflows.ts';
import { completeByOutflow, listPayable } from '../../../drizzle/withdrawal-repair/complete-by-outflow.ts';
import {
  advanceChainTransaction,
  insertChainTransaction,
  storeSigned,
} from '../../../drizzle/withdrawals/chain-transactions.ts';
import { advanceWithdrawal } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { withdraw } from '../../../src/operations/withdraw.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { startBitcoin, type TestBitcoin } from '../../support/chains/bitcoin-wallets.ts';
import { startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import { newFundedWallet } from '../../support/chains/funded-wallet.ts';
import { outflowFamilies } from '../../support/chains/outflow-families.ts';
import { fundedSolanaClient } from '../../support/chains/solana.ts';
import { noQuote } from '../../support/rows/funded.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const CASE_MS = 240_000;
const PAID = 'Paid after the backup.';

let anvil: Anvil;
let bitcoin: TestBitcoin;
let directory: string;
let node: TestChain;
let stack: WithdrawalStack;
let families: ReturnType<typeof outflowFamilies>;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-paid-'));
  [anvil, bitcoin, node] = await Promise.all([startAnvil(), startBitcoin(), startTestSolana(directory)]);
  const solana = await fundedSolanaClient(node.address);
  const rpcUrls = { ETHEREUM_SANDBOX: anvil.url, BTC_SANDBOX: bitcoin.node.rpcUrl, SOL_SANDBOX: node.address };
  stack = await startWithdrawals(rpcUrls, { confirmations: 1 });
  families = outflowFamilies({ anvil, bitcoin, solana, solanaUrl: node.address, db: stack.db });
}, 300_000);
afterAll(async () => {
  await stack.stop();
  await Promise.all([anvil.stop(), bitcoin.node.stop(), node.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

/** What the search for lost workflows does about one whose workflow went to its end. */
const lose = (id: string) =>
  withdraw.endLost(
    { db: stack.db, seals: testSeals, starter: { startAgain: async () => {} }, log: { warn: () => {} } },
    { id, workflowId: workflowIdOf('withdraw', id), failure: failedSigning('workflow_completed') },
  );
const standing = async (id: string) => {
  const { status, subStatus } = await stack.read(id);
  return `${status} ${subStatus}`;
};
const letMinutesPass = (id: string) =>
  stack.db.execute(sql`update withdrawals set disputed_at = disputed_at - interval '11 minutes' where id = ${id}`);
const complete = (outflowId: string, withdrawalId: string) =>
  stack.db.transaction((tx) => completeByOutflow(tx, { outflowId, withdrawalId, note: PAID }));
const askForConfirmations = (blocks: number) => stack.db.update(networks).set({ confirmationBlocks: blocks });
const outflowsOf = (walletId: string): Promise<OutflowRow[]> =>
  stack.db.select().from(unexplainedOutflows).where(eq(unexplainedOutflows.walletId, walletId));

describe.each(['Ethereum', 'Bitcoin', 'Solana'] as const)('on %s', { timeout: CASE_MS }, (name) => {
  test('what was paid waits for the operator, and is completed once by what paid it', async () => {
    const family = await families[name]();
    const wallet = await newFundedWallet(stack, family);
    const txHash = await wallet.send('thief');
    await wallet.read();
    const [outflow, ...more] = await outflowsOf(wallet.walletId);
    if (outflow?.toAddress == null || more.length > 0) throw new Error('it was not found, or not alone');
    const { walletId } = wallet;
    const { networkCode, amount } = family;
    const accept = (fields: { amount?: bigint; to?: string }) =>
      stack.accept({ walletId, networkCode, amount, to: outflow.toAddress ?? '', ...fields });
    const [id, less, elsewhere] = [
      await accept({}),
      await accept({ amount: amount / 2n }),
      await accept({ to: await family.recipient() }),
    ];

    expect(await lose(id)).toBe(false);
    expect(await standing(id)).toBe('processing stuck');
    await letMinutesPass(id);
    await wallet.read();
    expect(await lose(id)).toBe(false);
    expect(await standing(id)).toBe('processing stuck');

    expect(await listPayable(stack.db, outflow)).toEqual([id]);
    await askForConfirmations(1_000_000);
    expect(await complete(outflow.id, id)).toMatchObject({ reason: expect.stringContaining('confirmations') });
    await askForConfirmations(1);
    for (const other of [less, elsewhere])
      expect(await complete(outflow.id, other)).toMatchObject({ reason: expect.stringContaining('did not pay') });
    expect(await complete(outflow.id, id)).toMatchObject({ outcome: 'completed', outflowIds: [outflow.id] });
    expect(await stack.read(id)).toMatchObject({ status: 'completed', txHash, feePaidBaseUnits: outflow.feeBaseUnits });
    expect(await complete(outflow.id, id)).toMatchObject({ outcome: 'refused' });
    const again = await accept({});
    expect(await complete(outflow.id, again)).toMatchObject({ reason: expect.stringContaining('resolved already') });

    // What was not paid ends once all is read, and gives its money back.
    for (const open of [less, elsewhere, again]) {
      expect(await lose(open)).toBe(false);
      await letMinutesPass(open);
      expect(await lose(open)).toBe(true);
      expect(await stack.read(open)).toMatchObject({ status: 'failed', errorCode: 'workflow_completed' });
    }
    expect(await stack.balance(walletId, networkCode, 'held')).toBe(0n);
    expect((await wallet.readDifferences())[0]).toBe(0n);
    // Its blocks are read once more: what paid a withdrawal is not booked a second time.
    await resumeNetwork(stack.db, outflow.networkId, outflow.blockNumber);
    await wallet.read();
    expect((await wallet.readDifferences())[0]).toBe(0n);
    await stack.assertBalanced();
  });

  test('what no row asked for leaves the balance when the operator has resolved it, a token too', async () => {
    const family = await families[name]();
    const wallet = await newFundedWallet(stack, family);
    const contracts = [null, ...(family.contract === undefined ? [] : [family.contract])];
    for (const contract of contracts) await wallet.send('thief', contract);
    await wallet.read();
    const outflows = await outflowsOf(wallet.walletId);
    expect(outflows.length).toBeGreaterThanOrEqual(contracts.length);
    for (const difference of await wallet.readDifferences()) expect(difference).toBeGreaterThan(0n);
    for (const { id } of outflows) await stack.db.transaction((tx) => resolveAsDeparture(tx, id, PAID));
    await wallet.read();
    expect(await wallet.readDifferences()).toEqual(contracts.map(() => 0n));
    const [first] = outflows;
    await resumeNetwork(stack.db, first?.networkId ?? '', Math.min(...outflows.map((each) => each.blockNumber)));
    await wallet.read();
    expect(await wallet.readDifferences()).toEqual(contracts.map(() => 0n));
    await stack.assertBalanced();
  });
});

test('a withdrawal that finds its transaction again has it once, whether the operator came before or after', {
  timeout: CASE_MS,
}, async () => {
  const family = await families.Ethereum();
  for (const isResolvedBefore of [true, false]) {
    const wallet = await newFundedWallet(stack, family);
    const { walletId } = wallet;
    const txHash = await wallet.send('thief');
    await wallet.read();
    const [outflow] = await outflowsOf(walletId);
    if (outflow === undefined) throw new Error('it was not found');
    const resolveIt = () => stack.db.transaction((tx) => resolveAsDeparture(tx, outflow.id, PAID));
    const { networkCode, amount } = family;
    const id = await stack.accept({ walletId, networkCode, amount, to: outflow.toAddress ?? '' });
    if (isResolvedBefore) await resolveIt();
    // The same transaction took something from another wallet, which no withdrawal has.
    const robbed = { ...outflow, id: uuidv7(), walletId: await stack.makeWallet(), departureIndex: 'of another' };
    await stack.db.insert(unexplainedOutflows).values({ ...robbed, resolvedAt: null });
    const resolveRobbed = () => stack.db.transaction((tx) => resolveAsDeparture(tx, robbed.id, PAID));
    if (isResolvedBefore) await resolveRobbed();
    await wallet.read();
    // As if the nodes had made the same signature for the same operation: its workflow follows it to its end.
    const planted = { id: uuidv7(), withdrawalId: id };
    await stack.db.transaction(async (tx) => {
      await advanceWithdrawal(tx, id, { from: 'approved', to: 'processing', details: 'A step.' });
      const { networkId, fromAddress } = outflow;
      const built = { fee: noQuote, maxFeeBaseUnits: 1n, unsigned: '0x', payloads: [], signingIds: [] };
      const row = { ...planted, ordinal: 0, kind: 'transfer' as const, networkId, fromAddress, nonce: 0, ...built };
      await insertChainTransaction(tx, testSeals, row);
    });
    await storeSigned(stack.db, testSeals, planted, { signed: '0x', txHash });
    await advanceChainTransaction(stack.db, planted.id, { from: 'signed', to: 'broadcast' });
    const { client, taskQueue } = stack.worker;
    const args = [{ withdrawalId: id, workspaceId: stack.workspaceId, walletId, networkCode }];
    await client.workflow.start('withdraw', { workflowId: workflowIdOf('withdraw', id), taskQueue, args });
    const look = async () => {
      await wallet.read();
      return stack.read(id);
    };
    const ended = { status: 'completed', txHash, feePaidBaseUnits: outflow.feeBaseUnits };
    await expect.poll(look, { timeout: 60_000 }).toMatchObject(ended);
    if (!isResolvedBefore) await resolveIt();
    if (!isResolvedBefore) await resolveRobbed();
    await wallet.read();
    expect(await stack.balance(robbed.walletId, networkCode, 'available')).toBe(-robbed.amountBaseUnits);
    expect((await wallet.readDifferences())[0]).toBe(0n);
    await resumeNetwork(stack.db, outflow.networkId, outflow.blockNumber);
    await wallet.read();
    expect((await wallet.readDifferences())[0]).toBe(0n);
    await stack.assertBalanced();
  }
});

test('nothing is given back before the chain is read to where it stood after all had landed', {
  timeout: CASE_MS,
}, async () => {
  const family = await families.Ethereum();
  const wallet = await newFundedWallet(stack, family);
  const { walletId } = wallet;
  const { networkCode, amount } = family;
  const id = await stack.accept({ walletId, networkCode, amount, to: await family.recipient() });
  const txHash = await wallet.send('thief');
  expect(await lose(id)).toBe(false);
  await letMinutesPass(id);
  await stack.db.execute(sql`update network_states set head_at = now() - interval '1 hour'`);
  expect(await lose(id)).toBe(false);
  expect(await standing(id)).toBe('processing stuck');
  await stack.db.execute(sql`update network_states set head_at = now(), head_block = next_block + 3`);
  expect(await lose(id)).toBe(false);
  await wallet.read();
  // Somebody has paid by this key, to another address: an operator looks at it first.
  expect((await outflowsOf(walletId)).map((row) => row.txHash)).toEqual([txHash]);
  expect(await lose(id)).toBe(false);
  expect(await standing(id)).toBe('processing stuck');
});
