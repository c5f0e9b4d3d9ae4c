// The address book of a workspace: the destinations that a policy may allow by name.
import { and, eq, sql } from 'drizzle-orm';
import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { addressStatuses } from '../../domain/statuses.ts';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf, type Page, selectPage } from '../database/page.ts';
import { networks } from '../networks/networks.ts';
import { sealedTable } from '../seals/sealed-tables.ts';
import type { Sealing } from '../seals/sealing.ts';
import type { SealedContent } from '../seals/seals.ts';
import { workspaces } from '../workspaces/workspaces.ts';

export const addressBook = pgTable(
  'address_book',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    networkId: uuid('network_id')
      .notNull()
      .references(() => networks.id),
    /** In its canonical form. */
    address: text('address').notNull(),
    label: text('label').notNull(),
    /** A pending one counts for nothing until it is approved. */
    status: text('status', { enum: addressStatuses }).notNull().default('active'),
    createdBy: uuid('created_by').notNull(),
    seal: text('seal'),
    sealVersion: integer('seal_version').notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    unique('address_book_address').on(table.workspaceId, table.networkId, table.address),
    index('address_book_workspace_created').on(table.workspaceId, table.createdAt, table.id),
    index('address_book_workspace_updated').on(table.workspaceId, table.updatedAt, table.id),
  ],
);

export type AddressBookRow = typeof addressBook.$inferSelect;

/** What a seal of an entry is over. */
const addressContentOf = (row: AddressBookRow) =>
  ({
    id: row.id,
    workspace_id: row.workspaceId,
    network_id: row.networkId,
    address: row.address,
    label: row.label,
    status: row.status,
    created_by: row.createdBy,
    seal_version: row.sealVersion,
  }) satisfies SealedContent;

export const sealedAddresses = sealedTable<AddressBookRow>({
  kind: 'address_book_entry',
  table: addressBook,
  key: [addressBook.id],
  seal: addressBook.seal,
  sealOf: (row) => row.seal,
  contentOf: addressContentOf,
});

type NewAddress = Omit<AddressBookRow, 'seal' | 'sealVersion' | 'createdAt' | 'updatedAt'>;

/** Undefined when the address is in the book already. */
export async function insertAddress(
  tx: Transaction,
  { seals, note }: Sealing,
  entry: NewAddress,
): Promise<AddressBookRow | undefined> {
  const versioned = { ...entry, sealVersion: 1 };
  const seal = seals.seal('address_book_entry', addressContentOf(versioned as AddressBookRow));
  const [row] = await tx
    .insert(addressBook)
    .values({ ...versioned, seal })
    .onConflictDoNothing()
    .returning();
  if (row !== undefined) note({ kind: 'address_book_entry', id: row.id, version: row.sealVersion });
  return row;
}

export async function findAddress(
  tx: Database | Transaction,
  workspaceId: string,
  id: string,
): Promise<AddressBookRow | undefined> {
  const [row] = await tx
    .select()
    .from(addressBook)
    .where(and(eq(addressBook.id, id), eq(addressBook.workspaceId, workspaceId)));
  return row;
}

/** Held against other changes until the transaction ends. */
export async function lockAddress(tx: Transaction, id: string): Promise<AddressBookRow | undefined> {
  const [row] = await tx.select().from(addressBook).where(eq(addressBook.id, id)).for('update');
  return row;
}

/**
 * By compare-and-set. False when it is active already, or not there. Throws BrokenSealError for an entry that somebody
 * else has written.
 */
export async function activateAddress(tx: Transaction, { seals, note }: Sealing, id: string): Promise<boolean> {
  const before = await lockAddress(tx, id);
  if (before?.status !== 'pending') return false;
  sealedAddresses.assert(seals, before);
  const sealVersion = before.sealVersion + 1;
  const seal = seals.seal('address_book_entry', addressContentOf({ ...before, status: 'active', sealVersion }));
  await tx
    .update(addressBook)
    .set({ status: 'active', sealVersion, seal, updatedAt: sql`now()` })
    .where(eq(addressBook.id, id));
  note({ kind: 'address_book_entry', id, version: sealVersion });
  return true;
}

export async function deleteAddress(tx: Transaction, { note }: Sealing, id: string): Promise<void> {
  const before = await lockAddress(tx, id);
  if (before === undefined) return;
  await tx.delete(addressBook).where(eq(addressBook.id, id));
  note({ kind: 'address_book_entry', id, version: before.sealVersion + 1, gone: true });
}

/** One row more than the page asks for, when there is one. */
export async function listAddresses(
  db: Database,
  { workspaceId, networkIds }: { workspaceId: string; networkIds: readonly string[] | undefined },
  page: Page,
): Promise<AddressBookRow[]> {
  const ofWorkspace = eq(addressBook.workspaceId, workspaceId);
  const where = networkIds === undefined ? [ofWorkspace] : [ofWorkspace, anyOf(addressBook.networkId, networkIds)];
  return selectPage(db, addressBook, { where, page });
}
