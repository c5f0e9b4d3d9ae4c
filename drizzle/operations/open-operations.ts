// Operations that have been open for long, for whoever asks what became of their workflows. Decides nothing.
import { and, eq, gt, lt, notExists, sql } from 'drizzle-orm';
import type { OperationKind } from '../../domain/workflow-inputs.ts';
import type { Database } from '../database/connection.ts';
import { outbox } from '../writes/workflow-outbox.ts';
import { operationRows } from './operation-kinds.ts';

export interface OpenPage {
  openForMs: number;
  /** Ids are in the order of time: those after this one. */
  afterId: string;
  limit: number;
}

export interface OpenOperation {
  id: string;
  workflowId: string;
}

/** Oldest first, without those whose workflow is not started yet. */
export async function listOpenOperations(db: Database, kind: OperationKind, page: OpenPage): Promise<OpenOperation[]> {
  const { table, isOpen } = operationRows[kind];
  // As workflowIdOfRow has it (domain/workflow-ids.ts).
  const workflowId = sql<string>`coalesce(${table.workflowId}, ${table.id}::text)`;
  const isStarting = db.select({ id: outbox.id }).from(outbox).where(eq(outbox.workflowId, workflowId));
  return db
    .select({ id: sql<string>`${table.id}`, workflowId })
    .from(table)
    .where(
      and(
        isOpen,
        gt(table.id, page.afterId),
        lt(table.createdAt, sql`now() - ${page.openForMs} * interval '1 millisecond'`),
        notExists(isStarting),
      ),
    )
    .orderBy(table.id)
    .limit(page.limit);
}
