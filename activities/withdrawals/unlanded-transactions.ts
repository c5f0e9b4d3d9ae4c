// What follows when no transaction of a withdrawal is in a block: what nodes forgot is sent again, and a withdrawal of
// which nothing can land any more has failed. Signs nothing; sends only bytes that are stored.
import { type FailureCode } from '../../domain/failures.ts';
import { recordEnd } from '../../drizzle/operations/end-operations.ts';
import { advanceChainTransaction } from '../../drizzle/withdrawals/chain-transactions.ts';
import { freeCoins } from '../../drizzle/withdrawals/reserved-coins.ts';
import { advanceWithdrawal } from '../../drizzle/withdrawals/withdrawal-steps.ts';
import { noteWithdrawalWait } from '../../drizzle/withdrawals/withdrawal-waits.ts';
import { ChainError } from '../chains/port/chain-error.ts';
import type { Broadcast, TransactionStatus } from '../chains/port/transactions.ts';
import { dispute, type FollowContext, mayEndUnmoved, type Sent } from './follow-context.ts';
import { noteBroadcast } from './note-broadcast.ts';
import { reportShortage } from './shortages.ts';
import { judgeEarlier } from './withdrawal-fates.ts';

/** The transactions that were sent, each with its status on the chain. */
export type Followed = readonly { row: Sent; status: TransactionStatus }[];

/**
 * Whether none of its transactions has landed or ever can. What is disputed is no proof: it waits, and an operator
 * hears of it.
 */
export async function areProvenDead(following: FollowContext): Promise<boolean> {
  const { db, seals, context, witnesses } = following;
  const { outcome, reason } = await judgeEarlier({ db, seals }, witnesses, context.withdrawal);
  if (outcome === 'disputed') await dispute(following, reason);
  return outcome === 'dead' && mayEndUnmoved(following);
}

/**
 * What no node knows any more, because a node forgot it or a reorganisation dropped it, goes out again: the newest of
 * them, the same bytes. True when they can never land and the withdrawal has ended by that.
 */
export async function failIfDead(following: FollowContext, followed: Followed): Promise<boolean> {
  if (followed.some(({ status }) => status.state === 'pending')) return false;
  const { db, chain, context } = following;
  const { withdrawal } = context;
  const newest = followed.at(-1)?.row;
  if (newest === undefined) return false;
  const broadcast = await sendAgain(following, newest);
  if (broadcast === undefined) return false;
  if (broadcast.outcome === 'accepted') {
    await noteBroadcast(db, context, newest, newest.txHash);
    return false;
  }
  const { reason } = broadcast;
  if (broadcast.dead !== true) {
    await noteWithdrawalWait(db, withdrawal.id, 'stuck', reason);
    return false;
  }
  // One that expires may have done so since it was asked: the next look sees to it.
  if (chain.model === 'expiring' || !(await areProvenDead(following))) return false;
  const sent = followed.map(({ row }) => row);
  return failUnlanded(following, sent, { errorCode: 'replaced_elsewhere', errorReason: reason });
}

/** Undefined when the node refuses for now: it is asked again as soon as there may be a block, not later and later. */
async function sendAgain({ db, chain, context }: FollowContext, row: Sent): Promise<Broadcast | undefined> {
  try {
    return await chain.broadcast(row.signed, row.validUntil ?? undefined);
  } catch (error) {
    const isRefusal = error instanceof ChainError && error.code !== 'unavailable' && error.code !== 'wrong_chain';
    if (!isRefusal) throw error;
    const short = { db, chain, context, kind: row.kind, maxFee: row.maxFeeBaseUnits, waitsUntil: null };
    if (error.code === 'insufficient_funds') await reportShortage(short, error);
    return undefined;
  }
}

/** Ends a withdrawal of which nothing can land any more. */
export async function failUnlanded(
  { db, seals, context }: FollowContext,
  sent: readonly Sent[],
  fields: { errorCode?: FailureCode; errorReason: string },
): Promise<boolean> {
  const { id } = context.withdrawal;
  return db.transaction(async (tx) => {
    for (const row of sent) await advanceChainTransaction(tx, row.id, { from: row.status, to: 'abandoned' });
    await freeCoins(tx, id);
    const step = { details: fields.errorReason };
    const isEnded = await advanceWithdrawal(tx, id, { from: 'processing', to: 'failed', fields, ...step });
    if (isEnded) await recordEnd(tx, seals, context.withdrawal, fields);
    return isEnded;
  });
}
