// Encrypts the secrets of webhooks and the service's own keys anew under the key-encryption key of today, as
// reencrypt-secrets.ts does those of API keys. Safe to repeat, to interrupt and to run beside the service.
import type { Database } from '../../drizzle/database/connection.ts';
import {
  type EncryptedValue,
  encryptedColumns,
  listEncrypted,
  replaceEncrypted,
} from '../../drizzle/secrets/encrypted-columns.ts';
import { decryptSecret, encryptSecret } from '../../drizzle/secrets/encrypted-secret.ts';
import type { Reencryption } from './reencrypt-secrets.ts';

const BATCH_SIZE = 200;

/**
 * `keyEncryptionKeys`: the one of today, then those that still decrypt. What was rotated in the very moment counts as
 * encrypted anew: the next run looks again.
 */
export async function reencryptColumns(db: Database, keyEncryptionKeys: readonly Buffer[]): Promise<Reencryption> {
  const counts: Reencryption = { reencrypted: 0, current: 0, unreadable: [] };
  const [today] = keyEncryptionKeys;
  if (today === undefined) throw new Error('there is no key-encryption key of today');
  for (const column of encryptedColumns) {
    let after: string | undefined;
    do {
      const batch = await listEncrypted(db, column, after, BATCH_SIZE);
      for (const value of batch) {
        const known = decrypt(keyEncryptionKeys, value);
        if (known === undefined) counts.unreadable.push(value.id);
        else if (known.under === today) counts.current += 1;
        else {
          await replaceEncrypted(db, column, value, encryptSecret(today, value.boundTo, known.secret));
          counts.reencrypted += 1;
        }
      }
      after = batch.at(-1)?.id;
    } while (after !== undefined);
  }
  return counts;
}

function decrypt(keyEncryptionKeys: readonly Buffer[], { boundTo, encrypted }: EncryptedValue) {
  try {
    return decryptSecret(keyEncryptionKeys, boundTo, encrypted);
  } catch {
    return undefined;
  }
}
