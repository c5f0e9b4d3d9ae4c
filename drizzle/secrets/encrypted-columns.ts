// The encrypted secrets beside those of API keys, each column by itself: what changes when the key-encryption key does.
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '../database/connection.ts';
import { webhooks } from '../webhooks/webhooks.ts';
import { serviceKeys } from './service-keys.ts';

export const encryptedColumns = [
  { table: webhooks, column: webhooks.encryptedSecret, boundTo: webhooks.id },
  { table: webhooks, column: webhooks.encryptedFormerSecret, boundTo: webhooks.id },
  { table: serviceKeys, column: serviceKeys.encryptedPrivateKey, boundTo: serviceKeys.id },
] as const;

type EncryptedColumn = (typeof encryptedColumns)[number];

export interface EncryptedValue {
  id: string;
  /** The id that the secret is encrypted for. */
  boundTo: string;
  encrypted: Uint8Array;
}

/**
 * In the order of the ids, from the one after `afterId`. What is empty was a secret once, of a webhook that is deleted.
 */
export async function listEncrypted(
  db: Database,
  { table, column, boundTo }: EncryptedColumn,
  afterId: string | undefined,
  limit: number,
): Promise<EncryptedValue[]> {
  const after = afterId === undefined ? undefined : gt(table.id, afterId);
  return db
    .select({ id: table.id, boundTo: sql<string>`${boundTo}`, encrypted: sql<Uint8Array>`${column}`.mapWith(column) })
    .from(table)
    .where(and(sql`octet_length(${column}) > 0`, after))
    .orderBy(asc(table.id))
    .limit(limit);
}

/** By compare-and-set: what was replaced in the meantime stays. Not a change that the owner would see. */
export async function replaceEncrypted(
  db: Database,
  { table, column }: EncryptedColumn,
  { id, encrypted }: EncryptedValue,
  to: Uint8Array,
): Promise<void> {
  await db.execute(
    sql`update ${table} set ${sql.identifier(column.name)} = ${sql.param(to, column)}
      where ${eq(table.id, id)} and ${column} = ${sql.param(encrypted, column)}`,
  );
}
