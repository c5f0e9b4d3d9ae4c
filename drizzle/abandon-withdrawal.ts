// Ends a withdrawal of which nothing is signed: failed, with its money, nonce and coins given back. What is signed is never abandoned: it could land.
import {
  advanceChainTransaction,
  type ChainTransactionRow,
  freeCoins,
  freeNonce,
  listChainTransactions,
} from './chain-transactions.ts';
import type { Transaction } from './database.ts';
import { advanceSigningRequest, findSigningRequests } from './signing-requests.ts';
import { withdrawalArrows } from './status.ts';
import { advanceWithdrawal } from './withdrawal-steps.ts';
import { lockWithdrawal } from './withdrawals.ts';

export interface WithdrawalFailure {
  errorCode: string;
  errorReason: string;
}

/**
 * `signed`: it can no longer be stopped, and `ordinal` is the transaction that is out or could be. `fill`: others stand behind its nonce, which a transaction that moves
 * nothing must use up, under this `ordinal`; why the withdrawal will fail then is noted on its row.
 */
export type Abandonment = { outcome: 'ended' } | { outcome: 'fill' | 'signed'; ordinal: number };

/** Idempotent by withdrawal. */
export async function abandonWithdrawal(tx: Transaction, id: string, failure: WithdrawalFailure): Promise<Abandonment> {
  const withdrawal = await lockWithdrawal(tx, id);
  if (withdrawal === undefined || withdrawalArrows[withdrawal.status].length === 0) return { outcome: 'ended' };
  const rows = await listChainTransactions(tx, id);
  if (rows.every((row) => row.signed === null)) await closeSignings(tx, rows, failure);
  const signed = await findSigned(tx, withdrawal.workspaceId, rows);
  if (signed !== undefined) return { outcome: 'signed', ordinal: signed.ordinal };
  for (const row of rows.filter(({ status }) => status === 'built'))
    await advanceChainTransaction(tx, row.id, 'built', 'abandoned');
  if (await freeNonce(tx, id)) {
    await freeCoins(tx, id);
    const { errorCode, errorReason } = withdrawal;
    const why = errorCode === null || errorReason === null ? failure : { errorCode, errorReason };
    await advanceWithdrawal(tx, id, withdrawal.status, 'failed', why, { details: why.errorReason });
    return { outcome: 'ended' };
  }
  if (withdrawal.errorCode === null) {
    const details = `It will fail: ${failure.errorReason}. Others stand behind its nonce, which is used up first.`;
    await advanceWithdrawal(tx, id, 'processing', 'processing', { ...failure, subStatus: 'replaced' }, { details });
  }
  return { outcome: 'fill', ordinal: rows.length };
}

/** What a worker may still have under way for them finds its operation closed, so that no signature appears after this. One that is there already stays. */
export async function closeSignings(
  tx: Transaction,
  rows: readonly ChainTransactionRow[],
  failure: WithdrawalFailure,
): Promise<void> {
  const fields = { statusReason: 'cancelled' as const, ...failure };
  for (const id of rows.filter(({ status }) => status === 'built').flatMap(({ signingIds }) => signingIds)) {
    if (!(await advanceSigningRequest(tx, id, 'submitted', 'failed', fields)))
      await advanceSigningRequest(tx, id, 'pending', 'failed', fields);
  }
}

/** The newest one. Also when its signatures are there and were not put into the transaction yet: whoever reads them could. */
async function findSigned(
  tx: Transaction,
  workspaceId: string,
  rows: readonly ChainTransactionRow[],
): Promise<ChainTransactionRow | undefined> {
  for (const row of rows.toReversed()) {
    if (row.signed !== null) return row;
    if (row.status === 'abandoned') continue;
    const signings = await findSigningRequests(tx, workspaceId, row.signingIds);
    if (signings.length > 0 && signings.every(({ status }) => status === 'success')) return row;
  }
  return undefined;
}
