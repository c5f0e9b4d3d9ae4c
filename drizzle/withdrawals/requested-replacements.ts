// What a caller wants done about a withdrawal whose transaction is out: kept on its row until the workflow takes it up, or until it ends.
import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '../database/connection.ts';
import { type WithdrawalRow, withdrawals } from './withdrawals.ts';

/** For a row that is locked (lockWithdrawal). The newest wish is the one that counts. */
export async function requestReplacement(
  tx: Transaction,
  id: string,
  wish: NonNullable<WithdrawalRow['wish']>,
  wishedFeeLevel: WithdrawalRow['wishedFeeLevel'],
): Promise<void> {
  await tx.update(withdrawals).set({ wish, wishedFeeLevel, updatedAt: sql`now()` }).where(eq(withdrawals.id, id));
}
