// Changes of users and API keys, and of freezes, that wait for another user's approval: what will be done, exactly, and
// never a secret. Makes none of them.
import { and, eq, sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { authorityChangeKinds, authorityChangeStatuses } from '../../domain/statuses.ts';
import type { ChangeDetails } from '../../domain/users/authority-change.ts';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf, type Page, selectPage } from '../database/page.ts';
import { workspaces } from '../workspaces/workspaces.ts';

export const authorityChanges = pgTable(
  'authority_changes',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    kind: text('kind', { enum: authorityChangeKinds }).notNull(),
    /** The user or the API key that is made or changed; the wallet or the workspace that is unfrozen. */
    targetId: uuid('target_id').notNull(),
    /** The user who is made or changed, or whose key is; of unfreezing the one who asked. */
    userId: uuid('user_id').notNull(),
    /** Without any secret: shown to who approves. */
    details: jsonb('details').$type<ChangeDetails>().notNull(),
    status: text('status', { enum: authorityChangeStatuses }).notNull().default('pending'),
    createdBy: uuid('created_by').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('authority_changes_workspace').on(table.workspaceId, table.createdAt, table.id),
    index('authority_changes_workspace_updated').on(table.workspaceId, table.updatedAt, table.id),
  ],
);

export type AuthorityChangeRow = typeof authorityChanges.$inferSelect;
export type NewAuthorityChange = Omit<typeof authorityChanges.$inferInsert, 'status' | 'createdAt' | 'updatedAt'>;

export async function insertAuthorityChange(tx: Transaction, change: NewAuthorityChange): Promise<AuthorityChangeRow> {
  const [row] = await tx.insert(authorityChanges).values(change).returning();
  if (row === undefined) throw new Error('an insert returned no row');
  return row;
}

export async function findAuthorityChange(
  db: Database | Transaction,
  workspaceId: string,
  id: string,
): Promise<AuthorityChangeRow | undefined> {
  const [row] = await db
    .select()
    .from(authorityChanges)
    .where(and(eq(authorityChanges.id, id), eq(authorityChanges.workspaceId, workspaceId)));
  return row;
}

/** Held against other decisions until the transaction ends. */
export async function lockAuthorityChange(tx: Transaction, id: string): Promise<AuthorityChangeRow | undefined> {
  const [row] = await tx.select().from(authorityChanges).where(eq(authorityChanges.id, id)).for('update');
  return row;
}

/** One row more than the page asks for, when there is one. */
export async function listAuthorityChanges(
  db: Database,
  {
    workspaceId,
    statuses,
    userId,
  }: { workspaceId: string; statuses?: readonly string[] | undefined; userId?: string | undefined },
  page: Page,
): Promise<AuthorityChangeRow[]> {
  const where = [
    eq(authorityChanges.workspaceId, workspaceId),
    ...(userId === undefined ? [] : [eq(authorityChanges.userId, userId)]),
    ...(statuses === undefined ? [] : [anyOf(authorityChanges.status, statuses)]),
  ];
  return selectPage(db, authorityChanges, { where, page });
}

/** By compare-and-set. False when it had ended before. */
export async function endAuthorityChange(tx: Transaction, id: string, to: 'approved' | 'rejected'): Promise<boolean> {
  const ended = await tx
    .update(authorityChanges)
    .set({ status: to, updatedAt: sql`now()` })
    .where(and(eq(authorityChanges.id, id), eq(authorityChanges.status, 'pending')))
    .returning({ id: authorityChanges.id });
  return ended.length === 1;
}

/** What an approval is of: all of it. */
export const authorityChangeContent = (row: AuthorityChangeRow) => ({
  kind: 'authority_change',
  id: row.id,
  workspace_id: row.workspaceId,
  change: row.kind,
  target_id: row.targetId,
  user_id: row.userId,
  details: row.details,
  created_by: row.createdBy,
});
