// What the starter and operators know of a workflow that a write starts, and what is done about an operation whose
// workflow is lost. The list of them is started-workflows.ts.
import type { FailedSigning } from '../../domain/failures.ts';
import type { Logger } from '../../domain/logger.ts';
import type { WorkflowStart } from '../../domain/workflow-inputs.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import type { OpenOperation } from '../../drizzle/operations/open-operations.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';

export interface StartedWorkflow<Input> {
  /** `pending` when absent. */
  firstStatus?: string;
  /** Not one run for ever: it ends when nothing is left to do, and begins again. */
  repeatable?: true;
  /** Nobody waits for it as for a signature (paced-starts.ts). */
  paced?: true;
  summary(input: Input): string;
  details(input: Input): string;
}

/** A workflow that carries out an operation. */
export interface OperationWorkflow<Input> extends StartedWorkflow<Input> {
  /** True when the operation is ended now; false when it ended by itself meanwhile, or goes on. */
  endLost(dependencies: LostDependencies, lost: LostOperation): Promise<boolean>;
}

export interface LostDependencies {
  db: Database;
  seals: Seals;
  starter: { startAgain(start: WorkflowStart): Promise<void> };
  log: Pick<Logger, 'warn'>;
}

/** An operation that is open and whose workflow can no longer close it. */
export interface LostOperation extends OpenOperation {
  failure: FailedSigning;
}
