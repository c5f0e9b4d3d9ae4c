// Whether the run that asks for something may carry the operation out: by what the run knows itself, which the database
// cannot take back. An activity that was scheduled by an older version comes without it, and is judged by its rows.
import { ApplicationFailure } from '@temporalio/common';
import type { OperationKind } from '../../domain/workflow-inputs.ts';
import { isStartedTooLate, type RunFacts } from '../../domain/workflow-runs.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';

export interface RunOperation {
  kind: OperationKind;
  id: string;
  /** Of the signature for a withdrawal: that one's id. */
  withdrawalId?: string | null;
}

/**
 * For an operation that is open by its row. Not retried: one that a caller has ended, as the run was told; one that was
 * accepted so long ago that a run of it may have been forgotten; and the signature for a withdrawal of which no run
 * asks for it.
 */
export function assertRunCounts(seals: Seals, operation: RunOperation, run: RunFacts | undefined): void {
  if (run === undefined) return;
  const { kind, id, withdrawalId } = operation;
  if (run.ended === true) throw seals.broken(kind, id);
  if (withdrawalId != null) {
    if (run.parentId?.endsWith(withdrawalId) !== true)
      throw ApplicationFailure.nonRetryable('no run of its withdrawal asks for this signature', 'not_due');
    return;
  }
  if (isStartedTooLate(id, run))
    throw ApplicationFailure.nonRetryable('it was started too long after it was accepted', 'started_too_late');
}
