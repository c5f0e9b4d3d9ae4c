// A change of users or keys, or of a freeze, as the wire shows it, with its round.
import { type ApprovalView, listApprovals } from '../../drizzle/approvals/approvals.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import type { AuthorityChangeRow } from '../../drizzle/users/authority-changes.ts';
import { toApproval } from '../approvals/approvals.response.ts';

export type ShownChange = ReturnType<typeof toChange>;

export const toChange = (row: AuthorityChangeRow, approval: ApprovalView | undefined) => ({
  id: row.id,
  workspace_id: row.workspaceId,
  kind: row.kind,
  user_id: row.userId,
  ...targetOf(row),
  status: row.status,
  details: row.details,
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  ...(approval === undefined ? {} : { approval: toApproval(approval) }),
});

export async function showChange(tx: Transaction, row: AuthorityChangeRow): Promise<ShownChange> {
  return toChange(row, (await listApprovals(tx, [row.id])).get(row.id));
}

/** Beside the user and the workspace. */
function targetOf({ kind, targetId, userId }: AuthorityChangeRow): { api_key_id?: string; wallet_id?: string } {
  if (kind === 'unfreeze_wallet') return { wallet_id: targetId };
  const isOfKey = kind !== 'unfreeze_withdrawals' && kind !== 'enrol_passkey' && targetId !== userId;
  return isOfKey ? { api_key_id: targetId } : {};
}
