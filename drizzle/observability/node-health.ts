// How the workers find the MPC nodes, so that the API can say it without speaking to them.
import { eq, sql } from 'drizzle-orm';
import { integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { mainCluster } from '../../domain/clusters.ts';
import { openWalletStatuses } from '../../domain/statuses.ts';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { arrayOf } from '../database/page.ts';
import { statusIn } from '../database/status-list.ts';
import { expectRefreshes } from './maintenance.ts';

export const nodeHealth = pgTable(
  'node_health',
  {
    cluster: text('cluster').notNull().default(mainCluster),
    node: smallint('node').notNull(),
    status: text('status', { enum: ['up', 'down'] }).notNull(),
    /** Peers that this node refuses to sign with. */
    bans: integer('bans').notNull().default(0),
    /** The nodes that it has banned under any key, ascending. */
    bannedNodes: smallint('banned_nodes').array().notNull().default([]),
    /** How long it took to answer; null while it does not. */
    answerMs: integer('answer_ms'),
    /** How long it usually takes in a signature, as the worker knows that told of it last and chooses by it. */
    signingMs: integer('signing_ms'),
    version: text('version'),
    /** How many nodes of its cluster sign together, as the worker's cluster file says. */
    threshold: smallint('threshold').notNull(),
    error: text('error'),
    /** SHA-256 of its policy file, as hex; null while it does not say. */
    policySha256: text('policy_sha256'),
    checkedAt: moment('checked_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.cluster, table.node] })],
);

/** How often a worker tells how the nodes are. */
export const NODE_HEALTH_EVERY_MS = 2_000;
/** What is older says nothing of now: seven reports may be missing. */
const FRESH_MS = 7.5 * NODE_HEALTH_EVERY_MS;

export type NodeReport = Omit<typeof nodeHealth.$inferInsert, 'checkedAt' | 'cluster'> & { cluster: string };

/** So that workers whose reports meet do not wait for each other in a circle. */
const inOrder = (a: NodeReport, b: NodeReport) => a.cluster.localeCompare(b.cluster) || a.node - b.node;

const isFresh = sql`${nodeHealth.checkedAt} > now() - ${FRESH_MS} * interval '1 millisecond'`;

/**
 * Every node of the clusters that this worker knows. Forgets a node that is no longer among them, and a cluster of
 * which no worker tells and in which no wallet is left that could sign: while there is one, that nobody tells of its
 * nodes must be seen.
 */
export async function saveNodeHealth(db: Database, reports: readonly NodeReport[]): Promise<void> {
  const checkedAt = sql`now()`;
  await db
    .insert(nodeHealth)
    .values(reports.toSorted(inOrder).map((report) => ({ ...report, checkedAt })))
    .onConflictDoUpdate({
      target: [nodeHealth.cluster, nodeHealth.node],
      set: {
        status: sql`excluded.status`,
        bans: sql`excluded.bans`,
        bannedNodes: sql`excluded.banned_nodes`,
        answerMs: sql`excluded.answer_ms`,
        // A worker that has signed nothing yet does not know it.
        signingMs: sql`coalesce(excluded.signing_ms, ${nodeHealth.signingMs})`,
        version: sql`excluded.version`,
        threshold: sql`excluded.threshold`,
        error: sql`excluded.error`,
        policySha256: sql`excluded.policy_sha256`,
        checkedAt,
      },
    });
  const clusters = [...new Set(reports.map(({ cluster }) => cluster))];
  await expectRefreshes(db, clusters);
  const names = arrayOf('text', clusters);
  const nodes = arrayOf(
    'text',
    reports.map(({ cluster, node }) => `${cluster}/${node}`),
  );
  const isOurs = sql`${nodeHealth.cluster} = any(${names})`;
  await db.delete(nodeHealth).where(sql`
    (${isOurs} and ${nodeHealth.cluster} || '/' || ${nodeHealth.node} <> all(${nodes}))
    or (not ${isOurs} and not ${isFresh} and not exists (select from wallets
      where wallets.cluster = ${nodeHealth.cluster} and ${statusIn(sql`wallets.status`, openWalletStatuses)}))`);
}

/** Whether a worker has reported a cluster of that name. */
export async function isClusterReported(db: Database | Transaction, cluster: string): Promise<boolean> {
  const [row] = await db.select({ node: nodeHealth.node }).from(nodeHealth).where(eq(nodeHealth.cluster, cluster));
  return row !== undefined;
}

/**
 * Whether enough nodes to sign were up a moment ago, in one cluster at least: another one that is down concerns its own
 * wallets only.
 */
export async function isQuorumUp(db: Database): Promise<boolean> {
  const [row] = await db.execute<{ up: boolean }>(sql`
    select coalesce(bool_or(up), false) as up from (
      select count(*) filter (where ${nodeHealth.status} = 'up') >= max(${nodeHealth.threshold}) as up
      from ${nodeHealth} where ${isFresh} group by ${nodeHealth.cluster}
    ) as clusters`);
  return row?.up ?? false;
}
