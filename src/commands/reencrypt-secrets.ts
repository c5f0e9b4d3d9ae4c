// Encrypts every stored secret anew under the key-encryption key of today. Safe to repeat, to interrupt and to run
// beside the service.

import { findEncryptedSecrets, listEncryptedSecrets } from '../../drizzle/api-keys/api-key-queries.ts';
import { type EncryptedSecrets, replaceEncryptedSecrets } from '../../drizzle/api-keys/api-key-steps.ts';
import type { ApiKeyRow } from '../../drizzle/api-keys/api-keys.ts';
import { insertOperatorEntry } from '../../drizzle/audit/audit-entries.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { Seals } from '../../drizzle/seals/seals.ts';
import { decryptSecret, encryptSecret } from '../../drizzle/secrets/encrypted-secret.ts';

const BATCH_SIZE = 200;

export interface Reencryption {
  reencrypted: number;
  /** Were under the key of today already. */
  current: number;
  /** API keys whose secrets none of the given key-encryption keys decrypts. Left as they are. */
  unreadable: string[];
}

/** `keyEncryptionKeys`: the one of today, then those that still decrypt. */
export async function reencryptSecrets(db: Database, keyEncryptionKeys: readonly Buffer[]): Promise<Reencryption> {
  const counts: Reencryption = { reencrypted: 0, current: 0, unreadable: [] };
  let after: string | undefined;
  for (;;) {
    const batch = await listEncryptedSecrets(db, after, BATCH_SIZE);
    for (const row of batch) await reencryptOne(db, keyEncryptionKeys, row, counts);
    after = batch.at(-1)?.id;
    if (after === undefined) return counts;
  }
}

async function reencryptOne(
  db: Database,
  keyEncryptionKeys: readonly Buffer[],
  row: ApiKeyRow,
  counts: Reencryption,
): Promise<void> {
  const to = reencrypt(keyEncryptionKeys, row);
  if (to === 'unreadable') counts.unreadable.push(row.id);
  else if (to === 'current') counts.current += 1;
  else if (await replace(db, new Seals(keyEncryptionKeys), row, to)) counts.reencrypted += 1;
  // Rotated in this very moment. The process that did it may still encrypt under the former key: look at the new
  // ciphertext too.
  else await reencryptAgain(db, keyEncryptionKeys, row.id, counts);
}

async function replace(db: Database, seals: Seals, row: ApiKeyRow, to: EncryptedSecrets) {
  return db.transaction(async (tx) => {
    if (!(await replaceEncryptedSecrets(tx, seals, row, to))) return false;
    const { workspaceId, id: resourceId } = row;
    await insertOperatorEntry(tx, { workspaceId, action: 'workspace rotate-key-encryption-key', resourceId });
    return true;
  });
}

async function reencryptAgain(
  db: Database,
  keyEncryptionKeys: readonly Buffer[],
  id: string,
  counts: Reencryption,
): Promise<void> {
  const row = await findEncryptedSecrets(db, id);
  if (row !== undefined) await reencryptOne(db, keyEncryptionKeys, row, counts);
}

function reencrypt([today, ...former]: readonly Buffer[], row: ApiKeyRow) {
  if (today === undefined) throw new Error('there is no key-encryption key of today');
  const { id, secretEncrypted, previousSecretEncrypted } = row;
  const renew = (encrypted: Uint8Array) => {
    if (encrypted.length === 0) return encrypted; // not taken yet
    const { secret, under } = decryptSecret([today, ...former], id, encrypted);
    return under === today ? encrypted : encryptSecret(today, id, secret);
  };
  try {
    const to = {
      secretEncrypted: renew(secretEncrypted),
      previousSecretEncrypted: previousSecretEncrypted && renew(previousSecretEncrypted),
    };
    const isCurrent = to.secretEncrypted === secretEncrypted && to.previousSecretEncrypted === previousSecretEncrypted;
    return isCurrent ? 'current' : to;
  } catch {
    return 'unreadable';
  }
}
