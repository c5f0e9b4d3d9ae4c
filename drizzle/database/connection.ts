// Opens the connection pool and gives it to Drizzle. The only file that knows the driver.
import { sql } from 'drizzle-orm';
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import { readDatabaseUrl } from './database-url.ts';
import { LastingListeners } from './lasting-listener.ts';
import { type Begin, endingWhenLost, prepared, ReplaceablePool, type Unsafe } from './lost-connections.ts';

export type Database = PostgresJsDatabase & { $client: Sql };
/** A transaction handle: what a query takes when it must commit together with others. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

export interface DatabaseConnection {
  db: Database;
  close(): Promise<void>;
}

/** Every connection to the database is made like this one: those that listen and those that stream take its options. */
export function connectDatabase(address: string, options: { poolSize: number; name: string }): DatabaseConnection {
  const { url, ssl } = readDatabaseUrl(address);
  const client = postgres(url, {
    ssl,
    max: options.poolSize,
    connection: { application_name: options.name },
    // Drizzle reads and writes arrays itself; the driver's own query for their types could fail with nobody to catch
    // it.
    fetch_types: false,
    // Any end of a connection counts as a loss (lost-connections.ts).
    max_lifetime: null,
    idle_timeout: 0,
    onnotice: () => {},
  });
  const db = drizzle(client);
  const pool = new ReplaceablePool(client.options);
  client.unsafe = ((...query: Unsafe) => pool.current.unsafe(...prepared(query))) as typeof client.unsafe;
  const begin = endingWhenLost((...args) => (pool.current.begin as Begin)(...args));
  client.begin = begin as typeof client.begin;
  const listeners = new LastingListeners(client.options);
  client.listen = listeners.listen as unknown as typeof client.listen;
  const close = async () => {
    await Promise.all([listeners.close(), pool.close(), client.end({ timeout: 5 })]);
  };
  return { db, close };
}

/** Throws when the database cannot be reached. */
export async function pingDatabase(db: Database): Promise<void> {
  await db.execute(sql`select 1`);
}
