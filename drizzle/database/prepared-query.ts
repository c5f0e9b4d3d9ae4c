// Keeps a query that Drizzle has built: a hot one then costs the round trip and the row, not the making of its text,
// also in a transaction, which has a handle of its own. Knows no table.
import type { SQL } from 'drizzle-orm';
import { PgDialect, type PgSession } from 'drizzle-orm/pg-core';
import type { Sql } from 'postgres';
import type { Database, Transaction } from './connection.ts';

type Handle = Database | Transaction;

/** Of a handle, which Drizzle keeps to itself. */
const sessionOf = (handle: Handle) => (handle._ as unknown as { session: PgSession & { client: Sql } }).session;

/** `build` makes the query with `sql.placeholder` for what varies; it is called once. */
export function preparedQuery<Query extends object>(build: (db: Handle) => Query): (db: Handle) => Query {
  let built: Query | undefined;
  const bound = new WeakMap<object, Query>();
  return (db) => {
    const known = bound.get(db);
    if (known !== undefined) return known;
    built ??= build(db);
    const query = Object.assign(Object.create(Object.getPrototypeOf(built)) as Query, built, {
      client: sessionOf(db).client,
    });
    bound.set(db, query);
    return query;
  };
}

/** A statement that is written as SQL. Its rows are as the driver has them. */
export interface PreparedStatement<Row> {
  execute(values: Record<string, unknown>): Promise<Row[]>;
}

/** The same of a statement that is written as SQL, with `sql.placeholder` for what varies. `write` is called once. */
export const preparedStatement = <Row extends object>(write: () => SQL) =>
  preparedQuery(
    (db) =>
      sessionOf(db).prepareQuery(
        new PgDialect().sqlToQuery(write()),
        undefined,
        'statement',
        false,
      ) as unknown as PreparedStatement<Row>,
  );
