// Keeps a query that Drizzle has built: a hot read then costs the round trip and the row, not the making of its text.
// Knows no table.
import type { Database, Transaction } from './connection.ts';

/** `build` makes the query with `sql.placeholder` for what varies; it is called once for each handle. */
export function preparedQuery<Query extends object>(build: (db: Database | Transaction) => Query) {
  const built = new WeakMap<object, Query>();
  return (db: Database | Transaction): Query => {
    const known = built.get(db);
    if (known !== undefined) return known;
    const query = build(db);
    built.set(db, query);
    return query;
  };
}
