// Goal: a transaction on Solana that does not land is signed anew only when it never can, and its withdrawal ends once,
// with a settled ledger. Method: the product's workflow and activities on real PostgreSQL and Temporal, against the
// sandbox's Solana with a clock of the test behind a node that answers as the test says.
import { lamports } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { recordOutflows, resolveOutflow } from '../../../drizzle/outflows/outflows.ts';
import { findLostSignatures } from '../../../drizzle/signing-requests/signing-attempts.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { chainTransactions } from '../../../drizzle/withdrawals/chain-transactions.ts';
import { alters } from '../../support/chains/answering-proxy.ts';
import { SOL } from '../../support/chains/solana.ts';
import {
  FEE,
  networkCode,
  SolanaWithdrawals,
  stranger,
  USDC,
  until,
} from '../../support/withdrawals/solana-withdrawals.ts';

let solana: SolanaWithdrawals;
let sandbox: SolanaWithdrawals['sandbox'];
let node: SolanaWithdrawals['node'];
let stack: SolanaWithdrawals['stack'];
let wait: SolanaWithdrawals['wait'];
let stopAt: SolanaWithdrawals['stopAt'];
let goOn: SolanaWithdrawals['goOn'];
let lamportsOf: SolanaWithdrawals['lamportsOf'];
let dollarsOf: SolanaWithdrawals['dollarsOf'];
let held: SolanaWithdrawals['held'];
let untilSubStatus: SolanaWithdrawals['untilSubStatus'];
let statusesOf: SolanaWithdrawals['statusesOf'];
let withdraw: SolanaWithdrawals['withdraw'];
let expectLedgerIsChain: SolanaWithdrawals['expectLedgerIsChain'];
let swallow: SolanaWithdrawals['swallow'];
let untilLooked: SolanaWithdrawals['untilLooked'];
let walletId: SolanaWithdrawals['walletId'];
let from: SolanaWithdrawals['from'];

beforeAll(async () => {
  solana = await SolanaWithdrawals.start();
  ({
    sandbox,
    node,
    stack,
    wait,
    stopAt,
    goOn,
    lamportsOf,
    dollarsOf,
    held,
    untilSubStatus,
    statusesOf,
    withdraw,
    expectLedgerIsChain,
    swallow,
    untilLooked,
  } = solana);
});
afterAll(() => solana.stop());
beforeEach(async () => {
  ({ walletId, from } = await solana.makeWallet());
});
afterEach(() => solana.calm());

test('of whose signature a node may have a copy: its money is held until it has expired and nothing unexplained has left', async () => {
  stack.cluster.meet('sign', { lost: 'mpc_refused' });
  const id = await withdraw('SOL', SOL, await stranger());
  const signings = async () => (await stack.transactionsOf(id)).flatMap(({ signingIds }) => signingIds);
  await until(async () => findLostSignatures(stack.db, await signings()), 'possible');
  const failedWithin = (ms: number) => stack.until(id, 'failed', ms).then(({ errorCode }) => errorCode);
  await expect(failedWithin(1_500)).rejects.toThrow();
  expect(await statusesOf(id)).toEqual(['transfer built']);
  expect(await held('SOL')).toBe(SOL + FEE.SOL);
  const networkId = networkSeed.find(({ internalCode }) => internalCode === networkCode)?.id ?? '';
  const how = { kind: 'signed_elsewhere', toAddress: null, feeBaseUnits: null } as const;
  const what = { ...how, fromAddress: from, amountBaseUnits: SOL, assetId: null };
  const where = { txHash: 'kept', departureIndex: '0', blockNumber: 1, blockHash: 'kept' };
  const [outflow] = await stack.db.transaction((tx) =>
    recordOutflows(tx, [{ networkId, walletId, ...what, ...where }], false),
  );
  const createdAt = sql`now() - interval '1 hour'`;
  await stack.db.update(chainTransactions).set({ createdAt }).where(eq(chainTransactions.withdrawalId, id));
  wait(400);
  await expect(failedWithin(1_500)).rejects.toThrow();
  await stack.db.transaction((tx) => resolveOutflow(tx, outflow?.id ?? '', 'looked at'));
  expect(await failedWithin(90_000)).toBe('mpc_error');
  expect(await held('SOL')).toBe(0n);
});

