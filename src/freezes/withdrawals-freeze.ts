// Freezes the withdrawals of a workspace, and unfreezes them: at once, or as a change that another user approves.
import { v7 as uuidv7 } from 'uuid';
import type { Transaction } from '../../drizzle/database/connection.ts';
import type { Sealing } from '../../drizzle/seals/sealing.ts';
import type { SealedVersion, Seals } from '../../drizzle/seals/seals.ts';
import type { AuthorityChangeRow } from '../../drizzle/users/authority-changes.ts';
import {
  type FreezeChange,
  findWorkspace,
  holdsFreeze,
  lockWorkspace,
  setWithdrawalsFrozen,
  type WorkspaceRow,
} from '../../drizzle/workspaces/workspaces.ts';
import { type ShownChange, showChange } from '../authority-changes/authority-changes.response.ts';
import { findNeededApprovals, requestChange } from '../authority-changes/request-change.ts';
import { ApiError } from '../http/errors.ts';
import { toWithdrawalsFreeze } from '../workspaces/workspaces.response.ts';

/** To be called with the workspace locked. */
export const freezeWithdrawals = (
  tx: Transaction,
  seals: Seals,
  workspaceId: string,
  reason: string | null,
): Promise<FreezeChange> => setWithdrawalsFrozen(tx, seals, workspaceId, { frozen: true, reason });

interface Asked {
  workspaceId: string;
  userId: string;
  reason: string | null;
}

/** What is not frozen stays so. `note` takes what was there before, for the audit log. */
export async function askToUnfreeze(
  tx: Transaction,
  basis: { seals: Seals; production: boolean },
  { workspaceId, userId, reason }: Asked,
  note: (noted: { before?: object; sealed?: readonly SealedVersion[] }) => void,
): Promise<ReturnType<typeof toWithdrawalsFreeze> | ShownChange> {
  await lockWorkspace(tx, workspaceId);
  const before = await requireWorkspace(tx, workspaceId);
  note({ before: toWithdrawalsFreeze(before) });
  if (isUnfrozen(basis.seals, before)) return toWithdrawalsFreeze(before);
  const needed = await findNeededApprovals(tx, basis, workspaceId);
  if (needed !== undefined) {
    const details = { freeze_version: before.sealVersion, ...(reason === null ? {} : { reason }) };
    const about = { id: uuidv7(), workspaceId, kind: 'unfreeze_withdrawals', targetId: workspaceId, userId } as const;
    return showChange(tx, await requestChange(tx, basis.seals, needed, { ...about, details, createdBy: userId }));
  }
  const { row, sealed } = await setWithdrawalsFrozen(tx, basis.seals, workspaceId, { frozen: false, reason });
  note({ sealed });
  return toWithdrawalsFreeze(row);
}

/** Does what was approved, to the freeze of which it was asked. To be called with the workspace locked. */
export async function unfreezeWithdrawals(
  tx: Transaction,
  { seals, note }: Sealing,
  { workspaceId, details }: AuthorityChangeRow,
): Promise<void> {
  const before = await requireWorkspace(tx, workspaceId);
  if (isUnfrozen(seals, before) || before.sealVersion !== details.freeze_version) throw frozenAnew();
  const change = { frozen: false, reason: details.reason ?? null };
  for (const version of (await setWithdrawalsFrozen(tx, seals, workspaceId, change)).sealed) note(version);
}

/** A freeze that somebody else took away is none that is taken away. */
const isUnfrozen = (seals: Seals, row: WorkspaceRow) => row.withdrawalsFrozenAt === null && holdsFreeze(seals, row);

export const frozenAnew = () =>
  new ApiError(
    'invalid_state',
    'It was unfrozen or frozen anew since this was asked for: reject it, and ask for it again.',
  );

async function requireWorkspace(tx: Transaction, id: string): Promise<WorkspaceRow> {
  const row = await findWorkspace(tx, id);
  if (row === undefined) throw new Error('a workspace is not there');
  return row;
}
