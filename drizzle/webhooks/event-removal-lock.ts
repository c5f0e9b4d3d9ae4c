// Keeps the removal of old events apart from what makes deliveries of events that are there already. Those may be old,
// and an event that is about to go must not get one.
import { sql } from 'drizzle-orm';
import type { Transaction } from '../database/connection.ts';

/** Any number that nobody else locks. */
const REMOVAL_LOCK = 0x72656d6f;
/** A worker that is frozen or cut off within a removal holds up the others for so long. */
const IDLE_MAX_MS = 5_000;

/** Until the transaction ends. False while another removes events, or makes deliveries of former ones. */
export async function tryEventRemoval(tx: Transaction): Promise<boolean> {
  const [row] = await tx.execute<{ taken: boolean }>(sql`
    select set_config('idle_in_transaction_session_timeout', ${String(IDLE_MAX_MS)}, true),
      pg_try_advisory_xact_lock(${REMOVAL_LOCK}) as taken`);
  return row?.taken ?? false;
}

/** Until the transaction ends no event is removed. A removal that is under way is waited for: it is short. */
export async function holdEvents(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${REMOVAL_LOCK})`);
}
