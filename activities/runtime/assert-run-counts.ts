// Whether the run that asks for something may carry the operation out: by what the run knows itself, which the database
// cannot take back. An activity that was scheduled by an older version comes without it, and is judged by its rows.
import { ApplicationFailure } from '@temporalio/common';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import type { OperationKind } from '../../domain/workflow-inputs.ts';
import { isStartedTooLate, type RunFacts } from '../../domain/workflow-runs.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';

export interface RunOperation {
  kind: OperationKind;
  id: string;
  /** As its row says, which the seal is of; that of the signature for a withdrawal follows from that one. */
  workflowId: string;
  /** Of the signature for a withdrawal: that one's id. */
  withdrawalId?: string | null;
}

/**
 * For an operation that is open by its row. Not retried: one that a caller has ended, as the run was told; a run of
 * another workflow than the operation's own, which Temporal would not know for a second one; one that was accepted so
 * long ago that a run of it may have been forgotten; and the signature for a withdrawal of which no run asks for it.
 */
export function assertRunCounts(seals: Seals, operation: RunOperation, run: RunFacts | undefined): void {
  if (run === undefined) return;
  const { kind, id, workflowId, withdrawalId } = operation;
  if (run.ended === true) throw seals.broken(kind, id);
  if (withdrawalId != null) {
    const parents = [workflowIdOf('withdraw', withdrawalId), withdrawalId];
    if (run.parentId === undefined || !parents.includes(run.parentId))
      throw ApplicationFailure.nonRetryable('no run of its withdrawal asks for this signature', 'not_due');
    return;
  }
  if (run.workflowId !== undefined && run.workflowId !== workflowId)
    throw ApplicationFailure.nonRetryable('another workflow is the one of this operation', 'not_due');
  if (isStartedTooLate(id, run))
    throw ApplicationFailure.nonRetryable('it was started too long after it was accepted', 'started_too_late');
}
