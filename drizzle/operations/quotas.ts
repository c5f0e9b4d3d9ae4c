// How much of something a workspace has now, or has had since a window of time began, counted in the transaction that
// would add to it. Decides nothing.
import { sql } from 'drizzle-orm';
import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../database/columns.ts';
import type { Transaction } from '../database/connection.ts';
import { preparedStatement } from '../database/prepared-query.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import { type OperationRows, operationRows } from './operation-kinds.ts';

export const countedQuotas = ['key_generations', 'rescans'] as const;
export type CountedQuota = (typeof countedQuotas)[number];

/**
 * One row for a workspace and a quota: it is counted in its place when the next window begins, so that nothing has to
 * be deleted.
 */
export const quotaCounters = pgTable(
  'quota_counters',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    quota: text('quota', { enum: countedQuotas }).notNull(),
    windowStart: moment('window_start').notNull(),
    used: integer('used').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.quota] })],
);

export interface Counting {
  workspaceId: string;
  quota: CountedQuota;
  /** Windows begin at multiples of it since 1970: one of a day at midnight UTC. */
  windowSeconds: number;
  count: number;
  max: number;
}

/**
 * Adds to the count of the window. When it is not `counted` the transaction must not commit. Whoever adds to the same
 * row at once waits until this transaction has ended.
 */
export async function countInWindow(
  tx: Transaction,
  { workspaceId, quota, windowSeconds, count, max }: Counting,
): Promise<{ counted: boolean; resetSeconds: number }> {
  const { windowStart, used } = quotaCounters;
  const since = sql`(extract(epoch from now()) % ${windowSeconds}::int)`;
  const usedBefore = sql`case when ${windowStart} = excluded.window_start then ${used} else 0 end`;
  const [row] = await tx
    .insert(quotaCounters)
    .values({ workspaceId, quota, windowStart: sql`now() - ${since} * interval '1 second'`, used: count })
    .onConflictDoUpdate({
      target: [quotaCounters.workspaceId, quotaCounters.quota],
      set: { used: sql`${usedBefore} + excluded.used`, windowStart: sql`excluded.window_start` },
    })
    .returning({ used, resetSeconds: sql<number>`ceil(${windowSeconds}::int - ${since})::int` });
  if (row === undefined) throw new Error('an upsert returned no row');
  return { counted: row.used <= max, resetSeconds: row.resetSeconds };
}

/** Until the transaction ends, whoever else of this workspace locks the same quota waits. */
export async function lockQuota(tx: Transaction, workspaceId: string, quota: string): Promise<void> {
  const name = `quota ${quota} ${workspaceId}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

interface Counted {
  table: OperationRows['table'];
  status: string;
}

const statusesOf = ({ table, openStatuses }: OperationRows): Counted[] =>
  openStatuses.map((status) => ({ table, status }));

/** Those whose keys are being generated, or wait for that; no more than `limit` are read. */
export const countWalletsUnderWay = countingEach(() => statusesOf(operationRows.wallet));

/** Those that are not final; no more than `limit` of each status are read. */
export const countExportsUnderWay = countingEach(() => statusesOf(operationRows.export));

/** Signing requests and withdrawals that are not final; no more than `limit` of each status are read. */
export const countOpenOperations = countingEach(() =>
  Object.values(operationRows)
    .filter(({ countsAsOpen }) => countsAsOpen)
    .flatMap(statusesOf),
);

/**
 * Each status by itself and as a literal, so that also a plan for any workspace goes by an index: the rows that have it
 * are few, whatever has ended.
 */
function countingEach(counted: () => readonly Counted[]) {
  const countOf = ({ table, status }: Counted) => sql`(select count(*) from (
      select from ${table} where ${table.workspaceId} = ${sql.placeholder('workspaceId')} and ${table.status} = ${sql.raw(`'${status}'`)}
      limit ${sql.placeholder('limit')}
    ) open)`;
  const statement = preparedStatement<{ count: number }>(
    () => sql`select (${sql.join(counted().map(countOf), sql` + `)})::int as count`,
  );
  return async (tx: Transaction, workspaceId: string, limit: number): Promise<number> => {
    const [row] = await statement(tx).execute({ workspaceId, limit });
    return row?.count ?? 0;
  };
}
