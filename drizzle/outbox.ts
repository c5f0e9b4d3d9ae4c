// The transactional outbox: a workflow that must start, or hear of a change, is a row committed with the operation, and the row goes only after Temporal has
// confirmed it.
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
    /** Sent to the workflow, which is started by it when it does not run yet. */
    signal: text('signal'),
    /** The W3C traceparent of the request, while requests are traced. */
    traceContext: text('trace_context'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('outbox_created').on(table.createdAt)],
);

export interface OutboxEntry {
  id: bigint;
  workflow: string;
  workflowId: string;
  input: unknown;
  signal?: string | null;
  traceContext?: string | null;
}

export async function insertOutboxEntry(tx: Transaction, entry: Omit<OutboxEntry, 'id'>): Promise<OutboxEntry> {
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
    .select({
      id: outbox.id,
      workflow: outbox.workflow,
      workflowId: outbox.workflowId,
      input: outbox.input,
      signal: outbox.signal,
      traceContext: outbox.traceContext,
    })
    .from(outbox)
    .where(lt(outbox.createdAt, sql`now() - ${olderThanMs} * interval '1 millisecond'`))
    .orderBy(outbox.createdAt)
    .limit(limit);
}
