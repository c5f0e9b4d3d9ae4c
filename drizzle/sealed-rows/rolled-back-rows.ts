// Rows that stand at an older sealed version than the audit log knows, or are gone, as they were found. What is found
// is for an operator to look into: it stays open, and its workspace frozen, until he says what it was. Finds nothing
// itself.
import { and, desc, eq, gte, isNull, sql } from 'drizzle-orm';
import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { arrayText } from '../database/page.ts';
import { preparedQuery } from '../database/prepared-query.ts';
import type { SealedContent, SealedKind, Seals } from '../seals/seals.ts';

export const setBackRows = pgTable(
  'set_back_rows',
  {
    /** No reference, since the workspace itself may be gone. */
    workspaceId: uuid('workspace_id').notNull(),
    kind: text('kind').notNull(),
    rowId: text('row_id').notNull(),
    /** The newest version that an audit entry tells of. */
    expectedVersion: integer('expected_version').notNull(),
    /** The version that stands there; 0 when there is no such row. */
    foundVersion: integer('found_version').notNull(),
    foundAt: moment('found_at').notNull().defaultNow(),
    resolvedAt: moment('resolved_at'),
    /** What the operator found out. */
    resolution: text('resolution'),
    /** Of the resolution: whoever set the row back could call it resolved as well. */
    seal: text('seal'),
  },
  (table) => [
    primaryKey({
      columns: [table.workspaceId, table.kind, table.rowId, table.expectedVersion, table.foundVersion],
    }),
  ],
);

export type SetBackRow = typeof setBackRows.$inferSelect;
export type SetBack = Pick<SetBackRow, 'workspaceId' | 'kind' | 'rowId' | 'expectedVersion' | 'foundVersion'>;

const contentOf = ({ workspaceId, kind, rowId, expectedVersion, foundVersion, resolution }: SetBackRow) =>
  ({
    workspace_id: workspaceId,
    kind,
    row_id: rowId,
    expected_version: expectedVersion,
    found_version: foundVersion,
    resolution,
  }) satisfies SealedContent;

export const isResolved = (seals: Seals, row: SetBackRow): boolean =>
  row.resolvedAt !== null && seals.holds('resolution', contentOf(row), row.seal);

const isRow = ({ workspaceId, kind, rowId, expectedVersion, foundVersion }: SetBack) =>
  and(
    eq(setBackRows.workspaceId, workspaceId),
    eq(setBackRows.kind, kind),
    eq(setBackRows.rowId, rowId),
    eq(setBackRows.expectedVersion, expectedVersion),
    eq(setBackRows.foundVersion, foundVersion),
  );

/** Answers the finding as it stands, and whether it is new. */
export async function recordSetBack(tx: Transaction, found: SetBack): Promise<{ row: SetBackRow; isNew: boolean }> {
  const [inserted] = await tx.insert(setBackRows).values(found).onConflictDoNothing().returning();
  if (inserted !== undefined) return { row: inserted, isNew: true };
  const [row] = await tx.select().from(setBackRows).where(isRow(found));
  if (row === undefined) throw new Error('a finding that conflicted is not there');
  return { row, isNew: false };
}

/**
 * Whether an operator has resolved that the row was set back to this version: the change that mends it has a version
 * that was told before.
 */
export async function isMended(tx: Transaction, seals: Seals, found: SetBack): Promise<boolean> {
  const { workspaceId, kind, rowId, foundVersion } = found;
  const rows = await tx
    .select()
    .from(setBackRows)
    .where(
      and(
        eq(setBackRows.workspaceId, workspaceId),
        eq(setBackRows.kind, kind),
        eq(setBackRows.rowId, rowId),
        gte(setBackRows.expectedVersion, foundVersion),
      ),
    );
  return rows.some((row) => isResolved(seals, row));
}

const foundOf = preparedQuery((db) =>
  db
    .select()
    .from(setBackRows)
    .where(
      and(
        eq(setBackRows.workspaceId, sql.placeholder('workspaceId')),
        sql`${setBackRows.rowId} = any(${sql.placeholder('ids')}::text[])`,
      ),
    )
    .prepare('find_set_back_rows'),
);

/** Whether one of these rows of a workspace was found set back, and no operator has said what it was. */
export async function areSetBack(
  db: Database | Transaction,
  seals: Seals,
  workspaceId: string,
  rows: readonly { kind: SealedKind; id: string }[],
): Promise<boolean> {
  const found = await foundOf(db).execute({ workspaceId, ids: arrayText(rows.map(({ id }) => id)) });
  return found.some(
    (row) => rows.some(({ kind, id }) => kind === row.kind && id === row.rowId) && !isResolved(seals, row),
  );
}

const LISTED_MAX = 1_000;

/** The newest first: those without an end, or all. */
export async function listSetBackRows(db: Database, { all }: { all: boolean }): Promise<SetBackRow[]> {
  const open = all ? undefined : isNull(setBackRows.resolvedAt);
  return db.select().from(setBackRows).where(open).orderBy(desc(setBackRows.foundAt)).limit(LISTED_MAX);
}

/** Undefined when there is none that is open. */
export async function resolveSetBack(
  tx: Transaction,
  seals: Seals,
  id: SetBack,
  resolution: string,
): Promise<SetBackRow | undefined> {
  const [row] = await tx.select().from(setBackRows).where(isRow(id)).for('update');
  if (row === undefined || isResolved(seals, row)) return undefined;
  const after = { ...row, resolution, resolvedAt: new Date() };
  const seal = seals.seal('resolution', contentOf(after));
  await tx.update(setBackRows).set({ resolution, resolvedAt: after.resolvedAt, seal }).where(isRow(id));
  return { ...after, seal };
}