describe('a transaction that does not land', () => {
  test('goes out again with the same bytes while it may still land', async () => {
    swallow();
    const to = await stranger();
    const id = await withdraw('SOL', SOL, to);
    await untilSubStatus(id, 'confirming');
    await untilLooked(2);
    node.answers.clear();
    await stack.until(id, 'completed');
    expect(await statusesOf(id)).toEqual(['transfer included']);
    expect(await lamportsOf(to)).toBe(SOL);
    await expectLedgerIsChain();
  });

  test('T6: is signed anew only past its last block height at finalized, and lands once', async () => {
    swallow();
    const to = await stranger();
    const id = await withdraw('SOL', SOL, to);
    await untilSubStatus(id, 'confirming');
    const [first] = await stack.transactionsOf(id);
    const validUntil = first?.validUntil ?? Number.NaN;
    stopAt(validUntil);
    await untilLooked(3);
    expect(await stack.transactionsOf(id)).toHaveLength(1);
    node.answers.clear();
    goOn();
    wait(1);
    await stack.until(id, 'completed');
    const [, second, ...more] = await stack.transactionsOf(id);
    expect(more).toEqual([]);
    expect(await statusesOf(id)).toEqual(['transfer abandoned', 'renewal included']);
    expect(second?.validUntil).toBeGreaterThan(validUntil);
    expect(second?.signingIds).not.toEqual(first?.signingIds);
    expect((await stack.read(id)).txHash).toBe(second?.txHash);
    expect(() => sandbox.send(Buffer.from(first?.signed?.slice(2) ?? '', 'hex'), false)).toThrow();
    expect(await lamportsOf(to)).toBe(SOL);
    await expectLedgerIsChain();
  });

  test('T6: is signed anew as often as it expires', async () => {
    swallow();
    const to = await stranger();
    const id = await withdraw('USDC', USDC, to);
    for (const made of [1, 2, 3]) {
      await until(async () => (await statusesOf(id)).filter((each) => each.endsWith('broadcast')).length, made);
      wait(200);
    }
    await until(async () => (await stack.transactionsOf(id)).length, 4);
    node.answers.clear();
    await stack.until(id, 'completed');
    expect(await dollarsOf(to)).toBe(USDC);
    await expectLedgerIsChain();
  });

  test('T6: since its signature came too late is signed anew', async () => {
    const sign = stack.cluster.hold('sign');
    const to = await stranger();
    const id = await withdraw('SOL', SOL, to);
    await until(async () => (await stack.transactionsOf(id)).length, 1);
    wait(200);
    sign();
    await stack.until(id, 'completed');
    expect(await statusesOf(id)).toEqual(['transfer abandoned', 'renewal included']);
    expect(await lamportsOf(to)).toBe(SOL);
    await expectLedgerIsChain();
  });

  test('T6: that expires between two questions is signed anew, not given up', async () => {
    swallow();
    const to = await stranger();
    const id = await withdraw('SOL', SOL, to);
    await untilSubStatus(id, 'confirming');
    node.answers.set('sendTransaction', async (response, truth) => {
      node.answers.delete('sendTransaction');
      wait(200);
      response.end(JSON.stringify(await truth()));
    });
    await stack.until(id, 'completed');
    expect(await statusesOf(id)).toEqual(['transfer abandoned', 'renewal included']);
    expect(await lamportsOf(to)).toBe(SOL);
    await expectLedgerIsChain();
  });

  test('T6: and is being signed anew when its workflow is ended: a new run goes on with that, and signs no other', async () => {
    swallow();
    const to = await stranger();
    const id = await withdraw('SOL', SOL, to);
    await untilSubStatus(id, 'confirming');
    const sign = stack.cluster.hold('sign');
    wait(200);
    await until(async () => (await stack.transactionsOf(id)).length, 2);
    const { client, taskQueue } = stack.worker;
    await stack.workflowOf(id).terminate('by an operator');
    node.answers.clear();
    sign();
    const input = { withdrawalId: id, workspaceId: stack.workspaceId, walletId, networkCode, sent: true };
    await client.workflow.start('withdraw', { workflowId: workflowIdOf('withdraw', id), taskQueue, args: [input] });
    await stack.until(id, 'completed');
    expect(await statusesOf(id)).toEqual(['transfer abandoned', 'renewal included']);
    expect(await lamportsOf(to)).toBe(SOL);
    await expectLedgerIsChain();
  });

  test('T6: is not signed anew while a node that is behind knows nothing of it', async () => {
    const to = await stranger();
    node.answers.set(
      'getSignatureStatuses',
      alters(({ context }: { context: { slot: number } }) => ({
        context: { ...context, slot: Math.max(0, context.slot - 100) },
        value: [null],
      })),
    );
    const id = await withdraw('SOL', SOL, to);
    await untilSubStatus(id, 'confirming');
    wait(200);
    await untilLooked(3);
    expect(await stack.transactionsOf(id)).toHaveLength(1);
    node.answers.clear();
    await stack.until(id, 'completed');
    expect(await lamportsOf(to)).toBe(SOL);
    await expectLedgerIsChain();
  });

  test('T6: is not signed anew when its history knows it, though the answer was lost and it is long forgotten', async () => {
    const to = await stranger();
    let sent = 0;
    node.answers.set('sendTransaction', async (response, truth) => {
      await truth();
      sent += 1;
      response.destroy();
    });
    const forgets = alters((result: object) => {
      const [, options] = node.asked.findLast(({ method }) => method === 'getSignatureStatuses')?.params ?? [];
      const searches = (options as { searchTransactionHistory?: boolean } | undefined)?.searchTransactionHistory;
      return searches === true ? result : { ...result, value: [null] };
    });
    const id = await withdraw('SOL', SOL, to);
    await expect.poll(() => sent, { timeout: 60_000 }).toBeGreaterThan(0);
    wait(200);
    node.answers.clear();
    node.answers.set('getSignatureStatuses', forgets);
    await stack.until(id, 'completed');
    expect(await statusesOf(id)).toEqual(['transfer included']);
    expect(await lamportsOf(to)).toBe(SOL);
    await expectLedgerIsChain();
  });

  test('cannot be sped up or dropped: nothing else is signed, and it lands', async () => {
    for (const kind of ['speed_up', 'drop'] as const) {
      swallow();
      const to = await stranger();
      const id = await withdraw('SOL', SOL, to);
      await untilSubStatus(id, 'confirming');
      await stack.replace(id, kind);
      await untilLooked(3);
      expect(await stack.transactionsOf(id)).toHaveLength(1);
      node.answers.clear();
      await stack.until(id, 'completed');
      expect(await lamportsOf(to)).toBe(SOL);
    }
    await expectLedgerIsChain();
  });

  test('and may not be signed anew, since the wallet is frozen: it fails once nothing can land, with everything released', async () => {
    swallow();
    const to = await stranger();
    const id = await withdraw('USDC', USDC, to);
    await untilSubStatus(id, 'confirming');
    await stack.db.update(wallets).set({ status: 'frozen' }).where(eq(wallets.id, walletId));
    await untilLooked(2);
    expect((await stack.read(id)).status).toBe('processing');
    wait(200);
    expect(await stack.until(id, 'failed')).toMatchObject({
      errorCode: 'frozen',
      errorReason: expect.stringContaining('the wallet is frozen'),
    });
    expect(await statusesOf(id)).toEqual(['transfer abandoned']);
    expect(await dollarsOf(to)).toBe(0n);
    await expectLedgerIsChain();
  });

  test('and has become impossible: it fails once nothing can land, with everything released', async () => {
    swallow();
    const to = await stranger();
    const id = await withdraw('SOL', SOL, to);
    await untilSubStatus(id, 'confirming');
    const account = { lamports: lamports(SOL), data: new Uint8Array(165), space: 165n, executable: false };
    sandbox.svm.setAccount({ address: to, programAddress: TOKEN_PROGRAM_ADDRESS, ...account });
    wait(200);
    expect(await stack.until(id, 'failed')).toMatchObject({ errorCode: 'impossible_transfer' });
    await expectLedgerIsChain();
  });
});
