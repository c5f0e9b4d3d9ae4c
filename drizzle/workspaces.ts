// Workspaces: the tenants. Made by an operator's command, never over HTTP.
import { and, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm';
import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { mainCluster } from './clusters.ts';
import { moment } from './columns.ts';
import type { Transaction } from './database.ts';
import { momentText, tell } from './events.ts';

export const workspaces = pgTable('workspaces', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  /** Set while an operator holds every withdrawal and signature of the workspace back. */
  withdrawalsFrozenAt: moment('withdrawals_frozen_at'),
  /** Of wallets to come: whose nodes hold their keys. */
  cluster: text('cluster').notNull().default(mainCluster),
  createdAt: moment('created_at').notNull().defaultNow(),
});

export type WorkspaceRow = typeof workspaces.$inferSelect;

export async function insertWorkspace(
  tx: Transaction,
  workspace: { id: string; name: string; cluster?: string },
): Promise<void> {
  await tx.insert(workspaces).values(workspace);
}

export async function findWorkspace(tx: Transaction, id: string): Promise<WorkspaceRow | undefined> {
  const [row] = await tx.select().from(workspaces).where(eq(workspaces.id, id));
  return row;
}

/** Of wallets to come; those that exist stay where they are. */
export async function setWorkspaceCluster(tx: Transaction, id: string, cluster: string): Promise<void> {
  await tx.update(workspaces).set({ cluster }).where(eq(workspaces.id, id));
}

/** Until the transaction ends, whoever else locks this workspace waits. Rows that refer to it may still be inserted. */
export async function lockWorkspace(tx: Transaction, id: string): Promise<void> {
  await tx.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, id)).for('no key update');
}

const tellFreeze = (frozen: boolean) =>
  tell({
    type: frozen ? 'workspace.withdrawals_frozen' : 'workspace.withdrawals_unfrozen',
    workspaceId: workspaces.id,
    data: {
      workspace_id: workspaces.id,
      withdrawals_frozen: sql`${workspaces.withdrawalsFrozenAt} is not null`,
      frozen_at: momentText(workspaces.withdrawalsFrozenAt),
      updated_at: momentText(sql`now()`),
    },
  });

/** A workspace that is frozen already keeps the moment since when it is, and nothing is told. */
export async function setWithdrawalsFrozen(tx: Transaction, id: string, frozen: boolean): Promise<WorkspaceRow> {
  const { withdrawalsFrozenAt } = workspaces;
  const [changed] = await tx
    .update(workspaces)
    .set({ withdrawalsFrozenAt: frozen ? sql`now()` : null })
    .where(and(eq(workspaces.id, id), frozen ? isNull(withdrawalsFrozenAt) : isNotNull(withdrawalsFrozenAt)))
    .returning({ ...getTableColumns(workspaces), told: tellFreeze(frozen) });
  const row = changed ?? (await findWorkspace(tx, id));
  if (row === undefined) throw new Error('a workspace is not there');
  return row;
}
