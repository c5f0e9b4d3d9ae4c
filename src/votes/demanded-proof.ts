// What the policy demands of approvals at the moment of decision. A round keeps what was demanded when it was opened; a
// policy that has come into force since may demand more, also of votes that were given before, and never less.
import { demandsPasskeys } from '../../domain/policies/demands-passkeys.ts';
import type { ApproveWith } from '../../domain/votes/vote-rules.ts';
import type { ApprovalRoundRow } from '../../drizzle/approvals/approvals.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { approvalsOfChanges, findPolicyInForce } from '../policies/policy-in-force.ts';

/** Transactions that overlap: the round of one may have been opened by the policy before. */
const OVERLAP_MS = 5_000;

export async function findDemandedProof(
  tx: Transaction,
  basis: { seals: Seals; production: boolean },
  round: ApprovalRoundRow,
): Promise<ApproveWith | null> {
  if (round.approveWith !== null) return round.approveWith;
  const { row, document } = await findPolicyInForce(tx, basis, round.workspaceId);
  if (round.subject !== 'withdrawal' && round.subject !== 'signing_request')
    return approvalsOfChanges(document, basis.production)?.approve_with ?? null;
  // Which rule of another policy would decide the operation nobody asks again: any that demands it counts.
  const isOfAnotherPolicy = row !== undefined && row.updatedAt.getTime() > round.createdAt.getTime() - OVERLAP_MS;
  return isOfAnotherPolicy && demandsPasskeys(document) ? 'passkey' : null;
}
