// API keys: who may call, for which workspace, with which scopes. The secret is stored encrypted and decrypted only to
// check a signature; a key that another user made or rotated has none until its own user takes it.
import { and, asc, desc, eq, getTableColumns, gt, isNull, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf, arrayOf, type Page, pageConditions, pageOrder } from '../database/page.ts';
import { recordEvent } from '../events/events.ts';
import type { RecordedRow } from '../events/recorded-rows.ts';
import { sealedTable } from '../seals/sealed-tables.ts';
import type { Sealing } from '../seals/sealing.ts';
import type { SealedContent, Seals } from '../seals/seals.ts';
import { type UserRow, users } from '../users/users.ts';
import { wallets } from '../wallets/wallets.ts';
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
  ],
);

export type ApiKeyRow = typeof apiKeys.$inferSelect;
type Given = 'id' | 'apiKey' | 'workspaceId' | 'userId' | 'secretEncrypted' | 'scopes' | 'name' | 'createdBy';
export type NewApiKey = Pick<ApiKeyRow, Given> & Partial<Omit<ApiKeyRow, Given | 'seal' | 'sealVersion'>>;

/** What a key has in the place of a secret until its user takes one. */
export const untaken = (): Uint8Array => new Uint8Array();

/** There is no secret that its user, or anybody, could know. */
export const awaitsSecret = ({ secretEncrypted }: Pick<ApiKeyRow, 'secretEncrypted'>): boolean =>
  secretEncrypted.length === 0;

const hexOf = (encrypted: Uint8Array | null) => (encrypted === null ? null : Buffer.from(encrypted).toString('hex'));

const sealedContentOf = (row: Omit<ApiKeyRow, 'seal' | 'lastUsedAt' | 'lastUsedIp' | 'createdAt' | 'updatedAt'>) =>
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
    version: row.sealVersion,
  }) satisfies SealedContent;

export const sealedApiKeys = sealedTable<ApiKeyRow>({
  kind: 'api_key',
  table: apiKeys,
  key: [apiKeys.id],
  seal: apiKeys.seal,
  sealOf: (row) => row.seal,
  contentOf: sealedContentOf,
});

/** What its events record: neither the secrets nor the identifier that is sent with them. */
export const recordedApiKey = {
  id: apiKeys.id,
  workspaceId: apiKeys.workspaceId,
  userId: apiKeys.userId,
  name: apiKeys.name,
  scopes: apiKeys.scopes,
  walletIds: apiKeys.walletIds,
  createdBy: apiKeys.createdBy,
  expiresAt: apiKeys.expiresAt,
  revokedAt: apiKeys.revokedAt,
  createdAt: apiKeys.createdAt,
  updatedAt: apiKeys.updatedAt,
};
export type RecordedApiKey = RecordedRow<typeof recordedApiKey>;

const unsetLimits = {
  walletIds: [],
  ipAllowlist: [],
  legacyPathSigning: false,
  revokedAt: null,
  expiresAt: null,
  previousSecretEncrypted: null,
  previousSecretExpiresAt: null,
};

export async function insertApiKey(tx: Transaction, { seals, note }: Sealing, key: NewApiKey): Promise<ApiKeyRow> {
  const versioned = { ...unsetLimits, ...key, sealVersion: 1 };
  const seal = seals.seal('api_key', sealedContentOf(versioned));
  note({ kind: 'api_key', id: key.id, version: versioned.sealVersion });
  const [row] = await tx
    .insert(apiKeys)
    .values({ ...versioned, seal })
    .returning({ ...getTableColumns(apiKeys), eventId: recordEvent('api_key.created', recordedApiKey) });
  if (row === undefined) throw new Error('an insert returned no row');
  return row;
}

export interface KeyOfUser {
  key: ApiKeyRow;
  user: UserRow;
}

/**
 * The key with this identifier and its user, also when it is revoked or expired; else the other one, so that an unknown
 * identifier takes as long as a known one. Who asks must look which it is.
 */
export async function findApiKeyOrOther(db: Database, apiKey: string, otherId: string): Promise<KeyOfUser | undefined> {
  const [row] = await db
    .select({ key: apiKeys, user: users })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(or(eq(apiKeys.apiKey, apiKey), eq(apiKeys.id, otherId)))
    .orderBy(desc(sql`${apiKeys.apiKey} = ${apiKey}`))
    .limit(1);
  return row;
}

export async function findApiKey(
  db: Database | Transaction,
  workspaceId: string,
  id: string,
): Promise<ApiKeyRow | undefined> {
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.workspaceId, workspaceId)));
  return row;
}

export interface ApiKeyReader {
  id: string;
  /** Empty for a reader who sees every key. */
  walletIds: readonly string[];
}

/**
 * The reader's own key and those that reach no other wallets than it does. One row more than the page asks for, when
 * there is one.
 */
export async function listApiKeys(
  db: Database,
  workspaceId: string,
  page: Page,
  reader?: ApiKeyReader,
): Promise<ApiKeyRow[]> {
  return db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.workspaceId, workspaceId), visibleTo(reader), ...pageConditions(apiKeys, page)))
    .orderBy(...pageOrder(apiKeys, page))
    .limit(page.limit + 1);
}

function visibleTo(reader: ApiKeyReader | undefined): SQL | undefined {
  if (reader === undefined || reader.walletIds.length === 0) return undefined;
  const isWithin = sql`${apiKeys.walletIds} <@ ${arrayOf('uuid', reader.walletIds)}`;
  return or(eq(apiKeys.id, reader.id), and(ne(apiKeys.walletIds, []), isWithin));
}

