// Completes a withdrawal that the record has as open although it was paid: after PostgreSQL was put back to an older
// backup its payment is among the outflows that nothing explains. On an operator's word, and only where what left says
// the same. Posts the ledger once; asks no chain, signs nothing, and unfreezes nothing.
import { and, asc, eq, inArray } from 'drizzle-orm';
import {
  isFinal,
  openWithdrawalStatuses,
  undecidedWithdrawalStatuses,
  withdrawalArrows,
} from '../../domain/statuses.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { findNetworkState } from '../networks/network-states.ts';
import { networks } from '../networks/networks.ts';
import { type OutflowRow, resolveOutflow, unexplainedOutflows } from '../outflows/outflows.ts';
import { wallets } from '../wallets/wallets.ts';
import {
  advanceChainTransaction,
  type ChainTransactionRow,
  listChainTransactions,
} from '../withdrawals/chain-transactions.ts';
import { advanceWithdrawal, settleWithdrawal } from '../withdrawals/withdrawal-steps.ts';
import { lockWithdrawal, type WithdrawalRow, withdrawals } from '../withdrawals/withdrawals.ts';

/** `reason`: a sentence for the operator. */
export type CompletedByOutflow =
  | { outcome: 'completed'; workspaceId: string; walletId: string; outflowIds: string[] }
  | { outcome: 'refused'; reason: string };

/**
 * All that left the wallet by the transaction of this outflow is resolved with it, so that it completes one withdrawal
 * and no other.
 */
export async function completeByOutflow(
  tx: Transaction,
  { outflowId, withdrawalId, note }: { outflowId: string; withdrawalId: string; note: string },
): Promise<CompletedByOutflow> {
  const found = await findTogether(tx, outflowId);
  const [first] = found;
  if (first === undefined) return refused(`There is no outflow ${outflowId}.`);
  // As whoever asks for a withdrawal: the wallet first.
  await tx.select({ id: wallets.id }).from(wallets).where(eq(wallets.id, first.walletId)).for('no key update');
  const withdrawal = await lockWithdrawal(tx, withdrawalId);
  if (withdrawal === undefined) return refused(`There is no withdrawal ${withdrawalId}.`);
  // Read anew, now that nobody else resolves them.
  const parts = await findTogether(tx, outflowId);
  const rows = await listChainTransactions(tx, withdrawalId);
  const reason = whyNotPaidBy(withdrawal, rows, parts) ?? (await whyNotFinal(tx, first));
  if (reason !== undefined) return refused(reason);

  for (const row of rows.filter(({ status }) => status === 'built'))
    await advanceChainTransaction(tx, row.id, { from: 'built', to: 'abandoned' });
  await settle(tx, withdrawalId, first, parts);
  for (const { id } of parts) await resolveOutflow(tx, id, note);
  const { workspaceId, walletId } = withdrawal;
  return { outcome: 'completed', workspaceId, walletId, outflowIds: parts.map(({ id }) => id) };
}

const refused = (reason: string): CompletedByOutflow => ({ outcome: 'refused', reason });

/** An outflow with all others of its transaction and wallet. */
async function findTogether(tx: Transaction, id: string): Promise<OutflowRow[]> {
  const [row] = await tx.select().from(unexplainedOutflows).where(eq(unexplainedOutflows.id, id));
  if (row === undefined) return [];
  const { networkId, txHash, walletId } = unexplainedOutflows;
  const isOfIt = and(eq(networkId, row.networkId), eq(txHash, row.txHash), eq(walletId, row.walletId));
  return tx.select().from(unexplainedOutflows).where(isOfIt);
}

/** The ledger learns of it all the same (../outflows/outflow-departures.ts). */
const RESOLVE_WITHOUT = 'resolve what left without naming it.';

