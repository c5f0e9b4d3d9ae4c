// The transactional outbox: a workflow that must start is a row committed with its operation, and the row goes only after a confirmed start.
import { inArray, lt, sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';
import type { Database, Transaction } from './database.ts';

export const outbox = pgTable(
  'outbox',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    workflow: text('workflow').notNull(),
    workflowId: uuid('workflow_id').notNull(),
    input: jsonb('input').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('outbox_created').on(table.createdAt)],
);

export interface OutboxEntry {
  id: bigint;
  workflow: string;
  workflowId: string;
  input: unknown;
}

export async function insertOutboxEntry(
  tx: Transaction,
  entry: { workflow: string; workflowId: string; input: unknown },
): Promise<OutboxEntry> {
  const [row] = await tx.insert(outbox).values(entry).returning({ id: outbox.id });
  if (row === undefined) throw new Error('an insert returned no row');
  return { id: row.id, ...entry };
}

export async function deleteOutboxEntries(db: Database, ids: readonly bigint[]): Promise<void> {
  if (ids.length > 0) await db.delete(outbox).where(inArray(outbox.id, [...ids]));
}

/** Entries that nobody has started for `olderThanMs`, oldest first. */
export async function listOverdueOutboxEntries(
  db: Database,
  olderThanMs: number,
  limit: number,
): Promise<OutboxEntry[]> {
  return db
    .select({ id: outbox.id, workflow: outbox.workflow, workflowId: outbox.workflowId, input: outbox.input })
    .from(outbox)
    .where(lt(outbox.createdAt, sql`now() - ${olderThanMs} * interval '1 millisecond'`))
    .orderBy(outbox.createdAt)
    .limit(limit);
}
