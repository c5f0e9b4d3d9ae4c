// From a row of a workspace to what the wire shows of its freeze.
import type { RecordedFreeze, WorkspaceRow } from '../../drizzle/workspaces/workspaces.ts';

export const toWithdrawalsFreeze = ({ id, withdrawalsFrozenAt }: Pick<WorkspaceRow, 'id' | 'withdrawalsFrozenAt'>) => ({
  workspace_id: id,
  withdrawals_frozen: withdrawalsFrozenAt !== null,
  ...(withdrawalsFrozenAt === null ? {} : { frozen_at: withdrawalsFrozenAt.toISOString() }),
});

export const toFreezeEventData = ({ workspaceId, withdrawalsFrozenAt, updatedAt }: RecordedFreeze) => ({
  ...toWithdrawalsFreeze({ id: workspaceId, withdrawalsFrozenAt }),
  updated_at: new Date(updatedAt).toISOString(),
});
