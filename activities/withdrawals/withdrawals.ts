// What the withdraw workflow does to rows alone: whether a withdrawal may go on, and how it ends when nothing of it can
// land any more. Asks no chain.
import {
  isFinal,
  undecidedWithdrawalStatuses,
  type WithdrawalStatus,
  withdrawalArrows,
} from '../../domain/statuses.ts';
import type { RunFacts } from '../../domain/workflow-runs.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { type Seals } from '../../drizzle/seals/seals.ts';
import {
  type Abandonment,
  abandonWithdrawal,
  closeSignings,
  type WithdrawalFailure,
} from '../../drizzle/withdrawal-repair/abandon-withdrawal.ts';
import { advanceChainTransaction, listChainTransactions } from '../../drizzle/withdrawals/chain-transactions.ts';
import { advanceWithdrawal, clearRequestedReplacement } from '../../drizzle/withdrawals/withdrawal-steps.ts';
import type { Chains } from '../chains/connect-chains.ts';
import { findProvenDead } from './lost-signatures.ts';
import { assertNotFrozen, assertWithdrawalRun, requireWithdrawal } from './require-withdrawal.ts';
import type { TransactionAttempt } from './withdrawal-transfer.ts';

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
    /**
     * Idempotent by withdrawal: approved → processing, or says what it waits for. Not retried: a freeze, and a run that
     * does not count.
     */
    async beginWithdrawal(id: string, run?: RunFacts): Promise<WithdrawalStart> {
      const context = await requireWithdrawal(db, seals, id);
      const { status, errorReason } = context.withdrawal;
      if (isFinal(withdrawalArrows, status))
        return { standing: 'ended', status, reason: errorReason ?? `it was ${status}` };
      assertWithdrawalRun(seals, context.withdrawal, run);
      if (undecidedWithdrawalStatuses.includes(status)) return { standing: 'waiting' };
      assertNotFrozen(seals, context);
      const step = { details: 'Begun.' };
      await db.transaction((tx) =>
        advanceWithdrawal(tx, id, { from: 'approved', to: 'processing', fields: { subStatus: 'queued' }, ...step }),
      );
      return { standing: 'ready' };
    },

    /**
     * Idempotent by withdrawal: see drizzle/withdrawal-repair/abandon-withdrawal.ts. What stays unclear by the rows is
     * asked of every node of the network.
     */
    async abandonWithdrawal(id: string, failure: WithdrawalFailure): Promise<Abandonment> {
      const byRows = await db.transaction((tx) => abandonWithdrawal(tx, seals, id, failure));
      if (byRows.outcome !== 'unclear') return byRows;
      const provenDead = await findProvenDead({ db, seals, chains }, id);
      return provenDead.size === 0
        ? byRows
        : db.transaction((tx) => abandonWithdrawal(tx, seals, id, { ...failure, provenDead }));
    },

    /**
     * Idempotent by (withdrawal, ordinal): the requested replacement is taken off the row, and the history says why it
     * was not done. Of a renewal it is noted why the withdrawal will fail: what is out can land no more, as the
     * follower makes sure of.
     */
    async noteReplacementFailed(sending: TransactionAttempt, failure: WithdrawalFailure): Promise<void> {
      const { withdrawalId: id, ordinal, kind } = sending;
      await db.transaction(async (tx) => {
        const rows = await listChainTransactions(tx, id);
        const requested = (kind === 'speed_up' || kind === 'drop') && (await clearRequestedReplacement(tx, id, kind));
        if (kind !== 'renewal' && !requested && rows.every((row) => row.ordinal !== ordinal)) return;
        const built = rows.filter((row) => row.ordinal === ordinal && row.status === 'built');
        await closeSignings(tx, seals, built, { errorCode: 'cancelled', errorReason: failure.errorReason });
        for (const row of built) await advanceChainTransaction(tx, row.id, { from: 'built', to: 'abandoned' });
        const details = `The ${kind === 'renewal' ? 'renewal' : 'replacement'} was not made: ${failure.errorReason}.`;
        await advanceWithdrawal(tx, id, {
          from: 'processing',
          to: 'processing',
          fields: kind === 'renewal' ? failure : {},
          details,
        });
      });
    },
  };
}
