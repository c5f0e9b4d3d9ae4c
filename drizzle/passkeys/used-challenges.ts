// The challenges that passkeys have answered, each until it would have expired: none is answered twice.
import { sql } from 'drizzle-orm';
import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '../database/columns.ts';
import type { Transaction } from '../database/connection.ts';

export const usedChallenges = pgTable(
  'used_challenges',
  {
    /** base64url. */
    challenge: text('challenge').primaryKey(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('used_challenges_expires').on(table.expiresAt)],
);

/** False when it was used before. One that another transaction is using is waited for. */
export async function useChallenge(tx: Transaction, challenge: string, expiresAt: Date): Promise<boolean> {
  const used = await tx
    .insert(usedChallenges)
    .values({ challenge, expiresAt })
    .onConflictDoNothing()
    .returning({ challenge: usedChallenges.challenge });
  await removeExpired(tx);
  return used.length === 1;
}

/** A minute longer than they could be answered, for clocks that differ. */
async function removeExpired(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    delete from ${usedChallenges} where challenge in (
      select challenge from ${usedChallenges} where expires_at < now() - interval '1 minute'
      limit 100 for update skip locked)`);
}
