// How a withdrawal is made and moves: its row, its history, its line in the activity and its money change in one
// transaction, by compare-and-set.
import { and, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm';
import type { EventData } from '../../domain/events/event-data.ts';
import {
  assertArrow,
  isFinal,
  openWithdrawalStatuses,
  type replacementKinds,
  type transactionStatuses,
  type WithdrawalStatus,
  withdrawalArrows,
} from '../../domain/statuses.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { notify } from '../database/notifications.ts';
import { recordEvent } from '../events/events.ts';
import { postLedgerEvent } from '../ledger/ledger.ts';
import type { Seals } from '../seals/seals.ts';
import { type TransactionRow, transactions } from '../transactions/transactions.ts';
import { signedByNodesOf } from './signed-by-nodes.ts';
import { insertWithdrawalEvent } from './withdrawal-history.ts';
import { recordedWith, recordedWithdrawal, sealedContentOf, type WithdrawalRow, withdrawals } from './withdrawals.ts';

/**
 * Stores a withdrawal, sealed, as `pending` and holds its amount, with `feeHeld` of the same asset for its fee.
 * Undefined when its external id names one that is there already; a concurrent one is waited for. Throws
 * InsufficientFunds (ledger.ts) when the available balance does not suffice.
 */
export async function insertWithdrawal(
  tx: Transaction,
  seals: Seals,
  withdrawal: typeof withdrawals.$inferInsert,
  feeHeld = 0n,
): Promise<WithdrawalRow | undefined> {
  const externalId = { target: [withdrawals.workspaceId, withdrawals.externalId] };
  const seal = seals.seal('withdrawal', sealedContentOf(withdrawal));
  const values = { ...withdrawal, subStatus: 'policy_check' as const, seal };
  const [row] = await tx
    .insert(withdrawals)
    .values(values)
    .onConflictDoNothing(externalId)
    .returning({ ...getTableColumns(withdrawals), eventId: recordEvent('withdrawal.created', recordedWithdrawal) });
  if (row === undefined) return undefined;
  const { id, walletId, assetId } = row;
  await tx.insert(transactions).values(activityOf(row));
  await insertWithdrawalEvent(tx, {
    withdrawalId: id,
    status: 'pending',
    subStatus: 'policy_check',
    details: 'Asked for.',
  });
  const hold = { assetId, from: 'available', to: 'held', amount: row.amountBaseUnits + feeHeld } as const;
  await postLedgerEvent(tx, { kind: 'withdrawal_held', subjectId: id, walletId, movements: [hold] });
  return row;
}

const activityOf = (row: WithdrawalRow): typeof transactions.$inferInsert => ({
  id: row.id,
  transactionId: row.id,
  workspaceId: row.workspaceId,
  walletId: row.walletId,
  assetId: row.assetId,
  networkId: row.networkId,
  direction: 'out',
  method: row.method,
  amountBaseUnits: row.amountBaseUnits,
  decimals: row.decimals,
  status: 'pending',
  fromAddress: row.fromAddress,
  toAddress: row.recipientAddress,
  recipientAddress: row.recipientAddress,
  withdrawalStatus: 'pending',
  externalId: row.externalId,
  notes: row.notes,
});

/** What a withdrawal is called in the activity of the workspace. */
export const activityStatus: Readonly<Record<WithdrawalStatus, (typeof transactionStatuses)[number]>> = {
  pending: 'pending',
  pending_approval: 'pending_approval',
  approved: 'pending',
  processing: 'pending',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'failed',
  rejected: 'rejected',
};

export type WithdrawalFields = Partial<
  Pick<
    WithdrawalRow,
    | 'subStatus'
    | 'shortage'
    | 'errorCode'
    | 'errorReason'
    | 'policyReasons'
    | 'txHash'
    | 'blockNumber'
    | 'feePaidBaseUnits'
    | 'confirmations'
  >
>;
export type ActivityFields = Partial<
  Pick<TransactionRow, 'blockNumber' | 'blockHash' | 'gasUsed' | 'effectiveGasPriceWei' | 'confirmedAt' | 'toAddress'>
>;

/** One plain sentence for the history, and what the line in the activity learns besides. */
export interface Step {
  details: string;
  activity?: ActivityFields;
  /** What the caller of the step gave as the reason: the history shows it, and the withdrawal that of its end. */
  reason?: string | null;
  /** Of a step within a status, where callers hear of it. A new status always has an event. */
  event?: 'withdrawal.broadcast' | 'withdrawal.replaced' | 'withdrawal.insufficient_funds';
}

/** `to` may be `from`, for a step within the status. */
export interface WithdrawalMove extends Step {
  from: WithdrawalStatus;
  to: WithdrawalStatus;
  fields?: WithdrawalFields;
  /** What the event shows besides to those who are to approve it. */
  shown?: EventData | undefined;
}

/**
 * Moves a withdrawal along one arrow, by compare-and-set. False when it no longer stood at `from`. An end that moved
 * nothing gives back what was held; one that did settles it before (settleWithdrawal).
 */
export async function advanceWithdrawal(
  tx: Transaction,
  id: string,
  { from, to, fields, details, activity, reason = null, event: within, shown }: WithdrawalMove,
): Promise<boolean> {
  if (from !== to) assertArrow(withdrawalArrows, from, to);
  const final = isFinal(withdrawalArrows, to);
  const event = within ?? eventOf(from, to);
  const [row] = await tx
    .update(withdrawals)
    .set({
      ...fields,
      ...(fields?.txHash == null ? {} : { signedByNodes: signedByNodesOf(id, fields.txHash) }),
      status: to,
      updatedAt: sql`now()`,
      ...(final ? { reason, completedAt: sql`now()`, requestedReplacement: null, requestedFeeLevel: null } : {}),
    })
    .where(and(eq(withdrawals.id, id), eq(withdrawals.status, from)))
    .returning({
      ...getTableColumns(withdrawals),
      ...(event === undefined ? {} : { eventId: recordEvent(event, recordedWith(shown)) }),
    });
  if (row === undefined) return false;
  if (final)
    await tx
      .select({ announced: notify(withdrawals.id) })
      .from(withdrawals)
      .where(eq(withdrawals.id, id));
  await insertWithdrawalEvent(tx, {
    withdrawalId: id,
    status: to,
    subStatus: row.subStatus,
    txHash: row.txHash,
    details,
    reason,
  });
  await tx
    .update(transactions)
    .set({
      ...activity,
      status: activityStatus[to],
      withdrawalStatus: to,
      feeBaseUnits: row.feePaidBaseUnits,
      txHash: row.txHash,
      failedReason: row.errorReason,
      updatedAt: sql`now()`,
    })
    .where(eq(transactions.id, id));
  if (final) await releaseHeld(tx, row);
  return true;
}

/** No arrow leads back to `pending`. */
const eventOf = (from: WithdrawalStatus, to: WithdrawalStatus) =>
  from === to || to === 'pending' ? undefined : (`withdrawal.${to}` as const);

/** Gives back all that is still held for a withdrawal, as its own entries say. */
async function releaseHeld(tx: Transaction, { id, walletId }: WithdrawalRow): Promise<void> {
  const movements = (await listHeld(tx, id)).map(({ assetId, amount }) => ({
    assetId,
    from: 'held' as const,
    to: 'available' as const,
    amount,
  }));
  await postLedgerEvent(tx, { kind: 'withdrawal_released', subjectId: id, walletId, movements });
}

/** What is held for a withdrawal, by asset. */
async function listHeld(tx: Database | Transaction, id: string): Promise<{ assetId: string; amount: bigint }[]> {
  const rows = await tx.execute<{ asset_id: string; amount: string }>(sql`
    select e.asset_id, sum(e.amount) as amount from ledger_entries e join ledger_events v on v.id = e.event_id
    where v.subject_id = ${id} and e.kind = 'held' group by e.asset_id having sum(e.amount) > 0`);
  return [...rows].map(({ asset_id, amount }) => ({ assetId: asset_id, amount: BigInt(amount) }));
}

/** What is held for its fees, with the amount or beside it. */
export async function heldForFee(
  db: Database | Transaction,
  { id, assetId, feeAssetId, amountBaseUnits }: WithdrawalRow,
): Promise<bigint> {
  return (await heldOf(db, id, feeAssetId)) - (assetId === feeAssetId ? amountBaseUnits : 0n);
}

const heldOf = async (tx: Database | Transaction, id: string, assetId: string): Promise<bigint> =>
  (await listHeld(tx, id)).find((one) => one.assetId === assetId)?.amount ?? 0n;

/**
 * Holds what the fee of a further transaction may take beyond what is held for fees already, with the amount or for the
 * transactions before it, of which one lands at most. Once for each ordinal; throws InsufficientFunds.
 */
export async function holdFee(
  tx: Transaction,
  withdrawal: WithdrawalRow,
  ordinal: number,
  maxFee: bigint,
): Promise<void> {
  const { id, walletId, feeAssetId } = withdrawal;
  const held = await heldForFee(tx, withdrawal);
  const amount = maxFee > held ? maxFee - held : 0n;
  const movements = [{ assetId: feeAssetId, from: 'available', to: 'held', amount }] as const;
  await postLedgerEvent(tx, { kind: 'fee_held', subjectId: id, occurrence: ordinal, walletId, movements });
}

/** What the chain has done in the end. */
export interface Settlement {
  /** False when only the fee was paid: it was reverted or dropped. */
  moved: boolean;
  feePaid: bigint;
  fields: WithdrawalFields;
  step: Step;
}

/**
 * Ends a withdrawal as the chain has: what went out leaves the ledger, the rest is given back. False when it has ended
 * before.
 */
export async function settleWithdrawal(
  tx: Transaction,
  withdrawal: WithdrawalRow,
  { moved, feePaid, fields, step }: Settlement,
): Promise<boolean> {
  const { id, walletId, assetId, feeAssetId, amountBaseUnits } = withdrawal;
  const amount = moved ? amountBaseUnits : 0n;
  const held = await heldOf(tx, id, feeAssetId);
  const heldForFee = held - (assetId === feeAssetId ? amount : 0n);
  const fromHeld = feePaid < heldForFee ? feePaid : heldForFee;
  await postLedgerEvent(tx, {
    kind: 'withdrawal_settled',
    subjectId: id,
    walletId,
    movements: [
      { assetId, from: 'held', to: 'outside', amount },
      { assetId: feeAssetId, from: 'held', to: 'outside', amount: fromHeld },
      // More than was quoted, on chains that charge so: it is gone all the same.
      { assetId: feeAssetId, from: 'available', to: 'outside', amount: feePaid - fromHeld },
    ],
  });
  return advanceWithdrawal(tx, id, {
    from: 'processing',
    to: moved ? 'completed' : 'failed',
    fields: { ...fields, feePaidBaseUnits: feePaid },
    ...step,
  });
}

/** It is not certain how one that is open ends; kept since when that is so. */
export async function markDisputed(db: Database | Transaction, id: string): Promise<void> {
  const { disputedAt, status } = withdrawals;
  await db
    .update(withdrawals)
    .set({ disputedAt: sql`now()` })
    .where(and(eq(withdrawals.id, id), inArray(status, [...openWithdrawalStatuses]), isNull(disputedAt)));
}

export async function clearDispute(db: Database, id: string): Promise<void> {
  await db.update(withdrawals).set({ disputedAt: null }).where(eq(withdrawals.id, id));
}

/** Takes this requested replacement off the row, and no other that came meanwhile. False when it was not there. */
export async function clearRequestedReplacement(
  tx: Transaction,
  id: string,
  kind: (typeof replacementKinds)[number],
): Promise<boolean> {
  const cleared = await tx
    .update(withdrawals)
    .set({ requestedReplacement: null, requestedFeeLevel: null })
    .where(and(eq(withdrawals.id, id), eq(withdrawals.requestedReplacement, kind)))
    .returning({ id: withdrawals.id });
  return cleared.length === 1;
}
