// About how many coins of a chain like Bitcoin a wallet has, by what this service wrote down: which coins there are
// says their chain alone. Reads only.
import { type SQL, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../database/connection.ts';
import { transactions } from '../transactions/transactions.ts';
import { reservedCoins } from './reserved-coins.ts';
import { withdrawals } from './withdrawals.ts';

/**
 * What arrived, and the change of each payment, without what payments have taken. A guess: one arrival may be several
 * coins, and a payment may have had no change.
 */
export async function countCoins(tx: Database | Transaction, walletId: string, assetId: string): Promise<number> {
  const rows = (from: SQL) => sql`(select count(*) from ${from})`;
  const arrived = rows(sql`${transactions} where ${transactions.walletId} = ${walletId}
    and ${transactions.assetId} = ${assetId} and ${transactions.direction} = 'in' and ${transactions.status} <> 'failed'`);
  const change = rows(sql`${withdrawals} where ${withdrawals.walletId} = ${walletId}
    and ${withdrawals.assetId} = ${assetId} and ${withdrawals.status} = 'completed'`);
  const taken = rows(sql`${reservedCoins} join ${withdrawals} on ${withdrawals.id} = ${reservedCoins.withdrawalId}
    where ${withdrawals.walletId} = ${walletId} and ${withdrawals.assetId} = ${assetId}`);
  const [row] = await tx.execute<{ coins: string }>(sql`select ${arrived} + ${change} - ${taken} as coins`);
  return Math.max(0, Number(row?.coins ?? 0));
}
