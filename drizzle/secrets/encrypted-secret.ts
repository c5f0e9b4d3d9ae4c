// How a secret lies in a row: AES-256-GCM under a key-encryption key, bound to what it belongs to by the additional
// data. Never logs one.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * version (1) ‖ nonce (12) ‖ ciphertext ‖ tag (16). `ownerId` is authenticated, so that a ciphertext cannot be moved to
 * another's row.
 */
export function encryptSecret(keyEncryptionKey: Buffer, ownerId: string, secret: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyEncryptionKey, nonce).setAAD(Buffer.from(ownerId));
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, ciphertext, cipher.getAuthTag()]);
}

/**
 * The secret, and which of the key-encryption keys it was encrypted under. Throws when it was altered, belongs to
 * another owner, or fits none of them.
 */
export function decryptSecret(
  keyEncryptionKeys: readonly Buffer[],
  ownerId: string,
  encrypted: Uint8Array,
): { secret: string; under: Buffer } {
  for (const under of keyEncryptionKeys) {
    const secret = decryptUnder(under, ownerId, encrypted);
    if (secret !== undefined) return { secret, under };
  }
  throw new Error('a secret was altered, or was encrypted under another key-encryption key');
}

function decryptUnder(keyEncryptionKey: Buffer, ownerId: string, encrypted: Uint8Array): string | undefined {
  const sealed = Buffer.from(encrypted);
  if (sealed[0] !== VERSION) throw new Error('a secret has an unknown encryption version');
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', keyEncryptionKey, nonce)
    .setAAD(Buffer.from(ownerId))
    .setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const ciphertext = sealed.subarray(1 + NONCE_BYTES, sealed.length - TAG_BYTES);
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
