// Ed25519 keys of the service itself, one a purpose, made with the first workspace or when they are first needed. The
// private one lies encrypted under the key-encryption key.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { v7 as uuidv7 } from 'uuid';
import { bytes, moment } from '../database/columns.ts';
import type { Database } from '../database/connection.ts';
import { decryptSecret, encryptSecret } from './encrypted-secret.ts';

const purposes = ['audit', 'webhooks'] as const;

export const serviceKeys = pgTable('service_keys', {
  id: uuid('id').primaryKey(),
  purpose: text('purpose', { enum: purposes }).notNull().unique(),
  /** Raw 32 bytes, base64. */
  publicKey: text('public_key').notNull(),
  encryptedPrivateKey: bytes('encrypted_private_key').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

export interface ServiceKey {
  /** Raw 32 bytes, base64. */
  publicKey: string;
  privateKey: KeyObject;
}

type Purpose = (typeof purposes)[number];

/**
 * Makes the key at first use; of several who do so at once, one wins. `keyEncryptionKeys`: the one of today, then those
 * that still decrypt.
 */
export async function findOrCreateServiceKey(
  db: Database,
  purpose: Purpose,
  keyEncryptionKeys: readonly Buffer[],
): Promise<ServiceKey> {
  const [today] = keyEncryptionKeys;
  if (today === undefined) throw new Error('there is no key-encryption key of today');
  return decrypted((await findRow(db, purpose)) ?? (await createRow(db, purpose, today)), keyEncryptionKeys);
}

/** So that whoever reads finds them there. */
export async function ensureServiceKeys(db: Database, keyEncryptionKey: Buffer): Promise<void> {
  for (const purpose of purposes) if (!(await findRow(db, purpose))) await createRow(db, purpose, keyEncryptionKey);
}

/** Writes nothing: undefined while there is none. */
export async function findServiceKey(
  db: Database,
  purpose: Purpose,
  keyEncryptionKeys: readonly Buffer[],
): Promise<ServiceKey | undefined> {
  const found = await findRow(db, purpose);
  return found && decrypted(found, keyEncryptionKeys);
}

/** Whether these are the keys of this database; true while it holds nothing that would say so. */
export async function opensServiceKeys(db: Database, keyEncryptionKeys: readonly Buffer[]): Promise<boolean> {
  const rows = await db.select().from(serviceKeys);
  try {
    for (const row of rows) decrypted(row, keyEncryptionKeys);
    return true;
  } catch {
    return false;
  }
}

/** Undefined while there is none. */
export async function findServicePublicKey(db: Database, purpose: Purpose): Promise<string | undefined> {
  return (await findRow(db, purpose))?.publicKey;
}

function decrypted(
  { id, publicKey, encryptedPrivateKey }: typeof serviceKeys.$inferSelect,
  keyEncryptionKeys: readonly Buffer[],
): ServiceKey {
  const { secret } = decryptSecret(keyEncryptionKeys, id, encryptedPrivateKey);
  const privateKey = createPrivateKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'pkcs8' });
  return { publicKey, privateKey };
}

async function findRow(db: Database, purpose: Purpose) {
  const [row] = await db.select().from(serviceKeys).where(eq(serviceKeys.purpose, purpose));
  return row;
}

async function createRow(db: Database, purpose: Purpose, keyEncryptionKey: Buffer) {
  const { privateKey } = generateKeyPairSync('ed25519');
  const id = uuidv7();
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const encryptedPrivateKey = encryptSecret(keyEncryptionKey, id, secret);
  const row = { id, purpose, publicKey: rawPublicKey(privateKey), encryptedPrivateKey };
  await db.insert(serviceKeys).values(row).onConflictDoNothing();
  const stored = await findRow(db, purpose);
  if (stored === undefined) throw new Error('a service key that was stored is not there');
  return stored;
}

function rawPublicKey(privateKey: KeyObject): string {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url').toString('base64');
}
