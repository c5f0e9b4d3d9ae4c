// Whose nodes hold the keys of a workspace's wallets to come: an operator's word, since who may ask for a wallet must
// not choose weaker keys for it.

import { mainCluster } from '../../domain/clusters.ts';
import { insertOperatorEntry, toKeptText } from '../../drizzle/audit/audit-entries.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import { isClusterReported } from '../../drizzle/observability/node-health.ts';
import { findWorkspace, lockWorkspace, setWorkspaceCluster } from '../../drizzle/workspaces/workspaces.ts';
import { ConfigError } from '../process/config.ts';

/** Wallets that exist stay where they are. False when there is no such workspace. */
export async function changeCluster(db: Database, workspaceId: string, cluster: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await assertCluster(tx, cluster);
    await lockWorkspace(tx, workspaceId);
    const workspace = await findWorkspace(tx, workspaceId);
    if (workspace === undefined) return false;
    await setWorkspaceCluster(tx, workspaceId, cluster);
    const before = toKeptText({ cluster: workspace.cluster });
    const after = toKeptText({ cluster });
    const action = 'workspace set-cluster';
    await insertOperatorEntry(tx, { workspaceId, action, resourceId: workspaceId, before, after });
    return true;
  });
}

/** A name that no worker knows would have every new wallet wait for nodes that there are not. */
export async function assertCluster(tx: Transaction, cluster: string): Promise<void> {
  if (cluster !== mainCluster && !(await isClusterReported(tx, cluster)))
    throw new ConfigError(
      `No worker has reported a cluster ${cluster}: name it in MPC_CLUSTERS_FILE and start them first.`,
    );
}
