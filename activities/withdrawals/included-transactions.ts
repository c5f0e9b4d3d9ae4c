// What follows from a transaction of a withdrawal that is in a block: its confirmations are noted, and once all nodes
// show it for good the withdrawal is settled. A block that a reorganisation took back is noted too.
import { isFinal, withdrawalArrows } from '../../domain/statuses.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import { recordEnd } from '../../drizzle/operations/end-operations.ts';
import { unbookOutflows } from '../../drizzle/outflows/outflow-departures.ts';
import { advanceChainTransaction, listChainTransactions } from '../../drizzle/withdrawals/chain-transactions.ts';
import type { WithdrawalContext } from '../../drizzle/withdrawals/withdrawal-context.ts';
import {
  advanceWithdrawal,
  settleWithdrawal,
  type WithdrawalFields,
} from '../../drizzle/withdrawals/withdrawal-steps.ts';
import { lockWithdrawal } from '../../drizzle/withdrawals/withdrawals.ts';
import { agreeOnInclusion } from '../chains/agreement-of-nodes.ts';
import type { Inclusion } from '../chains/port/transactions.ts';
import { dispute, type FollowContext, mayEndUnmoved, noteIfLate, type Sent } from './follow-context.ts';
import { noteBroadcast } from './note-broadcast.ts';
import { movesNothing } from './withdrawal-transfer.ts';

/** True when the withdrawal has ended by it: all witnesses show it alike, as deep as the network asks. */
export async function recordInclusion(following: FollowContext, sent: Sent, inclusion: Inclusion): Promise<boolean> {
  const { db, context, witnesses } = following;
  const { confirmationBlocks } = context.network;
  const row = await noted(db, context, sent);
  if (inclusion.confirmations < confirmationBlocks) {
    await db.transaction((tx) => noteIncluded(tx, context, row, inclusion));
    return false;
  }
  const { outcome, reason } = await agreeOnInclusion(witnesses, row.txHash, inclusion, confirmationBlocks);
  if (outcome === 'disputed') await dispute(following, reason);
  if (outcome === 'behind')
    await noteIfLate({ db, context }, [row], 'The second node is behind: it waits until all nodes show its block.');
  if (outcome !== 'agreed') return false;
  if (!hasMoved(row, inclusion) && !(await mayEndUnmoved(following))) return false;
  await db.transaction((tx) => settle(tx, following, row, inclusion));
  return true;
}

/**
 * What is in a block was broadcast, also when whoever sent it had no time to note so: callers hear of it before they
 * hear of its end.
 */
async function noted(db: Database, context: WithdrawalContext, row: Sent): Promise<Sent> {
  if (row.status !== 'signed') return row;
  await noteBroadcast(db, context, row, row.txHash);
  return { ...row, status: 'broadcast' };
}

async function noteIncluded(tx: Transaction, { withdrawal }: WithdrawalContext, row: Sent, inclusion: Inclusion) {
  const { blockNumber, confirmations } = inclusion;
  if (row.status !== 'included') await advanceChainTransaction(tx, row.id, { from: row.status, to: 'included' });
  if (withdrawal.blockNumber === blockNumber && withdrawal.confirmations === confirmations) return;
  const fields = { subStatus: 'confirming' as const, txHash: row.txHash, blockNumber, confirmations };
  const details = `In block ${blockNumber}, with ${confirmations} confirmations.`;
  await advanceWithdrawal(tx, withdrawal.id, { from: 'processing', to: 'processing', fields, details });
}

/** A transaction that was in a block and is in none now: a reorg. Its bytes go out again. */
export async function takeBackIncluded(
  db: Database,
  { withdrawal }: WithdrawalContext,
  sent: readonly Sent[],
): Promise<void> {
  for (const row of sent.filter(({ status }) => status === 'included'))
    await db.transaction(async (tx) => {
      if (!(await advanceChainTransaction(tx, row.id, { from: 'included', to: 'broadcast' }))) return;
      const fields = { subStatus: 'reorged' as const, blockNumber: null, confirmations: null };
      const details = 'The chain was reorganised: its block is no longer there.';
      await advanceWithdrawal(tx, withdrawal.id, { from: 'processing', to: 'processing', fields, details });
    });
}

const hasMoved = ({ kind }: Sent, { succeeded }: Inclusion) => succeeded && !movesNothing(kind);

async function settle(
  tx: Transaction,
  { seals, context }: FollowContext,
  row: Sent,
  inclusion: Inclusion,
): Promise<void> {
  const withdrawal = await lockWithdrawal(tx, context.withdrawal.id);
  if (withdrawal === undefined || isFinal(withdrawalArrows, withdrawal.status)) return;
  if (row.status !== 'included') await advanceChainTransaction(tx, row.id, { from: row.status, to: 'included' });
  // Those that it took the place of, or that took its: none of them can land any more.
  for (const other of await listChainTransactions(tx, withdrawal.id))
    if (other.id !== row.id && other.status !== 'abandoned')
      await advanceChainTransaction(tx, other.id, { from: other.status, to: 'abandoned' });
  const { blockNumber, blockHash, confirmations, feePaid, gasUsed, effectiveGasPriceWei } = inclusion;
  const moved = hasMoved(row, inclusion);
  const end = moved ? { fields: { subStatus: null }, details: 'Completed.' } : whyNothingMoved(withdrawal, row);
  const isEnded = await settleWithdrawal(tx, withdrawal, {
    moved,
    feePaid,
    fields: { ...end.fields, txHash: row.txHash, blockNumber, confirmations },
    step: {
      details: end.details,
      activity: {
        blockNumber,
        blockHash,
        gasUsed: gasUsed ?? null,
        effectiveGasPriceWei: effectiveGasPriceWei ?? null,
        confirmedAt: new Date(),
      },
    },
  });
  if (isEnded) await unbookOutflows(tx, withdrawal, row.txHash);
  if (isEnded && !moved) await recordEnd(tx, seals, withdrawal, end.fields);
}

function whyNothingMoved(
  { errorCode, errorReason }: WithdrawalContext['withdrawal'],
  { kind }: Sent,
): { fields: WithdrawalFields; details: string } {
  if (!movesNothing(kind)) {
    const details = 'The chain executed it and it failed: only the fee was paid.';
    return { fields: { subStatus: 'reverted', errorCode: 'reverted', errorReason: details }, details };
  }
  const reason = errorReason ?? 'It was dropped: a transaction that moves nothing took its place.';
  return { fields: { subStatus: 'replaced', errorCode: errorCode ?? 'dropped', errorReason: reason }, details: reason };
}
