// Withdrawals whose transaction is out, while somebody waits for its block.
import { and, inArray, isNotNull, ne, or } from 'drizzle-orm';
import type { Database } from '../database/connection.ts';
import { withdrawals } from './withdrawals.ts';

/** Of these, those that ask for a replacement, and those that have ended. */
export async function listChangedWhileOut(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const { id, status, requestedReplacement } = withdrawals;
  const isChanged = or(isNotNull(requestedReplacement), ne(status, 'processing'));
  const rows = await db
    .select({ id })
    .from(withdrawals)
    .where(and(inArray(id, [...ids]), isChanged));
  return new Set(rows.map((row) => row.id));
}
