// Approvals: what must be approved by whom until when, and what each approver said. An approval is of the digest of
// exactly what will be done.
import { and, asc, eq, isNull, not, sql } from 'drizzle-orm';
import { index, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Json } from '../../domain/canonical-json.ts';
import type { VoteEvidence } from '../../domain/passkeys/vote-evidence.ts';
import {
  type ApprovalRoundStatus,
  approvalRoundArrows,
  approvalRoundStatuses,
  approvalSubjects,
  assertArrow,
  undecidedWithdrawalStatuses,
} from '../../domain/statuses.ts';
import { approveWithKinds } from '../../domain/votes/vote-rules.ts';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf } from '../database/page.ts';
import { statusIn } from '../database/status-list.ts';
import { sealedTable } from '../seals/sealed-tables.ts';
import type { SealedContent, Seals } from '../seals/seals.ts';
import { wallets } from '../wallets/wallets.ts';
import { workspaces } from '../workspaces/workspaces.ts';

export const approvalRounds = pgTable(
  'approval_rounds',
  {
    /** The withdrawal, signing operation or policy: it is decided once. */
    subjectId: uuid('subject_id').primaryKey(),
    subject: text('subject', { enum: approvalSubjects }).notNull(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    walletId: uuid('wallet_id').references(() => wallets.id),
    /** The user who asked, who never approves. */
    requestedBy: uuid('requested_by').notNull(),
    required: smallint('required').notNull(),
    /** The users who may approve; empty for any whose key has the scope. */
    approvers: uuid('approvers').array().notNull().default([]),
    /** What an approval must be given with; null for any key that has the scope. */
    approveWith: text('approve_with', { enum: approveWithKinds }),
    /** SHA-256, hex, over the canonical form of what is approved. */
    digest: text('digest').notNull(),
    reasons: jsonb('reasons').$type<readonly string[]>().notNull().default([]),
    status: text('status', { enum: approvalRoundStatuses }).notNull().default('pending'),
    /** Of all but the status, which is counted anew from the votes. */
    seal: text('seal'),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    decidedAt: moment('decided_at'),
  },
  (table) => [index('approval_rounds_workspace').on(table.workspaceId, table.status, table.createdAt)],
);

export const approvals = pgTable(
  'approvals',
  {
    id: uuid('id').primaryKey(),
    subjectId: uuid('subject_id')
      .notNull()
      .references(() => approvalRounds.subjectId),
    /** The key that signed the vote: it must be good when the votes are counted. */
    apiKeyId: uuid('api_key_id').notNull(),
    /** Who votes: two keys of one user are one vote. */
    userId: uuid('user_id').notNull(),
    decision: text('decision', { enum: ['approved', 'rejected'] }).notNull(),
    /** What the approver saw: equal to the round's, or it does not count. */
    digest: text('digest').notNull(),
    /** Of a vote in a session: the passkey, and the assertion over exactly this vote. */
    passkeyId: uuid('passkey_id'),
    evidence: jsonb('evidence').$type<VoteEvidence>(),
    seal: text('seal'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('approvals_once_by_secret').on(table.subjectId, table.apiKeyId).where(sql`${table.passkeyId} is null`),
    uniqueIndex('approvals_once_by_passkey').on(table.subjectId, table.apiKeyId, table.passkeyId),
  ],
);

export type ApprovalRoundRow = typeof approvalRounds.$inferSelect;
export type ApprovalRow = typeof approvals.$inferSelect;

const sealedRoundOf = (row: ApprovalRoundRow) =>
  ({
    subject_id: row.subjectId,
    subject: row.subject,
    workspace_id: row.workspaceId,
    wallet_id: row.walletId,
    requested_by: row.requestedBy,
    required: row.required,
    approvers: row.approvers,
    digest: row.digest,
    // Left out where nothing is demanded: seals of before it could be stay what they are.
    ...(row.approveWith === null ? {} : { approve_with: row.approveWith }),
    expires_at: row.expiresAt.toISOString(),
  }) satisfies SealedContent;

/** A round counts when it is as this service opened it. */
export const sealedApprovalRounds = sealedTable<ApprovalRoundRow>({
  kind: 'approval_round',
  table: approvalRounds,
  key: [approvalRounds.subjectId],
  seal: approvalRounds.seal,
  sealOf: (row) => row.seal,
  contentOf: sealedRoundOf,
});

type SealedVote = Pick<ApprovalRow, 'id' | 'subjectId' | 'apiKeyId' | 'userId' | 'decision' | 'digest'> & {
  passkeyId?: string | null | undefined;
  evidence?: VoteEvidence | null | undefined;
};

const sealedVoteOf = (row: SealedVote) =>
  ({
    id: row.id,
    subject_id: row.subjectId,
    api_key_id: row.apiKeyId,
    user_id: row.userId,
    decision: row.decision,
    digest: row.digest,
    // Left out where there is none, as in votes of before there were passkeys.
    ...(row.evidence == null ? {} : { passkey_id: row.passkeyId ?? null, evidence: row.evidence as unknown as Json }),
  }) satisfies SealedContent;

/** A vote counts when it was given to this service. */
export const sealedApprovals = sealedTable<ApprovalRow>({
  kind: 'approval',
  table: approvals,
  key: [approvals.id],
  seal: approvals.seal,
  sealOf: (row) => row.seal,
  contentOf: sealedVoteOf,
});

export async function insertApprovalRound(
  tx: Transaction,
  seals: Seals,
  {
    expiresInSeconds,
    ...round
  }: Omit<typeof approvalRounds.$inferInsert, 'expiresAt' | 'seal'> & { expiresInSeconds: number },
): Promise<ApprovalRoundRow> {
  const [row] = await tx
    .insert(approvalRounds)
    .values({ ...round, expiresAt: sql`now() + ${expiresInSeconds} * interval '1 second'` })
    .returning();
  if (row === undefined) throw new Error('an insert returned no row');
  // The database's clock says when it expires, so the seal can be made only now.
  const seal = seals.seal('approval_round', sealedRoundOf(row));
  await tx.update(approvalRounds).set({ seal }).where(eq(approvalRounds.subjectId, row.subjectId));
  return { ...row, seal };
}

/** Held against other decisions until the transaction ends. Whoever also locks what is approved locks that first. */
export async function lockApprovalRound(tx: Transaction, subjectId: string): Promise<ApprovalRoundRow | undefined> {
  const [row] = await tx
    .select()
    .from(approvalRounds)
    .where(eq(approvalRounds.subjectId, subjectId))
    .for('no key update');
  return row;
}

export async function findApprovalRound(
  db: Database | Transaction,
  subjectId: string,
): Promise<ApprovalRoundRow | undefined> {
  const [row] = await db.select().from(approvalRounds).where(eq(approvalRounds.subjectId, subjectId));
  return row;
}

/**
 * One vote a key, and in sessions one a passkey; of those of a user one counts. Answers the one that there is, which
 * may be an earlier one.
 */
export async function recordApproval(
  tx: Transaction,
  seals: Seals,
  approval: Omit<typeof approvals.$inferInsert, 'seal' | 'createdAt'>,
): Promise<ApprovalRow> {
  const { subjectId, apiKeyId, passkeyId = null } = approval;
  const seal = seals.seal('approval', sealedVoteOf(approval));
  await tx
    .insert(approvals)
    .values({ ...approval, seal })
    .onConflictDoNothing();
  const [row] = await tx
    .select()
    .from(approvals)
    .where(
      and(
        eq(approvals.subjectId, subjectId),
        eq(approvals.apiKeyId, apiKeyId),
        passkeyId === null ? isNull(approvals.passkeyId) : eq(approvals.passkeyId, passkeyId),
      ),
    );
  if (row === undefined) throw new Error('an approval that was recorded is not there');
  return row;
}

/**
 * Ends a pending round, by compare-and-set. False when it had ended before, when it was to be approved and its time is
 * over, or when it was to expire and its time is not.
 */
export async function closeApprovalRound(
  tx: Transaction,
  subjectId: string,
  to: Exclude<ApprovalRoundStatus, 'pending'>,
): Promise<boolean> {
  assertArrow(approvalRoundArrows, 'pending', to);
  // The clock of this very moment: a transaction may have waited long for the row.
  const isInTime = sql`${approvalRounds.expiresAt} > clock_timestamp()`;
  const when = { approved: isInTime, expired: not(isInTime), rejected: undefined, cancelled: undefined }[to];
  const closed = await tx
    .update(approvalRounds)
    .set({ status: to, decidedAt: sql`now()` })
    .where(and(eq(approvalRounds.subjectId, subjectId), eq(approvalRounds.status, 'pending'), when))
    .returning({ id: approvalRounds.subjectId });
  return closed.length === 1;
}

export interface RoundStatus {
  status: ApprovalRoundStatus;
  /** Until it expires, by the database's clock: 0 or less when its time is over. */
  leftMs: number;
  /** Whether the operation still waits for it: one that was cancelled, or that an operator closed, does not. */
  awaited: boolean;
}

export async function findRoundStatus(db: Database | Transaction, subjectId: string): Promise<RoundStatus | undefined> {
  const [row] = await db.execute<{ status: ApprovalRoundStatus; left_ms: number; awaited: boolean }>(sql`
    select r.status, (extract(epoch from r.expires_at - clock_timestamp()) * 1000)::float8 as left_ms,
      coalesce(${statusIn(sql`w.status`, undecidedWithdrawalStatuses)}, s.status = 'pending', true) as awaited
    from approval_rounds r left join withdrawals w on w.id = r.subject_id left join signing_requests s on s.id = r.subject_id
    where r.subject_id = ${subjectId}`);
  return row && { status: row.status, leftMs: row.left_ms, awaited: row.awaited };
}

/** A round with what each approver said, in the order in which they did. */
export interface ApprovalView {
  round: ApprovalRoundRow;
  votes: readonly VoteView[];
}

interface VoteView extends Pick<ApprovalRow, 'userId' | 'decision'> {
  /** As JSON has moments. */
  votedAt: string;
}

/** The votes of a round as they were given, in their order. */
export async function listVotes(db: Database | Transaction, subjectId: string): Promise<ApprovalRow[]> {
  return db
    .select()
    .from(approvals)
    .where(eq(approvals.subjectId, subjectId))
    .orderBy(asc(approvals.createdAt), asc(approvals.id));
}

/** By subject; without those that needed no approval. */
export async function listApprovals(
  db: Database | Transaction,
  subjectIds: readonly string[],
): Promise<ReadonlyMap<string, ApprovalView>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await db
    .select({ round: approvalRounds, votes: votesOfRound })
    .from(approvalRounds)
    .where(anyOf(approvalRounds.subjectId, subjectIds));
  return new Map(rows.map((view) => [view.round.subjectId, view]));
}

/**
 * For a query that has the round at hand. Its table is written out, since Drizzle leaves it out where a query has no
 * other. While the round is open, what a passkey has said that was removed since is no vote: its user may vote again.
 */
export const votesOfRound = sql<ApprovalView['votes']>`coalesce((
  select json_agg(json_build_object('userId', vote.user_id, 'decision', vote.decision, 'votedAt', vote.created_at)
    order by vote.created_at, vote.id)
  from approvals vote where vote.subject_id = approval_rounds.subject_id and not (approval_rounds.status = 'pending'
    and exists (select from passkeys where passkeys.id = vote.passkey_id and passkeys.removed_at is not null))
  ), '[]'::json)`;
