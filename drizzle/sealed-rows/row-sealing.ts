// Whether the rows of before there were seals have been sealed: that is done once, at the upgrade, since whoever writes
// the database would have his own rows sealed by a second time.
import { pgTable, smallint } from 'drizzle-orm/pg-core';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';

/** One row, or none while it is due. The migration writes it where there is nothing to seal. */
export const rowSealing = pgTable('row_sealing', {
  id: smallint('id').primaryKey().default(1),
  sealedAt: moment('sealed_at').notNull().defaultNow(),
});

export async function findSealedAt(db: Database | Transaction): Promise<Date | undefined> {
  const [row] = await db.select().from(rowSealing);
  return row?.sealedAt;
}

export async function markSealed(tx: Transaction): Promise<void> {
  await tx.insert(rowSealing).values({}).onConflictDoNothing();
}
