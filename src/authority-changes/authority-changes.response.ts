// A change of users or keys as the wire shows it, with its round.
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
  ...(row.targetId === row.userId ? {} : { api_key_id: row.targetId }),
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
