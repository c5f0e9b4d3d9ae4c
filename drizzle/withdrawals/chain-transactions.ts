// The transactions that withdrawals send: journaled with their nonce or coins before anything is signed, their bytes
// stored before they are broadcast. A withdrawal has one, and one more for each recorded replacement.
import { and, asc, eq, gte, inArray, sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { StoredQuote } from '../../domain/networks/stored-fees.ts';
import type { SigningPayload } from '../../domain/signing/signing-payload.ts';
import {
  assertArrow,
  type ChainTransactionStatus,
  chainTransactionArrows,
  chainTransactionKinds,
  chainTransactionStatuses,
} from '../../domain/statuses.ts';
import { baseUnits, moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { networks } from '../networks/networks.ts';
import { chainTransactionContent, signedTransactionContent } from '../seals/operation-content.ts';
import { sealedTable } from '../seals/sealed-tables.ts';
import { BrokenSealError, type Seals } from '../seals/seals.ts';
import { withdrawals } from './withdrawals.ts';

export const chainTransactions = pgTable(
  'chain_transactions',
  {
    id: uuid('id').primaryKey(),
    withdrawalId: uuid('withdrawal_id')
      .notNull()
      .references(() => withdrawals.id),
    /** From 0; a replacement has the next. */
    ordinal: integer('ordinal').notNull(),
    kind: text('kind', { enum: chainTransactionKinds }).notNull(),
    status: text('status', { enum: chainTransactionStatuses }).notNull().default('built'),
    networkId: uuid('network_id')
      .notNull()
      .references(() => networks.id),
    fromAddress: text('from_address').notNull(),
    nonce: bigint('nonce', { mode: 'number' }),
    /** The quote that it was built with. */
    fee: jsonb('fee').$type<StoredQuote>().notNull(),
    maxFeeBaseUnits: baseUnits('max_fee_base_units').notNull(),
    unsigned: text('unsigned').notNull(),
    /** What is signed, one for each signature. */
    payloads: jsonb('payloads').$type<readonly SigningPayload[]>().notNull(),
    /** Its signing operations, one for each signature, in order. */
    signingIds: uuid('signing_ids').array().notNull(),
    validUntil: bigint('valid_until', { mode: 'number' }),
    signed: text('signed'),
    txHash: text('tx_hash'),
    /**
     * Of what it is, and of `signed` and `tx_hash`. Null in rows of before there were seals, until the operator has
     * them sealed.
     */
    seal: text('seal'),
    signedSeal: text('signed_seal'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    unique('chain_transactions_ordinal').on(table.withdrawalId, table.ordinal),
    index('chain_transactions_hash').on(table.networkId, table.txHash),
    index('chain_transactions_nonce').on(table.networkId, table.fromAddress, table.nonce),
  ],
);

export type ChainTransactionRow = typeof chainTransactions.$inferSelect;

export const sealedChainTransactions = sealedTable<ChainTransactionRow>({
  kind: 'chain_transaction',
  table: chainTransactions,
  key: [chainTransactions.id],
  seal: chainTransactions.seal,
  sealOf: (row) => row.seal,
  contentOf: chainTransactionContent,
});

export const sealedSignedTransactions = sealedTable<ChainTransactionRow>({
  kind: 'signed_transaction',
  table: chainTransactions,
  key: [chainTransactions.id],
  seal: chainTransactions.signedSeal,
  sealOf: (row) => row.signedSeal,
  contentOf: signedTransactionContent,
});

export async function insertChainTransaction(
  tx: Transaction,
  seals: Seals,
  row: typeof chainTransactions.$inferInsert,
): Promise<void> {
  const seal = seals.seal('chain_transaction', chainTransactionContent(row));
  await tx.insert(chainTransactions).values({ ...row, seal });
}

/**
 * Whether these very bytes are there already. Whoever asks holds the address until its transaction ends, so that of two
 * who ask at once one sees the other's.
 */
export async function isJournaled(
  tx: Transaction,
  from: string,
  networkId: string,
  unsigned: string,
): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`journal ${networkId} ${from}`}, 0))`);
  const rows = await tx
    .select({ id: chainTransactions.id })
    .from(chainTransactions)
    .where(
      and(
        eq(chainTransactions.networkId, networkId),
        eq(chainTransactions.fromAddress, from),
        eq(chainTransactions.unsigned, unsigned),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Stores the bytes once, sealed, by compare-and-set. False when it is no longer `built`. */
export async function storeSigned(
  db: Database,
  seals: Seals,
  { id, withdrawalId }: Pick<ChainTransactionRow, 'id' | 'withdrawalId'>,
  { signed, txHash }: { signed: string; txHash: string },
): Promise<boolean> {
  const content = { id, withdrawal_id: withdrawalId, signed, tx_hash: txHash };
  const signedSeal = seals.seal('signed_transaction', content);
  return advanceChainTransaction(db, id, { from: 'built', to: 'signed', fields: { signed, txHash, signedSeal } });
}

/** In order: the last one is that which stands for the withdrawal now. */
export async function listChainTransactions(
  db: Database | Transaction,
  withdrawalId: string,
): Promise<ChainTransactionRow[]> {
  return db
    .select()
    .from(chainTransactions)
    .where(eq(chainTransactions.withdrawalId, withdrawalId))
    .orderBy(asc(chainTransactions.ordinal));
}

/**
 * As `listChainTransactions`, where it decides over money. Throws BrokenSealError unless each of them is what this
 * service wrote, and none is missing.
 */
export async function listSealedTransactions(
  db: Database | Transaction,
  seals: Seals,
  withdrawalId: string,
): Promise<ChainTransactionRow[]> {
  const rows = await listChainTransactions(db, withdrawalId);
  for (const [ordinal, row] of rows.entries()) {
    if (row.ordinal !== ordinal) throw new BrokenSealError('chain_transaction', `${withdrawalId}/${ordinal}`);
    sealedChainTransactions.assert(seals, row);
    sealedSignedTransactions.assert(seals, row);
  }
  return rows;
}

/**
 * Those that stood in a block from `first` on, of withdrawals that have ended by them; in the order of their nonces.
 */
export async function listSettledFrom(db: Database, networkId: string, first: number): Promise<ChainTransactionRow[]> {
  const rows = await db
    .select({ row: chainTransactions })
    .from(chainTransactions)
    .innerJoin(withdrawals, eq(withdrawals.id, chainTransactions.withdrawalId))
    .where(
      and(
        eq(withdrawals.networkId, networkId),
        gte(withdrawals.blockNumber, first),
        inArray(withdrawals.status, ['completed', 'failed']),
        eq(chainTransactions.status, 'included'),
      ),
    )
    .orderBy(asc(chainTransactions.fromAddress), asc(chainTransactions.nonce), asc(chainTransactions.createdAt));
  return rows.map(({ row }) => row);
}

interface ChainTransactionMove {
  from: ChainTransactionStatus;
  to: ChainTransactionStatus;
  fields?: Partial<Pick<ChainTransactionRow, 'signed' | 'txHash' | 'signedSeal'>>;
}

/** Moves a transaction along one arrow, by compare-and-set. False when it no longer stood at `from`. */
export async function advanceChainTransaction(
  tx: Database | Transaction,
  id: string,
  { from, to, fields }: ChainTransactionMove,
): Promise<boolean> {
  assertArrow(chainTransactionArrows, from, to);
  const moved = await tx
    .update(chainTransactions)
    .set({ ...fields, status: to, updatedAt: sql`now()` })
    .where(and(eq(chainTransactions.id, id), eq(chainTransactions.status, from)))
    .returning({ id: chainTransactions.id });
  return moved.length === 1;
}

/** Whether a withdrawal has a transaction of this hash. */
export async function isSent(tx: Database | Transaction, networkId: string, txHash: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: chainTransactions.id })
    .from(chainTransactions)
    .where(and(eq(chainTransactions.networkId, networkId), eq(chainTransactions.txHash, txHash)))
    .limit(1);
  return row !== undefined;
}
