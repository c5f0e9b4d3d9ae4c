// Reads a withdrawal for an activity, and believes only what this service wrote: the seal of its row, and what the
// audit log records of it and of its wallet.
import { ApplicationFailure } from '@temporalio/common';
import { isFinal, withdrawalArrows } from '../../domain/statuses.ts';
import { workflowIdOfRow } from '../../domain/workflow-ids.ts';
import type { RunFacts } from '../../domain/workflow-runs.ts';
import { isRecordedInactive } from '../../drizzle/audit/inactive-rows.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { BrokenSealError, type Seals } from '../../drizzle/seals/seals.ts';
import { findWithdrawalContext, type WithdrawalContext } from '../../drizzle/withdrawals/withdrawal-context.ts';
import { sealedWithdrawals, type WithdrawalRow } from '../../drizzle/withdrawals/withdrawals.ts';
import { asSealFailure } from '../mpc/cluster-failure.ts';
import { assertRunCounts } from '../runtime/assert-run-counts.ts';

/** One that has ended does not go on by a status that somebody wrote. */
function assertNotEnded(
  seals: Seals,
  { withdrawal: { id, workspaceId, status }, sealedEntries }: WithdrawalContext,
): void {
  if (
    !isFinal(withdrawalArrows, status) &&
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

/** Not retried either: see assertRunCounts. */
export function assertWithdrawalRun(seals: Seals, row: WithdrawalRow, run: RunFacts | undefined): void {
  try {
    assertRunCounts(seals, { kind: 'withdrawal', id: row.id, workflowId: workflowIdOfRow(row) }, run);
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
