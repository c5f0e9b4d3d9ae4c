// Sealed audit chains with signed heads, and what somebody can do to them who rules over the database and holds the key
// that signs heads.
import { generateKeyPairSync } from 'node:crypto';
import { asc, eq, sql } from 'drizzle-orm';
import { AUDIT_GENESIS_HASH, sealHash, signHead } from '../../../domain/audit/audit-chain.ts';
import { insertAuditEntry, toAuditEntry } from '../../../drizzle/audit/audit-entries.ts';
import { findChainEnds, sealAuditEntries } from '../../../drizzle/audit/audit-seals.ts';
import { auditHeads, auditLogs, auditSeals } from '../../../drizzle/audit/audit-tables.ts';
import type { Database, Transaction } from '../../../drizzle/database/connection.ts';

/** Stands for the service's own key: here it is stolen. */
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const rawPublicKey = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');

/** Adds entries, seals them and signs the head. */
export async function growChain(db: Database, workspaceId: string, entries: number): Promise<void> {
  await db.transaction(async (tx) => {
    for (let index = 0; index < entries; index += 1)
      await insertAuditEntry(tx, {
        workspaceId,
        actor: 'system',
        actorId: null,
        action: 'POST /wallets',
        outcome: 'accepted',
        body: '{"name":"one"}',
      });
  });
  await sealAuditEntries(db);
  await db.transaction((tx) => signEnd(tx, workspaceId));
}

/**
 * The entry says something else, and everything after it was computed anew: no hash and no signature in the database is
 * wrong.
 */
export async function rewriteChain(tx: Transaction, workspaceId: string, fromSeq: number): Promise<void> {
  const changed = tx
    .select({ id: auditSeals.auditId })
    .from(auditSeals)
    .where(sql`workspace_id = ${workspaceId} and seq = ${fromSeq}`);
  await tx.update(auditLogs).set({ body: '{"name":"another"}' }).where(sql`id = (${changed})`);
  const links = await tx
    .select()
    .from(auditSeals)
    .innerJoin(auditLogs, eq(auditLogs.id, auditSeals.auditId))
    .where(eq(auditSeals.workspaceId, workspaceId))
    .orderBy(asc(auditSeals.seq));
  let previousHash = AUDIT_GENESIS_HASH;
  for (const { audit_seals: seal, audit_logs: row } of links) {
    const hash = sealHash(seal.seq, previousHash, toAuditEntry(row));
    await tx
      .update(auditSeals)
      .set({ previousHash, hash })
      .where(sql`workspace_id = ${workspaceId} and seq = ${seal.seq}`);
    previousHash = hash;
  }
  await tx.delete(auditHeads).where(sql`workspace_id = ${workspaceId} and seq >= ${fromSeq}`);
  await signEnd(tx, workspaceId);
}

/** Nothing after `lastSeq` was ever there. */
export async function cutChain(tx: Transaction, workspaceId: string, lastSeq: number): Promise<void> {
  const isCut = sql`workspace_id = ${workspaceId} and seq > ${lastSeq}`;
  await tx.execute(sql`delete from audit_logs where id in (select audit_id from audit_seals where ${isCut})`);
  await tx.execute(sql`delete from audit_seals where ${isCut}`);
  await tx.execute(sql`delete from audit_heads where ${isCut}`);
  if (lastSeq > 0) await signEnd(tx, workspaceId);
}

/** Runs `change` as a superuser whom no trigger stops, then `look`, and puts the tables back as they were. */
export async function whileChanged<T>(
  db: Database,
  change: (tx: Transaction) => Promise<void>,
  look: () => Promise<T>,
): Promise<T> {
  await asSuperuser(db, async (tx) => {
    for (const table of tables) await tx.execute(sql.raw(`create table untouched_${table} as table ${table}`));
    await change(tx);
  });
  try {
    return await look();
  } finally {
    await asSuperuser(db, async (tx) => {
      for (const table of tables) {
        await tx.execute(sql.raw(`delete from ${table}`));
        await tx.execute(sql.raw(`insert into ${table} overriding system value table untouched_${table}`));
        await tx.execute(sql.raw(`drop table untouched_${table}`));
      }
    });
  }
}

const tables = ['audit_logs', 'audit_seals', 'audit_heads'];

function asSuperuser(db: Database, act: (tx: Transaction) => Promise<void>): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await act(tx);
  });
}

async function signEnd(tx: Transaction, workspaceId: string): Promise<void> {
  const [end] = await findChainEnds(tx, sql`(select ${workspaceId}::uuid as id) as workspace`);
  if (end === undefined) throw new Error('there is no chain to sign');
  const signedAt = new Date();
  const signature = signHead({ ...end, signedAt: signedAt.toISOString() }, privateKey);
  await tx
    .insert(auditHeads)
    .values({ ...end, signedAt, signature, publicKey: rawPublicKey })
    .onConflictDoNothing();
}
