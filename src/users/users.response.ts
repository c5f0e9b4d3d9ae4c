// A row of a user as the wire shows it.
import type { UserRow } from '../../drizzle/users/users.ts';

export const toUser = (row: UserRow) => ({
  id: row.id,
  workspace_id: row.workspaceId,
  name: row.name,
  ...(row.email === null ? {} : { email: row.email }),
  status: row.status,
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});
