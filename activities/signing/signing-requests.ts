// What the sign workflow does to the world: moves the row, and has an attempt at its signature made, first one in the
// workflow's own worker that is short, then as many as it takes.
import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { FailedSigning } from '../../domain/failures.ts';
import type { SigningStatus } from '../../domain/statuses.ts';
import { ALONE_BEGINS_WITHIN_MS } from '../../domain/time-limits.ts';
import type { SigningTask } from '../../domain/workflow-inputs.ts';
import type { RunFacts } from '../../domain/workflow-runs.ts';
import { withHeartbeat } from '../runtime/with-heartbeat.ts';
import { assertRunMaySign } from './assert-run-may-sign.ts';
import { failSigning, type SigningOpen } from './attempt-failure.ts';
import { SignatureAttempts, type SigningDependencies, type SigningEnd } from './attempt-signature.ts';
import { ShortAttempts, within } from './short-attempts.ts';
import { createGroupActivities } from './sign-group.ts';

/**
 * The network is what metrics count by (src/observability/observe-activities.ts); what is signed is read from the row.
 */
export type FulfilInput = Pick<SigningTask, 'signingId'> &
  Partial<Pick<SigningTask, 'networkCode'>> & { run?: RunFacts };

/** In turn with whose it is made; nothing else goes by the workspace that is named here. */
export type AtOnceInput = FulfilInput & Pick<SigningTask, 'workspaceId'>;

export function createSigningActivities(
  dependencies: SigningDependencies,
  attempts = new SignatureAttempts(dependencies),
  shortAttempts = new ShortAttempts(attempts),
) {
  const { db, seals } = dependencies;
  return {
    ...createGroupActivities({ seals, shortAttempts }),

    /**
     * Idempotent by signing id (attempt-signature.ts). What is signed and with which key is what the row says: whoever
     * starts the workflow names an operation and nothing else. Not retried: a row that is not sealed, a run that does
     * not count, what the nodes refuse, a wallet or workspace that may not sign now, and what is not exactly what was
     * approved.
     */
    async fulfilSigningRequest({ signingId, run }: FulfilInput): Promise<SigningEnd> {
      const { attempt: numberMin } = activityInfo();
      const abort = cancellationSignal();
      const assertCounts = assertRunMaySign(seals, run);
      return withHeartbeat(() => attempts.make({ signingId, numberMin, assertCounts, abort }));
    },

    /**
     * The same, once and for a short time, in the worker itself (short-attempts.ts). It holds the place of its
     * workflow's task meanwhile, so it stands in no line with the crowds of its workspace and waits for a moment only.
     */
    async signAtOnce({ signingId, workspaceId, run }: AtOnceInput): Promise<SigningEnd | SigningOpen> {
      const mayWait = within(ALONE_BEGINS_WITHIN_MS);
      const assertCounts = assertRunMaySign(seals, run);
      return shortAttempts.make({ signingId, line: `${workspaceId}/alone`, mayWait, assertCounts });
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
