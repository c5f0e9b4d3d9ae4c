// Makes a workspace and its first key, which may do everything in it, in the cluster that new wallets of it get; with the first workspace also the keys of the service itself.
import { v7 as uuidv7 } from 'uuid';
import { mainCluster } from '../../drizzle/clusters.ts';
import type { Database } from '../../drizzle/database.ts';
import { ensureServiceKeys } from '../../drizzle/service-keys.ts';
import { insertWorkspace } from '../../drizzle/workspaces.ts';
import { insertAdministratorKey, type NewKey } from './administrator-key.ts';
import { assertCluster } from './workspace-cluster.ts';

export type NewWorkspace = NewKey;

export async function createWorkspace(
  db: Database,
  name: string,
  keyEncryptionKey: string,
  cluster: string = mainCluster,
): Promise<NewWorkspace> {
  const workspaceId = uuidv7();
  await ensureServiceKeys(db, Buffer.from(keyEncryptionKey, 'hex'));
  return db.transaction(async (tx) => {
    await assertCluster(tx, cluster);
    await insertWorkspace(tx, { id: workspaceId, name, cluster });
    const key = { workspaceId, name: 'first admin key', keyEncryptionKey };
    return insertAdministratorKey(tx, { ...key, action: 'workspace create' });
  });
}
