// The life of an API key: each statement that makes or changes one, sealed anew, with the event that it records.
import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../database/connection.ts';
import { recordEvent } from '../events/events.ts';
import type { RecordedRow } from '../events/recorded-rows.ts';
import type { Sealing } from '../seals/sealing.ts';
import type { Seals } from '../seals/seals.ts';
import { type ApiKeyRow, apiKeyContent, apiKeys, sealedApiKeys } from './api-keys.ts';

type Given = 'id' | 'apiKey' | 'workspaceId' | 'userId' | 'secretEncrypted' | 'scopes' | 'name' | 'createdBy';
export type NewApiKey = Pick<ApiKeyRow, Given> & Partial<Omit<ApiKeyRow, Given | 'seal' | 'sealVersion'>>;

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
  provedBy: 'secret' as const,
  roles: null,
  revokedAt: null,
  expiresAt: null,
  previousSecretEncrypted: null,
  previousSecretExpiresAt: null,
};

export async function insertApiKey(tx: Transaction, { seals, note }: Sealing, key: NewApiKey): Promise<ApiKeyRow> {
  const versioned = { ...unsetLimits, ...key, sealVersion: 1 };
  const seal = seals.seal('api_key', apiKeyContent(versioned));
  note({ kind: 'api_key', id: key.id, version: versioned.sealVersion });
  const [row] = await tx
    .insert(apiKeys)
    .values({ ...versioned, seal })
    .returning({ ...getTableColumns(apiKeys), eventId: recordEvent('api_key.created', recordedApiKey) });
  if (row === undefined) throw new Error('an insert returned no row');
  return row;
}

export type ApiKeyChange = Partial<
  Pick<
    ApiKeyRow,
    | 'name'
    | 'scopes'
    | 'roles'
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
  const seal = seals.seal('api_key', apiKeyContent(after));
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
  const seal = sealedApiKeys.holds(seals, from) ? seals.seal('api_key', apiKeyContent({ ...from, ...to })) : from.seal;
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
