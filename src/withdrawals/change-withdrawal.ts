// What a caller may still do about a withdrawal: cancel it while nothing is signed, speed it up or drop it once it is
// out. Decided on the locked row; the workflow hears that something changed and reads the row. Touches no chain.
import type { FastifyRequest } from 'fastify';
import { undecidedWithdrawalStatuses, type WithdrawalSubStatus } from '../../domain/statuses.ts';
import { workflowIdOfRow } from '../../domain/workflow-ids.ts';
import { closeApprovalRound } from '../../drizzle/approvals/approvals.ts';
import { nextSealedVersion } from '../../drizzle/audit/inactive-rows.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { listChainTransactions } from '../../drizzle/withdrawals/chain-transactions.ts';
import { requestReplacement } from '../../drizzle/withdrawals/requested-replacements.ts';
import { advanceWithdrawal, type WithdrawalMove } from '../../drizzle/withdrawals/withdrawal-steps.ts';
import { viewWithdrawal } from '../../drizzle/withdrawals/withdrawal-views.ts';
import { findWithdrawal, lockWithdrawal, type WithdrawalRow } from '../../drizzle/withdrawals/withdrawals.ts';
import { assertWalletAllowed } from '../authentication/authenticate.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { assertWalletMaySign } from '../wallets/assert-can-sign.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { toWithdrawal } from './withdrawals.response.ts';

/** `reason`: what the caller gives as the reason. */
export type WithdrawalChange =
  | { verb: 'cancel'; reason: string | null }
  | { verb: 'drop'; reason: string | null }
  | { verb: 'speed_up'; feeLevel?: WithdrawalRow['feeLevel'] };

export async function changeWithdrawal(
  dependencies: WriteDependencies,
  request: FastifyRequest,
  id: string,
  change: WithdrawalChange,
): Promise<ReturnType<typeof toWithdrawal>> {
  const { key } = request.caller;
  const { result } = await acceptWrite(dependencies, request, {
    id,
    target: id,
    admit: async (tx) => requireReachable(key, await findWithdrawal(tx, key.workspaceId, id)),
    make: async (tx, start, note) => {
      const row = requireReachable(key, await lockWithdrawal(tx, id));
      note({ before: toWithdrawal(await viewWithdrawal(tx, row)), walletId: row.walletId });
      if (change.verb !== 'cancel') await replaceSent(tx, row, change);
      else if (await cancel(tx, row, change.reason))
        note({ sealed: [await nextSealedVersion(tx, dependencies.seals, { ...row, kind: 'withdrawal' })] });
      const view = await viewWithdrawal(tx, requireReachable(key, await findWithdrawal(tx, key.workspaceId, id)));
      const { workspaceId, walletId } = row;
      start({
        workflow: 'withdraw',
        workflowId: workflowIdOfRow(row),
        input: {
          withdrawalId: id,
          workspaceId,
          walletId,
          networkCode: view.networkCode,
          ...(change.verb === 'cancel' ? { ended: true } : {}),
        },
        signal: 'changed',
      });
      return toWithdrawal(view);
    },
  });
  return result;
}

function requireReachable(key: UsableKey, row: WithdrawalRow | undefined): WithdrawalRow {
  if (row === undefined || row.workspaceId !== key.workspaceId) throw notFound('withdrawal');
  assertWalletAllowed(key, row.walletId);
  return row;
}

const cancelled = { errorCode: 'cancelled', errorReason: 'A caller cancelled it before anything was signed.' } as const;

/** False for one that is cancelled already, and stays as it is. */
async function cancel(tx: Transaction, row: WithdrawalRow, reason: string | null): Promise<boolean> {
  const { id, status } = row;
  if (status === 'cancelled') return false;
  if (!(await isUntouched(tx, row)))
    throw new ApiError(
      'invalid_state',
      `The withdrawal is ${stateOf(row)}: only one of which nothing is signed can be cancelled.`,
    );
  if (status === 'pending_approval') await closeApprovalRound(tx, id, 'cancelled');
  const fields = { ...cancelled, subStatus: null };
  await advance(tx, id, { from: status, to: 'cancelled', fields, details: cancelled.errorReason, reason });
  return true;
}

/**
 * Whether nothing of it can ever land. A worker journals a transaction before it is signed, under the lock of the row:
 * what is in no journal is signed by nobody. The sub-status alone would not tell, since funds may also be lacking for
 * what is signed already.
 */
async function isUntouched(tx: Transaction, { id, status, subStatus }: WithdrawalRow): Promise<boolean> {
  if (undecidedWithdrawalStatuses.includes(status) || status === 'approved') return true;
  if (status !== 'processing' || !(subStatus === 'queued' || subStatus === 'insufficient_funds')) return false;
  return (await listChainTransactions(tx, id)).length === 0;
}

/** Its transaction is out, and in no block as far as is known. */
const replaceable: readonly (WithdrawalSubStatus | null)[] = ['broadcasting', 'confirming', 'stuck', 'replaced'];

async function replaceSent(
  tx: Transaction,
  row: WithdrawalRow,
  change: Exclude<WithdrawalChange, { verb: 'cancel' }>,
): Promise<void> {
  const { id, workspaceId, walletId } = row;
  const { networkCode, addressType } = await viewWithdrawal(tx, row);
  if (addressType !== 'evm' && addressType !== 'btc')
    throw new ApiError('invalid_state', `On ${networkCode} a transaction that is out cannot be replaced.`);
  if (row.status !== 'processing' || !replaceable.includes(row.subStatus) || row.blockNumber !== null)
    throw new ApiError(
      'invalid_state',
      `The withdrawal is ${stateOf(row)}: only one whose transaction waits for a block can be replaced.`,
    );
  if (change.verb === 'speed_up' && (await shallMoveNothing(tx, row)))
    throw new ApiError('invalid_state', 'The withdrawal is being dropped: a drop can be repeated, and not undone.');
  // A replacement must be signed.
  await assertWalletMaySign(tx, workspaceId, walletId);
  await requestReplacement(tx, id, change.verb, change.verb === 'speed_up' ? (change.feeLevel ?? null) : null);
  const details = change.verb === 'drop' ? 'A caller wants it dropped.' : 'A caller wants it sped up.';
  const reason = change.verb === 'drop' ? change.reason : null;
  await advance(tx, id, { from: 'processing', to: 'processing', details, reason });
}

/** A speed-up would send after all what a drop, or a failure, shall keep from being sent. */
async function shallMoveNothing(
  tx: Transaction,
  { id, requestedReplacement, errorCode }: WithdrawalRow,
): Promise<boolean> {
  if (requestedReplacement === 'drop' || errorCode !== null) return true;
  return (await listChainTransactions(tx, id)).some(
    ({ kind, status }) => status !== 'abandoned' && (kind === 'drop' || kind === 'fill'),
  );
}

const stateOf = ({ status, subStatus, blockNumber }: WithdrawalRow) => {
  if (status !== 'processing') return status;
  return blockNumber === null ? `${status} (${subStatus})` : `in block ${blockNumber}`;
};

async function advance(tx: Transaction, id: string, move: WithdrawalMove): Promise<void> {
  if (!(await advanceWithdrawal(tx, id, move))) throw new Error('a withdrawal that was locked has moved');
}
