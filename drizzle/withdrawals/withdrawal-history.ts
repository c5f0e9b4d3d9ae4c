// The history of a withdrawal: every step with its time. Rows are only added, in the transaction of the step that they
// tell of.
import { asc, desc, eq } from 'drizzle-orm';
import { bigint, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { withdrawalStatuses, withdrawalSubStatuses } from '../../domain/statuses.ts';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { withdrawals } from './withdrawals.ts';

export const withdrawalEvents = pgTable(
  'withdrawal_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    withdrawalId: uuid('withdrawal_id')
      .notNull()
      .references(() => withdrawals.id),
    status: text('status', { enum: withdrawalStatuses }).notNull(),
    subStatus: text('sub_status', { enum: withdrawalSubStatuses }),
    txHash: text('tx_hash'),
    /** One plain sentence. */
    details: text('details'),
    /** What the caller of this step gave as the reason. */
    reason: text('reason'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('withdrawal_events_withdrawal').on(table.withdrawalId, table.id)],
);

export type WithdrawalEventRow = typeof withdrawalEvents.$inferSelect;

export async function insertWithdrawalEvent(
  tx: Transaction,
  event: typeof withdrawalEvents.$inferInsert,
): Promise<void> {
  await tx.insert(withdrawalEvents).values(event);
}

/** Oldest first. */
export async function listWithdrawalEvents(db: Database, withdrawalId: string): Promise<WithdrawalEventRow[]> {
  return db
    .select()
    .from(withdrawalEvents)
    .where(eq(withdrawalEvents.withdrawalId, withdrawalId))
    .orderBy(asc(withdrawalEvents.id));
}

export async function lastWithdrawalEvent(
  tx: Transaction,
  withdrawalId: string,
): Promise<WithdrawalEventRow | undefined> {
  const [row] = await tx
    .select()
    .from(withdrawalEvents)
    .where(eq(withdrawalEvents.withdrawalId, withdrawalId))
    .orderBy(desc(withdrawalEvents.id))
    .limit(1);
  return row;
}
