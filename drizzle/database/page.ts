// Keyset paging: which rows of a list come next, by the sort column and the id. Cheap at any depth, and steady while
// rows are added.
import {
  type AnyColumn,
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  getTableName,
  gte,
  lt,
  type SQL,
  Subquery,
  sql,
} from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Database } from './connection.ts';

export interface Page {
  limit: number;
  sortBy: 'created_at' | 'updated_at';
  sortOrder: 'asc' | 'desc';
  /** Bounds of the column that sorts: from inclusive, to exclusive. */
  from: Date | undefined;
  to: Date | undefined;
  /** The last row that the caller has seen. */
  after: { at: Date; id: string } | undefined;
}

interface PagedTable {
  id: AnyColumn;
  createdAt: AnyColumn;
  /** Absent where rows never change. */
  updatedAt?: AnyColumn;
}

const sortColumn = (table: PagedTable, page: Pick<Page, 'sortBy'>) =>
  page.sortBy === 'created_at' ? table.createdAt : (table.updatedAt ?? table.createdAt);

export function pageConditions(table: PagedTable, page: Page): SQL[] {
  const column = sortColumn(table, page);
  const { from, to, after } = page;
  return [
    ...(from === undefined ? [] : [gte(column, from)]),
    ...(to === undefined ? [] : [lt(column, to)]),
    ...(after === undefined
      ? []
      : [
          sql`(${column}, ${table.id}) ${sql.raw(page.sortOrder === 'asc' ? '>' : '<')} (${sql.param(after.at, column)}, ${sql.param(after.id, table.id)})`,
        ]),
  ];
}

export function pageOrder(table: PagedTable, page: Pick<Page, 'sortBy' | 'sortOrder'>): SQL[] {
  const direction = page.sortOrder === 'asc' ? asc : desc;
  return [direction(sortColumn(table, page)), direction(table.id)];
}

/** A filter: rows whose column has one of these values. */
export type OneOf = readonly [column: AnyColumn, values: readonly unknown[]];

interface PageOf {
  where: readonly SQL[];
  parts?: readonly OneOf[];
  page: Page;
}

/**
 * One page, and one row more when another page follows. Of `parts` each value (with several columns, each combination)
 * is looked up by itself and the answers are merged: with an index on (columns…, sort column, id) the work is bounded
 * by values × page, never by the rows that match. PostgreSQL alone would have to guess whether to sort all matches or
 * to walk the whole list until enough match, and guess without knowing the values.
 */
export async function selectPage<Table extends PgTable & PagedTable>(
  db: Database,
  table: Table,
  { where, parts = [], page }: PageOf,
): Promise<Table['$inferSelect'][]> {
  return selectMerged(db, table, {
    matching: [...where, ...pageConditions(table, page)],
    parts,
    order: pageOrder(table, page),
    limit: page.limit + 1,
  });
}

interface MergedList {
  matching: readonly SQL[];
  parts: readonly OneOf[];
  order: readonly SQL[];
  limit: number;
}

/** As selectPage, for a list in an order of its own. */
export async function selectMerged<Table extends PgTable>(
  db: Database,
  table: Table,
  { matching, parts, order, limit }: MergedList,
): Promise<Table['$inferSelect'][]> {
  const named = parts.map(([column, values], position) => ({
    column,
    values,
    name: sql.identifier(`part_${position}`),
  }));
  // Distinct, because a value that is named twice must not bring its rows twice.
  const values = named.map(
    ({ column, values, name }) => sql`(select distinct unnest(${arrayOf(typeOf(column), values)})) as ${name}(value)`,
  );
  const equal = named.map(({ column, name }) => sql`${column} = ${name}.value`);
  const merged = sql`select page.* from ${sql.join(values, sql` cross join `)} cross join lateral (
    select * from ${table} where ${and(...matching, ...equal)} order by ${sql.join([...order], sql`, `)} limit ${limit}
  ) as page`;
  const columns = getTableColumns<PgTable>(table);
  return db
    .select(columns)
    .from<PgTable | Subquery>(parts.length === 0 ? table : new Subquery(merged, columns, getTableName(table)))
    .where(parts.length === 0 ? and(...matching) : undefined)
    .orderBy(...order)
    .limit(limit);
}

/** For one value a plain comparison, which keeps the order of an index that begins with the column. */
export function anyOf(column: AnyColumn, values: readonly unknown[]): SQL {
  return values.length === 1 ? eq(column, values[0]) : sql`${column} = any(${arrayOf(typeOf(column), values)})`;
}

/**
 * One parameter whatever the number of values, so that the statement's text, and with it the prepared statement, stays
 * the same.
 */
export function arrayOf(type: string, values: readonly unknown[]): SQL {
  return sql`${sql.param(arrayText(values))}::${sql.raw(type)}[]`;
}

/** As PostgreSQL reads an array. */
export const arrayText = (values: readonly unknown[]): string =>
  `{${values.map((value) => `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;

const typeOf = (column: AnyColumn) => column.getSQLType();
