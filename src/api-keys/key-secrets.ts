// What becomes of the secrets of a key that is rotated, or whose user takes the secret that waits. Decides nobody's
// right to it and stores nothing.

import type { ApiKeyChange } from '../../drizzle/api-keys/api-key-steps.ts';
import { type ApiKeyRow, awaitsSecret, untaken } from '../../drizzle/api-keys/api-keys.ts';
import { encryptSecret } from '../../drizzle/secrets/encrypted-secret.ts';
import { generateApiSecret } from '../authentication/generate-secrets.ts';

type Secrets = Pick<ApiKeyRow, 'id' | 'secretEncrypted' | 'previousSecretEncrypted' | 'previousSecretExpiresAt'>;

/** A new secret, and the change that stores it: the one until now still signs for as long as this. */
export function renewSecret(
  keyEncryptionKey: Buffer,
  key: Secrets,
  overlapSeconds: number,
): { secret: string; change: ApiKeyChange } {
  const secret = generateApiSecret();
  const secretEncrypted = encryptSecret(keyEncryptionKey, key.id, secret);
  return { secret, change: { secretEncrypted, ...former(key, overlapSeconds) } };
}

/**
 * The change after which the key's user may take a new secret, and nobody has one yet. Without a time the secret until
 * now signs until then, so that a rotation that another user asked for locks nobody out.
 */
export const offerSecret = (key: Secrets, overlapSeconds: number | undefined): ApiKeyChange => ({
  secretEncrypted: untaken(),
  ...former(key, overlapSeconds),
});

/**
 * What is left of the secret until now. While a new one waits, that is the one before, which ends no later than it
 * would.
 */
function former(key: Secrets, overlapSeconds: number | undefined) {
  const waits = awaitsSecret(key);
  const encrypted = waits ? key.previousSecretEncrypted : key.secretEncrypted;
  if (encrypted === null || overlapSeconds === 0)
    return { previousSecretEncrypted: null, previousSecretExpiresAt: null };
  const end = overlapSeconds === undefined ? null : new Date(Date.now() + overlapSeconds * 1000);
  const endBefore = waits ? key.previousSecretExpiresAt : null;
  return { previousSecretEncrypted: encrypted, previousSecretExpiresAt: earlier(end, endBefore) };
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
