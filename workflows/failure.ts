// Reads why an activity gave up: the code and sentence that the row will show, and whether time ran out while it still could be retried.
import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';

export interface DescribedFailure {
  code: string;
  reason: string;
  timedOut: boolean;
}

/** Failures that we name ourselves have such types; the text of any other exception is for the logs, never for a caller. */
const OUR_TYPE = /^[a-z_]+$/;

export function describeFailure(error: unknown): DescribedFailure {
  if (isCancellation(error)) return { code: 'cancelled', reason: 'an operator cancelled it', timedOut: false };
  // What a local activity says comes without the wrapping of an activity.
  if (!(error instanceof ActivityFailure || error instanceof ApplicationFailure)) throw error;
  const chain = [error, ...causes(error)];
  const application = chain.find(
    (cause): cause is ApplicationFailure => cause instanceof ApplicationFailure && OUR_TYPE.test(cause.type ?? ''),
  );
  const ranOut = error instanceof ActivityFailure && error.retryState === 'TIMEOUT';
  const timedOut = ranOut || chain.some((cause) => cause instanceof TimeoutFailure);
  return {
    code: application?.type ?? (timedOut ? 'mpc_timeout' : 'internal_error'),
    reason:
      application?.message ??
      (timedOut
        ? 'the cluster did not answer in time'
        : 'an unexpected error ended it; the log of the worker says which'),
    timedOut,
  };
}

function causes(error: Error): Error[] {
  const chain: Error[] = [];
  for (let at: unknown = error.cause; at instanceof Error; at = at.cause) chain.push(at);
  return chain;
}
