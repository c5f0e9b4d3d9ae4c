// Closes operations whose workflow can no longer close them: an operator terminated it, it failed or timed out as a
// whole, or its server has forgotten it. What is done about each kind stands with its workflow (src/operations). Never
// touches one whose workflow runs or is still to be started.
import type { Client, WorkflowExecutionStatusName } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { failedSigning, type lostWorkflowFailures } from '../../domain/failures.ts';
import { ORPHANED_AFTER_MS } from '../../domain/time-limits.ts';
import { type OperationKind, operationKinds } from '../../domain/workflow-inputs.ts';
import { listOpenOperations, type OpenOperation } from '../../drizzle/operations/open-operations.ts';
import type { LostDependencies } from '../operations/started-workflow.ts';
import { endLost } from '../operations/started-workflows.ts';

const BATCH_SIZE = 100;
/** So many in a round are no accident of one operation: Temporal or the database is away. */
const FAILURES_MAX = 3;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export interface OrphanDependencies extends LostDependencies {
  client: Client;
  /** How long an operation is open before its workflow is looked at. */
  openForMs?: number;
}

/** By how its workflow ended, or that it is gone. */
const endings: Partial<Record<WorkflowExecutionStatusName | 'NOT_FOUND', keyof typeof lostWorkflowFailures>> = {
  TERMINATED: 'workflow_terminated',
  CANCELLED: 'workflow_cancelled',
  FAILED: 'workflow_failed',
  TIMED_OUT: 'workflow_timed_out',
  COMPLETED: 'workflow_completed',
  NOT_FOUND: 'workflow_not_found',
};

export class OrphanedOperations {
  readonly #dependencies: OrphanDependencies;
  readonly #after = new Map<OperationKind, string>();

  constructor(dependencies: OrphanDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Looks at one batch of each kind, oldest first; the next call goes on after it, so that many that still run hide
   * none. One that cannot be closed keeps no other from it: throws at the end why, or at once when several cannot.
   */
  async closeSome(): Promise<void> {
    const { db, openForMs = ORPHANED_AFTER_MS } = this.#dependencies;
    const failures: unknown[] = [];
    for (const kind of operationKinds) {
      const afterId = this.#after.get(kind) ?? BEFORE_ALL;
      const open = await listOpenOperations(db, kind, { openForMs, limit: BATCH_SIZE, afterId });
      for (const operation of open) {
        this.#after.set(kind, operation.id);
        await this.#closeOne(kind, operation).catch((error: unknown) => failures.push(error));
        if (failures.length >= FAILURES_MAX) throw failures[0];
      }
      this.#after.set(kind, lastOf(open));
    }
    if (failures.length > 0) throw failures[0];
  }

  async #closeOne(kind: OperationKind, operation: OpenOperation): Promise<void> {
    const { client, log } = this.#dependencies;
    const { id, workflowId } = operation;
    const code = endings[await workflowStatus(client, workflowId)];
    if (code === undefined) return;
    if (await endLost(kind, this.#dependencies, { ...operation, failure: failedSigning(code) }))
      log.warn({ id, workflowId, code }, 'operation closed');
  }
}

/** A full batch may have others behind it; after the last one it begins anew. */
const lastOf = (open: readonly OpenOperation[]) =>
  (open.length < BATCH_SIZE ? undefined : open.at(-1)?.id) ?? BEFORE_ALL;

async function workflowStatus(client: Client, workflowId: string): Promise<WorkflowExecutionStatusName | 'NOT_FOUND'> {
  try {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    return status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'NOT_FOUND';
    throw error;
  }
}
