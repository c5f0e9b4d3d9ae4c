// Seals entries of the audit log: gives each its place in the chain of its workspace, in the order in which they were
// written. One process at a time, in batches; a batch is one transaction, so that a process that dies leaves nothing
// half done.
import { asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { AUDIT_GENESIS_HASH, sealHash } from '../../domain/audit/audit-chain.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { arrayOf } from '../database/page.ts';
import { type AuditLogRow, toAuditEntry } from './audit-entries.ts';
import { auditLogs, auditSeals, auditUnsealed } from './audit-tables.ts';

const BATCH_ROWS = 500;
/** Any number that nobody else locks. */
const SEALING_LOCK = 0x7365616c;

export interface ChainEnd {
  workspaceId: string;
  seq: number;
  hash: string;
}

/** The ends of the chains that grew; empty when there was nothing to seal, or another process is at it. */
export async function sealAuditEntries(db: Database): Promise<ChainEnd[]> {
  const ends = new Map<string, ChainEnd>();
  for (;;) {
    const sealed = await sealBatch(db);
    for (const end of sealed.ends) ends.set(end.workspaceId, end);
    if (sealed.count < BATCH_ROWS) return [...ends.values()];
  }
}

async function sealBatch(db: Database): Promise<{ ends: ChainEnd[]; count: number }> {
  return db.transaction(async (tx) => {
    if (!(await lockSealing(tx))) return { ends: [], count: 0 };
    const rows = await tx
      .select(getTableColumns(auditLogs))
      .from(auditUnsealed)
      .innerJoin(auditLogs, eq(auditLogs.position, auditUnsealed.position))
      .orderBy(asc(auditUnsealed.position))
      .limit(BATCH_ROWS);
    if (rows.length === 0) return { ends: [], count: 0 };
    const ends = await readEnds(tx, [...new Set(rows.map(({ workspaceId }) => workspaceId))]);
    const seals = rows.map((row) => seal(ends, row));
    await insertSeals(tx, seals);
    const positions = rows.map(({ position }) => position);
    await tx.delete(auditUnsealed).where(sql`${auditUnsealed.position} = any(${arrayOf('bigint', positions)})`);
    return { ends: [...ends.values()], count: rows.length };
  });
}

async function lockSealing(tx: Transaction): Promise<boolean> {
  const [answer] = await tx.execute(sql`select pg_try_advisory_xact_lock(${SEALING_LOCK}) as locked`);
  return answer?.['locked'] === true;
}

/** Moves the end of the chain on by this entry. */
function seal(ends: Map<string, ChainEnd>, row: AuditLogRow) {
  const { workspaceId, id: auditId } = row;
  const { seq: last, hash: previousHash } = ends.get(workspaceId) ?? { seq: 0, hash: AUDIT_GENESIS_HASH };
  const seq = last + 1;
  const hash = sealHash(seq, previousHash, toAuditEntry(row));
  ends.set(workspaceId, { workspaceId, seq, hash });
  return { workspaceId, seq, auditId, previousHash, hash };
}

async function readEnds(tx: Transaction, workspaceIds: readonly string[]): Promise<Map<string, ChainEnd>> {
  const ends = await findChainEnds(tx, sql`unnest(${arrayOf('uuid', workspaceIds)}) as workspace(id)`);
  return new Map(ends.map((end) => [end.workspaceId, end]));
}

/** Of the workspaces that `of` selects as `workspace(id)`; none for a chain that has not begun. */
export async function findChainEnds(db: Database | Transaction, of: SQL): Promise<ChainEnd[]> {
  const rows = await db.execute<{ workspace_id: string; seq: string; hash: string }>(sql`
    select workspace_id, seq, hash from ${of} cross join lateral (
      select workspace_id, seq, hash from ${auditSeals} where workspace_id = workspace.id order by seq desc limit 1) as newest`);
  return rows.map(({ workspace_id: workspaceId, seq, hash }) => ({ workspaceId, seq: Number(seq), hash }));
}

/** One parameter whatever the number of seals. */
async function insertSeals(tx: Transaction, seals: readonly ReturnType<typeof seal>[]): Promise<void> {
  await tx.execute(sql`insert into ${auditSeals} (workspace_id, seq, audit_id, previous_hash, hash)
    select "workspaceId", seq, "auditId", "previousHash", hash from json_to_recordset(${JSON.stringify(seals)}::text::json)
      as seal("workspaceId" uuid, seq bigint, "auditId" uuid, "previousHash" text, hash text)`);
}
