// Which coins of UTXO chains are taken by which withdrawal, so that no two spend the same.
import { and, eq, inArray } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { baseUnits } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { networks } from '../networks/networks.ts';
import { withdrawals } from './withdrawals.ts';

/**
 * Coins that a withdrawal has taken. They stay taken for good once its transaction is signed; what never was, or never
 * can land, gives them back.
 */
export const reservedCoins = pgTable(
  'reserved_coins',
  {
    networkId: uuid('network_id')
      .notNull()
      .references(() => networks.id),
    txHash: text('tx_hash').notNull(),
    index: integer('index').notNull(),
    withdrawalId: uuid('withdrawal_id')
      .notNull()
      .references(() => withdrawals.id),
    amountBaseUnits: baseUnits('amount_base_units').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.networkId, table.txHash, table.index] }),
    index('reserved_coins_withdrawal').on(table.withdrawalId),
  ],
);

type Outpoint = Pick<typeof reservedCoins.$inferSelect, 'txHash' | 'index'>;

/** Those of these coins that no withdrawal has taken. */
export async function withoutReserved<Coin extends Outpoint>(
  tx: Database | Transaction,
  networkId: string,
  coins: readonly Coin[],
): Promise<Coin[]> {
  if (coins.length === 0) return [];
  const hashes = [...new Set(coins.map(({ txHash }) => txHash))];
  const taken = await tx
    .select({ txHash: reservedCoins.txHash, index: reservedCoins.index })
    .from(reservedCoins)
    .where(and(eq(reservedCoins.networkId, networkId), inArray(reservedCoins.txHash, hashes)));
  const names = new Set(taken.map(({ txHash, index: output }) => `${txHash}:${output}`));
  return coins.filter(({ txHash, index: output }) => !names.has(`${txHash}:${output}`));
}

/** False when another withdrawal has taken one of them meanwhile: then none is. */
export async function reserveCoins(
  tx: Transaction,
  networkId: string,
  withdrawalId: string,
  coins: readonly (Outpoint & { amount: bigint })[],
): Promise<boolean> {
  const rows = coins.map(({ txHash, index: output, amount }) => ({
    networkId,
    txHash,
    index: output,
    withdrawalId,
    amountBaseUnits: amount,
  }));
  const inserted = await tx.insert(reservedCoins).values(rows).onConflictDoNothing().returning();
  if (inserted.length === rows.length) return true;
  await tx.delete(reservedCoins).where(eq(reservedCoins.withdrawalId, withdrawalId));
  return false;
}

export async function listReservedCoins(
  tx: Database | Transaction,
  withdrawalId: string,
): Promise<{ txHash: string; index: number; amount: bigint }[]> {
  const { txHash, index: output, amountBaseUnits } = reservedCoins;
  return tx
    .select({ txHash, index: output, amount: amountBaseUnits })
    .from(reservedCoins)
    .where(eq(reservedCoins.withdrawalId, withdrawalId));
}

/** Gives back the coins of a withdrawal that signed nothing with them, or of which nothing can land any more. */
export async function freeCoins(tx: Transaction, withdrawalId: string): Promise<void> {
  await tx.delete(reservedCoins).where(eq(reservedCoins.withdrawalId, withdrawalId));
}
