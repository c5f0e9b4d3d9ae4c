// API keys: who may call, for which workspace, with which scopes. The secret is stored encrypted and decrypted only to
// check a signature; a key that another user made or rotated has none until its own user takes it. The key of who signs
// in with a passkey never has one: its sessions act by it, with the scopes of its user's roles.
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { roles } from '../../domain/users/roles.ts';
import { bytes, moment } from '../database/columns.ts';
import { sealedTable } from '../seals/sealed-tables.ts';
import type { SealedContent } from '../seals/seals.ts';
import { users } from '../users/users.ts';
import { workspaces } from '../workspaces/workspaces.ts';

export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    apiKey: text('api_key').notNull().unique(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** Whose key it is: its votes are this user's. */
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** Empty while its user has not taken the secret: see `awaitsSecret`. */
    secretEncrypted: bytes('secret_encrypted').notNull(),
    /**
     * The secret before the last rotation, which still signs until its moment has passed; without a moment, until the
     * new secret is taken.
     */
    previousSecretEncrypted: bytes('previous_secret_encrypted'),
    previousSecretExpiresAt: moment('previous_secret_expires_at'),
    scopes: text('scopes').array().notNull(),
    walletIds: uuid('wallet_ids').array().notNull().default([]),
    /** Addresses and CIDR ranges that the key may call from; empty for any. */
    ipAllowlist: text('ip_allowlist').array().notNull().default([]),
    name: text('name').notNull(),
    /** The id of the user who made it, or `operator`. */
    createdBy: text('created_by').notNull(),
    legacyPathSigning: boolean('legacy_path_signing').notNull().default(false),
    /** How a request shows that it is this key's: by an HMAC under the secret, or by a session of its user. */
    provedBy: text('proved_by', { enum: ['secret', 'passkey'] })
      .notNull()
      .default('secret'),
    /** Of a key that is proved by a passkey: what its scopes are made of. Null for all others. */
    roles: text('roles', { enum: roles }).array(),
    revokedAt: moment('revoked_at'),
    expiresAt: moment('expires_at'),
    /** Of all that decides: null in rows of before 0.2, until the operator has them sealed. */
    seal: text('seal'),
    sealVersion: integer('seal_version').notNull().default(0),
    lastUsedAt: moment('last_used_at'),
    lastUsedIp: text('last_used_ip'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('api_keys_workspace').on(table.workspaceId, table.createdAt, table.id),
    index('api_keys_workspace_updated').on(table.workspaceId, table.updatedAt, table.id),
    index('api_keys_user').on(table.userId),
    uniqueIndex('api_keys_console')
      .on(table.userId)
      .where(sql`${table.provedBy} = 'passkey' and ${table.revokedAt} is null`),
  ],
);

export type ApiKeyRow = typeof apiKeys.$inferSelect;

/** What a key has in the place of a secret until its user takes one. */
export const untaken = (): Uint8Array => new Uint8Array();

/** There is no secret that its user, or anybody, could know. */
export const awaitsSecret = ({ secretEncrypted }: Pick<ApiKeyRow, 'secretEncrypted'>): boolean =>
  secretEncrypted.length === 0;

/** It is what sessions of its user act by. It never has a secret. */
export const isConsoleKey = ({ provedBy }: Pick<ApiKeyRow, 'provedBy'>): boolean => provedBy === 'passkey';

const hexOf = (encrypted: Uint8Array | null) => (encrypted === null ? null : Buffer.from(encrypted).toString('hex'));

export const apiKeyContent = (row: Omit<ApiKeyRow, 'seal' | 'lastUsedAt' | 'lastUsedIp' | 'createdAt' | 'updatedAt'>) =>
  ({
    id: row.id,
    api_key: row.apiKey,
    workspace_id: row.workspaceId,
    user_id: row.userId,
    secret_encrypted: hexOf(row.secretEncrypted),
    previous_secret_encrypted: hexOf(row.previousSecretEncrypted),
    previous_secret_expires_at: row.previousSecretExpiresAt?.toISOString() ?? null,
    scopes: row.scopes,
    wallet_ids: row.walletIds,
    ip_allowlist: row.ipAllowlist,
    legacy_path_signing: row.legacyPathSigning,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    expires_at: row.expiresAt?.toISOString() ?? null,
    // Left out where there are none: seals of before there were passkeys stay what they are.
    ...(row.provedBy === 'passkey' ? { proved_by: row.provedBy, roles: row.roles } : {}),
    version: row.sealVersion,
  }) satisfies SealedContent;

export const sealedApiKeys = sealedTable<ApiKeyRow>({
  kind: 'api_key',
  table: apiKeys,
  key: [apiKeys.id],
  seal: apiKeys.seal,
  sealOf: (row) => row.seal,
  contentOf: apiKeyContent,
});
