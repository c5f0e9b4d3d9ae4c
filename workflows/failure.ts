// Reads why an activity gave up: the code and sentence that the row will show, and whether time ran out while it still could be retried.
import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';

export interface GaveUp {
  code: string;
  reason: string;
  timedOut: boolean;
}

export function gaveUp(error: unknown): GaveUp {
  if (!(error instanceof ActivityFailure)) throw error;
  const chain = causes(error);
  const application = chain.find((cause) => cause instanceof ApplicationFailure);
  const timedOut = chain.some((cause) => cause instanceof TimeoutFailure) || error.retryState === 'TIMEOUT';
  return {
    code: application?.type ?? (timedOut ? 'mpc_timeout' : 'internal_error'),
    reason: application?.message ?? 'the cluster did not answer in time',
    timedOut,
  };
}

function causes(error: Error): Error[] {
  const chain: Error[] = [];
  for (let at: unknown = error.cause; at instanceof Error; at = at.cause) chain.push(at);
  return chain;
}
