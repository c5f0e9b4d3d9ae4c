// What left wallets of ours by a transaction that we did not make (controls O1, transfer-origins.ts). Nothing is posted
// before an operator has resolved it (outflow-departures.ts): until then the ledger keeps what should be there, and
// `reconcile-balances` shows the difference.
import { and, desc, eq, getTableColumns, gte, isNull, sql } from 'drizzle-orm';
import { bigint, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { v7 as uuidv7 } from 'uuid';
import { outflowKinds } from '../../domain/statuses.ts';
import { recordInactive } from '../audit/inactive-rows.ts';
import { baseUnits, moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { assets } from '../networks/assets.ts';
import { networks } from '../networks/networks.ts';
import type { Seals } from '../seals/seals.ts';
import { findWalletWorkspace } from '../wallets/wallet-queries.ts';
import { advanceWallet } from '../wallets/wallet-steps.ts';
import { wallets } from '../wallets/wallets.ts';

export const unexplainedOutflows = pgTable(
  'unexplained_outflows',
  {
    id: uuid('id').primaryKey(),
    networkId: uuid('network_id')
      .notNull()
      .references(() => networks.id),
    txHash: text('tx_hash').notNull(),
    /** The outbound transfer's place in its transaction (activities/chains/port/chain.ts). */
    departureIndex: text('departure_index').notNull(),
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id),
    /** Null for what is in no balance: the catalogue has it not, or it was no part of the balance of the address. */
    assetId: uuid('asset_id').references(() => assets.id),
    kind: text('kind', { enum: outflowKinds }).notNull(),
    fromAddress: text('from_address').notNull(),
    /** Null where the chain names no single receiver, and in rows of before this was kept. */
    toAddress: text('to_address'),
    /** With the fee. */
    amountBaseUnits: baseUnits('amount_base_units').notNull(),
    /** Null in rows of before this was kept. */
    feeBaseUnits: baseUnits('fee_base_units'),
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    blockHash: text('block_hash').notNull(),
    foundAt: moment('found_at').notNull().defaultNow(),
    /**
     * Since a reorg took its block, until it is in another one. The key that signed it is in other hands all the same.
     */
    reorgedAt: moment('reorged_at'),
    resolvedAt: moment('resolved_at'),
    /** What the operator found out. */
    resolution: text('resolution'),
  },
  (table) => [
    unique('unexplained_outflows_departure').on(table.networkId, table.txHash, table.departureIndex),
    index('unexplained_outflows_open').on(table.foundAt).where(sql`${table.resolvedAt} is null`),
    index('unexplained_outflows_block').on(table.networkId, table.blockNumber),
  ],
);

export type OutflowRow = typeof unexplainedOutflows.$inferSelect;
export type Outflow = Omit<OutflowRow, 'id' | 'foundAt' | 'reorgedAt' | 'resolvedAt' | 'resolution'>;

export type RecordedOutflow = OutflowRow & { frozen: boolean };

/**
 * Once by (network, transaction, place): seen again after a reorg it is the same. Freezes the wallet where the seals
 * for the audit entry of it are given and the wallet is active; what an operator has resolved freezes none. Answers
 * those that are not resolved. To be called before anything of the ledger is locked: who asks for a withdrawal locks
 * the wallet first.
 */
export async function recordOutflows(
  tx: Transaction,
  outflows: readonly Outflow[],
  freeze: Seals | false,
): Promise<RecordedOutflow[]> {
  const recorded: RecordedOutflow[] = [];
  for (const outflow of outflows.toSorted(byWallet)) {
    // Before it is recorded: who unfreezes has the lock while it looks for one, so one of the two sees the other.
    await tx.select({ id: wallets.id }).from(wallets).where(eq(wallets.id, outflow.walletId)).for('no key update');
    const row = await record(tx, outflow);
    if (row.resolvedAt !== null) continue;
    const reason = { statusReason: 'unexplained_outflow' };
    const frozen =
      freeze !== false && (await advanceWallet(tx, row.walletId, { from: 'active', to: 'frozen', fields: reason }));
    if (frozen) await recordFreeze(tx, freeze, row);
    recorded.push({ ...row, frozen });
  }
  return recorded;
}

async function recordFreeze(tx: Transaction, seals: Seals, { walletId, txHash }: OutflowRow): Promise<void> {
  const workspaceId = await findWalletWorkspace(tx, walletId);
  if (workspaceId === undefined) throw new Error('a wallet that was frozen is not there');
  const after = { status: 'frozen', status_reason: 'unexplained_outflow', tx_hash: txHash };
  await recordInactive(tx, seals, { kind: 'wallet', workspaceId, id: walletId, walletId }, after);
}

/** In one order, so that two transactions wait for each other never both ways. */
const byWallet = (one: Outflow, other: Outflow) => (one.walletId < other.walletId ? -1 : 1);

async function record(tx: Transaction, outflow: Outflow): Promise<OutflowRow> {
  const { networkId, txHash, departureIndex } = unexplainedOutflows;
  const [row] = await tx
    .insert(unexplainedOutflows)
    .values({ id: uuidv7(), ...outflow })
    .onConflictDoUpdate({ target: [networkId, txHash, departureIndex], set: { ...outflow, reorgedAt: null } })
    .returning();
  if (row === undefined) throw new Error('an outflow that was recorded is not there');
  return row;
}

/** Their blocks from `first` on are gone. Their wallets stay as they are: an operator says what they may do. */
export async function noteReorgedOutflows(tx: Transaction, networkId: string, first: number): Promise<void> {
  const { reorgedAt, blockNumber } = unexplainedOutflows;
  await tx
    .update(unexplainedOutflows)
    .set({ reorgedAt: sql`now()` })
    .where(and(eq(unexplainedOutflows.networkId, networkId), gte(blockNumber, first), isNull(reorgedAt)));
}

/** Of a wallet that the caller has locked. One that a reorg took back counts: somebody signed it. */
export async function hasUnresolvedOutflow(tx: Database | Transaction, walletId: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: unexplainedOutflows.id })
    .from(unexplainedOutflows)
    .where(and(eq(unexplainedOutflows.walletId, walletId), isNull(unexplainedOutflows.resolvedAt)))
    .limit(1);
  return row !== undefined;
}