export type ApiKeyChange = Partial<
  Pick<
    ApiKeyRow,
    | 'name'
    | 'scopes'
    | 'walletIds'
    | 'ipAllowlist'
    | 'expiresAt'
    | 'revokedAt'
    | 'secretEncrypted'
    | 'previousSecretEncrypted'
    | 'previousSecretExpiresAt'
  >
>;

/**
 * Undefined when the key is revoked: that is final. Throws BrokenSealError for a row that somebody else has written.
 */
export async function changeApiKey(
  tx: Transaction,
  { seals, note }: Sealing,
  id: string,
  change: ApiKeyChange,
): Promise<ApiKeyRow | undefined> {
  const [before] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id)).for('no key update');
  if (before === undefined || before.revokedAt !== null) return undefined;
  sealedApiKeys.assert(seals, before);
  const after = { ...before, ...change, sealVersion: before.sealVersion + 1 };
  const seal = seals.seal('api_key', sealedContentOf(after));
  note({ kind: 'api_key', id, version: after.sealVersion });
  const [row] = await tx
    .update(apiKeys)
    .set({ ...change, sealVersion: after.sealVersion, seal, updatedAt: sql`now()` })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .returning({
      ...getTableColumns(apiKeys),
      ...(change.revokedAt ? { eventId: recordEvent('api_key.revoked', recordedApiKey) } : {}),
    });
  return row;
}

/** Those that are not revoked. */
export async function listKeysOfUser(tx: Transaction, userId: string): Promise<ApiKeyRow[]> {
  return tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)))
    .orderBy(asc(apiKeys.id));
}

/**
 * Whether another key than these has the scope for every wallet and for ever, and a secret that does not end by itself.
 * Holds only while the caller has locked the workspace.
 */
export async function hasLastingKey(
  tx: Transaction,
  { workspaceId, scope, exceptIds }: { workspaceId: string; scope: string; exceptIds: readonly string[] },
): Promise<boolean> {
  const others = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .innerJoin(users, and(eq(users.id, apiKeys.userId), eq(users.status, 'active')))
    .where(
      and(
        eq(apiKeys.workspaceId, workspaceId),
        not(anyOf(apiKeys.id, exceptIds)),
        isNull(apiKeys.revokedAt),
        isNull(apiKeys.expiresAt),
        eq(apiKeys.walletIds, []),
        sql`(octet_length(${apiKeys.secretEncrypted}) > 0
          or (${apiKeys.previousSecretEncrypted} is not null and ${apiKeys.previousSecretExpiresAt} is null))`,
        sql`${scope} = any(${apiKeys.scopes})`,
      ),
    )
    .limit(1);
  return others.length > 0;
}

/** Those of the ids that name a wallet of the workspace. */
export async function findWalletIds(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .select({ id: wallets.id })
    .from(wallets)
    .where(and(eq(wallets.workspaceId, workspaceId), anyOf(wallets.id, ids)));
  return rows.map(({ id }) => id);
}

export interface ApiKeyUse {
  id: string;
  at: Date;
  ip: string | undefined;
}

/**
 * Locks in the order of the ids, so that two processes that write at once never wait for each other. The later use
 * wins.
 */
export async function noteApiKeyUses(db: Database, uses: readonly ApiKeyUse[]): Promise<void> {
  const json = JSON.stringify(uses.map(({ id, at, ip }) => ({ id, at: at.toISOString(), ip: ip ?? null })));
  await db.execute(sql`
    with used as (
      select ${apiKeys.id} as id, use.at, use.ip
      from jsonb_to_recordset(${json}::text::jsonb) as use(id uuid, at timestamptz, ip text)
      join ${apiKeys} on ${apiKeys.id} = use.id
      where ${apiKeys.lastUsedAt} is null or ${apiKeys.lastUsedAt} < use.at
      order by ${apiKeys.id}
      for no key update of ${apiKeys}
    )
    update ${apiKeys} set last_used_at = used.at, last_used_ip = coalesce(used.ip, ${apiKeys.lastUsedIp})
    from used where ${apiKeys.id} = used.id`);
}

export type EncryptedSecrets = Pick<ApiKeyRow, 'secretEncrypted' | 'previousSecretEncrypted'>;

/** In the order of the ids, from the one after `afterId`. */
export async function listEncryptedSecrets(
  db: Database,
  afterId: string | undefined,
  limit: number,
): Promise<ApiKeyRow[]> {
  return db
    .select()
    .from(apiKeys)
    .where(afterId === undefined ? undefined : gt(apiKeys.id, afterId))
    .orderBy(asc(apiKeys.id))
    .limit(limit);
}

export async function findEncryptedSecrets(db: Database, id: string): Promise<ApiKeyRow | undefined> {
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, id));
  return row;
}

/**
 * By compare-and-set. False when the key was rotated in the meantime. Not a change that the key's owner would see, and
 * no new version of its seal. A row whose seal does not hold keeps it.
 */
export async function replaceEncryptedSecrets(
  tx: Transaction,
  seals: Seals,
  from: ApiKeyRow,
  to: EncryptedSecrets,
): Promise<boolean> {
  const seal = sealedApiKeys.holds(seals, from) ? seals.seal('api_key', sealedContentOf({ ...from, ...to })) : from.seal;
  const replaced = await tx
    .update(apiKeys)
    .set({ ...to, seal })
    .where(
      and(
        eq(apiKeys.id, from.id),
        eq(apiKeys.sealVersion, from.sealVersion),
        eq(apiKeys.secretEncrypted, from.secretEncrypted),
        sql`${apiKeys.previousSecretEncrypted} is not distinct from ${sql.param(from.previousSecretEncrypted, apiKeys.previousSecretEncrypted)}`,
      ),
    )
    .returning({ id: apiKeys.id });
  return replaced.length === 1;
}
