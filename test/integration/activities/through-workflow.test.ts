// Goal: the workflows and the real activities together leave the right rows. Method: the bundle on the real Temporal
// server, the product's activities on real PostgreSQL, and a cluster in memory that fails on command. What fails around
// each step is tested apart, in test/workflow and beside this file.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createActivities } from '../../../activities/index.ts';
import type { WalletStatus } from '../../../domain/statuses.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { isValid } from '../../support/api/verify.ts';
import { noChains } from '../../support/chains/no-chains.ts';
import { FakeCluster, type Fault } from '../../support/cluster/fake-cluster.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../../support/processes/worker.ts';
import {
  makeSigningRequest,
  makeWallet,
  makeWorkspace,
  onEvm,
  onSolana,
  readSigningRequest,
  readWallet,
} from '../../support/rows/operation-rows.ts';
import { testSeals } from '../../support/rows/seals.ts';

let database: TestDatabase;
let connection: DatabaseConnection;
let worker: TestWorker;
let cluster: FakeCluster;
let workspaceId: string;
let walletId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 4, name: 'test-through-workflow' });
  workspaceId = await makeWorkspace(connection.db);
  cluster = new FakeCluster();
  const activities = createActivities({
    db: connection.db,
    clusters: onlyMain(cluster),
    chains: noChains,
    seals: testSeals,
    bitcoinNetwork: 'regtest',
  });
  worker = await startTestWorker({ temporal: testTemporal('through-workflow'), activities });
});
afterAll(async () => {
  await worker.stop();
  await connection.close();
  await database.drop();
});
beforeEach(async () => {
  walletId = await createWallet();
});

async function createWallet(...faults: Fault[]): Promise<string> {
  const id = await makeWallet(connection.db, workspaceId);
  cluster.meet('generateKey', ...faults);
  await execute('createWallet', id, { walletId: id, workspaceId });
  return id;
}

async function sign(chosen: Parameters<typeof makeSigningRequest>[3], ...faults: Fault[]) {
  const task = await makeSigningRequest(connection.db, workspaceId, walletId, chosen);
  cluster.meet('sign', ...faults);
  await execute('sign', task.signingId, task);
  return readSigningRequest(connection.db, task.signingId);
}

function execute(workflow: string, id: string, input: object): Promise<void> {
  const { client, taskQueue } = worker;
  const workflowId = workflowIdOf(workflow, id);
  return client.workflow.execute(workflow, { workflowId, taskQueue, args: [input] });
}

const statusOf = async (id: string): Promise<WalletStatus> => (await readWallet(connection.db, id)).wallet.status;

test.each([
  ['secp256k1', onEvm],
  ['ed25519', onSolana],
])('a new wallet signs on %s', async (_curve, chosen) => {
  expect(await statusOf(walletId)).toBe('active');
  const row = await sign(chosen);
  expect(row).toMatchObject({ status: 'success', mpcCorrelationId: `${row.id}.1` });
  await expectValid(row);
});

async function expectValid(row: Awaited<ReturnType<typeof sign>>): Promise<void> {
  const { keyType: key_type, signingHash: signing_hash, publicKey: public_key, signature, address } = row;
  const signed = { key_type, signing_hash, public_key, signature, address } as Parameters<typeof isValid>[0];
  expect(await isValid(signed)).toBe(true);
}

test('the second attempt signs: its number stands in the row, and the note of the first is gone', async () => {
  const row = await sign(onEvm, 'cluster_not_ready');
  expect(row).toMatchObject({ status: 'success', statusReason: null, mpcCorrelationId: `${row.id}.2` });
});

test('a signature whose answer was lost is made again, and one is stored', async () => {
  const before = cluster.signaturesMade;
  const row = await sign(onEvm, { lost: 'mpc_error' });
  expect(cluster.signaturesMade - before).toBe(2);
  expect(row).toMatchObject({ status: 'success', mpcCorrelationId: `${row.id}.2` });
});

test('a wrong signature is not stored, and does not keep the request from the right one', async () => {
  const before = cluster.signaturesMade;
  const row = await sign(onSolana, 'wrong_message');
  expect(cluster.signaturesMade - before).toBe(2);
  expect(row).toMatchObject({ status: 'success', mpcCorrelationId: `${row.id}.2` });
  await expectValid(row);
});

test('a banned pair fails the request with the code of the cluster', async () => {
  expect(await sign(onEvm, 'counterparty_banned')).toMatchObject({
    status: 'failed',
    statusReason: 'mpc_error',
    errorCode: 'counterparty_banned',
  });
});

test('a wallet waits for a node and has one key a curve', async () => {
  const id = await createWallet('cluster_not_ready', { lost: 'mpc_error' });
  const { wallet, keys } = await readWallet(connection.db, id);
  expect(wallet).toMatchObject({ status: 'active', statusReason: null });
  expect(keys.map(({ curve }) => curve)).toEqual(['ed25519', 'secp256k1']);
});

test('a refused key fails the wallet, without any key', async () => {
  const { wallet, keys, addresses } = await readWallet(connection.db, await createWallet('mpc_refused'));
  expect(wallet).toMatchObject({ status: 'failed', errorCode: 'mpc_refused' });
  expect([...keys, ...addresses]).toEqual([]);
});
