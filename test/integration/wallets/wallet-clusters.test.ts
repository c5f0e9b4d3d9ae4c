// Goal: a wallet belongs to one cluster from the commit that makes it, for ever, whoever else changes what new wallets
// get; workers that know different clusters neither guess nor disturb each other. Method: the API and the operator's
// command on a real database, the activities of two workers over clusters in memory.
import { execFile } from 'node:child_process';
import { ApplicationFailure } from '@temporalio/common';
import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Activities, createActivities } from '../../../activities/index.ts';
import type { GeneratedKey } from '../../../activities/keys/create-wallet.ts';
import { RoutedClusters } from '../../../activities/mpc/client/clusters.ts';
import { type Curve, curves } from '../../../domain/statuses.ts';
import { auditLogs } from '../../../drizzle/audit/audit-tables.ts';
import { nodeHealth, saveNodeHealth } from '../../../drizzle/observability/node-health.ts';
import { findWalletCluster, findWalletOf } from '../../../drizzle/wallets/wallet-queries.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { workspaces } from '../../../drizzle/workspaces/workspaces.ts';
import { startReportingHealth } from '../../../src/worker/report-node-health.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { noChains } from '../../support/chains/no-chains.ts';
import { FakeCluster } from '../../support/cluster/fake-cluster.ts';
import { quietEnvironment } from '../../support/processes/activity-environment.ts';
import { makeSigningRequest, readSigningRequest, readWallet } from '../../support/rows/operation-rows.ts';
import { keyEncryptionKey, testSeals } from '../../support/rows/seals.ts';

let api: TestApi;
let main: FakeCluster;
let treasury: FakeCluster;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const healthOf = (cluster: string) => [1, 2, 3].map((node) => ({ cluster, node, status: 'up' as const, threshold: 2 }));

beforeEach(async () => {
  main = new FakeCluster();
  treasury = new FakeCluster();
  await saveNodeHealth(api.db, [...healthOf('main'), ...healthOf('treasury')]);
  await api.db.update(workspaces).set({ cluster: 'main' }).where(eq(workspaces.id, api.workspaceId));
});

/** What one worker does, which knows these clusters. */
function workerOf(named: Record<string, FakeCluster>): Activities {
  const clusters = new RoutedClusters(new Map(Object.entries(named)), {
    clusterOf: (id) => findWalletCluster(api.db, testSeals, id),
    witnessOf: (cluster) => findWalletOf(api.db, cluster),
  });
  return createActivities({ db: api.db, clusters, chains: noChains, seals: testSeals, bitcoinNetwork: 'regtest' });
}

