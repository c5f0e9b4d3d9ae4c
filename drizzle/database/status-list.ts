// A list of statuses as SQL. It has no parameters: the planner knows only of a list that is written out that a
// partial index covers it.
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** The list is that of a partial index when its statuses stand in the same order. */
export const statusIn = (status: SQLWrapper, statuses: readonly string[]): SQL =>
  sql`${status} in (${sql.raw(statuses.map((each) => `'${each}'`).join(', '))})`;
