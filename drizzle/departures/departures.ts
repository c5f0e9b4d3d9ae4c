// Departures: what left wallets by transactions that we signed and that no withdrawal settles, as the chain tells it,
// and outflows that an operator has resolved. Known by network, transaction and place in it, never by the block, which
// a reorg may change.
import { and, asc, eq, gte, inArray, lte, or, sql } from 'drizzle-orm';
import { bigint, boolean, index, pgTable, smallint, text, unique, uuid } from 'drizzle-orm/pg-core';
import { departureStatuses } from '../../domain/statuses.ts';
import { baseUnits, moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { assets } from '../networks/assets.ts';
import { ownershipColumns } from '../transactions/ownership-columns.ts';

export const departures = pgTable(
  'departures',
  {
    /** Also that of its row in `transactions`. */
    id: uuid('id').primaryKey(),
    ...ownershipColumns(),
    /**
     * The signing operation whose signature is on it, or the withdrawal, of which this is what no row of it says, or
     * the outflow that was resolved.
     */
    transactionId: uuid('transaction_id').notNull(),
    txHash: text('tx_hash').notNull(),
    /** The outbound transfer's place in its transaction (activities/chains/port/movements.ts). */
    departureIndex: text('departure_index').notNull(),
    fromAddress: text('from_address').notNull(),
    toAddress: text('to_address'),
    /** Without the fee. */
    amountBaseUnits: baseUnits('amount_base_units').notNull(),
    /** In the same asset; 0 where another movement of the transaction has it, or another paid it. */
    feeBaseUnits: baseUnits('fee_base_units').notNull(),
    /** False when the chain took the fee and undid the rest. */
    succeeded: boolean('succeeded').notNull(),
    status: text('status', { enum: departureStatuses }).notNull(),
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    /** Empty from when a reorg took the block until the transaction is in another one. */
    blockHash: text('block_hash').notNull(),
    /** How often it was seen anew after a reorg. */
    occurrence: smallint('occurrence').notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    unique('departures_place').on(table.networkId, table.txHash, table.departureIndex),
    index('departures_block').on(table.networkId, table.status, table.blockNumber),
    index('departures_transaction').on(table.transactionId),
  ],
);

export type DepartureRow = typeof departures.$inferSelect;

/** One that is not settled, with the asset it is of. */
export type OpenDeparture = DepartureRow & { contract: string | null; symbol: string; decimals: number };

/** Those up to the last block that are not booked, and those up to the final one that are. Wallet by wallet. */
export async function listOpenDepartures(
  db: Database | Transaction,
  networkId: string,
  { lastBlock, finalBlock }: { lastBlock: number; finalBlock: number },
): Promise<OpenDeparture[]> {
  const { status, blockNumber } = departures;
  const isDue = or(
    and(eq(status, 'seen'), lte(blockNumber, lastBlock)),
    and(eq(status, 'booked'), lte(blockNumber, finalBlock)),
  );
  const rows = await db
    .select({
      departure: departures,
      contract: assets.contractAddress,
      symbol: assets.symbol,
      decimals: assets.decimals,
    })
    .from(departures)
    .innerJoin(assets, eq(assets.id, departures.assetId))
    .where(and(eq(departures.networkId, networkId), isDue))
    .orderBy(asc(departures.walletId), asc(departures.assetId), asc(departures.id));
  return rows.map(({ departure, ...asset }) => ({ ...departure, ...asset }));
}

/** Those in a block from this one on, wallet by wallet. */
export async function listDeparturesFrom(tx: Transaction, networkId: string, first: number): Promise<DepartureRow[]> {
  return tx
    .select()
    .from(departures)
    .where(
      and(
        eq(departures.networkId, networkId),
        inArray(departures.status, ['seen', 'booked', 'final']),
        gte(departures.blockNumber, first),
      ),
    )
    .orderBy(asc(departures.walletId), asc(departures.assetId), asc(departures.id));
}

/** Whether anything left by this transaction, in any block. */
export async function hasDeparture(db: Database, transactionId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: departures.id })
    .from(departures)
    .where(eq(departures.transactionId, transactionId))
    .limit(1);
  return row !== undefined;
}

/** What has left a wallet and is not booked yet, since a second node has not told of it. */
export async function sumUnbooked(
  db: Database,
  { walletId, assetId }: { walletId: string; assetId: string },
): Promise<bigint> {
  const [row] = await db
    .select({
      sum: sql<string>`coalesce(sum(${departures.amountBaseUnits} + ${departures.feeBaseUnits}), 0)::text`,
    })
    .from(departures)
    .where(and(eq(departures.walletId, walletId), eq(departures.assetId, assetId), eq(departures.status, 'seen')));
  return BigInt(row?.sum ?? 0);
}
