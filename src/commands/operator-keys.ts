// Makes users and keys at an operator's word: the first ones of a workspace, further users, the secret of a user's
// first key, and the way back in for who has lost every key. The secret is returned once and stored only encrypted.
import { v7 as uuidv7 } from 'uuid';
import { type Scope, scopes } from '../../domain/scopes.ts';
import { findApiKey } from '../../drizzle/api-keys/api-key-queries.ts';
import { changeApiKey, insertApiKey } from '../../drizzle/api-keys/api-key-steps.ts';
import { isConsoleKey } from '../../drizzle/api-keys/api-keys.ts';
import { insertOperatorEntry, toKeptText } from '../../drizzle/audit/audit-entries.ts';
import { toSealedText } from '../../drizzle/audit/sealed-versions.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import type { Sealing } from '../../drizzle/seals/sealing.ts';
import { type SealedVersion, Seals } from '../../drizzle/seals/seals.ts';
import { encryptSecret } from '../../drizzle/secrets/encrypted-secret.ts';
import { findUser, insertUser, type UserRow } from '../../drizzle/users/users.ts';
import { findWorkspace } from '../../drizzle/workspaces/workspaces.ts';
import { renewSecret } from '../api-keys/key-secrets.ts';
import { generateApiKey, generateApiSecret } from '../authentication/generate-secrets.ts';
import { ConfigError } from '../process/config.ts';

export interface NewKey {
  workspaceId: string;
  userId: string;
  apiKey: string;
  apiSecret: string;
}

export interface OperatorDependencies {
  keyEncryptionKey: string;
  /** The operator's command, for the audit log. */
  action: string;
}

export interface NewUserWithKey {
  workspaceId: string;
  name: string;
  email?: string | undefined;
  keyName: string;
  scopes: readonly Scope[];
}

export async function insertUserWithKey(
  tx: Transaction,
  { workspaceId, name, email, keyName, scopes: granted }: NewUserWithKey,
  dependencies: OperatorDependencies,
): Promise<NewKey> {
  const sealing = sealingBy(dependencies);
  const user = { id: uuidv7(), workspaceId, name, email: email ?? null, createdBy: 'operator' };
  const row = await insertUser(tx, sealing, user);
  return insertKey(tx, sealing, { user: row, name: keyName, scopes: granted }, dependencies);
}

/** Undefined when there is no such workspace. */
export async function createUser(
  db: Database,
  user: NewUserWithKey,
  dependencies: OperatorDependencies,
): Promise<NewKey | undefined> {
  return db.transaction(async (tx) => {
    if ((await findWorkspace(tx, user.workspaceId)) === undefined) return undefined;
    return insertUserWithKey(tx, user, dependencies);
  });
}

/**
 * A key that may do everything, for this user or, without one, for a new one: its user's own requests still wait for
 * another user. Undefined when there is no such workspace or user.
 */
export async function createAdministratorKey(
  db: Database,
  { workspaceId, userId }: { workspaceId: string; userId?: string | undefined },
  keyEncryptionKey: string,
): Promise<NewKey | undefined> {
  const dependencies = { keyEncryptionKey, action: 'workspace create-key' };
  const key = { name: "operator's admin key", scopes };
  return db.transaction(async (tx) => {
    if ((await findWorkspace(tx, workspaceId)) === undefined) return undefined;
    if (userId === undefined)
      return insertUserWithKey(
        tx,
        { workspaceId, name: 'operator', keyName: key.name, scopes: key.scopes },
        dependencies,
      );
    const user = await findUser(tx, workspaceId, userId);
    if (user === undefined) return undefined;
    if (user.status !== 'active') throw new ConfigError('This user is disabled: a key of theirs would open nothing.');
    return insertKey(tx, sealingBy(dependencies), { user, ...key }, dependencies);
  });
}

/**
 * A new secret for a key that is there, with what it may do and no more: for the user whose first key others made and
 * approved, or who has lost the secret. The one until now ends at once. Undefined when there is no such key.
 */
export async function createSecret(
  db: Database,
  { workspaceId, keyId }: { workspaceId: string; keyId: string },
  { keyEncryptionKey, action }: OperatorDependencies,
): Promise<NewKey | undefined> {
  const sealing = sealingBy({ keyEncryptionKey, action });
  return db.transaction(async (tx) => {
    const key = await findApiKey(tx, workspaceId, keyId);
    if (key === undefined || isConsoleKey(key)) return undefined;
    const user = await findUser(tx, workspaceId, key.userId);
    if (user?.status !== 'active') throw new ConfigError('The user of this key is disabled: it would open nothing.');
    const hasEnded = key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt.getTime() <= Date.now());
    if (hasEnded) throw new ConfigError('This key is revoked or has ended: its user needs another one.');
    const { secret: apiSecret, change } = renewSecret(Buffer.from(keyEncryptionKey, 'hex'), key, 0);
    await changeApiKey(tx, sealing, key.id, change);
    const { apiKey, userId } = key;
    const after = toKeptText({ id: key.id, api_key: apiKey, user_id: userId, user_name: user.name, name: key.name });
    const sealed = toSealedText(sealing.seals, workspaceId, sealing.versions);
    await insertOperatorEntry(tx, { workspaceId, action, resourceId: key.id, after, sealed });
    return { workspaceId, userId, apiKey, apiSecret };
  });
}

export interface OperatorSealing extends Sealing {
  versions: SealedVersion[];
}

export function sealingBy({ keyEncryptionKey }: OperatorDependencies): OperatorSealing {
  const versions: SealedVersion[] = [];
  return { seals: new Seals([Buffer.from(keyEncryptionKey, 'hex')]), versions, note: (one) => versions.push(one) };
}

async function insertKey(
  tx: Transaction,
  sealing: OperatorSealing,
  { user, name, scopes: granted }: { user: UserRow; name: string; scopes: readonly Scope[] },
  { keyEncryptionKey, action }: OperatorDependencies,
): Promise<NewKey> {
  const id = uuidv7();
  const { workspaceId, id: userId } = user;
  const [apiKey, apiSecret] = [generateApiKey(), generateApiSecret()];
  await insertApiKey(tx, sealing, {
    id,
    apiKey,
    workspaceId,
    userId,
    name,
    secretEncrypted: encryptSecret(Buffer.from(keyEncryptionKey, 'hex'), id, apiSecret),
    scopes: [...granted],
    createdBy: 'operator',
  });
  const after = toKeptText({ id, api_key: apiKey, user_id: userId, user_name: user.name, name, scopes: granted });
  const sealed = toSealedText(sealing.seals, workspaceId, sealing.versions);
  await insertOperatorEntry(tx, { workspaceId, action, resourceId: id, after, sealed });
  return { workspaceId, userId, apiKey, apiSecret };
}
