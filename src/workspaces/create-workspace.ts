// Makes a workspace and its first key, which may do everything in it; with the first workspace also the keys of the service itself.
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../../drizzle/database.ts';
import { ensureServiceKeys } from '../../drizzle/service-keys.ts';
import { insertWorkspace } from '../../drizzle/workspaces.ts';
import { insertAdministratorKey, type NewKey } from './administrator-key.ts';

export type NewWorkspace = NewKey;

export async function createWorkspace(db: Database, name: string, keyEncryptionKey: string): Promise<NewWorkspace> {
  const workspaceId = uuidv7();
  await ensureServiceKeys(db, Buffer.from(keyEncryptionKey, 'hex'));
  return db.transaction(async (tx) => {
    await insertWorkspace(tx, { id: workspaceId, name });
    const key = { workspaceId, name: 'first admin key', keyEncryptionKey };
    return insertAdministratorKey(tx, { ...key, action: 'workspace create' });
  });
}
