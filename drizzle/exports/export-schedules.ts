// Schedules of exports: what is exported, when, and by whose key. The row is the truth; the schedule in Temporal is
// made of it (src/worker/apply-export-schedules.ts) and may start nothing that the row does not allow.
import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { exportContents, exportFormats } from '../../domain/exports/export-contents.ts';
import { exportWindows } from '../../domain/exports/schedule-times.ts';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { arrayOf, type Page, selectPage } from '../database/page.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import type { ExportFilter } from './exports.ts';

export const exportScheduleStatuses = ['active', 'paused', 'deleted'] as const;
export type ExportScheduleStatus = (typeof exportScheduleStatuses)[number];
/** `key_refused`: the key that made it is gone, or may no longer read what is exported. */
export const exportSchedulePauses = ['asked_for', 'key_refused'] as const;

export const exportSchedules = pgTable(
  'export_schedules',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    content: text('content', { enum: exportContents }).notNull(),
    format: text('format', { enum: exportFormats }).notNull(),
    walletIds: uuid('wallet_ids').array(),
    cron: text('cron').notNull(),
    timeZone: text('time_zone').notNull(),
    /** Null for everything until the moment at which it is due. */
    timeWindow: text('time_window', { enum: exportWindows }),
    status: text('status', { enum: exportScheduleStatuses }).notNull().default('active'),
    pausedReason: text('paused_reason', { enum: exportSchedulePauses }),
    /** The API key by whose rights it exports: that which made it, or resumed it last. */
    requestedBy: uuid('requested_by').notNull(),
    /** Nothing that was due before is made up for. */
    activeSince: moment('active_since').notNull().defaultNow(),
    /** The newest moment for which an export was made, or left out. */
    lastScheduledFor: moment('last_scheduled_for'),
    /** Counts the changes of the row, and which of them Temporal has. */
    revision: integer('revision').notNull().default(1),
    appliedRevision: integer('applied_revision').notNull().default(0),
    appliedAt: moment('applied_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('export_schedules_workspace_created').on(table.workspaceId, table.createdAt, table.id),
    index('export_schedules_workspace_updated').on(table.workspaceId, table.updatedAt, table.id),
    index('export_schedules_applied').on(table.appliedAt),
  ],
);

export type ExportScheduleRow = typeof exportSchedules.$inferSelect;

const isThere = (workspaceId: string, id: string) =>
  and(eq(exportSchedules.id, id), eq(exportSchedules.workspaceId, workspaceId), ne(exportSchedules.status, 'deleted'));

export async function findExportSchedule(
  db: Database | Transaction,
  workspaceId: string,
  id: string,
): Promise<ExportScheduleRow | undefined> {
  const [row] = await db.select().from(exportSchedules).where(isThere(workspaceId, id));
  return row;
}

/** The same, and nobody changes it until the transaction ends. */
export async function lockExportSchedule(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<ExportScheduleRow | undefined> {
  const [row] = await tx.select().from(exportSchedules).where(isThere(workspaceId, id)).for('update');
  return row;
}

/** One row more than the page asks for, when there is one. */
export async function listExportSchedules(
  db: Database,
  { workspaceId, contents, withinWallets }: ExportFilter,
  page: Page,
): Promise<ExportScheduleRow[]> {
  const where: SQL[] = [
    eq(exportSchedules.workspaceId, workspaceId),
    ne(exportSchedules.status, 'deleted'),
    sql`${exportSchedules.content} = any(${arrayOf('text', contents)})`,
    ...(withinWallets === undefined ? [] : [sql`${exportSchedules.walletIds} <@ ${arrayOf('uuid', withinWallets)}`]),
  ];
  return selectPage(db, exportSchedules, { where, page });
}

export async function countExportSchedules(tx: Transaction, workspaceId: string): Promise<number> {
  return tx.$count(
    exportSchedules,
    and(eq(exportSchedules.workspaceId, workspaceId), ne(exportSchedules.status, 'deleted')),
  );
}

export async function insertExportSchedule(
  tx: Transaction,
  row: typeof exportSchedules.$inferInsert,
): Promise<ExportScheduleRow> {
  const [inserted] = await tx.insert(exportSchedules).values(row).returning();
  if (inserted === undefined) throw new Error('an insert returned no row');
  return inserted;
}

/** Of a row that the transaction has locked. */
export async function changeExportSchedule(
  tx: Transaction,
  id: string,
  fields: Partial<ExportScheduleRow>,
): Promise<ExportScheduleRow> {
  const [changed] = await tx
    .update(exportSchedules)
    .set({ ...fields, revision: sql`${exportSchedules.revision} + 1`, updatedAt: sql`now()` })
    .where(eq(exportSchedules.id, id))
    .returning();
  if (changed === undefined) throw new Error('a schedule that was locked is gone');
  return changed;
}

/** That an export was made for this moment, or left out. Temporal need not hear of it. */
export async function noteScheduledFor(tx: Transaction, id: string, lastScheduledFor: Date): Promise<void> {
  await tx.update(exportSchedules).set({ lastScheduledFor }).where(eq(exportSchedules.id, id));
}

/** Those of which Temporal does not have the last change, and those at which nobody has looked for so long. */
export async function listSchedulesToApply(db: Database, everyMs: number, limit: number): Promise<ExportScheduleRow[]> {
  return db
    .select()
    .from(exportSchedules)
    .where(
      sql`${exportSchedules.revision} <> ${exportSchedules.appliedRevision} or ${exportSchedules.appliedAt} is null
        or ${exportSchedules.appliedAt} < now() - ${everyMs} * interval '1 millisecond'`,
    )
    .orderBy(sql`${exportSchedules.appliedAt} nulls first`)
    .limit(limit);
}

/** Of this revision alone: what has changed since is applied again. */
export async function noteApplied(db: Database, { id, revision }: ExportScheduleRow): Promise<void> {
  await db
    .update(exportSchedules)
    .set({ appliedRevision: revision, appliedAt: sql`now()` })
    .where(and(eq(exportSchedules.id, id), eq(exportSchedules.revision, revision)));
}

/** Once Temporal has none of it. */
export async function removeDeletedSchedule(db: Database, id: string): Promise<void> {
  await db.delete(exportSchedules).where(and(eq(exportSchedules.id, id), eq(exportSchedules.status, 'deleted')));
}
