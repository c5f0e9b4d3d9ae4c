// Signed heads of the audit chains: what a chain was at a moment. They are kept elsewhere too, so that a chain which
// was cut or written anew contradicts one. Signs nothing itself.
import { and, desc, eq, sql } from 'drizzle-orm';
import type { ChainHead, SignedHead } from '../../domain/audit/audit-chain.ts';
import type { Database } from '../database/connection.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import { type ChainEnd, findChainEnds } from './audit-seals.ts';
import { type AuditHeadRow, auditHeads, auditSeals } from './audit-tables.ts';

/** A head a minute and workspace, while its chain grows. */
const HEAD_EVERY_SECONDS = 60;

/** Signs the end of every chain that has no head yet, or grew since its last one, when that is a minute old. */
export async function signDueHeads(db: Database, sign: Sign): Promise<void> {
  const due = sql`(select ${workspaces.id} as id from ${workspaces}
    cross join lateral (select seq from ${auditSeals} where workspace_id = ${workspaces.id} order by seq desc limit 1) as sealed
    left join lateral (select seq, signed_at from ${auditHeads} where workspace_id = ${workspaces.id} order by seq desc limit 1) as signed on true
    where signed.seq is null or (signed.seq < sealed.seq and signed.signed_at <= now() - ${HEAD_EVERY_SECONDS} * interval '1 second')
  ) as workspace`;
  for (const end of await findChainEnds(db, due)) await insertHead(db, end, sign);
}

export type Sign = (head: ChainHead) => SignedHead;

/** Two processes may sign the same end: one head of it is kept. */
async function insertHead(db: Database, end: ChainEnd, sign: Sign): Promise<void> {
  const { signedAt, ...head } = sign({ ...end, signedAt: new Date().toISOString() });
  await db
    .insert(auditHeads)
    .values({ ...head, signedAt: new Date(signedAt) })
    .onConflictDoNothing();
}

export async function findNewestHead(db: Database, workspaceId: string): Promise<SignedHead | undefined> {
  const [row] = await db
    .select()
    .from(auditHeads)
    .where(eq(auditHeads.workspaceId, workspaceId))
    .orderBy(desc(auditHeads.seq))
    .limit(1);
  return row && toSignedHead(row);
}

/** The newest head of every workspace: what is to be kept elsewhere, and since when it is. */
export async function newestHeads(db: Database): Promise<(SignedHead & { keptAt: Date | null })[]> {
  const newest = db
    .select()
    .from(auditHeads)
    .where(eq(auditHeads.workspaceId, workspaces.id))
    .orderBy(desc(auditHeads.seq))
    .limit(1)
    .as('newest');
  const { workspaceId, seq, hash, publicKey, signature, signedAt, keptAt } = newest;
  const rows = await db
    .select({ workspaceId, seq, hash, publicKey, signature, signedAt, keptAt })
    .from(workspaces)
    .innerJoinLateral(newest, sql`true`);
  return rows.map((row) => ({ ...toSignedHead(row), keptAt: row.keptAt }));
}

export async function recordHeadKept(
  db: Database,
  { workspaceId, seq }: Pick<ChainHead, 'workspaceId' | 'seq'>,
): Promise<void> {
  await db
    .update(auditHeads)
    .set({ keptAt: sql`coalesce(${auditHeads.keptAt}, now())` })
    .where(and(eq(auditHeads.workspaceId, workspaceId), eq(auditHeads.seq, seq)));
}

export function toSignedHead({ workspaceId, seq, hash, publicKey, signature, signedAt }: AuditHeadRow): SignedHead {
  return { workspaceId, seq, hash, publicKey, signature, signedAt: signedAt.toISOString() };
}
