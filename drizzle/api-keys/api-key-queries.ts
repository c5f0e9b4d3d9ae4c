// Which API keys there are: by what callers send, by workspace and by user. Writes nothing.
import { and, asc, desc, eq, gt, isNull, ne, not, or, type SQL, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf, arrayOf, type Page, pageConditions, pageOrder } from '../database/page.ts';
import { preparedQuery } from '../database/prepared-query.ts';
import { type UserRow, users } from '../users/users.ts';
import { wallets } from '../wallets/wallets.ts';
import { type ApiKeyRow, apiKeys } from './api-keys.ts';

export interface KeyOfUser {
  key: ApiKeyRow;
  user: UserRow;
}

const keyOrOther = preparedQuery((db) =>
  db
    .select({ key: apiKeys, user: users })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(or(eq(apiKeys.apiKey, sql.placeholder('apiKey')), eq(apiKeys.id, sql.placeholder('otherId'))))
    .orderBy(desc(sql`${apiKeys.apiKey} = ${sql.placeholder('apiKey')}`))
    .limit(1)
    .prepare('find_api_key_or_other'),
);

/**
 * The key with this identifier and its user, also when it is revoked or expired; else the other one, so that an unknown
 * identifier takes as long as a known one. Who asks must look which it is.
 */
export async function findApiKeyOrOther(db: Database, apiKey: string, otherId: string): Promise<KeyOfUser | undefined> {
  const [row] = await keyOrOther(db).execute({ apiKey, otherId });
  return row;
}

/** By its id, with its user. */
export async function findKeyOfUser(
  db: Database | Transaction,
  workspaceId: string,
  id: string,
): Promise<KeyOfUser | undefined> {
  const [row] = await db
    .select({ key: apiKeys, user: users })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(and(eq(apiKeys.id, id), eq(apiKeys.workspaceId, workspaceId)));
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

/** The one by which this user's sessions act, if the user has a role. */
export async function findConsoleKey(
  db: Database | Transaction,
  workspaceId: string,
  userId: string,
): Promise<ApiKeyRow | undefined> {
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.workspaceId, workspaceId),
        eq(apiKeys.userId, userId),
        eq(apiKeys.provedBy, 'passkey'),
        isNull(apiKeys.revokedAt),
      ),
    );
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
