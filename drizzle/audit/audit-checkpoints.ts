// What the MPC nodes keep of the audit chains, against the chains as they stand here. A finding is only added: it says
// that somebody has changed what was sealed, and it is for an operator to find out who.
import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { bigint, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import type { ChainHead } from '../../domain/audit/audit-chain.ts';
import { mainCluster } from '../../domain/clusters.ts';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { arrayOf } from '../database/page.ts';
import { auditSeals } from './audit-tables.ts';

export const auditFindings = pgTable(
  'audit_findings',
  {
    /** Of the node's checkpoint: no reference, since the workspace itself may be gone. */
    workspaceId: uuid('workspace_id').notNull(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    /** Which node of which cluster keeps it. */
    cluster: text('cluster').notNull().default(mainCluster),
    node: smallint('node').notNull(),
    /** The hash that the node keeps. */
    expected: text('expected').notNull(),
    /** The hash that stood here; null when there was no such entry. */
    found: text('found'),
    foundAt: moment('found_at').notNull().defaultNow(),
    resolvedAt: moment('resolved_at'),
    /** What the operator found out. */
    resolution: text('resolution'),
    /** The hash that stood here when it was resolved: another one is a new finding. */
    resolvedHash: text('resolved_hash'),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.seq, table.cluster, table.node] })],
);

export type KeptCheckpoint = Pick<ChainHead, 'workspaceId' | 'seq' | 'hash'>;

export interface ContradictedCheckpoint extends KeptCheckpoint {
  /** What stands here instead; null when nothing does. */
  found: string | null;
}

/** Those of the given ones that the chains do not agree with. */
export async function listContradicted(
  db: Database,
  checkpoints: readonly KeptCheckpoint[],
): Promise<ContradictedCheckpoint[]> {
  const column = (type: string, name: keyof KeptCheckpoint) =>
    arrayOf(
      type,
      checkpoints.map((checkpoint) => checkpoint[name]),
    );
  const rows = await db.execute<{ workspaceId: string; seq: string; hash: string; found: string | null }>(sql`
    select kept.workspace_id as "workspaceId", kept.seq, kept.hash, sealed.hash as found
    from unnest(${column('uuid', 'workspaceId')}, ${column('bigint', 'seq')}, ${column('text', 'hash')})
      as kept (workspace_id, seq, hash)
    left join ${auditSeals} as sealed on sealed.workspace_id = kept.workspace_id and sealed.seq = kept.seq
    where sealed.hash is distinct from kept.hash
    order by kept.workspace_id, kept.seq`);
  return rows.map(({ seq, ...row }) => ({ ...row, seq: Number(seq) }));
}

/** The first time counts: what a node keeps does not change. */
export async function insertFindings(
  db: Database,
  keeper: { cluster: string; node: number },
  contradicted: readonly ContradictedCheckpoint[],
): Promise<void> {
  if (contradicted.length === 0) return;
  await db
    .insert(auditFindings)
    .values(contradicted.map(({ hash: expected, ...rest }) => ({ ...rest, ...keeper, expected })))
    .onConflictDoNothing();
}

/**
 * Nobody has resolved it, or something else stands here than when it was: the service itself may not change a finding,
 * nor make one look resolved.
 */
export const isOpenFinding = sql`(audit_findings.resolved_at is null or audit_findings.resolved_hash is distinct from
  (select hash from audit_seals where audit_seals.workspace_id = audit_findings.workspace_id and audit_seals.seq = audit_findings.seq))`;

const LISTED_MAX = 1_000;

/** The newest first: those that are open, or all. */
export async function listAuditFindings(db: Database, { all }: { all: boolean }) {
  return db
    .select()
    .from(auditFindings)
    .where(all ? undefined : isOpenFinding)
    .orderBy(
      desc(auditFindings.foundAt),
      asc(auditFindings.workspaceId),
      asc(auditFindings.seq),
      asc(auditFindings.cluster),
      asc(auditFindings.node),
    )
    .limit(LISTED_MAX);
}

export type FindingId = Pick<typeof auditFindings.$inferSelect, 'workspaceId' | 'seq' | 'cluster' | 'node'>;

/** By compare-and-set: undefined when there is none, or it is resolved already. */
export async function resolveAuditFinding(tx: Transaction, id: FindingId, resolution: string) {
  const { workspaceId, seq, cluster, node } = id;
  const current = sql`(select hash from ${auditSeals} where workspace_id = ${workspaceId} and seq = ${seq})`;
  const [row] = await tx
    .update(auditFindings)
    .set({ resolvedAt: sql`now()`, resolution, resolvedHash: current })
    .where(
      and(
        eq(auditFindings.workspaceId, workspaceId),
        eq(auditFindings.seq, seq),
        eq(auditFindings.cluster, cluster),
        eq(auditFindings.node, node),
        isOpenFinding,
      ),
    )
    .returning();
  return row;
}
