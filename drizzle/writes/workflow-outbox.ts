// The transactional outbox: a workflow that must start, or hear of a change, is a row committed with the operation, and
// the row goes only after Temporal has confirmed it.
import { inArray, type SQL, sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { WorkflowInput, WorkflowName } from '../../domain/workflow-inputs.ts';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { preparedQuery, preparedStatement } from '../database/prepared-query.ts';

export const outbox = pgTable(
  'outbox',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    workflow: text('workflow').$type<WorkflowName>().notNull(),
    /** Made by domain/workflow-ids.ts; the bare id of the row in entries of before ids carried the type. */
    workflowId: text('workflow_id').notNull(),
    input: jsonb('input').$type<WorkflowInput>().notNull(),
    /** Sent to the workflow, which is started by it when it does not run yet. */
    signal: text('signal').$type<'changed'>(),
    /** The W3C traceparent of the request, while requests are traced. */
    traceContext: text('trace_context'),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Who takes turns with others. Empty where the input names nobody. */
    workspaceId: text('workspace_id').notNull().generatedAlwaysAs(sql`coalesce(input ->> 'workspaceId', '')`),
  },
  (table) => [
    index('outbox_created').on(table.createdAt),
    index('outbox_workspace_created').on(table.workspaceId, table.createdAt),
  ],
);

export interface OutboxEntry {
  id: bigint;
  workflow: WorkflowName;
  workflowId: string;
  input: WorkflowInput;
  signal?: 'changed' | null;
  traceContext?: string | null;
}

const insertEntry = preparedQuery((db) =>
  db
    .insert(outbox)
    .values({
      workflow: sql.placeholder('workflow'),
      workflowId: sql.placeholder('workflowId'),
      input: sql.placeholder('input'),
      signal: sql.placeholder('signal'),
      traceContext: sql.placeholder('traceContext'),
    })
    .returning({ id: outbox.id })
    .prepare('insert_outbox_entry'),
);

export async function insertOutboxEntry(tx: Transaction, entry: Omit<OutboxEntry, 'id'>): Promise<OutboxEntry> {
  const { workflow, workflowId, input, signal = null, traceContext = null } = entry;
  const [row] = await insertEntry(tx).execute({ workflow, workflowId, input, signal, traceContext });
  if (row === undefined) throw new Error('an insert returned no row');
  return { id: row.id, ...entry };
}

export async function deleteOutboxEntries(db: Database, ids: readonly bigint[]): Promise<void> {
  if (ids.length > 0) await deleteByIds(db).execute({ ids: `{${ids.join(',')}}` });
}

/** One parameter whatever the number of rows, so that the statement stays the same. */
const deleteByIds = preparedStatement<object>(
  () => sql`delete from ${outbox} where ${outbox.id} = any(${sql.placeholder('ids')}::bigint[])`,
);

export interface OverdueQuery {
  olderThanMs: number;
  limit: number;
  /** Workflows of which each workspace gets one a round. */
  paced?: readonly WorkflowName[];
}

/**
 * Entries that nobody has started for `olderThanMs`: of each workspace its oldest one, then of each its second, so that
 * a thousand of one stand before nobody else's. Reads no more than `limit` of each beside those that are paced, and
 * finds the workspaces by the index.
 */
export async function listOverdueOutboxEntries(
  db: Database,
  { olderThanMs, limit, paced = [] }: OverdueQuery,
): Promise<OutboxEntry[]> {
  const isPaced = inArray(outbox.workflow, [...paced]);
  const oldest = (which: SQL, most: number) => sql`(
    select id, created_at
    from outbox
    where workspace_id = owners.workspace_id and created_at < now() - ${olderThanMs} * interval '1 millisecond' and ${which}
    order by created_at limit ${most}
  )`;
  const due = sql`(
    with recursive owners as (
      (select workspace_id from outbox order by workspace_id limit 1)
      union all
      select (select workspace_id from outbox where workspace_id > owners.workspace_id order by workspace_id limit 1)
      from owners where owners.workspace_id is not null
    )
    select line.id, line.turn
    from owners cross join lateral (
      select id, row_number() over (order by created_at) as turn
      from (${oldest(sql`not ${isPaced}`, limit)} union all ${oldest(isPaced, 1)}) next
    ) line
  ) due`;
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
    .innerJoin(due, sql`due.id = ${outbox.id}`)
    .orderBy(sql`due.turn`, outbox.createdAt)
    .limit(limit);
}
