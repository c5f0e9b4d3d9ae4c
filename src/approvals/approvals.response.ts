// From a round and its votes to what the wire shows of them.
import type { ApprovalRoundRow, ApprovalView } from '../../drizzle/approvals/approvals.ts';

/**
 * One for each user: the last one, since an earlier one of the same user stands for another only where it counts no
 * more. Approvers who are named and have not voted are `pending` while the round is.
 */
export function toVotes(view: ApprovalView | undefined) {
  if (view === undefined) return [];
  const { round, votes } = view;
  const byUser = new Map(votes.map((vote) => [vote.userId, vote]));
  const voted = Array.from(byUser.values(), ({ userId, decision, votedAt }) => ({
    user_id: userId,
    status: decision,
    voted_at: new Date(votedAt).toISOString(),
  }));
  if (round.status !== 'pending') return voted;
  const silent = round.approvers.filter((id) => !byUser.has(id));
  return [...voted, ...silent.map((id) => ({ user_id: id, status: 'pending' as const }))];
}

export function toApproval(view: ApprovalView) {
  const { round } = view;
  return {
    status: statusOf(round),
    digest: round.digest,
    required: round.required,
    ...(round.approveWith === null ? {} : { approve_with: round.approveWith }),
    approvals: toVotes(view),
    reasons: [...round.reasons],
    requested_by: round.requestedBy,
    expires_at: round.expiresAt.toISOString(),
    ...(round.decidedAt === null ? {} : { decided_at: round.decidedAt.toISOString() }),
  };
}

/** Nobody waits for the end of a change of the policy: its row learns of it when it is decided about. */
const statusOf = ({ status, expiresAt }: ApprovalRoundRow) =>
  status === 'pending' && expiresAt.getTime() <= Date.now() ? 'expired' : status;