/** Whether an operator has looked at what left by this transaction, all of it. */
export async function isResolvedOutflow(
  db: Database,
  { networkId, txHash }: { networkId: string; txHash: string },
): Promise<boolean> {
  const rows = await db
    .select({ resolvedAt: unexplainedOutflows.resolvedAt })
    .from(unexplainedOutflows)
    .where(and(eq(unexplainedOutflows.networkId, networkId), eq(unexplainedOutflows.txHash, txHash)));
  return rows.length > 0 && rows.every(({ resolvedAt }) => resolvedAt !== null);
}

const LISTED_MAX = 1_000;

/** The newest first, with what tells a reader whose they are: those that nobody has resolved, or all. */
export async function listOutflows(db: Database, { all }: { all: boolean }) {
  return db
    .select({
      outflow: unexplainedOutflows,
      networkCode: networks.internalCode,
      workspaceId: wallets.workspaceId,
      walletStatus: wallets.status,
      symbol: assets.symbol,
      decimals: assets.decimals,
    })
    .from(unexplainedOutflows)
    .innerJoin(networks, eq(networks.id, unexplainedOutflows.networkId))
    .innerJoin(wallets, eq(wallets.id, unexplainedOutflows.walletId))
    .leftJoin(assets, eq(assets.id, unexplainedOutflows.assetId))
    .where(all ? undefined : isNull(unexplainedOutflows.resolvedAt))
    .orderBy(desc(unexplainedOutflows.foundAt), desc(unexplainedOutflows.id))
    .limit(LISTED_MAX);
}

/** By compare-and-set: undefined when there is none, or it is resolved already. Unfreezes nothing. */
export async function resolveOutflow(
  tx: Transaction,
  id: string,
  resolution: string,
): Promise<(OutflowRow & { workspaceId: string }) | undefined> {
  const [row] = await tx
    .update(unexplainedOutflows)
    .set({ resolvedAt: sql`now()`, resolution })
    .from(wallets)
    .where(
      and(
        eq(unexplainedOutflows.id, id),
        isNull(unexplainedOutflows.resolvedAt),
        eq(wallets.id, unexplainedOutflows.walletId),
      ),
    )
    .returning({ ...getTableColumns(unexplainedOutflows), workspaceId: wallets.workspaceId });
  return row;
}
