// Goal: whatever dies between commit and start, the workflow starts exactly once, and nothing exists when nothing was
// committed. Method: the API with Temporal away or the database away, then the reconciler with Temporal back; the
// workflow itself is not run.

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { outbox } from '../../../drizzle/writes/workflow-outbox.ts';
import { buildApp } from '../../../src/app.ts';
import { temporalClient } from '../../../src/process/temporal.ts';
import { startReconciler } from '../../../src/worker/outbox-relay.ts';
import { WorkflowStarter } from '../../../src/writes/start-workflow.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { testSeals } from '../../support/rows/seals.ts';

const silent = { info: () => {}, warn: () => {} };
const body = { network_internal_code: 'ETHEREUM_SANDBOX', signing_hash: 'ab'.repeat(32) };

let api: TestApi;
beforeEach(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
});
afterEach(() => api.stop());

async function acceptOne(): Promise<string> {
  const path = `/api/v1/web3/${await api.makeActiveWallet()}/sign`;
  const answer = await api.call('POST', path, body);
  expect(answer.status).toBe(202);
  return answer.body.data.transaction_id;
}

const entries = () => api.db.select().from(outbox);

async function reconcileUntilEmpty(processes: number): Promise<string> {
  const temporal = testTemporal('outbox');
  const client = temporalClient(temporal);
  const starter = new WorkflowStarter({ client, taskQueue: temporal.taskQueue, db: api.db, log: silent });
  const stops = Array.from({ length: processes }, () =>
    startReconciler({ db: api.db, seals: testSeals, client, starter, log: silent }),
  );
  const deadline = Date.now() + 60_000;
  while ((await entries()).length > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  await Promise.all(stops.map((stop) => stop()));
  await starter.drain();
  await client.connection.close();
  return temporal.taskQueue;
}

async function executionsOf(workflowId: string) {
  const connection = await Connection.connect({ address: testTemporal('list').address });
  const client = new Client({ connection });
  try {
    return [await client.workflow.getHandle(workflowId).describe()];
  } finally {
    await connection.close();
  }
}

test('202 although Temporal is away: the row waits, and the reconciler starts its workflow', async () => {
  const id = await acceptOne();
  const workflowId = workflowIdOf('sign', id);
  expect((await entries()).map((entry) => entry.workflowId)).toEqual([workflowId]);
  const taskQueue = await reconcileUntilEmpty(1);
  expect(await entries()).toEqual([]);
  const [execution] = await executionsOf(workflowId);
  expect(execution).toMatchObject({ workflowId, type: 'sign', taskQueue, status: { name: 'RUNNING' } });
});

test('a Temporal that accepts the connection and then says nothing holds no start for ever', async () => {
  const sockets = new Set<Socket>();
  const silentServer = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve));
  const { port } = silentServer.address() as AddressInfo;
  const client = temporalClient({ address: `127.0.0.1:${port}`, namespace: 'default', taskQueue: 'none' });
  const starter = new WorkflowStarter({ client, taskQueue: 'none', db: api.db, log: silent });
  const input = { walletId: api.workspaceId, workspaceId: api.workspaceId };
  const entry = { id: 1n, workflow: 'createWallet' as const, workflowId: api.workspaceId, input };
  await expect(starter.start(entry)).rejects.toMatchObject({ cause: { message: expect.stringMatching(/deadline/i) } });
  for (const socket of sockets) socket.destroy();
  silentServer.close();
  await client.connection.close();
});

test('several reconcilers at once start it once', async () => {
  const workflowId = workflowIdOf('sign', await acceptOne());
  await reconcileUntilEmpty(4);
  expect(await entries()).toEqual([]);
  const [execution] = await executionsOf(workflowId);
  expect(execution?.workflowId).toBe(workflowId);
});

test('a start that was confirmed but whose row was not deleted is harmless when repeated', async () => {
  const workflowId = workflowIdOf('sign', await acceptOne());
  const [entry] = await entries();
  if (entry === undefined) throw new Error('no entry');
  await reconcileUntilEmpty(1);
  const before = (await executionsOf(workflowId))[0];
  await api.db
    .insert(outbox)
    .values({ workflow: entry.workflow, workflowId: entry.workflowId, input: entry.input, createdAt: entry.createdAt });
  await reconcileUntilEmpty(1);
  expect(await entries()).toEqual([]);
  expect((await executionsOf(workflowId))[0]?.runId).toBe(before?.runId);
});

test('500 when a statement of the transaction fails: nothing is stored, and the answer shows no internals', async () => {
  const path = `/api/v1/web3/${await api.makeActiveWallet()}/sign`;
  await api.db.execute(`alter table outbox rename to outbox_away`);
  const answer = await api.call('POST', path, body);
  await api.db.execute(`alter table outbox_away rename to outbox`);
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({
    success: false,
    message: 'An internal error occurred: quote the X-Request-Id of this answer.',
    code: 'internal_error',
    data: null,
  });
  expect((await api.call('POST', path, body, { timestamp: Math.floor(Date.now() / 1000) - 5 })).status).toBe(202);
  expect((await entries()).length).toBe(1);
});

test('503 when the database cannot be reached, and one sentence about it', async () => {
  const connection = connectDatabase('postgres://nobody:none@127.0.0.1:1/none', { poolSize: 1, name: 'test-away' });
  const { db } = connection;
  const client = temporalClient(testTemporal('away'));
  const starter = new WorkflowStarter({ client, taskQueue: 'away', db, log: silent });
  const settings = { keyEncryptionKeys: ['ab'.repeat(32)], signRawEnabled: true, logLevel: 'silent' };
  const app = await buildApp({ db, client, starter, settings });
  const headers = {
    'access-api-key': 'ck_any',
    'access-timestamp': String(Math.floor(Date.now() / 1000)),
    'access-sign': 'ab'.repeat(32),
  };
  const answer = await app.inject({ method: 'GET', url: '/api/v1/api-keys/self', headers });
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ success: false, code: 'dependency_unavailable', data: null });
  const ready = await app.inject({ method: 'GET', url: '/ready' });
  expect(ready.statusCode).toBe(503);
  expect(ready.json().message).toContain('postgres');
  await app.close();
  await client.connection.close();
  await connection.close();
});
