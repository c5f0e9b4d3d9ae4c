// What a workflow that waits for approvals does to the world: looks where the round stands, and ends what was not
// approved in time. And the last look before anything is signed.
import { ApplicationFailure } from '@temporalio/common';
import { failedSigning } from '../../domain/failures.ts';
import type { ApprovalRoundStatus } from '../../domain/statuses.ts';
import {
  closeApprovalRound,
  findApprovalRound,
  findRoundStatus,
  type RoundStatus,
} from '../../drizzle/approvals/approvals.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import { endSigningRequest, recordEnd } from '../../drizzle/operations/end-operations.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { lockSigningRequest } from '../../drizzle/signing-requests/signing-approvals.ts';
import { isApproved } from '../../drizzle/votes/counted-votes.ts';
import { advanceWithdrawal } from '../../drizzle/withdrawals/withdrawal-steps.ts';
import { lockWithdrawal } from '../../drizzle/withdrawals/withdrawals.ts';

export interface ApprovalStanding {
  /** `ended`: rejected, expired, cancelled or failed; the operation's row says which. */
  standing: 'pending' | 'approved' | 'ended';
  /** Until its time is over, by the database's clock; 0 unless it is pending. */
  expiresInMs: number;
  /** Of one that ended: why, as the end of a sentence. */
  reason?: string;
}

const reasons: Partial<Record<ApprovalRoundStatus, string>> = {
  rejected: 'it was rejected',
  expired: 'it was not approved in time',
  cancelled: 'it was cancelled',
};

const { statusReason, ...expired } = failedSigning('approval_expired');

export function createApprovalActivities({ db, seals }: { db: Database; seals: Seals }) {
  return {
    /**
     * Idempotent by the operation's id: a round whose time is over is ended once, with its operation, by
     * compare-and-set. Answers how it stands then. Not retried: an operation that asks for no approval.
     */
    async checkApproval(subjectId: string): Promise<ApprovalStanding> {
      const before = await requireRoundStatus(db, subjectId);
      const isOver = before.status === 'pending' && before.leftMs <= 0;
      if (isOver) await db.transaction((tx) => expire(tx, seals, subjectId));
      const { status, leftMs, awaited } = isOver ? await requireRoundStatus(db, subjectId) : before;
      if (status === 'pending' && awaited) return { standing: 'pending', expiresInMs: Math.max(Math.ceil(leftMs), 0) };
      if (status === 'approved') return { standing: 'approved', expiresInMs: 0 };
      return { standing: 'ended', expiresInMs: 0, reason: reasons[status] ?? 'it was closed before' };
    },
  };
}

async function requireRoundStatus(db: Database, subjectId: string): Promise<RoundStatus> {
  const round = await findRoundStatus(db, subjectId);
  if (round === undefined) throw ApplicationFailure.nonRetryable('the operation asks for no approval', 'not_found');
  return round;
}

/** What is approved is locked before the round, as everywhere. */
async function expire(tx: Transaction, seals: Seals, subjectId: string): Promise<void> {
  const round = await findApprovalRound(tx, subjectId);
  if (round?.subject === 'withdrawal') {
    const row = await lockWithdrawal(tx, subjectId);
    if (!(await closeApprovalRound(tx, subjectId, 'expired'))) return;
    const details = 'Not approved in time.';
    const isEnded = await advanceWithdrawal(tx, subjectId, {
      from: 'pending_approval',
      to: 'failed',
      fields: expired,
      details,
    });
    if (isEnded && row !== undefined) await recordEnd(tx, seals, row, expired);
  } else {
    await lockSigningRequest(tx, subjectId);
    if (!(await closeApprovalRound(tx, subjectId, 'expired'))) return;
    const fields = { statusReason, ...expired };
    await endSigningRequest(tx, seals, subjectId, { from: 'pending', fields });
  }
}

/**
 * Throws unless exactly what this digest is of was approved by as many as were needed. The digest is to be computed
 * from the row as it is now (drizzle/votes/approved-content.ts). Never retried: what differs now differs for ever.
 */
export async function assertApproved(
  db: Database | Transaction,
  seals: Seals,
  subjectId: string,
  digest: string,
): Promise<void> {
  if (await isApproved(db, seals, subjectId, digest)) return;
  throw ApplicationFailure.nonRetryable('what is stored is not what was approved', 'approval_void');
}

/**
 * As `assertApproved`, for an operation that may also be one that needed no approval: its own sealed row says how many
 * it needs, so that a round that is gone, or that asks for fewer, makes nothing free. Answers the digest of what was
 * approved; undefined where none was needed.
 */
export async function approvedDigestOf(
  db: Database | Transaction,
  seals: Seals,
  { id, approvalsRequired }: { id: string; approvalsRequired: number },
  digest: string,
): Promise<string | undefined> {
  const round = await findApprovalRound(db, id);
  if (round === undefined && approvalsRequired === 0) return undefined;
  if ((round?.required ?? 0) < approvalsRequired)
    throw ApplicationFailure.nonRetryable('its round of approvals is not the one that it needs', 'approval_void');
  await assertApproved(db, seals, id, digest);
  return digest;
}
