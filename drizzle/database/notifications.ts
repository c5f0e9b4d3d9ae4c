// Tells every process at once that an operation has reached its end: NOTIFY in the statement that moves the row, one
// LISTEN a process. Says that something happened, never what: who hears it reads the row.
import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import type { Database } from './connection.ts';

const CHANNEL = 'operations';

/** Among the columns that a statement returns: what it did is announced when, and only if, it commits. */
export const notify = (id: AnyColumn): SQL<string> => sql<string>`pg_notify(${CHANNEL}, ${id}::text)`;

export interface Listener {
  /** The operation with this id has reached its end. */
  onFinal: (id: string) => void;
  /** From now on everything is heard; what happened before, or while the connection was lost, was not. */
  onListening: () => void;
}

/** Listens on a connection of its own, which comes back by itself and ends with the database connection. */
export function listenForFinals(db: Database, { onFinal, onListening }: Listener): void {
  void db.$client.listen(CHANNEL, onFinal, onListening);
}
