// Finds what was left behind: committed operations whose workflow was never confirmed, and those whose workflow has
// ended without them. Safe to run in many processes.
import type { Client } from '@temporalio/client';
import type { Logger } from '../../domain/logger.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { wakeOverdueWebhooks } from '../../drizzle/webhooks/webhook-deliveries.ts';
import { listOverdueOutboxEntries } from '../../drizzle/writes/workflow-outbox.ts';
import { pacedWorkflows } from '../operations/started-workflows.ts';
import type { WorkflowStarter } from '../writes/start-workflow.ts';
import { OrphanedOperations } from './orphaned-operations.ts';
import { repeat } from './repeat.ts';

const EVERY_MS = 1_000;
/** A healthy API confirms a start within milliseconds. */
const OVERDUE_AFTER_MS = 2_000;
/**
 * Whoever delivers to it rests no longer than an hour by itself (activities/webhooks/deliver-webhooks.ts), and looks
 * every minute at most.
 */
const WEBHOOK_OVERDUE_AFTER_MS = 5 * 60_000;
const BATCH_SIZE = 200;
const ORPHANS_EVERY_ROUNDS = 60;

/** Runs until the returned function is called, which waits for the round under way. */
export function startReconciler(dependencies: {
  db: Database;
  client: Client;
  seals: Seals;
  starter: WorkflowStarter;
  log: Pick<Logger, 'info' | 'warn'>;
}): () => Promise<void> {
  const { db, client, seals, starter, log } = dependencies;
  const orphaned = new OrphanedOperations({ db, client, seals, starter, log });
  return repeat({ name: 'reconciliation', everyMs: EVERY_MS, log }, async (round) => {
    await startOverdue(db, starter, log);
    if (round % ORPHANS_EVERY_ROUNDS !== 0) return;
    await orphaned.closeSome();
    for (const entry of await wakeOverdueWebhooks(db, WEBHOOK_OVERDUE_AFTER_MS, BATCH_SIZE)) starter.enqueue(entry);
  });
}

/** Two processes may start the same entry: Temporal lets one through and both learn that it runs. */
async function startOverdue(db: Database, starter: WorkflowStarter, log: Pick<Logger, 'info' | 'warn'>): Promise<void> {
  const entries = await listOverdueOutboxEntries(db, {
    olderThanMs: OVERDUE_AFTER_MS,
    limit: BATCH_SIZE,
    paced: pacedWorkflows,
  });
  if (entries.length === 0) return;
  const results = await Promise.allSettled(entries.map((entry) => starter.start(entry)));
  const failed = results.filter((result) => result.status === 'rejected');
  log.info({ started: entries.length - failed.length, failed: failed.length }, 'overdue workflows');
  if (failed[0] !== undefined) throw failed[0].reason;
}
