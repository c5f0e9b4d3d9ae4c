// A row in the form in which an event records it: columns of its table, and a few facts of other tables, as one JSON
// object, and back. What of it callers are shown is decided where the resource has its form on the wire
// (src/events/event-data.ts), and not here.
import { type Column, type GetColumnData, is, SQL, sql } from 'drizzle-orm';
import { type PgColumn, PgCustomColumn, PgNumericBigInt } from 'drizzle-orm/pg-core';
import type { RecordedResource } from '../../domain/events/event-data.ts';

/** By the name in the code. What a piece of SQL answers is read back as JSON has it. */
export type RecordedColumns = Readonly<Record<string, PgColumn | SQL>>;

type ValueOf<Source> = Source extends Column ? GetColumnData<Source> : Source extends SQL<infer Value> ? Value : never;

/** What `recordedReader` makes of it. */
export type RecordedRow<Columns extends RecordedColumns> = { [Name in keyof Columns]: ValueOf<Columns[Name]> };

/** Called among the columns that a statement returns, it is the row after the change. */
export function rowAsJson(columns: RecordedColumns): SQL {
  const members = Object.entries(columns).map(([name, column]) => sql`${sql.raw(`'${name}'`)}, ${asJson(column)}`);
  return sql`jsonb_build_object(${sql.join(members, sql`, `)})`;
}

/** Throws for bytes: those of our tables are secrets and keys, which no event has. */
function asJson(column: PgColumn | SQL): PgColumn | SQL {
  if (is(column, PgCustomColumn)) throw new Error(`the column ${column.name} is never recorded in an event`);
  // A number of JSON loses digits when it is read.
  return is(column, PgNumericBigInt) ? sql`${column}::text` : column;
}

/**
 * Reads what `rowAsJson` made of these columns. A column that the process did not know which recorded the row is null,
 * like one that has no value.
 */
export function recordedReader<Columns extends RecordedColumns>(
  columns: Columns,
): (resource: RecordedResource) => RecordedRow<Columns> {
  const sources = Object.entries(columns).map(
    ([name, column]) => [name, is(column, SQL) ? undefined : column] as const,
  );
  return (resource) => {
    const row: Record<string, unknown> = {};
    for (const [name, column] of sources) {
      const value = resource[name] ?? null;
      row[name] = value === null || column === undefined ? value : column.mapFromDriverValue(value);
    }
    return row as RecordedRow<Columns>;
  };
}