/** By whom it was signed, from where to where, and how much, to the last unit: nothing else may have left with it. */
function whyNotPaidBy(
  withdrawal: WithdrawalRow,
  rows: readonly ChainTransactionRow[],
  parts: readonly OutflowRow[],
): string | undefined {
  const { id, status, walletId, networkId, method } = withdrawal;
  if (isFinal(withdrawalArrows, status)) return `Withdrawal ${id} is ${status}: ${RESOLVE_WITHOUT}`;
  if (method !== 'transfer') return `Withdrawal ${id} is no transfer: ${RESOLVE_WITHOUT}`;
  if (rows.some(({ signed }) => signed !== null))
    return `Withdrawal ${id} has a signed transaction of its own, which its workflow follows to its end.`;
  if (parts.some((part) => part.walletId !== walletId || part.networkId !== networkId))
    return `Withdrawal ${id} is of another wallet or network than this outflow.`;
  if (parts.some(({ resolvedAt }) => resolvedAt !== null)) return 'What left by this transaction is resolved already.';
  if (parts.some(({ reorgedAt }) => reorgedAt !== null))
    return 'A reorganisation took its block back: wait until it is in another one.';
  if (parts.some(({ kind }) => kind !== 'signed_elsewhere')) return 'The key of this wallet has not signed it.';
  if (parts.some(({ feeBaseUnits }) => feeBaseUnits === null))
    return `It was recorded by a version that did not keep its fee: ${RESOLVE_WITHOUT}`;
  const payments = parts.filter(({ amountBaseUnits, feeBaseUnits }) => amountBaseUnits !== feeBaseUnits);
  const [payment] = payments;
  if (payment !== undefined && payments.length === 1 && isPaymentOf(withdrawal, payment)) return undefined;
  return `It did not pay withdrawal ${id}: its receiver, asset and amount are not those of the withdrawal, or more left by it.`;
}

const isPaymentOf = (withdrawal: WithdrawalRow, payment: OutflowRow): boolean =>
  payment.assetId === withdrawal.assetId &&
  payment.fromAddress === withdrawal.fromAddress &&
  payment.toAddress === withdrawal.recipientAddress &&
  payment.amountBaseUnits - (payment.feeBaseUnits ?? 0n) === withdrawal.amountBaseUnits;

async function whyNotFinal(tx: Transaction, { networkId, blockNumber }: OutflowRow): Promise<string | undefined> {
  const [network] = await tx.select().from(networks).where(eq(networks.id, networkId));
  const confirmations = await confirmationsOf(tx, networkId, blockNumber);
  const asked = network?.confirmationBlocks ?? Number.POSITIVE_INFINITY;
  return confirmations >= asked ? undefined : `It has ${confirmations} of ${asked} confirmations: try again later.`;
}

async function confirmationsOf(tx: Transaction, networkId: string, blockNumber: number): Promise<number> {
  const state = await findNetworkState(tx, networkId);
  return Math.max(0, (state?.nextBlock ?? 0) - blockNumber);
}

async function settle(
  tx: Transaction,
  id: string,
  { networkId, txHash, blockNumber, blockHash }: OutflowRow,
  parts: readonly OutflowRow[],
): Promise<void> {
  await advanceToProcessing(tx, id);
  const withdrawal = await lockWithdrawal(tx, id);
  if (withdrawal === undefined) throw new Error('a withdrawal that was locked is not there');
  const confirmations = await confirmationsOf(tx, networkId, blockNumber);
  const details = 'Completed by an operator: its payment was found on the chain after the database was put back.';
  await settleWithdrawal(tx, withdrawal, {
    moved: true,
    feePaid: parts.reduce((sum, { feeBaseUnits }) => sum + (feeBaseUnits ?? 0n), 0n),
    fields: { subStatus: null, txHash, blockNumber, confirmations },
    step: {
      details,
      activity: { blockNumber, blockHash, gasUsed: null, effectiveGasPriceWei: null, confirmedAt: new Date() },
    },
  });
}

/** Whoever decided about it did so in what was lost; that it was paid is the operator's word. */
async function advanceToProcessing(tx: Transaction, id: string): Promise<void> {
  const details = 'It was carried out before the database was put back.';
  for (const from of undecidedWithdrawalStatuses) await advanceWithdrawal(tx, id, { from, to: 'approved', details });
  await advanceWithdrawal(tx, id, { from: 'approved', to: 'processing', details });
}

const PAYABLE_MAX = 5;

/** Open withdrawals of the wallet that an outflow nobody has resolved may have paid: the oldest first. */
export async function listPayable(
  db: Database,
  { walletId, assetId, toAddress, amountBaseUnits, feeBaseUnits, resolvedAt }: OutflowRow,
): Promise<string[]> {
  if (assetId === null || toAddress === null || feeBaseUnits === null || resolvedAt !== null) return [];
  const rows = await db
    .select({ id: withdrawals.id })
    .from(withdrawals)
    .where(
      and(
        eq(withdrawals.walletId, walletId),
        eq(withdrawals.assetId, assetId),
        inArray(withdrawals.status, [...openWithdrawalStatuses]),
        eq(withdrawals.recipientAddress, toAddress),
        eq(withdrawals.amountBaseUnits, amountBaseUnits - feeBaseUnits),
      ),
    )
    .orderBy(asc(withdrawals.id))
    .limit(PAYABLE_MAX);
  return rows.map(({ id }) => id);
}
