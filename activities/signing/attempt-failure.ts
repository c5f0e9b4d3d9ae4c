// What a short attempt that failed means for its operation: it is open, and tried again later. Decides nothing.
import { ApplicationFailure } from '@temporalio/common';
import { type FailureCode, isFailureCode } from '../../domain/failures.ts';

/** An attempt that was not the last one. */
export interface SigningOpen {
  status: 'open';
  code: FailureCode;
  /** The next attempt shall not come before. */
  afterMs: number;
}

/**
 * An attempt that failed: what with, and when the next one may come. The words of an unknown failure are for the logs.
 */
export function openAfter(error: unknown): SigningOpen {
  const { type, nextRetryDelay } = error instanceof ApplicationFailure ? error : {};
  const afterMs = typeof nextRetryDelay === 'number' ? nextRetryDelay : 0;
  return { status: 'open', code: isFailureCode(type) ? type : 'internal_error', afterMs };
}

/** Whether whoever asked may not carry out the operation, which another run does. */
export const isNotForRun = (error: unknown): boolean => error instanceof ApplicationFailure && error.type === 'not_due';
