// Records that a node has taken a transaction of a withdrawal. Sends nothing.
import type { Database } from '../../drizzle/database/connection.ts';
import { advanceChainTransaction, type ChainTransactionRow } from '../../drizzle/withdrawals/chain-transactions.ts';
import type { WithdrawalContext } from '../../drizzle/withdrawals/withdrawal-context.ts';
import { advanceWithdrawal } from '../../drizzle/withdrawals/withdrawal-steps.ts';

/** Once for each transaction. */
export async function noteBroadcast(
  db: Database,
  { withdrawal }: WithdrawalContext,
  { id, ordinal, kind }: ChainTransactionRow,
  txHash: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await advanceChainTransaction(tx, id, { from: 'signed', to: 'broadcast' }))) return;
    const details = ordinal === 0 ? 'Broadcast.' : `Broadcast in the place of the one before it (${kind}).`;
    const fields = { subStatus: 'confirming' as const, txHash };
    const event = ordinal === 0 ? ('withdrawal.broadcast' as const) : ('withdrawal.replaced' as const);
    await advanceWithdrawal(tx, withdrawal.id, { from: 'processing', to: 'processing', fields, details, event });
  });
}
