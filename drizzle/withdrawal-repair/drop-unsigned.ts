// Drops the replacements of a withdrawal that the run before has built and not signed: a new run follows what is out,
// and starts none of their signing operations. Gives nothing back.
import type { Transaction } from '../database/connection.ts';
import type { Seals } from '../seals/seals.ts';
import { findSigningRequests } from '../signing-requests/signing-queries.ts';
import { advanceChainTransaction, listChainTransactions } from '../withdrawals/chain-transactions.ts';
import { advanceWithdrawal } from '../withdrawals/withdrawal-steps.ts';
import { lockWithdrawal } from '../withdrawals/withdrawals.ts';
import { closeSignings, type WithdrawalFailure } from './abandon-withdrawal.ts';

/** A renewal is left: the follower goes on with it. So is what has its signatures, which can no longer be stopped. */
export async function dropUnsignedReplacements(
  tx: Transaction,
  seals: Seals,
  id: string,
  { errorReason }: WithdrawalFailure,
): Promise<void> {
  const withdrawal = await lockWithdrawal(tx, id);
  const rows = await listChainTransactions(tx, id);
  if (withdrawal === undefined || rows.every(({ signed }) => signed === null)) return;
  for (const row of rows) {
    if (row.status !== 'built' || (row.kind !== 'speed_up' && row.kind !== 'drop')) continue;
    const signings = await findSigningRequests(tx, withdrawal.workspaceId, row.signingIds);
    if (signings.every(({ status }) => status === 'success')) continue;
    await closeSignings(tx, seals, [row], { errorCode: 'cancelled', errorReason });
    await advanceChainTransaction(tx, row.id, { from: 'built', to: 'abandoned' });
    const details = `The replacement was not made: ${errorReason}.`;
    await advanceWithdrawal(tx, id, { from: 'processing', to: 'processing', details });
  }
}
