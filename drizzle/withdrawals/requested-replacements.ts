// What a caller wants done about a withdrawal whose transaction is out: kept on its row until the workflow takes it up,
// or until it ends.
import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '../database/connection.ts';
import { type WithdrawalRow, withdrawals } from './withdrawals.ts';

/** For a row that is locked (lockWithdrawal). The newest request is the one that counts. */
export async function requestReplacement(
  tx: Transaction,
  id: string,
  requestedReplacement: NonNullable<WithdrawalRow['requestedReplacement']>,
  requestedFeeLevel: WithdrawalRow['requestedFeeLevel'],
): Promise<void> {
  await tx
    .update(withdrawals)
    .set({ requestedReplacement, requestedFeeLevel, updatedAt: sql`now()` })
    .where(eq(withdrawals.id, id));
}
