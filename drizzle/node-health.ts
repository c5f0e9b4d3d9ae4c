// How the workers find the MPC nodes, so that the API can say it without speaking to them.
import { notInArray, sql } from 'drizzle-orm';
import { integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';
import type { Database } from './database.ts';

export const nodeHealth = pgTable('node_health', {
  node: smallint('node').primaryKey(),
  status: text('status', { enum: ['up', 'down'] }).notNull(),
  /** Peers that this node refuses to sign with. */
  bans: integer('bans').notNull().default(0),
  version: text('version'),
  /** How many nodes sign together, as the worker's cluster file says. */
  threshold: smallint('threshold').notNull(),
  error: text('error'),
  checkedAt: moment('checked_at').notNull(),
});

/** A worker tells every two seconds: what is older says nothing of now. */
const FRESH_SECONDS = 15;

export type NodeReport = Omit<typeof nodeHealth.$inferInsert, 'checkedAt'>;

/** Every node of the cluster; one that is not among them is forgotten. */
export async function saveNodeHealth(db: Database, reports: readonly NodeReport[]): Promise<void> {
  const checkedAt = sql`now()`;
  await db
    .insert(nodeHealth)
    .values(reports.map((report) => ({ ...report, checkedAt })))
    .onConflictDoUpdate({
      target: nodeHealth.node,
      set: {
        status: sql`excluded.status`,
        bans: sql`excluded.bans`,
        version: sql`excluded.version`,
        threshold: sql`excluded.threshold`,
        error: sql`excluded.error`,
        checkedAt,
      },
    });
  const nodes = reports.map(({ node }) => node);
  await db.delete(nodeHealth).where(notInArray(nodeHealth.node, nodes));
}

/** Whether enough nodes to sign were up a moment ago. */
export async function isQuorumUp(db: Database): Promise<boolean> {
  const [row] = await db
    .select({
      up: sql<boolean>`coalesce(count(*) filter (where ${nodeHealth.status} = 'up') >= max(${nodeHealth.threshold}), false)`,
    })
    .from(nodeHealth)
    .where(sql`${nodeHealth.checkedAt} > now() - ${FRESH_SECONDS} * interval '1 second'`);
  return row?.up ?? false;
}
