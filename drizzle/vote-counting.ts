// Counts the votes of a round anew, from the rows, whenever something hangs on them: when a vote is given and before a key signs. A vote counts while its key would
// still be let in with the scope, and its user is active and is not the one who asked. Changes nothing.
import { and, eq } from 'drizzle-orm';
import { type ApiKeyRow, apiKeys } from './api-keys.ts';
import { type ApprovalRoundRow, type ApprovalRow, approvalRounds, approvals } from './approvals.ts';
import type { Database, Transaction } from './database.ts';
import { type UserRow, users } from './users.ts';

/** Either makes a key one that can approve; the first key of a workspace has neither. */
export const approvingScopes: readonly string[] = ['withdrawals:approve', 'signing:approve'];

/** What a key needs to vote. Changes of the policy, the address book, users and keys: as for the policy, and by a key that can approve. */
export function mayVoteOn(subject: ApprovalRoundRow['subject'], scopes: readonly string[]): boolean {
  if (subject === 'withdrawal') return scopes.includes('withdrawals:approve');
  if (subject === 'signing_request') return scopes.includes('signing:approve');
  return scopes.includes('policies:write') && approvingScopes.some((scope) => scopes.includes(scope));
}

interface Vote {
  vote: ApprovalRow;
  key: ApiKeyRow;
  user: UserRow;
}

/** Whether the votes suffice at this moment. */
export async function hasEnoughApprovals(tx: Transaction, round: ApprovalRoundRow): Promise<boolean> {
  return votersOf(round, await readVotes(tx, round.subjectId)).size >= round.required;
}

/** Whether exactly this was approved, counted anew: a round that only says so is not believed. */
export async function isApproved(db: Database | Transaction, subjectId: string, digest: string): Promise<boolean> {
  const [round] = await db.select().from(approvalRounds).where(eq(approvalRounds.subjectId, subjectId));
  if (round === undefined || round.status !== 'approved' || round.digest !== digest) return false;
  return votersOf(round, await readVotes(db, subjectId)).size >= round.required;
}

/** Whether a vote that this user gave by another key still counts. */
export async function findVoteOf(
  tx: Transaction,
  round: ApprovalRoundRow,
  userId: string,
): Promise<ApprovalRow['decision'] | undefined> {
  const votes = await readVotes(tx, round.subjectId);
  return votes.find((each) => each.user.id === userId && counts(round, each))?.vote.decision;
}

async function readVotes(db: Database | Transaction, subjectId: string): Promise<Vote[]> {
  return db
    .select({ vote: approvals, key: apiKeys, user: users })
    .from(approvals)
    .innerJoin(apiKeys, eq(apiKeys.id, approvals.apiKeyId))
    .innerJoin(users, and(eq(users.id, approvals.userId), eq(users.id, apiKeys.userId)))
    .where(eq(approvals.subjectId, subjectId));
}

/** The users whose approval counts. */
function votersOf(round: ApprovalRoundRow, votes: readonly Vote[]): Set<string> {
  const approving = votes.filter((each) => each.vote.decision === 'approved' && counts(round, each));
  return new Set(approving.map(({ user }) => user.id));
}

function counts(round: ApprovalRoundRow, { vote, key, user }: Vote): boolean {
  const { workspaceId, walletId, approvers } = round;
  if (vote.digest !== round.digest || user.id === round.requestedBy) return false;
  if (approvers.length > 0 && !approvers.includes(user.id)) return false;
  if (user.status !== 'active' || user.workspaceId !== workspaceId || key.workspaceId !== workspaceId) return false;
  if (key.walletIds.length > 0 && (walletId === null || !key.walletIds.includes(walletId))) return false;
  return isUsable(key) && mayVoteOn(round.subject, key.scopes);
}

const isUsable = ({ revokedAt, expiresAt }: ApiKeyRow) =>
  revokedAt === null && (expiresAt === null || expiresAt.getTime() > Date.now());
