// Asks PostgreSQL how it answers the very statements that the list functions send, on tables with very many rows:
// planned both with and without knowledge of the parameters, as it does for a prepared statement. No plan may scan a
// table or read or sort more rows than the page needs.
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import { expect } from 'vitest';
import type { Database } from '../../../drizzle/database/connection.ts';
import type { Page } from '../../../drizzle/database/page.ts';
import { createTestDatabase } from '../processes/postgres.ts';

/** Rows of each rare kind, all among the oldest: a planner that guesses averages guesses wrong. */
export const RARE = 30;
export const LIMIT = 50;

export interface PlannedDatabase {
  client: Sql;
  db: Database;
  /** What `db` sent. */
  sent: { text: string; params: unknown[] }[];
  drop(): Promise<void>;
}

export async function createPlannedDatabase(): Promise<PlannedDatabase> {
  const database = await createTestDatabase();
  const client = postgres(database.url, { max: 1, onnotice: () => {} });
  const sent: PlannedDatabase['sent'] = [];
  const db = drizzle(client, { logger: { logQuery: (text, params) => void sent.push({ text, params }) } });
  const drop = async () => {
    await client.end();
    await database.drop();
  };
  return { client, db, sent, drop };
}

/** Indexes are made after the rows, and foreign keys are not checked: several times as fast. */
export async function fill({ client }: PlannedDatabase, tables: string[], statements: string[]): Promise<void> {
  const indexes = await client<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes where tablename in ${client(tables)}
      and indexname not in (select conname from pg_constraint)`;
  await client.unsafe(
    `set session_replication_role = replica; ${indexes.map(({ name }) => `drop index ${name};`).join('')}`,
  );
  for (const statement of statements) await client.unsafe(statement);
  await client.unsafe(indexes.map(({ definition }) => `${definition};`).join(''));
  await client.unsafe(`set session_replication_role = origin; analyze`);
}

/** In SQL, for row `n` of a table: two moments, and one of two texts. */
export const moments = `timestamptz '2026-01-01Z' + n * interval '1 second', timestamptz '2026-06-01Z' + n * interval '1 second'`;
export const either = (ifRare: string, otherwise: string) =>
  `case when n <= ${RARE} then '${ifRare}' else '${otherwise}' end`;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The plans of what a list function sends: with the parameters known, and the generic one of a prepared statement. */
async function plansOf({ client, sent }: PlannedDatabase, list: () => Promise<unknown>): Promise<PlanNode[]> {
  sent.length = 0;
  await list();
  if (sent.length === 0) throw new Error('nothing was sent');
  const plans: PlanNode[] = [];
  for (const statement of sent.slice()) {
    const values = statement.params.map((value) => `'${String(value).replaceAll("'", "''")}'`).join(', ');
    await client.unsafe(`prepare list as ${statement.text}`);
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.unsafe(`set plan_cache_mode = ${mode}`);
      const rows = await client.unsafe(`explain (analyze, format json) execute list${values && `(${values})`}`);
      for (const row of rows) plans.push(...(row['QUERY PLAN'] as { Plan: PlanNode }[]).map(({ Plan }) => Plan));
    }
    await client.unsafe('deallocate list');
  }
  return plans;
}

/** As long as the catalogue, whatever anybody does: read whole, also for each row of a page. */
const catalogue: ReadonlySet<string | undefined> = new Set(['assets', 'networks', 'network_states']);

export async function expectBounded(
  planned: PlannedDatabase,
  list: () => Promise<unknown>,
  rowsTouchedMax: number,
): Promise<void> {
  for (const plan of await plansOf(planned, list)) {
    const nodes = nodesOf(plan).filter((node) => !catalogue.has(node['Relation Name']));
    const shown = JSON.stringify(plan, undefined, 1);
    expect(
      nodes.filter((node) => node['Node Type'] === 'Seq Scan'),
      shown,
    ).toEqual([]);
    for (const node of nodes) {
      const rows =
        node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
      const touched = node['Actual Loops'] * rows;
      expect(touched, shown).toBeLessThanOrEqual(rowsTouchedMax);
    }
  }
}

/**
 * The last row of the first page of the busiest list, in each order: a cursor that has almost every row before or after
 * it.
 */
export const after = { at: new Date('2026-01-01T12:00:00Z'), id: '01900000-0000-7000-8000-000000000000' };
const bounds = { from: undefined, to: undefined };
export const pages: [string, Page][] = (['created_at', 'updated_at'] as const).flatMap((sortBy) =>
  (['asc', 'desc'] as const).flatMap((sortOrder) => {
    const page = { limit: LIMIT, sortBy, sortOrder, ...bounds };
    const at = sortBy === 'created_at' ? after.at : new Date('2026-06-01T12:00:00Z');
    return [
      [`${sortBy} ${sortOrder}, first page`, { ...page, after: undefined }],
      [`${sortBy} ${sortOrder}, next page`, { ...page, after: { ...after, at } }],
    ] as [string, Page][];
  }),
);
