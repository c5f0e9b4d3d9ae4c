// The worker's loop over the audit log: seals what was written into the chain of each workspace, and signs the ends of
// the chains. Safe to run in many processes.
import { signHead } from '../../domain/audit/audit-chain.ts';
import type { Logger } from '../../domain/logger.ts';
import { type Sign, signDueHeads } from '../../drizzle/audit/audit-heads.ts';
import { sealAuditEntries } from '../../drizzle/audit/audit-seals.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { findOrCreateServiceKey, type ServiceKey } from '../../drizzle/secrets/service-keys.ts';
import { repeat } from './repeat.ts';

const EVERY_MS = 1_000;
const HEADS_EVERY_ROUNDS = 5;

export interface SealingDependencies {
  db: Database;
  /** The one of today, then those that still decrypt. */
  keyEncryptionKeys: readonly Buffer[];
  log: Pick<Logger, 'warn'>;
}

/** Runs until the returned function is called, which waits for the round under way. */
export function startSealing({ db, keyEncryptionKeys, log }: SealingDependencies): () => Promise<void> {
  return repeat({ name: 'sealing the audit log', everyMs: EVERY_MS, log }, async (round) => {
    await sealAuditEntries(db);
    if (round % HEADS_EVERY_ROUNDS === 0) await signDueHeads(db, await signerOf(db, keyEncryptionKeys));
  });
}

export const signerOf = async (db: Database, keyEncryptionKeys: readonly Buffer[]): Promise<Sign> =>
  signWith(await findOrCreateServiceKey(db, 'audit', keyEncryptionKeys));

export const signWith =
  ({ publicKey, privateKey }: ServiceKey): Sign =>
  (head) => ({ ...head, publicKey, signature: signHead(head, privateKey) });
