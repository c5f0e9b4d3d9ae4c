// Reads why an activity gave up: the code and sentence that the row will show, and whether time ran out while it
// still could be retried.
import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import { type FailureCode, failures, isFailureCode } from '../domain/failures.ts';
import { queueOfActivity } from './task-queues.ts';

export interface DescribedFailure {
  code: FailureCode;
  reason: string;
  timedOut: boolean;
}

export function describeFailure(error: unknown): DescribedFailure {
  if (isCancellation(error)) return { code: 'cancelled', reason: failures.cancelled.sentence, timedOut: false };
  // What a local activity says comes without the wrapping of an activity.
  if (!(error instanceof ActivityFailure || error instanceof ApplicationFailure)) throw error;
  const chain = [error, ...causes(error)];
  const ranOut = error instanceof ActivityFailure && error.retryState === 'TIMEOUT';
  const timedOut = ranOut || chain.some((cause) => cause instanceof TimeoutFailure);
  // Failures that we name ourselves have codes; the text of any other exception is for the logs, never for a caller.
  for (const cause of chain)
    if (cause instanceof ApplicationFailure && isFailureCode(cause.type))
      return { code: cause.type, reason: cause.message, timedOut };
  const code = timedOut ? silenceOf(error) : 'internal_error';
  return { code, reason: failures[code].sentence, timedOut };
}

/** Whether an activity said that it is of no use to try again. */
export function isForGood(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return [error, ...causes(error)].some((cause) => cause instanceof ApplicationFailure && cause.nonRetryable === true);
}

/**
 * By what the activity waits for: what it is doing for a chain says so by its queue, and any other speaks to the
 * cluster.
 */
function silenceOf(error: ActivityFailure | ApplicationFailure): FailureCode {
  const queue = error instanceof ActivityFailure ? queueOfActivity(error.activityType) : undefined;
  if (queue === 'exports') return 'export_too_slow';
  return queue === 'chains' || queue === 'rescans' ? 'dependency_unavailable' : 'mpc_timeout';
}

function causes(error: Error): Error[] {
  const chain: Error[] = [];
  for (let at: unknown = error.cause; at instanceof Error; at = at.cause) chain.push(at);
  return chain;
}
