// Makes and protects API key secrets: random at birth, AES-256-GCM at rest, bound to their key by the additional data. Never logs one.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const generateApiKey = () => `ck_${randomBytes(16).toString('hex')}`;

/** 32 random bytes, as base64url text: the text is the HMAC key. */
export const generateApiSecret = () => `cs_${randomBytes(32).toString('base64url')}`;

/** version (1) ‖ nonce (12) ‖ ciphertext ‖ tag (16). `keyId` is authenticated, so that a ciphertext cannot be moved to another key's row. */
export function encryptSecret(keyEncryptionKey: Buffer, keyId: string, secret: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyEncryptionKey, nonce).setAAD(Buffer.from(keyId));
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, ciphertext, cipher.getAuthTag()]);
}

/** The secret, and which of the key-encryption keys it was encrypted under. Throws when it was altered, belongs to another key, or fits none of them. */
export function decryptSecret(
  keyEncryptionKeys: readonly Buffer[],
  keyId: string,
  encrypted: Uint8Array,
): { secret: string; under: Buffer } {
  for (const under of keyEncryptionKeys) {
    const secret = decryptUnder(under, keyId, encrypted);
    if (secret !== undefined) return { secret, under };
  }
  throw new Error('an API key secret was altered, or was encrypted under another key-encryption key');
}

function decryptUnder(keyEncryptionKey: Buffer, keyId: string, encrypted: Uint8Array): string | undefined {
  const sealed = Buffer.from(encrypted);
  if (sealed[0] !== VERSION) throw new Error('an API key secret has an unknown encryption version');
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', keyEncryptionKey, nonce)
    .setAAD(Buffer.from(keyId))
    .setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const ciphertext = sealed.subarray(1 + NONCE_BYTES, sealed.length - TAG_BYTES);
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
