// Texts that mean the same in either case, as hex and bech32 do: stored as the chain writes them, compared without
// case. In base58 case counts, but two addresses that differ in nothing else are as unlikely as a collision.
import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { arrayOf } from './page.ts';

/** What the index of such a column is of. */
export const lowerCaseOf = (column: AnyColumn): SQL => sql`lower(${column})`;

export function anyCaseOf(column: AnyColumn, values: readonly string[]): SQL {
  const lowered = values.map((value) => value.toLowerCase());
  return sql`${lowerCaseOf(column)} = any(${arrayOf('text', lowered)})`;
}

/** One of several columns has one of these values. */
export const anyCaseIn = (columns: readonly AnyColumn[], values: readonly string[]): SQL =>
  sql`(${sql.join(
    columns.map((column) => anyCaseOf(column, values)),
    sql` or `,
  )})`;
