// What an attempt that failed means for its operation: it is open and tried again later, or has failed for good.
import { ApplicationFailure } from '@temporalio/common';
import { type FailedSigning, type FailureCode, failedSigning, isFailureCode } from '../../domain/failures.ts';
import { openSigningStatuses, type SigningStatus } from '../../domain/statuses.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { endSigningRequest } from '../../drizzle/operations/end-operations.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { findSigningStatus } from '../../drizzle/signing-requests/signing-attempts.ts';

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

/** Whether it is of no use to try again. */
export const isForGood = (error: unknown): error is ApplicationFailure =>
  error instanceof ApplicationFailure && error.nonRetryable === true;

/** What the row says of what is not tried again. The words of an unknown failure are for the logs. */
export const failedBy = ({ type, message }: ApplicationFailure): FailedSigning =>
  isFailureCode(type) ? failedSigning(type, message) : failedSigning('internal_error');

/** Compare-and-set to failed, from wherever it still is open. Answers how the operation stands then. */
export async function failSigning(
  { db, seals }: { db: Database; seals: Seals },
  signingId: string,
  failure: FailedSigning,
): Promise<SigningStatus> {
  // The later one first: whoever begins it meanwhile moves it there.
  for (const from of openSigningStatuses.toReversed())
    if (await db.transaction((tx) => endSigningRequest(tx, seals, signingId, { from, fields: failure })))
      return 'failed';
  return (await findSigningStatus(db, signingId))?.status ?? 'failed';
}

/** Whether whoever asked may not carry out the operation, which another run does. */
export const isNotForRun = (error: unknown): boolean => error instanceof ApplicationFailure && error.type === 'not_due';
