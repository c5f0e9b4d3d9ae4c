// Makes a workspace with its first user, whose key administers it and cannot approve, in the cluster that new wallets
// of it get; with the first workspace also the keys of the service itself.
import { v7 as uuidv7 } from 'uuid';
import { mainCluster } from '../../domain/clusters.ts';
import { administratorScopes } from '../../domain/users/roles.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { ensureServiceKeys } from '../../drizzle/secrets/service-keys.ts';
import { insertWorkspace } from '../../drizzle/workspaces/workspaces.ts';
import { insertUserWithKey, type NewKey } from './operator-keys.ts';
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
    const first = { workspaceId, name: 'administrator', keyName: 'first admin key', scopes: administratorScopes };
    return insertUserWithKey(tx, first, { keyEncryptionKey, action: 'workspace create' });
  });
}
