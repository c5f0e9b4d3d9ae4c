// A withdrawal as what is approved: approved it goes on, rejected it ends and gives back what it held.

import { workflowIdOfRow } from '../../domain/workflow-ids.ts';
import type { WorkflowStart } from '../../domain/workflow-inputs.ts';
import type { OperationChange } from '../../domain/workflow-runs.ts';
import { nextSealedVersion } from '../../drizzle/audit/inactive-rows.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { withdrawalDigest } from '../../drizzle/votes/approved-content.ts';
import { insertWithdrawalEvent } from '../../drizzle/withdrawals/withdrawal-history.ts';
import { advanceWithdrawal, type WithdrawalMove } from '../../drizzle/withdrawals/withdrawal-steps.ts';
import { viewWithdrawal } from '../../drizzle/withdrawals/withdrawal-views.ts';
import { findWithdrawal, lockWithdrawal, type WithdrawalRow } from '../../drizzle/withdrawals/withdrawals.ts';
import { assertWalletAllowed } from '../authentication/authenticate.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import { notFound } from '../http/errors.ts';
import { assertWalletMaySign } from '../wallets/assert-can-sign.ts';
import { toWithdrawal } from '../withdrawals/withdrawals.response.ts';
import type { ApprovalSubject } from './record-vote.ts';

type Shown = ReturnType<typeof toWithdrawal>;

export function withdrawalSubject(key: UsableKey, id: string): ApprovalSubject<WithdrawalRow, Shown> {
  const find = async (tx: Transaction) => requireReachable(key, await findWithdrawal(tx, key.workspaceId, id));
  return {
    find,
    lock: async (tx) => requireReachable(key, await lockWithdrawal(tx, id)),
    idOf: (row) => row.id,
    digestOf: withdrawalDigest,
    assertMayGo: (tx, row) => assertWalletMaySign(tx, row.workspaceId, row.walletId),
    noteApproval: async (tx, row) => {
      const event = { withdrawalId: row.id, status: row.status, subStatus: row.subStatus };
      await insertWithdrawalEvent(tx, { ...event, details: `The user ${key.userId} has approved it.` });
    },
    approve: async (tx, row, { start }) => {
      await leave(tx, row, { to: 'approved', fields: { subStatus: 'queued' }, details: 'Approved.' });
      start(await startOf(tx, row));
    },
    reject: async (tx, row, { start, sealing }, reason) => {
      const errorReason = 'An approver rejected it.';
      const fields = { subStatus: null, errorCode: 'approval_rejected', errorReason } as const;
      await leave(tx, row, { to: 'rejected', fields, details: errorReason, reason });
      sealing.note(await nextSealedVersion(tx, sealing.seals, { ...row, kind: 'withdrawal' }));
      start(await startOf(tx, row, { ended: true }));
    },
    show: async (tx) => toWithdrawal(await viewWithdrawal(tx, await find(tx))),
  };
}

function requireReachable(key: UsableKey, row: WithdrawalRow | undefined): WithdrawalRow {
  if (row === undefined || row.workspaceId !== key.workspaceId) throw notFound('withdrawal');
  assertWalletAllowed(key, row.walletId);
  return row;
}

async function leave(
  tx: Transaction,
  { id }: WithdrawalRow,
  move: Omit<WithdrawalMove, 'from'> & { to: 'approved' | 'rejected' },
): Promise<void> {
  if (!(await advanceWithdrawal(tx, id, { ...move, from: 'pending_approval' })))
    throw new Error('a withdrawal that waits for approval does not stand there');
}

/** Its workflow waits: the signal makes it look again. `ended`: an approver has rejected it. */
async function startOf(tx: Transaction, row: WithdrawalRow, { ended }: OperationChange = {}): Promise<WorkflowStart> {
  const { id: withdrawalId, workspaceId, walletId } = row;
  const { networkCode } = await viewWithdrawal(tx, row);
  const input = { withdrawalId, workspaceId, walletId, networkCode, ...(ended ? { ended } : {}) };
  return { workflow: 'withdraw', workflowId: workflowIdOfRow(row), input, signal: 'changed' };
}
