// What the workers know of each network: how far it was read, its newest blocks, its fees now. The API answers from
// here and asks no node.
import { and, asc, desc, eq, gte, isNull, lt, sql } from 'drizzle-orm';
import { bigint, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { NetworkFees } from '../../domain/networks/stored-fees.ts';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { type NetworkRow, networks } from './networks.ts';

export const networkStates = pgTable('network_states', {
  networkId: uuid('network_id')
    .primaryKey()
    .references(() => networks.id),
  /**
   * The first block whose deposits are not read yet. Moves in the transaction that records those of the block before
   * it.
   */
  nextBlock: bigint('next_block', { mode: 'number' }).notNull(),
  headBlock: bigint('head_block', { mode: 'number' }).notNull(),
  /** Null until they were quoted once. */
  fees: jsonb('fees').$type<NetworkFees>(),
  /**
   * Set when the chain did what must not be believed (a reorg deeper than its window): nothing is read until an
   * operator clears it.
   */
  haltedReason: text('halted_reason'),
  /** Why it could not be read on when that was tried last; null since it could. */
  readingFailure: text('reading_failure'),
  /** An operator's word: up to this block a node that cannot trace does not hold up the reading. */
  skipTracesUntil: bigint('skip_traces_until', { mode: 'number' }),
  /** Since when no worker has a node of this network; null while one reads it. */
  unwatchedAt: moment('unwatched_at'),
  headAt: moment('head_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

/** The newest blocks that were read, as they were read: by them a reorg is seen. */
export const networkBlocks = pgTable(
  'network_blocks',
  {
    networkId: uuid('network_id')
      .notNull()
      .references(() => networks.id),
    number: bigint('number', { mode: 'number' }).notNull(),
    hash: text('hash').notNull(),
    parentHash: text('parent_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.networkId, table.number] })],
);

export type NetworkStateRow = typeof networkStates.$inferSelect;
export type NetworkBlockRow = typeof networkBlocks.$inferSelect;

export async function findNetworkByCode(db: Database, internalCode: string): Promise<NetworkRow | undefined> {
  const [row] = await db.select().from(networks).where(eq(networks.internalCode, internalCode));
  return row;
}

export async function findNetworkState(
  db: Database | Transaction,
  networkId: string,
): Promise<NetworkStateRow | undefined> {
  const [row] = await db.select().from(networkStates).where(eq(networkStates.networkId, networkId));
  return row;
}

/** Those that a node of ours reads, and that are not halted. */
export async function listReadNetworkIds(db: Database | Transaction): Promise<Set<string>> {
  const rows = await db
    .select({ networkId: networkStates.networkId })
    .from(networkStates)
    .where(and(isNull(networkStates.haltedReason), isNull(networkStates.unwatchedAt)));
  return new Set(rows.map(({ networkId }) => networkId));
}

/** Held against a reading, a rollback and an operator's command until the transaction ends. */
export async function lockNetworkState(tx: Transaction, networkId: string): Promise<NetworkStateRow | undefined> {
  const [row] = await tx
    .select()
    .from(networkStates)
    .where(eq(networkStates.networkId, networkId))
    .for('no key update');
  return row;
}

/** Leaves a state that is there already as it is. */
export async function insertNetworkState(
  db: Database,
  row: Pick<NetworkStateRow, 'networkId' | 'nextBlock' | 'headBlock'>,
): Promise<void> {
  await db.insert(networkStates).values(row).onConflictDoNothing();
}

/** By compare-and-set: false when another reader has moved it, or when the network is halted. */
export async function moveCursor(tx: Transaction, networkId: string, from: number, to: number): Promise<boolean> {
  const moved = await tx
    .update(networkStates)
    .set({ nextBlock: to, updatedAt: sql`now()` })
    .where(
      and(
        eq(networkStates.networkId, networkId),
        eq(networkStates.nextBlock, from),
        isNull(networkStates.haltedReason),
      ),
    )
    .returning({ networkId: networkStates.networkId });
  return moved.length === 1;
}

/** Without `fees` the former ones stay. */
export async function noteHead(
  db: Database,
  networkId: string,
  headBlock: number,
  fees: NetworkFees | undefined,
): Promise<void> {
  await db
    .update(networkStates)
    .set({
      headBlock,
      unwatchedAt: null,
      headAt: sql`now()`,
      updatedAt: sql`now()`,
      ...(fees === undefined ? {} : { fees }),
    })
    .where(eq(networkStates.networkId, networkId));
}

/** Its halt, if there is one, stays for whoever watches it again. */
export async function noteUnwatched(db: Database, networkId: string): Promise<void> {
  await db
    .update(networkStates)
    .set({ unwatchedAt: sql`coalesce(${networkStates.unwatchedAt}, now())`, readingFailure: null })
    .where(eq(networkStates.networkId, networkId));
}

/** Null: it can be read on. Nothing is written while nothing changes. */
export async function noteReadingFailure(db: Database, networkId: string, failure: string | null): Promise<void> {
  await db
    .update(networkStates)
    .set({ readingFailure: failure })
    .where(
      and(
        eq(networkStates.networkId, networkId),
        sql`${networkStates.readingFailure} is distinct from ${failure}::text`,
      ),
    );
}

/** False when the network is halted already, or was read on meanwhile. */
export async function haltNetwork(
  db: Database,
  networkId: string,
  nextBlock: number,
  haltedReason: string,
): Promise<boolean> {
  const halted = await db
    .update(networkStates)
    .set({ haltedReason, updatedAt: sql`now()` })
    .where(
      and(
        eq(networkStates.networkId, networkId),
        eq(networkStates.nextBlock, nextBlock),
        isNull(networkStates.haltedReason),
      ),
    )
    .returning({ networkId: networkStates.networkId });
  return halted.length === 1;
}

/** Without `skipTracesUntil` the former one stays. */
export async function clearHalt(tx: Transaction, networkId: string, skipTracesUntil?: number): Promise<void> {
  await tx
    .update(networkStates)
    .set({ haltedReason: null, ...(skipTracesUntil === undefined ? {} : { skipTracesUntil }), updatedAt: sql`now()` })
    .where(eq(networkStates.networkId, networkId));
}

/** Those that were read and are kept, the newest first. */
export async function listNetworkBlocks(db: Database, networkId: string): Promise<NetworkBlockRow[]> {
  return db
    .select()
    .from(networkBlocks)
    .where(eq(networkBlocks.networkId, networkId))
    .orderBy(desc(networkBlocks.number));
}

/** The newest one below the cursor: another reader may be further on by now. */
export async function findNewestNetworkBlock(
  db: Database,
  networkId: string,
  nextBlock: number,
): Promise<NetworkBlockRow | undefined> {
  const [row] = await db
    .select()
    .from(networkBlocks)
    .where(and(eq(networkBlocks.networkId, networkId), lt(networkBlocks.number, nextBlock)))
    .orderBy(desc(networkBlocks.number))
    .limit(1);
  return row;
}

/** The kept block with this number, or else the first one after it. */
export async function findNetworkBlockFrom(
  db: Database | Transaction,
  networkId: string,
  number: number,
): Promise<NetworkBlockRow | undefined> {
  const [row] = await db
    .select()
    .from(networkBlocks)
    .where(and(eq(networkBlocks.networkId, networkId), gte(networkBlocks.number, number)))
    .orderBy(asc(networkBlocks.number))
    .limit(1);
  return row;
}

/** Keeps a block, and forgets those below `keptFrom`. */
export async function keepNetworkBlock(tx: Transaction, block: NetworkBlockRow, keptFrom: number): Promise<void> {
  await tx.insert(networkBlocks).values(block);
  await tx
    .delete(networkBlocks)
    .where(and(eq(networkBlocks.networkId, block.networkId), lt(networkBlocks.number, keptFrom)));
}

export async function deleteNetworkBlocks(tx: Transaction, networkId: string, from: number): Promise<void> {
  await tx.delete(networkBlocks).where(and(eq(networkBlocks.networkId, networkId), gte(networkBlocks.number, from)));
}
