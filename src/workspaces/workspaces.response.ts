// From a row of a workspace to what the wire shows of its freeze.
import type { RecordedFreeze, WorkspaceRow } from '../../drizzle/workspaces/workspaces.ts';

export const toWithdrawalsFreeze = ({
  id,
  withdrawalsFrozenAt,
  freezeReason,
}: Pick<WorkspaceRow, 'id' | 'withdrawalsFrozenAt' | 'freezeReason'>) => ({
  workspace_id: id,
  withdrawals_frozen: withdrawalsFrozenAt !== null,
  ...(withdrawalsFrozenAt === null ? {} : { frozen_at: withdrawalsFrozenAt.toISOString() }),
  ...(freezeReason === null ? {} : { reason: freezeReason }),
});

export const toFreezeEventData = ({ workspaceId, updatedAt, ...freeze }: RecordedFreeze) => ({
  ...toWithdrawalsFreeze({ id: workspaceId, ...freeze }),
  updated_at: new Date(updatedAt).toISOString(),
});
