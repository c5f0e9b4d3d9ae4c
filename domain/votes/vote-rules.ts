// Who may vote on what, which votes of a round count, and when they suffice. Reads nothing: whether the rows are as
// this service wrote them is for drizzle/votes/counted-votes.ts to say.
import type { approvalSubjects } from '../statuses.ts';

export type ApprovalSubject = (typeof approvalSubjects)[number];

/** What a policy may demand of every approval: a fresh assertion by a passkey, which no stolen API key can give. */
export const approveWithKinds = ['passkey'] as const;
export type ApproveWith = (typeof approveWithKinds)[number];

/** Either makes a key one that can approve; the first key of a workspace has neither. */
export const approvingScopes: readonly string[] = ['withdrawals:approve', 'signing:approve'];

/**
 * Whether these scopes suffice to vote. Changes of the policy, the address book, users and keys need the scope of the
 * policy, and a key that can approve.
 */
export function mayVoteOn(subject: ApprovalSubject, scopes: readonly string[]): boolean {
  if (subject === 'withdrawal') return scopes.includes('withdrawals:approve');
  if (subject === 'signing_request') return scopes.includes('signing:approve');
  return scopes.includes('policies:write') && approvingScopes.some((scope) => scopes.includes(scope));
}

/** What is voted on. */
export interface VotingRound {
  subject: ApprovalSubject;
  workspaceId: string;
  walletId: string | null;
  /** The user who asked, who never approves. */
  requestedBy: string;
  /** How many users must approve. */
  required: number;
  /** The users who may approve; empty for any whose key has the scope. */
  approvers: readonly string[];
  digest: string;
  /** What an approval must be given with; null for any key that has the scope. */
  approveWith: ApproveWith | null;
}

/** A vote with the key that signed it and the user of that key. */
export interface CastVote {
  vote: {
    decision: 'approved' | 'rejected';
    digest: string;
    /** Whether its evidence proves it: an assertion over exactly this vote, by a passkey that its user still has. */
    isProven: boolean;
  };
  key: {
    /** One that is proved by a passkey votes only with an assertion. */
    provedBy: 'secret' | 'passkey';
    workspaceId: string;
    /** Empty for all wallets. */
    walletIds: readonly string[];
    scopes: readonly string[];
    revokedAt: Date | null;
    expiresAt: Date | null;
  };
  user: { id: string; workspaceId: string; status: string };
}

/**
 * Whether a vote counts at this moment: it is of exactly this round, its key would still be let in with the scope, it
 * is proven by a passkey where that is demanded, and its user is active, is among the approvers and is not the one who
 * asked.
 */
export function isEligible(round: VotingRound, { vote, key, user }: CastVote, now: Date): boolean {
  const { workspaceId, walletId, approvers } = round;
  if (vote.digest !== round.digest || user.id === round.requestedBy) return false;
  if (approvers.length > 0 && !approvers.includes(user.id)) return false;
  if (user.status !== 'active' || user.workspaceId !== workspaceId || key.workspaceId !== workspaceId) return false;
  if (!vote.isProven && (key.provedBy === 'passkey' || needsProof(round, vote.decision))) return false;
  if (key.walletIds.length > 0 && (walletId === null || !key.walletIds.includes(walletId))) return false;
  return isUsable(key, now) && mayVoteOn(round.subject, key.scopes);
}

/** A rejection gives nothing away: any approver may stop what takes passkeys to approve. */
export const needsProof = (
  { approveWith }: Pick<VotingRound, 'approveWith'>,
  decision: 'approved' | 'rejected',
): boolean => approveWith === 'passkey' && decision === 'approved';

const isUsable = ({ revokedAt, expiresAt }: CastVote['key'], now: Date): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

interface CountedVote {
  vote: Pick<CastVote['vote'], 'decision'>;
  user: Pick<CastVote['user'], 'id'>;
}

/**
 * Whether the votes that count suffice. Two keys of one user are one vote, and one rejection ends the round, also where
 * somebody opened it again in the database.
 */
export function areEnough({ required }: Pick<VotingRound, 'required'>, counted: readonly CountedVote[]): boolean {
  if (counted.some(({ vote }) => vote.decision === 'rejected')) return false;
  return new Set(counted.map(({ user }) => user.id)).size >= required;
}
