// What the sign workflow does to the world: moves the row, and has an attempt at its signature made, first one in the
// workflow's own worker that is short, then as many as it takes.
import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { FailedSigning } from '../../domain/failures.ts';
import type { SigningStatus } from '../../domain/statuses.ts';
import { AT_ONCE_MAX_MS } from '../../domain/time-limits.ts';
import { workflowIdOfRow } from '../../domain/workflow-ids.ts';
import type { SigningTask } from '../../domain/workflow-inputs.ts';
import type { RunFacts } from '../../domain/workflow-runs.ts';
import type { SigningRequestRow } from '../../drizzle/signing-requests/signing-requests.ts';
import { assertRunCounts } from '../runtime/assert-run-counts.ts';
import { withHeartbeat } from '../runtime/with-heartbeat.ts';
import { failSigning, isForGood, openAfter, type SigningOpen } from './attempt-failure.ts';
import { AttemptPlaces } from './attempt-places.ts';
import { SignatureAttempts, type SigningDependencies, type SigningEnd } from './attempt-signature.ts';
import { createGroupActivities } from './sign-group.ts';

/**
 * The network is what metrics count by (src/observability/observe-activities.ts); what is signed is read from the row.
 */
export type FulfilInput = Pick<SigningTask, 'signingId'> &
  Partial<Pick<SigningTask, 'networkCode'>> & { run?: RunFacts };

/** So many short attempts are side by side in a worker. */
const AT_ONCE_SIDE_BY_SIDE_MAX = 100;

export function createSigningActivities(
  dependencies: SigningDependencies,
  attempts = new SignatureAttempts(dependencies),
) {
  const { db, seals } = dependencies;
  const places = new AttemptPlaces(AT_ONCE_SIDE_BY_SIDE_MAX);
  const assertCounts = (run: RunFacts | undefined) => (row: SigningRequestRow) =>
    assertRunCounts(seals, { ...row, kind: 'signing_request', workflowId: workflowIdOfRow(row) }, run);
  return {
    ...createGroupActivities({ seals, attempts }),

    /**
     * Idempotent by signing id (attempt-signature.ts). What is signed and with which key is what the row says: whoever
     * starts the workflow names an operation and nothing else. Not retried: a row that is not sealed, a run that does
     * not count, what the nodes refuse, a wallet or workspace that may not sign now, and what is not exactly what was
     * approved.
     */
    async fulfilSigningRequest({ signingId, run }: FulfilInput): Promise<SigningEnd> {
      const { attempt: numberMin } = activityInfo();
      const abort = cancellationSignal();
      return withHeartbeat(() => attempts.make({ signingId, numberMin, assertCounts: assertCounts(run), abort }));
    },

    /**
     * The same, once and for a short time, in the worker itself. What was not done, and may be done later, stays open;
     * what would not be retried is thrown.
     */
    async signAtOnce({ signingId, run }: FulfilInput): Promise<SigningEnd | SigningOpen> {
      if (!places.take()) return { status: 'open', code: 'cluster_busy', afterMs: 0 };
      try {
        const abort = AbortSignal.any([cancellationSignal(), AbortSignal.timeout(AT_ONCE_MAX_MS)]);
        return await attempts.make({ signingId, numberMin: 1, assertCounts: assertCounts(run), abort });
      } catch (error) {
        if (isForGood(error)) throw error;
        return openAfter(error);
      } finally {
        places.leave();
      }
    },

    /**
     * Idempotent by signing id: compare-and-set to failed, from wherever it still is open. Answers how the operation
     * stands then.
     */
    async failSigningRequest(signingId: string, failure: FailedSigning): Promise<SigningStatus> {
      return failSigning({ db, seals }, signingId, failure);
    },
  };
}
