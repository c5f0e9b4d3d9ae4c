// The attempts of a signing operation as the worker makes them: begun only while the wallet and the workspace may sign,
// and only as approved where that is asked; noted on the row.
import { and, eq, exists, inArray, not, type SQL, sql } from 'drizzle-orm';
import { assertArrow, type SigningStatus, type SigningStatusReason, signingArrows } from '../../domain/statuses.ts';
import { SIGNING_SETTLED_AFTER_MS } from '../../domain/time-limits.ts';
import { approvalRounds } from '../approvals/approvals.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { recordEvent } from '../events/events.ts';
import { wallets } from '../wallets/wallets.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import { signingRequests } from './signing-requests.ts';
import { recordedSigning } from './signing-steps.ts';

export interface BegunAttempt {
  id: string;
  /** Of this attempt; and that of the latest one before it, which must still be the latest. */
  mpcCorrelationId: string;
  before: string | null;
  approvedDigest?: string | undefined;
  /** Of the workflow that carries it beside others. */
  groupWorkflowId?: string | undefined;
}

/**
 * Begins an attempt: pending → submitted, or notes a further attempt of one that is submitted. False when the operation
 * is closed, while its wallet is not active or its workspace is frozen, when another attempt was begun meanwhile, and
 * when it must be approved unless `approvedDigest` is what was: nothing is written then.
 */
export async function beginSigningAttempt(db: Database, attempt: BegunAttempt): Promise<boolean> {
  assertArrow(signingArrows, 'pending', 'submitted');
  // One after the other, since only the first attempt has an event.
  return (await begin(db, 'pending', attempt)) || begin(db, 'submitted', attempt);
}

async function begin(
  db: Database,
  from: SigningStatus,
  { id, mpcCorrelationId, before, approvedDigest, groupWorkflowId }: BegunAttempt,
): Promise<boolean> {
  const begun = await db
    .update(signingRequests)
    .set({
      status: 'submitted',
      mpcCorrelationId,
      ...(groupWorkflowId === undefined ? {} : { groupWorkflowId }),
      attemptsOpen: sql`array_append(${signingRequests.attemptsOpen}, ${numberOf(mpcCorrelationId)}::int)`,
      updatedAt: sql`now()`,
    })
    .from(wallets)
    .innerJoin(workspaces, eq(workspaces.id, wallets.workspaceId))
    .where(
      and(
        eq(signingRequests.id, id),
        eq(signingRequests.status, from),
        sql`${signingRequests.mpcCorrelationId} is not distinct from ${before}`,
        eq(wallets.id, signingRequests.walletId),
        eq(wallets.workspaceId, signingRequests.workspaceId),
        eq(wallets.status, 'active'),
        sql`${workspaces.withdrawalsFrozenAt} is null`,
        mayBegin(db, id, approvedDigest),
      ),
    )
    .returning({
      id: signingRequests.id,
      ...(from === 'pending' ? { eventId: recordEvent('signing.submitted', recordedSigning) } : {}),
    });
  return begun.length === 1;
}

/** Who does not know of an approval cannot sign what needs one. */
function mayBegin(db: Database, id: string, approvedDigest: string | undefined): SQL {
  const round = (...conditions: SQL[]) =>
    exists(
      db
        .select({ found: sql`1` })
        .from(approvalRounds)
        .where(and(eq(approvalRounds.subjectId, id), ...conditions)),
    );
  if (approvedDigest === undefined) return not(round());
  return round(eq(approvalRounds.status, 'approved'), eq(approvalRounds.digest, approvedDigest));
}

export interface SigningStanding {
  status: SigningStatus;
  mpcCorrelationId: string | null;
  /** Of one that failed. */
  reason: string | null;
  walletStatus: string;
  workspaceFrozen: boolean;
  /** Whether it needs approval, given or not. */
  needsApproval: boolean;
}

/** Where an operation stands, and what may hold it back. */
export async function findSigningStatus(db: Database, id: string): Promise<SigningStanding | undefined> {
  const [status] = await db
    .select({
      status: signingRequests.status,
      mpcCorrelationId: signingRequests.mpcCorrelationId,
      reason: sql<
        string | null
      >`coalesce(${signingRequests.errorReason}, replace(${signingRequests.statusReason}, '_', ' '))`,
      walletStatus: wallets.status,
      workspaceFrozen: sql<boolean>`${workspaces.withdrawalsFrozenAt} is not null`,
      needsApproval: sql<boolean>`${approvalRounds.subjectId} is not null`,
    })
    .from(signingRequests)
    .innerJoin(wallets, eq(wallets.id, signingRequests.walletId))
    .innerJoin(workspaces, eq(workspaces.id, signingRequests.workspaceId))
    .leftJoin(approvalRounds, eq(approvalRounds.subjectId, signingRequests.id))
    .where(eq(signingRequests.id, id));
  return status;
}

/**
 * Notes that an attempt has ended without a signature that is stored. `mayBeSigned`: a node may have one all the same.
 * Safe to repeat.
 */
export async function endSigningAttempt(
  db: Database,
  id: string,
  { mpcCorrelationId, mayBeSigned }: { mpcCorrelationId: string; mayBeSigned: boolean },
): Promise<void> {
  await db
    .update(signingRequests)
    .set({
      attemptsOpen: sql`array_remove(${signingRequests.attemptsOpen}, ${numberOf(mpcCorrelationId)}::int)`,
      mayBeSigned: sql`${signingRequests.mayBeSigned} or ${mayBeSigned}`,
    })
    .where(eq(signingRequests.id, id));
}

/** Of the attempt: it stands behind the operation's id. */
export const numberOf = (mpcCorrelationId: string) =>
  Number(mpcCorrelationId.slice(mpcCorrelationId.lastIndexOf('.') + 1));

/**
 * Whether there may be a signature of one of these closed operations that is not stored; of one that succeeded, a
 * second one, with which its transaction has another hash. `unclear`: not yet known of an attempt that is under way;
 * one of which nobody says how it ended is taken for one that may have signed.
 */
export async function findLostSignatures(
  db: Database | Transaction,
  ids: readonly string[],
): Promise<'none' | 'unclear' | 'possible'> {
  if (ids.length === 0) return 'none';
  const { status, attemptsOpen, mayBeSigned, completedAt } = signingRequests;
  // The attempt that succeeded stays among them.
  const isOpen = sql`cardinality(${attemptsOpen}) > case ${status} when 'success' then 1 else 0 end`;
  const [found] = await db
    .select({
      possible: sql<boolean>`coalesce(bool_or(${mayBeSigned} or ${isOpen}), false)`,
      unclear: sql<boolean>`coalesce(bool_or(${isOpen} and ${completedAt} > now() - ${`${SIGNING_SETTLED_AFTER_MS} ms`}::interval), false)`,
    })
    .from(signingRequests)
    .where(and(inArray(signingRequests.id, [...ids]), inArray(status, ['failed', 'success'])));
  if (found?.unclear) return 'unclear';
  return found?.possible ? 'possible' : 'none';
}

/** Says why an attempt waits; an operation that is not `submitted` is left alone. */
export async function noteSigningWait(db: Database, id: string, statusReason: SigningStatusReason): Promise<void> {
  await db
    .update(signingRequests)
    .set({ statusReason, updatedAt: sql`now()` })
    .where(and(eq(signingRequests.id, id), eq(signingRequests.status, 'submitted')));
}
