// Real nodes behind the product's workflows and activities, on a database and a task queue of their own: wallets are
// made and payloads signed as by the service, without an API.
import { createActivities } from '../../../activities/index.ts';
import type { Cluster } from '../../../activities/mpc/port.ts';
import type { SigningPayload } from '../../../domain/signing/signing-payload.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { noChains } from '../chains/no-chains.ts';
import { createTestDatabase } from '../processes/postgres.ts';
import { testTemporal } from '../processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../processes/worker.ts';
import { makeSigningRequest, makeWallet, makeWorkspace } from '../rows/operation-rows.ts';
import { testSeals } from '../rows/seals.ts';
import type { TestCluster } from './cluster.ts';
import { onlyMain } from './only-main.ts';

/** Network, curve and path. */
type Chosen = Omit<NonNullable<Parameters<typeof makeSigningRequest>[3]>, 'payload'>;

export interface NodesAndWorker {
  db: DatabaseConnection['db'];
  workspaceId: string;
  /** Of the row with this id. */
  start(workflow: string, id: string, input: object): ReturnType<TestWorker['client']['workflow']['start']>;
  /** With both keys, in `workspaceId` when no other is named. */
  newWallet(inWorkspace?: string): Promise<string>;
  /** Starts the workflow, and answers at once. */
  ask(walletId: string, payload: SigningPayload, chosen: Chosen): Promise<Asked>;
  /** The nodes too. */
  stop(): Promise<void>;
}

export interface Asked {
  id: string;
  handle: Awaited<ReturnType<NodesAndWorker['start']>>;
}

/** `name` is the task queue's. */
export async function startNodesAndWorker(name: string, nodes: TestCluster, cluster: Cluster): Promise<NodesAndWorker> {
  const database = await createTestDatabase();
  const connection = connectDatabase(database.url, { poolSize: 4, name: `test-${name}` });
  const { db } = connection;
  const activities = createActivities({
    db,
    clusters: onlyMain(cluster),
    chains: noChains,
    seals: testSeals,
    bitcoinNetwork: 'regtest',
  });
  const worker = await startTestWorker({ temporal: testTemporal(name), activities });
  const workspaceId = await makeWorkspace(db);
  const start: NodesAndWorker['start'] = (workflow, id, input) => {
    const workflowId = workflowIdOf(workflow, id);
    return worker.client.workflow.start(workflow, { workflowId, taskQueue: worker.taskQueue, args: [input] });
  };
  return {
    db,
    workspaceId,
    start,
    newWallet: async (inWorkspace = workspaceId) => {
      const walletId = await makeWallet(db, inWorkspace);
      await (await start('createWallet', walletId, { walletId, workspaceId: inWorkspace })).result();
      return walletId;
    },
    ask: async (walletId, payload, chosen) => {
      const task = await makeSigningRequest(db, workspaceId, walletId, { ...chosen, payload });
      return { id: task.signingId, handle: await start('sign', task.signingId, task) };
    },
    stop: async () => {
      await worker.stop();
      if (cluster !== nodes.cluster) await cluster.close();
      await connection.close();
      await database.drop();
      await nodes.stop();
    },
  };
}
