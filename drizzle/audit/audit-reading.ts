// Reads whole audit chains and exports with little memory, each as of one moment (row-stream.ts). Judges nothing.
import { and, asc, desc, eq, getTableColumns, gt, gte, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../database/connection.ts';
import { anyOf } from '../database/page.ts';
import { streamQuery } from '../database/row-stream.ts';
import { auditFindings, isOpenFinding } from './audit-checkpoints.ts';
import { type AuditFilter, type AuditLogRow, filtersOf, type SealedRow } from './audit-entries.ts';
import { type AuditHeadRow, auditHeads, auditLogs, auditSeals, auditUnsealed } from './audit-tables.ts';

const columns = getTableColumns(auditLogs);
const { seq, previousHash, hash, auditId } = auditSeals;

/**
 * A place in the chain: what the seal says, the entry that stands there, and the head that was signed over it, where
 * there is one.
 */
export type Link = Pick<typeof auditSeals.$inferSelect, 'seq' | 'previousHash' | 'hash' | 'auditId'> & {
  entry: AuditLogRow | null;
  head: AuditHeadRow | null;
};

/** In the order of the chain, from the place after `afterSeq` on. */
export async function* streamChain(
  db: Database,
  { workspaceId, afterSeq }: { workspaceId: string; afterSeq: number },
  signal: AbortSignal,
): AsyncGenerator<Link[], void> {
  const sealed = { seq, previousHash, hash, auditId };
  const ofEntry = prefixed('entry', columns);
  const ofHead = prefixed('head', getTableColumns(auditHeads));
  const selected = { ...sealed, ...ofEntry, ...ofHead };
  const query = db
    .select(selected)
    .from(auditSeals)
    .leftJoin(auditLogs, eq(auditLogs.id, auditId))
    .leftJoin(auditHeads, and(eq(auditHeads.workspaceId, auditSeals.workspaceId), eq(auditHeads.seq, seq)))
    .where(and(eq(auditSeals.workspaceId, workspaceId), gt(seq, afterSeq)))
    .orderBy(asc(seq));
  const rows = streamQuery<Record<string, unknown>>(db, selected, query, signal);
  for await (const batch of rows) yield batch.map(toLink);
}

function toLink(row: Record<string, unknown>): Link {
  const entry = unprefixed('entry', row);
  const head = unprefixed('head', row);
  return {
    seq: row['seq'] as number,
    previousHash: row['previousHash'] as string,
    hash: row['hash'] as string,
    auditId: row['auditId'] as string,
    entry: entry['id'] === null ? null : (entry as AuditLogRow),
    head: head['seq'] === null ? null : (head as AuditHeadRow),
  };
}

const prefixed = <Column>(prefix: string, named: Record<string, Column>): Record<string, Column> =>
  Object.fromEntries(Object.entries(named).map(([name, column]) => [`${prefix}.${name}`, column]));

const unprefixed = (prefix: string, row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      name.startsWith(`${prefix}.`) ? [[name.slice(prefix.length + 1), value]] : [],
    ),
  );

/** Every entry that a filter means, by the time of creation, sealed or not. */
export function streamAuditLogs(
  db: Database,
  filter: AuditFilter & { from?: Date | undefined; to?: Date | undefined },
  sortOrder: 'asc' | 'desc',
  signal: AbortSignal,
): AsyncGenerator<SealedRow[], void> {
  const { workspaceId, from, to } = filter;
  const selected = { ...columns, seq, hash };
  const direction = sortOrder === 'asc' ? asc : desc;
  const query = db
    .select(selected)
    .from(auditLogs)
    .leftJoin(auditSeals, eq(auditId, auditLogs.id))
    .where(
      and(
        eq(auditLogs.workspaceId, workspaceId),
        ...filtersOf(filter).map(([column, values]) => anyOf(column, values)),
        from && gte(auditLogs.createdAt, from),
        to && lt(auditLogs.createdAt, to),
      ),
    )
    .orderBy(direction(auditLogs.createdAt), direction(auditLogs.id));
  return streamQuery<SealedRow>(db, selected, query, signal);
}

/** Written longer ago than this, an entry has its place in the chain. */
const SEALED_WITHIN_SECONDS = 10;

/** Entries without a place in the chain that should have one. A time to come is no excuse. */
export async function listUnsealedLate(db: Database, workspaceId: string, limit: number): Promise<string[]> {
  const age = sql`${auditLogs.createdAt} not between now() - ${SEALED_WITHIN_SECONDS} * interval '1 second' and now() + ${SEALED_WITHIN_SECONDS} * interval '1 second'`;
  const rows = await db
    .select({ id: auditLogs.id })
    .from(auditLogs)
    .leftJoin(auditSeals, eq(auditId, auditLogs.id))
    .where(and(eq(auditLogs.workspaceId, workspaceId), isNull(seq), age))
    .orderBy(asc(auditLogs.position))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Whether anything waits for its place in the chain: a new log does for a second or two. */
export async function hasUnsealed(db: Database, workspaceId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: auditLogs.id })
    .from(auditLogs)
    .leftJoin(auditSeals, eq(auditId, auditLogs.id))
    .where(and(eq(auditLogs.workspaceId, workspaceId), isNull(seq)))
    .limit(1);
  return row !== undefined;
}

/** Entries that were deleted before they were sealed. */
export async function countDeletedUnsealed(db: Database, workspaceId: string): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::integer` })
    .from(auditUnsealed)
    .leftJoin(auditLogs, eq(auditLogs.position, auditUnsealed.position))
    .where(and(eq(auditUnsealed.workspaceId, workspaceId), isNull(auditLogs.position)));
  return row?.count ?? 0;
}

/** Heads that were signed over places which the chain does not have any more. */
export async function listHeadsBeyond(db: Database, workspaceId: string, limit: number): Promise<number[]> {
  const rows = await db
    .select({ seq: auditHeads.seq })
    .from(auditHeads)
    .leftJoin(auditSeals, and(eq(auditSeals.workspaceId, auditHeads.workspaceId), eq(seq, auditHeads.seq)))
    .where(and(eq(auditHeads.workspaceId, workspaceId), isNull(seq)))
    .orderBy(asc(auditHeads.seq))
    .limit(limit);
  return rows.map((row) => row.seq);
}

/** Undefined when the chain has no such place. */
export async function findSealHash(db: Database, workspaceId: string, at: number): Promise<string | undefined> {
  const [row] = await db
    .select({ hash })
    .from(auditSeals)
    .where(and(eq(auditSeals.workspaceId, workspaceId), eq(seq, at)));
  return row?.hash;
}

/** Places of which an MPC node keeps another hash. */
export async function listFindings(
  db: Database,
  workspaceId: string,
  limit: number,
): Promise<{ seq: number; node: number; found: string | null }[]> {
  return db
    .select({ seq: auditFindings.seq, node: auditFindings.node, found: auditFindings.found })
    .from(auditFindings)
    .where(and(eq(auditFindings.workspaceId, workspaceId), isOpenFinding))
    .orderBy(asc(auditFindings.seq), asc(auditFindings.node))
    .limit(limit);
}
