// Reads the votes of a round anew whenever something hangs on them: when a vote is given and before a key signs. Which
// of them count is for domain/votes/vote-rules.ts to say, and besides, round, vote, key and user must be as this
// service wrote them. Changes nothing.

import { and, eq } from 'drizzle-orm';
import { findEvidenceFault } from '../../domain/passkeys/vote-evidence.ts';
import { type ApproveWith, areEnough, isEligible } from '../../domain/votes/vote-rules.ts';
import { type ApiKeyRow, apiKeys, sealedApiKeys } from '../api-keys/api-keys.ts';
import {
  type ApprovalRoundRow,
  type ApprovalRow,
  approvalRounds,
  approvals,
  sealedApprovalRounds,
  sealedApprovals,
} from '../approvals/approvals.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { type PasskeyRow, passkeys, sealedPasskeys } from '../passkeys/passkeys.ts';
import type { Seals } from '../seals/seals.ts';
import { sealedUsers, type UserRow, users } from '../users/users.ts';

interface StoredVote {
  vote: ApprovalRow;
  key: ApiKeyRow;
  user: UserRow;
  /** Of a vote by a passkey, whatever has become of it. */
  passkey: PasskeyRow | null;
}

/**
 * Whether the votes suffice at this moment. `approveWith`: what the policy demands of them by now, where that is more
 * than when the round was opened; it holds for votes that were given before, too.
 */
export async function hasEnoughApprovals(
  db: Database | Transaction,
  seals: Seals,
  round: ApprovalRoundRow,
  approveWith: ApproveWith | null = round.approveWith,
): Promise<boolean> {
  const votes = await readVotes(db, round.subjectId);
  const counts = countingIn(seals, round, approveWith);
  return sealedApprovalRounds.counts(seals, round) && areEnough(round, votes.filter(counts));
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
  return hasEnoughApprovals(db, seals, round);
}

/** What this user has said, by whichever key or passkey, that still counts. */
export async function findCountedVotes(
  tx: Transaction,
  seals: Seals,
  round: ApprovalRoundRow,
  userId: string,
): Promise<Pick<ApprovalRow, 'apiKeyId' | 'decision'>[]> {
  const votes = await readVotes(tx, round.subjectId);
  const counts = countingIn(seals, round, round.approveWith);
  return votes.filter((each) => each.user.id === userId && counts(each)).map(({ vote }) => vote);
}

async function readVotes(db: Database | Transaction, subjectId: string): Promise<StoredVote[]> {
  return db
    .select({ vote: approvals, key: apiKeys, user: users, passkey: passkeys })
    .from(approvals)
    .innerJoin(apiKeys, eq(apiKeys.id, approvals.apiKeyId))
    .innerJoin(users, and(eq(users.id, approvals.userId), eq(users.id, apiKeys.userId)))
    .leftJoin(passkeys, eq(passkeys.id, approvals.passkeyId))
    .where(eq(approvals.subjectId, subjectId));
}

/**
 * Whether a vote of this round counts now. The seals are looked at last: those of a vote that counts for nothing are
 * not.
 */
function countingIn(
  seals: Seals,
  round: ApprovalRoundRow,
  approveWith: ApproveWith | null,
): (each: StoredVote) => boolean {
  const now = new Date();
  const demanded = { ...round, approveWith };
  return (each) =>
    isEligible(demanded, { ...each, vote: { ...each.vote, isProven: isProven(round, each) } }, now) &&
    isSealed(seals, each);
}

/**
 * Whether its evidence proves exactly this vote, verified anew, by a passkey that the same user still has. What
 * somebody has removed because it was lost proves nothing any more.
 */
function isProven({ subject, workspaceId }: ApprovalRoundRow, { vote, user, passkey }: StoredVote): boolean {
  const { evidence, subjectId, digest, decision } = vote;
  if (evidence === null || passkey === null || passkey.removedAt !== null || passkey.userId !== user.id) return false;
  if (evidence.public_key !== passkey.publicKeySpki || evidence.credential_id !== passkey.credentialId) return false;
  const said = { workspace_id: workspaceId, user_id: user.id, subject, subject_id: subjectId, digest, decision };
  return findEvidenceFault(evidence, said) === undefined;
}

/** All are looked at, so that each one that does not hold is reported. */
const isSealed = (seals: Seals, { vote, key, user, passkey }: StoredVote): boolean =>
  [
    sealedApprovals.counts(seals, vote),
    sealedApiKeys.counts(seals, key),
    sealedUsers.counts(seals, user),
    passkey === null || sealedPasskeys.counts(seals, passkey),
  ].every((holds) => holds);