function run(...args: string[]): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: api.serviceUrl, KEY_ENCRYPTION_KEY: keyEncryptionKey };
  return new Promise((resolve) => {
    execFile(process.execPath, ['dist/workspace.js', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

const setCluster = (cluster: string, workspace = api.workspaceId) =>
  run('set-cluster', '--workspace', workspace, '--cluster', cluster);

let asked = 0;

/** Of names of their own: equal requests of one second count once. */
async function askForWallet(purpose: string): Promise<string> {
  asked += 1;
  const name = `${purpose} ${asked}`;
  const { status, body } = await api.call('POST', '/api/v1/wallets', { name, wallet_type: 'mpc' });
  expect(status).toBe(202);
  return body.data.wallet_id;
}

const clusterOf = (walletId: string) => findWalletCluster(api.db, testSeals, walletId);

describe('which cluster a wallet gets', () => {
  test('is main, unless an operator has said another one for its workspace; wallets that exist stay', async () => {
    const before = await askForWallet('before');
    expect(await setCluster('treasury')).toEqual({
      code: 0,
      output: `The keys of new wallets of ${api.workspaceId} are made in cluster treasury.\n`,
    });
    const after = await askForWallet('after');
    expect([await clusterOf(before), await clusterOf(after)]).toEqual(['main', 'treasury']);
    const { body } = await api.call('GET', `/api/v1/wallets/${after}`);
    expect(body.data).toMatchObject({ id: after, cluster: 'treasury' });
    const [entry] = await api.db.select().from(auditLogs).where(eq(auditLogs.action, 'workspace set-cluster'));
    expect(entry).toMatchObject({ workspaceId: api.workspaceId, actor: 'operator', outcome: 'accepted' });
    expect([entry?.before, entry?.after]).toEqual(['{"cluster":"main"}', '{"cluster":"treasury"}']);
  });

  test('is said with a new workspace, too', async () => {
    const { code, output } = await run('create', '--name', 'Treasury', '--cluster', 'treasury', '--json');
    expect(code).toBe(0);
    const { workspace_id, api_key, api_secret } = JSON.parse(output);
    const key = { apiKey: api_key, apiSecret: api_secret };
    const { body } = await api.call('POST', '/api/v1/wallets', { name: 'cold', wallet_type: 'mpc' }, { key });
    expect((await readWallet(api.db, body.data.wallet_id)).wallet).toMatchObject({
      workspaceId: workspace_id,
      cluster: 'treasury',
    });
  });

  test('is no word of the caller', async () => {
    const body = { name: 'mine', wallet_type: 'mpc', cluster: 'treasury' };
    expect(await api.call('POST', '/api/v1/wallets', body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });

  test('must be one that a worker has told of, for a workspace that there is', async () => {
    const unknown = 'No worker has reported a cluster tresury: name it in MPC_CLUSTERS_FILE and start them first.\n';
    expect(await setCluster('tresury')).toEqual({ code: 1, output: unknown });
    const count = async () => (await api.db.select().from(workspaces)).length;
    const before = await count();
    expect(await run('create', '--name', 'x', '--cluster', 'tresury')).toEqual({ code: 1, output: unknown });
    expect(await count()).toBe(before);
    for (const workspace of ['x', uuidv7()])
      expect(await setCluster('treasury', workspace)).toMatchObject({
        code: 1,
        output: expect.stringMatching(/^--workspace names no workspace/),
      });
    for (const args of [
      ['set-cluster', '--workspace', api.workspaceId],
      ['create-key', '--cluster', 'main'],
    ])
      expect(await run(...args)).toMatchObject({ code: 1, output: expect.stringMatching(/^Usage: /) });
    expect(await setCluster('main')).toMatchObject({ code: 0 });
  }, 120_000);

  test('does not change, and a change of a wallet that names none goes well', async () => {
    const walletId = await askForWallet('kept');
    const change = api.db.update(wallets).set({ cluster: 'treasury' }).where(eq(wallets.id, walletId));
    await expect(change).rejects.toMatchObject({ cause: { message: 'wallets is only added to' } });
    expect((await api.call('PATCH', `/api/v1/wallets/${walletId}`, { name: 'renamed' })).status).toBe(200);
    expect(await clusterOf(walletId)).toBe('main');
  });
});

test('wallets that are asked for while an operator changes the cluster: both keys of each, by whichever worker, in the one that its row names', async () => {
  const workers = [workerOf({ main, treasury }), workerOf({ treasury, main })];
  let changing = true;
  const change = async () => {
    for (let turn = 0; changing; turn += 1)
      await api.db
        .update(workspaces)
        .set({ cluster: turn % 2 === 0 ? 'treasury' : 'main' })
        .where(eq(workspaces.id, api.workspaceId));
  };
  const changes = change();
  const ids: string[] = [];
  const seen = async () => [...new Set(await Promise.all(ids.map(clusterOf)))].map(String).toSorted();
  while ((await seen()).length < 2 && ids.length < 400)
    ids.push(...(await Promise.all(Array.from({ length: 12 }, () => askForWallet('racing')))));
  const generate = (walletId: string) =>
    workers.flatMap((worker) =>
      curves.map((curve) => quietEnvironment().run(() => worker.generateKey(walletId, curve))),
    );
  await Promise.all(ids.flatMap(generate));
  changing = false;
  await changes;
  for (const id of ids) {
    const name = await clusterOf(id);
    const askedOf = (cluster: FakeCluster) => cluster.generateCalls.filter(({ walletId }) => walletId === id).length;
    expect([askedOf(main), askedOf(treasury)]).toEqual(name === 'main' ? [4, 0] : [0, 4]);
  }
  expect(await seen()).toEqual(['main', 'treasury']);
});

describe('a worker that does not know the cluster of a wallet', () => {
  const sentence = 'this worker knows no cluster treasury, to which the wallet belongs';
  let walletId: string;
  beforeEach(async () => {
    await api.db.update(workspaces).set({ cluster: 'treasury' }).where(eq(workspaces.id, api.workspaceId));
    walletId = await askForWallet('elsewhere');
  });

  test('has its key generated by another worker, and says so meanwhile', async () => {
    const generate = (worker: Activities) => quietEnvironment().run(() => worker.generateKey(walletId, 'ed25519'));
    const failure = await generate(workerOf({ main })).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: 'cluster_not_ready', nonRetryable: false, message: sentence });
    expect((await readWallet(api.db, walletId)).wallet).toMatchObject({
      status: 'creating',
      statusReason: 'cluster_not_ready',
    });
    expect(main.generateCalls).toEqual([]);
    await generate(workerOf({ main, treasury }));
    expect([main.generateCalls.length, treasury.generateCalls.length]).toEqual([0, 1]);
  });

  test('signs nothing of it', async () => {
    const knowing = workerOf({ main, treasury });
    const generate = (curve: Curve): Promise<GeneratedKey> =>
      quietEnvironment().run(() => knowing.generateKey(walletId, curve));
    const keys = [await generate('secp256k1'), await generate('ed25519')];
    await knowing.activateWallet(walletId, keys);
    const task = await makeSigningRequest(api.db, api.workspaceId, walletId);
    const fulfil = (worker: Activities) => quietEnvironment().run(() => worker.fulfilSigningRequest(task));
    await expect(fulfil(workerOf({ main }))).rejects.toMatchObject({
      type: 'cluster_not_ready',
      nonRetryable: false,
      message: sentence,
    });
    expect(await readSigningRequest(api.db, task.signingId)).toMatchObject({ statusReason: 'cluster_not_ready' });
    expect(await fulfil(knowing)).toMatchObject({ status: 'success' });
    expect([main.signCalls.length, treasury.signCalls.length]).toEqual([0, 1]);
  });
});

describe('what workers tell of nodes', () => {
  const rows = async () =>
    (await api.db.select().from(nodeHealth).orderBy(nodeHealth.cluster, nodeHealth.node)).map(
      ({ cluster, node }) => `${cluster}/${node}`,
    );
  const age = (cluster: string) =>
    api.db
      .update(nodeHealth)
      .set({ checkedAt: sql`now() - interval '16 seconds'` })
      .where(eq(nodeHealth.cluster, cluster));

  test('is of the clusters that they know: no other is forgotten', async () => {
    const pair = { threshold: 2, health: async () => [1, 2].map((node) => ({ node, reachable: true })) };
    const log = { info: () => undefined, warn: (details: object) => expect(details).toBeUndefined() };
    await saveNodeHealth(api.db, healthOf('new'));
    const ofOthers = ['new', 'treasury'].flatMap((cluster) => [1, 2, 3].map((node) => `${cluster}/${node}`));
    const stop = startReportingHealth({ db: api.db, clusters: new Map([['main', pair]]), log });
    await expect.poll(rows, { timeout: 60_000 }).toEqual(['main/1', 'main/2', ...ofOthers]);
    await stop();
    await age('new');
  });

  test('is kept while nobody tells it any more and the cluster has wallets, and then forgotten', async () => {
    await saveNodeHealth(api.db, healthOf('retired'));
    await age('retired');
    await api.db.update(workspaces).set({ cluster: 'retired' }).where(eq(workspaces.id, api.workspaceId));
    const walletId = await askForWallet('left');
    await saveNodeHealth(api.db, healthOf('main'));
    expect(await rows()).toContain('retired/1');
    await api.db.update(wallets).set({ status: 'archived' }).where(eq(wallets.id, walletId));
    await saveNodeHealth(api.db, healthOf('main'));
    expect((await rows()).filter((row) => row.startsWith('retired'))).toEqual([]);
  });
});

test('the service is ready while one cluster has a quorum, and not by nodes of two that have none', async () => {
  const ready = async () => (await api.app.inject({ method: 'GET', url: '/ready?deep' })).statusCode;
  const down = (cluster: string, ...nodes: number[]) =>
    healthOf(cluster).map((report) => (nodes.includes(report.node) ? { ...report, status: 'down' as const } : report));
  await saveNodeHealth(api.db, [...healthOf('main'), ...down('treasury', 1, 2, 3)]);
  expect(await ready()).toBe(200);
  await saveNodeHealth(api.db, [...down('main', 1, 2), ...down('treasury', 2, 3)]);
  expect(await ready()).toBe(503);
});
