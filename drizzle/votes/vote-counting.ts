// Counts the votes of a round anew, from the rows, whenever something hangs on them: when a vote is given and before a key signs. A vote counts while its key would
// still be let in with the scope, and its user is active and is not the one who asked; and while round, vote, key and user are as this service wrote them. Changes nothing.
import { and, eq } from 'drizzle-orm';
import { type ApiKeyRow, apiKeyCounts, apiKeys } from '../api-keys/api-keys.ts';
import {
  type ApprovalRoundRow,
  type ApprovalRow,
  approvalRounds,
  approvals,
  roundCounts,
  voteCounts,
} from '../approvals/approvals.ts';
import type { Database, Transaction } from '../database/connection.ts';
import type { Seals } from '../seals/seals.ts';
import { type UserRow, userCounts, users } from '../users/users.ts';

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
export async function hasEnoughApprovals(tx: Transaction, seals: Seals, round: ApprovalRoundRow): Promise<boolean> {
  return suffice(seals, round, await readVotes(tx, round.subjectId));
}

/** Whether exactly this was approved, counted anew: a round that only says so is not believed. */
export async function isApproved(
  db: Database | Transaction,
  seals: Seals,
  subjectId: string,
  digest: string,
): Promise<boolean> {
  const [round] = await db.select().from(approvalRounds).where(eq(approvalRounds.subjectId, subjectId));
  if (round === undefined || round.status !== 'approved' || round.digest !== digest) return false;
  return suffice(seals, round, await readVotes(db, subjectId));
}

/** Whether a vote that this user gave by another key still counts. */
export async function findVoteOf(
  tx: Transaction,
  seals: Seals,
  round: ApprovalRoundRow,
  userId: string,
): Promise<ApprovalRow['decision'] | undefined> {
  const votes = await readVotes(tx, round.subjectId);
  return votes.find((each) => each.user.id === userId && counts(seals, round, each))?.vote.decision;
}

async function readVotes(db: Database | Transaction, subjectId: string): Promise<Vote[]> {
  return db
    .select({ vote: approvals, key: apiKeys, user: users })
    .from(approvals)
    .innerJoin(apiKeys, eq(apiKeys.id, approvals.apiKeyId))
    .innerJoin(users, and(eq(users.id, approvals.userId), eq(users.id, apiKeys.userId)))
    .where(eq(approvals.subjectId, subjectId));
}

/** One rejection that counts is enough to end it, also where the round was opened again by SQL. */
function suffice(seals: Seals, round: ApprovalRoundRow, votes: readonly Vote[]): boolean {
  if (!roundCounts(seals, round)) return false;
  const counted = votes.filter((each) => counts(seals, round, each));
  if (counted.some(({ vote }) => vote.decision === 'rejected')) return false;
  return new Set(counted.map(({ user }) => user.id)).size >= round.required;
}

function counts(seals: Seals, round: ApprovalRoundRow, { vote, key, user }: Vote): boolean {
  const { workspaceId, walletId, approvers } = round;
  if (vote.digest !== round.digest || user.id === round.requestedBy) return false;
  if (approvers.length > 0 && !approvers.includes(user.id)) return false;
  if (user.status !== 'active' || user.workspaceId !== workspaceId || key.workspaceId !== workspaceId) return false;
  if (key.walletIds.length > 0 && (walletId === null || !key.walletIds.includes(walletId))) return false;
  if (!isUsable(key) || !mayVoteOn(round.subject, key.scopes)) return false;
  return [voteCounts(seals, vote), apiKeyCounts(seals, key), userCounts(seals, user)].every((holds) => holds);
}

const isUsable = ({ revokedAt, expiresAt }: ApiKeyRow) =>
  revokedAt === null && (expiresAt === null || expiresAt.getTime() > Date.now());
