// Makes a key that may do everything in its workspace, for ever: the first one, and the operator's way back in. The secret is returned once and stored only
// encrypted.
import { v7 as uuidv7 } from 'uuid';
import { insertApiKey } from '../../drizzle/api-keys.ts';
import { insertOperatorEntry, toKeptText } from '../../drizzle/audit-entries.ts';
import type { Database, Transaction } from '../../drizzle/database.ts';
import { encryptSecret } from '../../drizzle/encrypted-secret.ts';
import { findWorkspace } from '../../drizzle/workspaces.ts';
import { scopes } from '../api-keys/scopes.ts';
import { generateApiKey, generateApiSecret } from '../api-keys/secrets.ts';

export interface NewKey {
  workspaceId: string;
  apiKey: string;
  apiSecret: string;
}

export interface NewAdministratorKey {
  workspaceId: string;
  name: string;
  keyEncryptionKey: string;
  /** The operator's command, for the audit log. */
  action: string;
}

export async function insertAdministratorKey(
  tx: Transaction,
  { workspaceId, name, keyEncryptionKey, action }: NewAdministratorKey,
): Promise<NewKey> {
  const id = uuidv7();
  const [apiKey, apiSecret] = [generateApiKey(), generateApiSecret()];
  await insertApiKey(tx, {
    id,
    apiKey,
    workspaceId,
    secretEncrypted: encryptSecret(Buffer.from(keyEncryptionKey, 'hex'), id, apiSecret),
    scopes: [...scopes],
    name,
    createdBy: 'operator',
  });
  const after = toKeptText({ id, api_key: apiKey, name, scopes });
  await insertOperatorEntry(tx, { workspaceId, action, resourceId: id, after });
  return { workspaceId, apiKey, apiSecret };
}

/** Undefined when there is no such workspace. */
export async function createAdministratorKey(
  db: Database,
  workspaceId: string,
  keyEncryptionKey: string,
): Promise<NewKey | undefined> {
  return db.transaction(async (tx) => {
    if ((await findWorkspace(tx, workspaceId)) === undefined) return undefined;
    const key = { workspaceId, name: "operator's admin key", keyEncryptionKey };
    return insertAdministratorKey(tx, { ...key, action: 'workspace create-key' });
  });
}
