// Stores a change of users or keys, or of a freeze, that needs the approval of another user, with its round, and says
// which approvals it needs. Applies none.

import type { NeededApprovals } from '../../domain/policies/policy-document.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import {
  type AuthorityChangeRow,
  insertAuthorityChange,
  type NewAuthorityChange,
} from '../../drizzle/users/authority-changes.ts';
import { authorityChangeDigest } from '../../drizzle/votes/approved-content.ts';
import { openApprovalRound } from '../approvals/open-approval-round.ts';
import { asDecision } from '../policies/needed-approvals.ts';
import { approvalsOfChanges, findPolicyInForce } from '../policies/policy-in-force.ts';

/**
 * Undefined where changes go through at once. To be called with the workspace locked, so that a policy that asks for
 * approvals from now on is waited for.
 */
export async function findNeededApprovals(
  tx: Transaction,
  basis: { seals: Seals; production: boolean },
  workspaceId: string,
): Promise<NeededApprovals | undefined> {
  const { document } = await findPolicyInForce(tx, basis, workspaceId);
  return approvalsOfChanges(document, basis.production);
}

export async function requestChange(
  tx: Transaction,
  seals: Seals,
  needed: NeededApprovals,
  change: NewAuthorityChange,
): Promise<AuthorityChangeRow> {
  const row = await insertAuthorityChange(tx, change);
  const { id: subjectId, workspaceId, createdBy: requestedBy } = row;
  const about = { subject: 'authority_change', subjectId, workspaceId, walletId: null, requestedBy } as const;
  const decision = asDecision(needed, reasonOf(row));
  await openApprovalRound(tx, seals, { ...about, decision, digest: authorityChangeDigest(row) });
  return row;
}

const reasonOf = ({ kind }: AuthorityChangeRow) =>
  kind === 'unfreeze_withdrawals' || kind === 'unfreeze_wallet'
    ? 'Unfreezing needs the approval of another user.'
    : kind === 'enrol_passkey'
      ? 'Whoever holds the link can sign in and vote as this user: approve it only when the user has asked for it.'
      : 'Changes of users and keys need the approval of another user.';
