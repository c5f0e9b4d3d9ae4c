// Opens the connection pool and gives it to Drizzle. The only file that knows the driver.
import { sql } from 'drizzle-orm';
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';

export type Database = PostgresJsDatabase & { $client: Sql };
/** A transaction handle: what a query takes when it must commit together with others. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

export interface DatabaseConnection {
  db: Database;
  close(): Promise<void>;
}

export function connectDatabase(url: string, options: { poolSize: number; name: string }): DatabaseConnection {
  const client = postgres(url, {
    max: options.poolSize,
    connection: { application_name: options.name },
    onnotice: () => {},
  });
  return { db: drizzle(withPreparedStatements(client)), close: () => client.end({ timeout: 5 }) };
}

/**
 * Drizzle sends every query through `unsafe`, which postgres.js does not prepare unless asked: each would be parsed and planned again, in
 * two round trips. Queries here have fixed texts, so a prepared statement a connection is safe and cheap.
 */
function withPreparedStatements<Client extends Sql>(client: Client): Client {
  const unsafe = client.unsafe.bind(client);
  client.unsafe = ((query: string, parameters?: never[], options?: object) =>
    unsafe(query, parameters, { ...options, prepare: true })) as typeof client.unsafe;
  const begin = client.begin?.bind(client);
  if (begin !== undefined) {
    client.begin = ((...args: unknown[]) => {
      const run = args.pop() as (transaction: Sql) => unknown;
      return (begin as (...all: unknown[]) => unknown)(...args, (transaction: Sql) =>
        run(withPreparedStatements(transaction)),
      );
    }) as typeof client.begin;
  }
  return client;
}

/** Throws when the database cannot be reached. */
export async function pingDatabase(db: Database): Promise<void> {
  await db.execute(sql`select 1`);
}
