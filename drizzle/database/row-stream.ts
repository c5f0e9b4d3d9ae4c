// Reads any number of rows with little memory and as of one moment: a cursor in a read-only transaction, on a
// connection of its own, so that it takes none from the pool. It ends when it has read everything, when the reader
// stops or when the signal fires, and the server gives it up by itself when the reader neither goes on nor goes away.
import { type AnyColumn, and, getTableColumns, type Query, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import postgres, { type Sql } from 'postgres';
import type { Database } from './connection.ts';

const BATCH_ROWS = 500;
const STATEMENT_TIMEOUT_MS = 60_000;
const IDLE_TIMEOUT_MS = 60_000;

export const ROW_STREAM_NAME = 'countersign-row-stream';

/**
 * Yields every matching row, in batches. Throws when the query fails and when the signal ends it, so that a part is
 * never taken for the whole. The transaction is opened and left by hand: the driver's own `begin` crashes the process
 * when the connection is lost within it. After a loss the next statement reaches a new connection, where there is no
 * such cursor, and fails.
 */
export async function* streamRows<Table extends PgTable>(
  db: Database,
  table: Table,
  { where, order }: { where: readonly SQL[]; order: readonly SQL[] },
  signal: AbortSignal,
): AsyncGenerator<Table['$inferSelect'][], void> {
  const query = db
    .select()
    .from<PgTable>(table)
    .where(and(...where))
    .orderBy(...order);
  yield* streamQuery<Table['$inferSelect']>(db, getTableColumns(table), query, signal);
}

/** The same for any query that selects just these columns, in this order. */
export async function* streamQuery<Row>(
  db: Database,
  columns: Readonly<Record<string, AnyColumn>>,
  query: { toSQL(): Query },
  signal: AbortSignal,
): AsyncGenerator<Row[], void> {
  const client = connectApart(db, { name: ROW_STREAM_NAME, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const run = cancellable(client, signal);
  const read = rowReader(columns);
  try {
    const { sql: text, params } = query.toSQL();
    await run('begin read only', []);
    await run(`declare batches no scroll cursor for ${text}`, params);
    for (;;) {
      const rows = await run(`fetch forward ${BATCH_ROWS} from batches`, []);
      if (rows.length > 0) yield rows.map((values) => read(values) as Row);
      if (rows.length < BATCH_ROWS) return;
    }
  } finally {
    await client.end({ timeout: 0 });
  }
}

/**
 * The pool's address and credentials. Without `max: 1` the driver would refuse a `begin` that it does not make itself.
 */
export function connectApart(
  db: Database,
  { name, statementTimeoutMs }: { name: string; statementTimeoutMs: number },
): Sql {
  const { options } = db.$client;
  return postgres({
    ...options,
    max: 1,
    fetch_types: false,
    connection: {
      ...options.connection,
      application_name: name,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
    },
  } as unknown as postgres.Options<Record<string, never>>);
}

/** Runs one statement after the other; the one under way when the signal fires is cancelled on the server too. */
function cancellable(client: Sql, signal: AbortSignal) {
  return async (text: string, parameters: readonly unknown[]): Promise<unknown[][]> => {
    signal.throwIfAborted();
    const query = client.unsafe(text, [...parameters] as never[]).values();
    const cancel = () => {
      // Typed as returning nothing; it returns a promise, which rejects when the server cannot be reached for it.
      Promise.resolve(query.cancel() as unknown).catch(() => client.end({ timeout: 0 }));
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await query;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

function rowReader(columns: Readonly<Record<string, AnyColumn>>): (values: unknown[]) => object {
  const named = Object.entries(columns);
  return (values) =>
    Object.fromEntries(
      named.map(([name, column], position) => {
        const value = values[position];
        return [name, value === null ? null : column.mapFromDriverValue(value)];
      }),
    );
}
