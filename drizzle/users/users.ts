// Users: the people and programs of a workspace, each with keys of its own. Approvals count users, so that two keys of
// one user are one voter.
import { and, eq, sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { userStatuses } from '../../domain/statuses.ts';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { type Page, selectPage } from '../database/page.ts';
import { sealedTable } from '../seals/sealed-tables.ts';
import type { Sealing } from '../seals/sealing.ts';
import type { SealedContent } from '../seals/seals.ts';
import { workspaces } from '../workspaces/workspaces.ts';

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    email: text('email'),
    /** None of a disabled user's keys authenticates, and none of its votes counts. */
    status: text('status', { enum: userStatuses }).notNull().default('active'),
    /** The id of the user who made it, or `operator`. */
    createdBy: text('created_by').notNull(),
    seal: text('seal'),
    sealVersion: integer('seal_version').notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('users_workspace').on(table.workspaceId, table.createdAt, table.id),
    index('users_workspace_updated').on(table.workspaceId, table.updatedAt, table.id),
  ],
);

export type UserRow = typeof users.$inferSelect;
export type NewUser = Pick<UserRow, 'id' | 'workspaceId' | 'name' | 'createdBy'> & { email?: string | null };

const sealedContentOf = (row: Pick<UserRow, 'id' | 'workspaceId' | 'status' | 'sealVersion'>): SealedContent => ({
  id: row.id,
  workspace_id: row.workspaceId,
  status: row.status,
  version: row.sealVersion,
});

export const sealedUsers = sealedTable<UserRow>({
  kind: 'user',
  table: users,
  key: [users.id],
  seal: users.seal,
  sealOf: (row) => row.seal,
  contentOf: sealedContentOf,
});

export async function insertUser(tx: Transaction, { seals, note }: Sealing, user: NewUser): Promise<UserRow> {
  const versioned = { ...user, status: 'active', sealVersion: 1 } as const;
  const seal = seals.seal('user', sealedContentOf(versioned));
  const [row] = await tx
    .insert(users)
    .values({ ...versioned, seal })
    .returning();
  if (row === undefined) throw new Error('an insert returned no row');
  note({ kind: 'user', id: row.id, version: row.sealVersion });
  return row;
}

export async function findUser(
  db: Database | Transaction,
  workspaceId: string,
  id: string,
): Promise<UserRow | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), eq(users.workspaceId, workspaceId)));
  return row;
}

/** One row more than the page asks for, when there is one. */
export async function listUsers(db: Database, workspaceId: string, page: Page): Promise<UserRow[]> {
  return selectPage(db, users, { where: [eq(users.workspaceId, workspaceId)], page });
}

/** Throws BrokenSealError for a row that somebody else has written. */
export async function changeUser(
  tx: Transaction,
  { seals, note }: Sealing,
  id: string,
  change: Partial<Pick<UserRow, 'name' | 'status'>>,
): Promise<UserRow> {
  const [before] = await tx.select().from(users).where(eq(users.id, id)).for('update');
  if (before === undefined) throw new Error('a user who was found is not there');
  sealedUsers.assert(seals, before);
  const after = { ...before, ...change, sealVersion: before.sealVersion + 1 };
  const seal = seals.seal('user', sealedContentOf(after));
  const [row] = await tx
    .update(users)
    .set({ ...change, sealVersion: after.sealVersion, seal, updatedAt: sql`now()` })
    .where(eq(users.id, id))
    .returning();
  if (row === undefined) throw new Error('a user who was locked is not there');
  note({ kind: 'user', id, version: row.sealVersion });
  return row;
}
