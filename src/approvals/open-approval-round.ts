// Opens the round of approvals that a decision demands, in the transaction that stores what is to be approved.

import type { Decision } from '../../domain/policies/decision.ts';
import { type ApprovalRoundRow, insertApprovalRound } from '../../drizzle/approvals/approvals.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';

export interface NewApprovalRound {
  subject: ApprovalRoundRow['subject'];
  subjectId: string;
  workspaceId: string;
  /** Null for what is of the workspace. */
  walletId: string | null;
  /** The user who asks, who never approves. */
  requestedBy: string;
  decision: Pick<Decision, 'required' | 'approvers' | 'approveWith' | 'expiresInSeconds' | 'reasons'>;
  /** Of the row as it was stored (drizzle/votes/approved-content.ts). */
  digest: string;
}

export async function openApprovalRound(
  tx: Transaction,
  seals: Seals,
  { decision, ...round }: NewApprovalRound,
): Promise<ApprovalRoundRow> {
  const { required, approvers, approveWith, expiresInSeconds, reasons } = decision;
  const needed = { required, approvers: [...approvers], approveWith, expiresInSeconds, reasons };
  return insertApprovalRound(tx, seals, { ...round, ...needed });
}
