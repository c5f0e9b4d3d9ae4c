// Users: the people and programs of a workspace, each with keys of its own. Approvals count users, so that two keys of one user are one voter.
import { and, eq, sql } from 'drizzle-orm';
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';
import type { Database, Transaction } from './database.ts';
import { type Page, selectPage } from './page.ts';
import { userStatuses } from './status.ts';
import { workspaces } from './workspaces.ts';

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

export async function insertUser(tx: Transaction, user: NewUser): Promise<UserRow> {
  const [row] = await tx.insert(users).values(user).returning();
  if (row === undefined) throw new Error('an insert returned no row');
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
  return selectPage(db, users, [eq(users.workspaceId, workspaceId)], [], page);
}

export async function changeUser(
  tx: Transaction,
  id: string,
  change: Partial<Pick<UserRow, 'name' | 'status'>>,
): Promise<UserRow> {
  const [row] = await tx
    .update(users)
    .set({ ...change, updatedAt: sql`now()` })
    .where(eq(users.id, id))
    .returning();
  if (row === undefined) throw new Error('a user who was found is not there');
  return row;
}
