// The policies of a workspace, every version that was ever asked for, and its address book.
import { and, eq, max, sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { PolicyDocument } from '../../domain/policies/policy-document.ts';
import { addressStatuses, policyStatuses } from '../../domain/statuses.ts';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf, type Page, selectPage } from '../database/page.ts';
import { preparedQuery } from '../database/prepared-query.ts';
import { networks } from '../networks/networks.ts';
import { sealedTable } from '../seals/sealed-tables.ts';
import type { Sealing } from '../seals/sealing.ts';
import type { SealedContent, Seals } from '../seals/seals.ts';
import { workspaces } from '../workspaces/workspaces.ts';

export const policies = pgTable(
  'policies',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    version: integer('version').notNull(),
    document: jsonb('document').$type<PolicyDocument>().notNull(),
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

/** What a seal of a version is over. */
const policyContentOf = ({ id, workspaceId, version, document, status, createdBy, sealVersion }: PolicyRow) =>
  ({
    ...{ id, workspace_id: workspaceId, version, document, status, created_by: createdBy },
    seal_version: sealVersion,
  }) satisfies SealedContent;

export const sealedPolicies = sealedTable<PolicyRow>({
  kind: 'policy',
  table: policies,
  key: [policies.id],
  seal: policies.seal,
  sealOf: (row) => row.seal,
  contentOf: policyContentOf,
});

export const holdsPolicy = (seals: Seals, row: PolicyRow): boolean =>
  seals.holds('policy', policyContentOf(row), row.seal);

/** The active version; every version, where none is active. */
const deciding = preparedQuery((db) =>
  db
    .select()
    .from(policies)
    .where(
      and(
        eq(policies.workspaceId, sql.placeholder('workspaceId')),
        sql`(${policies.status} = 'active' or not exists (
          select from policies other where other.workspace_id = ${sql.placeholder('workspaceId')} and other.status = 'active'))`,
      ),
    )
    .prepare('find_deciding_policies'),
);

/**
 * Undefined for a workspace that has never set one; `broken` when somebody else has written it, or has taken the active one away: nothing may be decided by what
 * is left then.
 */
export async function findActivePolicy(
  db: Database | Transaction,
  seals: Seals,
  workspaceId: string,
): Promise<PolicyRow | 'broken' | undefined> {
  const rows = await deciding(db).execute({ workspaceId });
  const areAllOurs = rows.every((row) => seals.counts('policy', row.id, policyContentOf(row), row.seal));
  return areAllOurs ? rows.find(({ status }) => status === 'active') : 'broken';
}

/** Whether or not its seal holds: for who puts another one in its place. */
export async function findActivePolicyId(tx: Transaction, workspaceId: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ id: policies.id })
    .from(policies)
    .where(and(eq(policies.workspaceId, workspaceId), eq(policies.status, 'active')));
  return row?.id;
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

type NewPolicy = Pick<PolicyRow, 'id' | 'workspaceId' | 'document' | 'createdBy'> & { status: 'active' | 'pending' };

/** The next version. To be called with the workspace locked. */
export async function insertPolicy(tx: Transaction, { seals, note }: Sealing, policy: NewPolicy): Promise<PolicyRow> {
  const [newest] = await tx
    .select({ version: max(policies.version) })
    .from(policies)
    .where(eq(policies.workspaceId, policy.workspaceId));
  const versioned = { ...policy, version: (newest?.version ?? 0) + 1, sealVersion: 1 };
  const seal = seals.seal('policy', policyContentOf(versioned as PolicyRow));
  const [row] = await tx
    .insert(policies)
    .values({ ...versioned, seal })
    .returning();
  if (row === undefined) throw new Error('an insert returned no row');
  note({ kind: 'policy', id: row.id, version: row.sealVersion });
  return row;
}

/** By compare-and-set. False when it no longer stood at `from`. Throws BrokenSealError for one that would come into force and that somebody else has written. */
export async function advancePolicy(
  tx: Transaction,
  { seals, note }: Sealing,
  id: string,
  from: 'pending' | 'active',
  to: 'active' | 'superseded' | 'rejected',
): Promise<boolean> {
  const isAtFrom = and(eq(policies.id, id), eq(policies.status, from));
  const [before] = await tx.select().from(policies).where(isAtFrom).for('update');
  if (before === undefined) return false;
  if (to === 'active') seals.assert('policy', id, policyContentOf(before), before.seal);
  const sealVersion = before.sealVersion + 1;
  const seal = seals.seal('policy', policyContentOf({ ...before, status: to, sealVersion }));
  await tx.update(policies).set({ status: to, sealVersion, seal, updatedAt: sql`now()` }).where(eq(policies.id, id));
  note({ kind: 'policy', id, version: sealVersion });
  return true;
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

/** What a seal of an entry is over. */
const addressContentOf = (row: AddressBookRow) =>
  ({
    ...{ id: row.id, workspace_id: row.workspaceId, network_id: row.networkId, address: row.address, label: row.label },
    ...{ status: row.status, created_by: row.createdBy, seal_version: row.sealVersion },
  }) satisfies SealedContent;

export const sealedAddresses = sealedTable<AddressBookRow>({
  kind: 'address_book_entry',
  table: addressBook,
  key: [addressBook.id],
  seal: addressBook.seal,
  sealOf: (row) => row.seal,
  contentOf: addressContentOf,
});

export const holdsAddress = (seals: Seals, row: AddressBookRow): boolean =>
  seals.holds('address_book_entry', addressContentOf(row), row.seal);

/** As `holdsAddress`, and reports one that does not. */
export const addressCounts = (seals: Seals, row: AddressBookRow): boolean =>
  seals.counts('address_book_entry', row.id, addressContentOf(row), row.seal);

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

/** By compare-and-set. False when it is active already, or not there. Throws BrokenSealError for an entry that somebody else has written. */
export async function activateAddress(tx: Transaction, { seals, note }: Sealing, id: string): Promise<boolean> {
  const before = await lockAddress(tx, id);
  if (before?.status !== 'pending') return false;
  seals.assert('address_book_entry', id, addressContentOf(before), before.seal);
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
  return selectPage(db, addressBook, where, [], page);
}
