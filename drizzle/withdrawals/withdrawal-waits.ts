// What a withdrawal under way waits for, as its row and its history say it. Moves no money and no status.

import type { WithdrawalSubStatus } from '../../domain/statuses.ts';
import { isSimilarShortage, type Shortage } from '../../domain/withdrawals/shortage.ts';
import type { Database } from '../database/connection.ts';
import { lastWithdrawalEvent } from './withdrawal-history.ts';
import { advanceWithdrawal } from './withdrawal-steps.ts';
import { lockWithdrawal } from './withdrawals.ts';

/** A new line of its history, and true, only when what it waits for changed, or is said in other words. */
export async function noteWithdrawalWait(
  db: Database,
  id: string,
  subStatus: WithdrawalSubStatus,
  details: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const row = await lockWithdrawal(tx, id);
    if (row?.status !== 'processing') return false;
    if (row.subStatus === subStatus && (await lastWithdrawalEvent(tx, id))?.details === details) return false;
    return advanceWithdrawal(tx, id, { from: 'processing', to: 'processing', fields: { subStatus }, details });
  });
}

/**
 * That it waits for funds: a new line of its history, an event, and true, when it did not, or when what is missing is
 * not about what was said last. Prices move all the time, and nobody wants to hear of each move.
 */
export async function noteShortage(db: Database, id: string, shortage: Shortage, details: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const row = await lockWithdrawal(tx, id);
    if (row?.status !== 'processing') return false;
    // Also of one that a node which was away for a moment has kept from looking.
    const isKnown = row.shortage !== null && isSimilarShortage(row.shortage, shortage);
    if (row.subStatus === 'insufficient_funds' && isKnown) return false;
    const fields = { subStatus: 'insufficient_funds', shortage } as const;
    const event = isKnown ? {} : ({ event: 'withdrawal.insufficient_funds' } as const);
    return advanceWithdrawal(tx, id, { from: 'processing', to: 'processing', fields, details, ...event });
  });
}
