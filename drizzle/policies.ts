// The policies of a workspace, every version that was ever asked for, and its address book.
import { and, eq, max, sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { builtOnce } from './built-once.ts';
import { moment } from './columns.ts';
import type { Database, Transaction } from './database.ts';
import { networks } from './networks.ts';
import { anyOf, type Page, selectPage } from './page.ts';
import { addressStatuses, policyStatuses } from './status.ts';
import { workspaces } from './workspaces.ts';

export const policies = pgTable(
  'policies',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    version: integer('version').notNull(),
    document: jsonb('document').notNull(),
    status: text('status', { enum: policyStatuses }).notNull(),
    createdBy: uuid('created_by').notNull(),
    seal: text('seal'),
    sealVersion: integer('seal_version').notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    unique('policies_version').on(table.workspaceId, table.version),
    uniqueIndex('policies_active').on(table.workspaceId).where(sql`${table.status} = 'active'`),
    uniqueIndex('policies_pending').on(table.workspaceId).where(sql`${table.status} = 'pending'`),
  ],
);

export type PolicyRow = typeof policies.$inferSelect;

const active = builtOnce((db) =>
  db
    .select()
    .from(policies)
    .where(and(eq(policies.workspaceId, sql.placeholder('workspaceId')), eq(policies.status, 'active')))
    .prepare('find_active_policy'),
);

/** Undefined for a workspace that has never set one. */
export async function findActivePolicy(
  db: Database | Transaction,
  workspaceId: string,
): Promise<PolicyRow | undefined> {
  const [row] = await active(db).execute({ workspaceId });
  return row;
}

/** The change that waits for approvals. There is one at most. */
export async function findPendingPolicy(
  db: Database | Transaction,
  workspaceId: string,
): Promise<PolicyRow | undefined> {
  const [row] = await db
    .select()
    .from(policies)
    .where(and(eq(policies.workspaceId, workspaceId), eq(policies.status, 'pending')));
  return row;
}

/** The next version. To be called with the workspace locked. */
export async function insertPolicy(
  tx: Transaction,
  policy: Omit<typeof policies.$inferInsert, 'version'>,
): Promise<PolicyRow> {
  const [newest] = await tx
    .select({ version: max(policies.version) })
    .from(policies)
    .where(eq(policies.workspaceId, policy.workspaceId));
  const [row] = await tx
    .insert(policies)
    .values({ ...policy, version: (newest?.version ?? 0) + 1 })
    .returning();
  if (row === undefined) throw new Error('an insert returned no row');
  return row;
}

/** By compare-and-set. False when it no longer stood at `from`. */
export async function advancePolicy(
  tx: Transaction,
  id: string,
  from: 'pending' | 'active',
  to: 'active' | 'superseded' | 'rejected',
): Promise<boolean> {
  const moved = await tx
    .update(policies)
    .set({ status: to, updatedAt: sql`now()` })
    .where(and(eq(policies.id, id), eq(policies.status, from)))
    .returning({ id: policies.id });
  return moved.length === 1;
}

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

/** Undefined when the address is in the book already. */
export async function insertAddress(
  tx: Transaction,
  entry: typeof addressBook.$inferInsert,
): Promise<AddressBookRow | undefined> {
  const [row] = await tx.insert(addressBook).values(entry).onConflictDoNothing().returning();
  return row;
}

export async function findAddress(
  tx: Transaction,
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

/** By compare-and-set. False when it is active already, or not there. */
export async function activateAddress(tx: Transaction, id: string): Promise<boolean> {
  const moved = await tx
    .update(addressBook)
    .set({ status: 'active', updatedAt: sql`now()` })
    .where(and(eq(addressBook.id, id), eq(addressBook.status, 'pending')))
    .returning({ id: addressBook.id });
  return moved.length === 1;
}

export async function deleteAddress(tx: Transaction, id: string): Promise<void> {
  await tx.delete(addressBook).where(eq(addressBook.id, id));
}

/** One row more than the page asks for, when there is one. */
export async function listAddresses(
  db: Database,
  { workspaceId, networkIds }: { workspaceId: string; networkIds: readonly string[] | undefined },
  page: Page,
): Promise<AddressBookRow[]> {
  const ofWorkspace = eq(addressBook.workspaceId, workspaceId);
  const where = networkIds === undefined ? [ofWorkspace] : [ofWorkspace, anyOf(addressBook.networkId, networkIds)];
  return selectPage(db, addressBook, where, [], page);
}
