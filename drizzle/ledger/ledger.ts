// The double-entry ledger: what each wallet holds of each asset, as events whose entries sum to zero. Triggers of the
// database (migrations/) keep an account's balance with its entries, refuse an event that does not balance at the
// commit, and let no entry be changed or deleted.
import { and, asc, eq, sql } from 'drizzle-orm';
import { bigint, foreignKey, index, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { type LedgerAccountKind, ledgerAccountKinds } from '../../domain/statuses.ts';
import { baseUnits, moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf } from '../database/page.ts';
import { assets } from '../networks/assets.ts';
import { wallets } from '../wallets/wallets.ts';

/** `outside` is the rest of the world: minus what the wallet has of the asset in all. */
export const ledgerAccounts = pgTable(
  'ledger_accounts',
  {
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id),
    assetId: uuid('asset_id')
      .notNull()
      .references(() => assets.id),
    kind: text('kind', { enum: ledgerAccountKinds }).notNull(),
    balance: baseUnits('balance').notNull().default(sql`0`),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.walletId, table.assetId, table.kind] })],
);

export const ledgerEventKinds = [
  'deposit_seen',
  'deposit_confirmed',
  'deposit_unseen',
  'deposit_reversed',
  'withdrawal_held',
  'fee_held',
  'withdrawal_settled',
  'withdrawal_released',
  'departure_booked',
  'departure_reversed',
] as const;
export type LedgerEventKind = (typeof ledgerEventKinds)[number];

export const ledgerEvents = pgTable(
  'ledger_events',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind', { enum: ledgerEventKinds }).notNull(),
    /** The withdrawal, deposit or departure. */
    subjectId: uuid('subject_id').notNull(),
    /** Which time, for what may happen again: a fee that is raised, a deposit that was mined anew. */
    occurrence: bigint('occurrence', { mode: 'number' }).notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [unique('ledger_events_once').on(table.subjectId, table.kind, table.occurrence)],
);

export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    eventId: bigint('event_id', { mode: 'bigint' })
      .notNull()
      .references(() => ledgerEvents.id),
    walletId: uuid('wallet_id').notNull(),
    assetId: uuid('asset_id').notNull(),
    kind: text('kind', { enum: ledgerAccountKinds }).notNull(),
    amount: baseUnits('amount').notNull(),
  },
  (table) => [
    foreignKey({
      name: 'ledger_entries_account_fk',
      columns: [table.walletId, table.assetId, table.kind],
      foreignColumns: [ledgerAccounts.walletId, ledgerAccounts.assetId, ledgerAccounts.kind],
    }),
    index('ledger_entries_event').on(table.eventId),
    index('ledger_entries_account').on(table.walletId, table.assetId, table.kind),
  ],
);

/** Base units from one account of a wallet to another. */
export interface Movement {
  assetId: string;
  from: LedgerAccountKind;
  to: LedgerAccountKind;
  amount: bigint;
}

export interface LedgerEvent {
  kind: LedgerEventKind;
  subjectId: string;
  occurrence?: number;
  walletId: string;
  movements: readonly Movement[];
}

/** The available balance does not suffice. Only what a chain has done may take it below zero. */
export class InsufficientFunds extends Error {
  override name = 'InsufficientFunds';
}

const CHECK_VIOLATION = '23514';

/**
 * Posts an event once: false when it is posted already, and then nothing is changed. Throws InsufficientFunds, after
 * which the transaction can only be rolled back.
 */
export async function postLedgerEvent(tx: Transaction, event: LedgerEvent): Promise<boolean> {
  const { kind, subjectId, occurrence = 0, walletId } = event;
  const [posted] = await tx
    .insert(ledgerEvents)
    .values({ kind, subjectId, occurrence })
    .onConflictDoNothing()
    .returning({ id: ledgerEvents.id });
  if (posted === undefined) return false;
  const entries = event.movements
    .filter(({ amount }) => amount > 0n)
    .flatMap(({ assetId, from, to, amount }) => [
      { eventId: posted.id, walletId, assetId, kind: from, amount: -amount },
      { eventId: posted.id, walletId, assetId, kind: to, amount },
    ])
    .sort(byAccount);
  if (entries.length === 0) return true;
  const accounts = entries.map(({ assetId, kind: account }) => ({ walletId, assetId, kind: account }));
  await tx.insert(ledgerAccounts).values(accounts).onConflictDoNothing();
  await lockAccounts(tx, walletId, [...new Set(accounts.map((account) => account.assetId))]);
  try {
    await tx.insert(ledgerEntries).values(entries);
  } catch (error) {
    if (codeOf(error) === CHECK_VIOLATION) throw new InsufficientFunds('the available balance does not suffice');
    throw error;
  }
  return true;
}

/**
 * All that a wallet has of these assets, in one order, before any of it changes: a transaction that posts a second
 * event of them has its locks already, and two wait for each other, never both ways.
 */
async function lockAccounts(tx: Transaction, walletId: string, assetIds: readonly string[]): Promise<void> {
  await tx
    .select({ kind: ledgerAccounts.kind })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.walletId, walletId), anyOf(ledgerAccounts.assetId, assetIds)))
    .orderBy(asc(ledgerAccounts.assetId), asc(ledgerAccounts.kind))
    .for('no key update');
}

/** New accounts are made in one order as well. */
const byAccount = (one: { assetId: string; kind: string }, other: { assetId: string; kind: string }) =>
  `${one.assetId} ${one.kind}` < `${other.assetId} ${other.kind}` ? -1 : 1;

const codeOf = (error: unknown): unknown =>
  (error as { code?: unknown }).code ?? (error as { cause?: { code?: unknown } }).cause?.code;

export async function readLedgerBalance(
  db: Database | Transaction,
  walletId: string,
  assetId: string,
  kind: LedgerAccountKind,
): Promise<bigint> {
  const [account] = await db
    .select({ balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(
      and(eq(ledgerAccounts.walletId, walletId), eq(ledgerAccounts.assetId, assetId), eq(ledgerAccounts.kind, kind)),
    );
  return account?.balance ?? 0n;
}

/**
 * Sums that must all be zero: of every event and asset, and of every account against its entries. Names what is not.
 * For tests and the reconciliation.
 */
export async function findLedgerImbalances(db: Database): Promise<string[]> {
  const rows = await db.execute<{ what: string }>(sql`
    select 'event ' || event_id || ' asset ' || asset_id as what from ledger_entries group by event_id, asset_id having sum(amount) <> 0
    union all
    select 'account ' || a.wallet_id || ' ' || a.asset_id || ' ' || a.kind from ledger_accounts a
      left join ledger_entries e on (e.wallet_id, e.asset_id, e.kind) = (a.wallet_id, a.asset_id, a.kind)
      group by a.wallet_id, a.asset_id, a.kind, a.balance having a.balance <> coalesce(sum(e.amount), 0)`);
  return [...rows].map(({ what }) => what);
}
