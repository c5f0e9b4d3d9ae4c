// Keyset paging: which rows of a list come next, by the sort column and the id. Cheap at any depth, and steady while rows are added.
import { type AnyColumn, asc, desc, gte, lt, type SQL, sql } from 'drizzle-orm';

export interface Page {
  limit: number;
  sortBy: 'created_at' | 'updated_at';
  sortOrder: 'asc' | 'desc';
  /** Bounds of `created_at`: from inclusive, to exclusive. */
  from: Date | undefined;
  to: Date | undefined;
  /** The last row that the caller has seen. */
  after: { at: Date; id: string } | undefined;
}

interface PagedTable {
  id: AnyColumn;
  createdAt: AnyColumn;
  updatedAt: AnyColumn;
}

const sortColumn = (table: PagedTable, page: Pick<Page, 'sortBy'>) =>
  page.sortBy === 'created_at' ? table.createdAt : table.updatedAt;

export function pageConditions(table: PagedTable, page: Page): SQL[] {
  const column = sortColumn(table, page);
  const { from, to, after } = page;
  return [
    ...(from === undefined ? [] : [gte(table.createdAt, from)]),
    ...(to === undefined ? [] : [lt(table.createdAt, to)]),
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

/** One parameter whatever the number of values, so that the statement's text, and with it the prepared statement, stays the same. */
export function anyOf(column: AnyColumn, values: readonly unknown[]): SQL {
  const type = sql.raw(column.getSQLType());
  const texts = values.map((value) => String(value));
  return sql`${column} = any(${sql.param(`{${texts.map(quote).join(',')}}`)}::${type}[])`;
}

const quote = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
