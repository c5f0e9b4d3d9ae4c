// Workspaces: the tenants. Made by an operator's command, never over HTTP.
import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';
import type { Transaction } from './database.ts';

export const workspaces = pgTable('workspaces', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  /** Set while an operator holds every withdrawal and signature of the workspace back. */
  withdrawalsFrozenAt: moment('withdrawals_frozen_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
});

export async function insertWorkspace(tx: Transaction, workspace: { id: string; name: string }): Promise<void> {
  await tx.insert(workspaces).values(workspace);
}
