// What the withdraw workflow does to rows alone: whether a withdrawal may go on, and how it ends when nothing of it can land any more. Asks no chain.
import { ApplicationFailure } from '@temporalio/common';
import { type WithdrawalStatus, withdrawalArrows } from '../../domain/statuses.ts';
import { isRecordedInactive } from '../../drizzle/audit/inactive-rows.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { BrokenSealError, type Seals } from '../../drizzle/seals/seals.ts';
import {
  type Abandonment,
  abandonWithdrawal,
  closeSignings,
  type WithdrawalFailure,
} from '../../drizzle/withdrawal-repair/abandon-withdrawal.ts';
import { advanceChainTransaction, listChainTransactions } from '../../drizzle/withdrawals/chain-transactions.ts';
import { findWithdrawalContext, type WithdrawalContext } from '../../drizzle/withdrawals/withdrawal-context.ts';
import { advanceWithdrawal, clearWish } from '../../drizzle/withdrawals/withdrawal-steps.ts';
import { sealedWithdrawals } from '../../drizzle/withdrawals/withdrawals.ts';
import type { Chains } from '../chains/connect-chains.ts';
import { asSealFailure } from '../mpc/cluster-failure.ts';
import { findProvenDead } from './lost-signatures.ts';
import type { Sending } from './withdrawal-transfer.ts';

/** `waiting`: for approvals. */
export interface WithdrawalStart {
  standing: 'ready' | 'waiting' | 'ended';
  /** Of one that ended: how, and why. */
  status?: WithdrawalStatus;
  reason?: string;
}

export interface WithdrawalDependencies {
  db: Database;
  seals: Seals;
  chains: Chains;
}

export function createWithdrawalActivities({ db, seals, chains }: WithdrawalDependencies) {
  return {
    /** Idempotent by withdrawal: approved → processing, or says what it waits for. Not retried: a freeze. */
    async beginWithdrawal(id: string): Promise<WithdrawalStart> {
      const context = await requireWithdrawal(db, seals, id);
      const { status, errorReason } = context.withdrawal;
      if (withdrawalArrows[status].length === 0)
        return { standing: 'ended', status, reason: errorReason ?? `it was ${status}` };
      if (status === 'pending' || status === 'pending_approval') return { standing: 'waiting' };
      assertNotFrozen(seals, context);
      const step = { details: 'Begun.' };
      await db.transaction((tx) => advanceWithdrawal(tx, id, 'approved', 'processing', { subStatus: 'queued' }, step));
      return { standing: 'ready' };
    },

    /** Idempotent by withdrawal: see drizzle/withdrawal-repair/abandon-withdrawal.ts. What stays unclear by the rows is asked of every node of the network. */
    async abandonWithdrawal(id: string, failure: WithdrawalFailure): Promise<Abandonment> {
      const byRows = await db.transaction((tx) => abandonWithdrawal(tx, seals, id, failure));
      if (byRows.outcome !== 'unclear') return byRows;
      const provenDead = await findProvenDead({ db, seals, chains }, id);
      return provenDead.size === 0
        ? byRows
        : db.transaction((tx) => abandonWithdrawal(tx, seals, id, { ...failure, provenDead }));
    },

    /**
     * Idempotent by (withdrawal, ordinal): what was wished is taken off the row, and the history says why it was not done. Of a renewal it is noted why the
     * withdrawal will fail: what is out can land no more, as the follower makes sure of.
     */
    async noteReplacementFailed(sending: Sending, failure: WithdrawalFailure): Promise<void> {
      const { withdrawalId: id, ordinal, kind } = sending;
      await db.transaction(async (tx) => {
        const rows = await listChainTransactions(tx, id);
        const wished = (kind === 'speed_up' || kind === 'drop') && (await clearWish(tx, id, kind));
        if (kind !== 'renewal' && !wished && rows.every((row) => row.ordinal !== ordinal)) return;
        const built = rows.filter((row) => row.ordinal === ordinal && row.status === 'built');
        await closeSignings(tx, seals, built, { errorCode: 'cancelled', errorReason: failure.errorReason });
        for (const row of built) await advanceChainTransaction(tx, row.id, 'built', 'abandoned');
        const details = `The ${kind === 'renewal' ? 'renewal' : 'replacement'} was not made: ${failure.errorReason}.`;
        await advanceWithdrawal(tx, id, 'processing', 'processing', kind === 'renewal' ? failure : {}, { details });
      });
    },
  };
}

/** One that has ended does not go on by a status that somebody wrote. */
function assertNotEnded(
  seals: Seals,
  { withdrawal: { id, workspaceId, status }, sealedEntries }: WithdrawalContext,
): void {
  if (
    withdrawalArrows[status].length > 0 &&
    isRecordedInactive(seals, sealedEntries, { kind: 'withdrawal', workspaceId, id })
  )
    throw seals.broken('withdrawal', id);
}

/** Not retried: a row that this service did not write, or that was changed since. */
export async function requireWithdrawal(db: Database, seals: Seals, id: string): Promise<WithdrawalContext> {
  try {
    const context = await findWithdrawalContext(db, id);
    if (context === undefined) throw ApplicationFailure.nonRetryable('the withdrawal does not exist', 'not_found');
    sealedWithdrawals.assert(seals, context.withdrawal);
    assertNotEnded(seals, context);
    return context;
  } catch (error) {
    throw error instanceof BrokenSealError ? asSealFailure(error) : error;
  }
}

/** Not retried either: a wallet that is active by its row alone. */
export function assertNotFrozen(seals: Seals, context: WithdrawalContext): void {
  const { withdrawal, walletStatus, workspaceFrozen, sealedEntries } = context;
  const { workspaceId, walletId: id } = withdrawal;
  if (workspaceFrozen) throw ApplicationFailure.nonRetryable('the workspace is frozen', 'frozen');
  if (walletStatus !== 'active') throw ApplicationFailure.nonRetryable(`the wallet is ${walletStatus}`, 'frozen');
  if (isRecordedInactive(seals, sealedEntries, { kind: 'wallet', workspaceId, id }))
    throw asSealFailure(seals.broken('wallet', id));
}
