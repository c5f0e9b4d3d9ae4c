// Batches of signing operations: what came of each item, in order, so that a repeat of the request gets the original
// answer.
import { and, eq } from 'drizzle-orm';
import { jsonb, pgTable, uuid } from 'drizzle-orm/pg-core';
import type { BatchOutcome } from '../../domain/signing/batch-outcome.ts';
import { moment } from '../database/columns.ts';
import type { Transaction } from '../database/connection.ts';
import { wallets } from '../wallets/wallets.ts';
import { workspaces } from '../workspaces/workspaces.ts';

export const signingBatches = pgTable('signing_batches', {
  id: uuid('id').primaryKey(),
  workspaceId: uuid('workspace_id')
    .notNull()
    .references(() => workspaces.id),
  walletId: uuid('wallet_id')
    .notNull()
    .references(() => wallets.id),
  outcomes: jsonb('outcomes').$type<readonly BatchOutcome[]>().notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

export async function insertSigningBatch(tx: Transaction, batch: typeof signingBatches.$inferInsert): Promise<void> {
  await tx.insert(signingBatches).values(batch);
}

export async function findBatchOutcomes(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<readonly BatchOutcome[] | undefined> {
  const [row] = await tx
    .select({ outcomes: signingBatches.outcomes })
    .from(signingBatches)
    .where(and(eq(signingBatches.id, id), eq(signingBatches.workspaceId, workspaceId)));
  return row?.outcomes;
}
