// What the catalogue's seeds share: the assignments that bring a row which is there already up to the row that was
// offered.
import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

/** For `onConflictDoUpdate`: each of these columns takes the value of the row that conflicted. */
export function takeExcluded<Name extends string>(
  table: PgTable & Record<Name, PgColumn>,
  names: readonly Name[],
): Record<Name, SQL> {
  const entries = names.map((name) => [name, sql`excluded.${sql.identifier(table[name].name)}`]);
  return Object.fromEntries(entries) as Record<Name, SQL>;
}
