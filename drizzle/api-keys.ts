// API keys: who may call, for which workspace, with which scopes. The secret is stored encrypted and decrypted only to check a signature.
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, moment } from './columns.ts';
import type { Database, Transaction } from './database.ts';
import { workspaces } from './workspaces.ts';

export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    apiKey: text('api_key').notNull().unique(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    secretEncrypted: bytes('secret_encrypted').notNull(),
    /** The secret before the last rotation, which still signs until its moment has passed. */
    previousSecretEncrypted: bytes('previous_secret_encrypted'),
    previousSecretExpiresAt: moment('previous_secret_expires_at'),
    scopes: text('scopes').array().notNull(),
    walletIds: uuid('wallet_ids').array().notNull().default([]),
    /** Addresses and CIDR ranges that the key may call from; empty for any. */
    ipAllowlist: text('ip_allowlist').array().notNull().default([]),
    name: text('name').notNull(),
    createdBy: text('created_by').notNull(),
    legacyPathSigning: boolean('legacy_path_signing').notNull().default(false),
    revokedAt: moment('revoked_at'),
    expiresAt: moment('expires_at'),
    lastUsedAt: moment('last_used_at'),
    lastUsedIp: text('last_used_ip'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('api_keys_workspace').on(table.workspaceId, table.createdAt, table.id),
    index('api_keys_workspace_updated').on(table.workspaceId, table.updatedAt, table.id),
  ],
);

export type ApiKeyRow = typeof apiKeys.$inferSelect;

export async function insertApiKey(tx: Transaction, key: typeof apiKeys.$inferInsert): Promise<void> {
  await tx.insert(apiKeys).values(key);
}

/** The key with this identifier, unless it is revoked or expired now. */
export async function findUsableApiKey(db: Database, apiKey: string): Promise<ApiKeyRow | undefined> {
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.apiKey, apiKey),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
      ),
    );
  return row;
}
