// Goal: operations that wait to be started go together in one workflow, and nothing that a workflow of each would keep
// is lost: one outcome each, whatever befalls their workers; a member that fails harms no other; and nobody has an
// operation that had ended begun again by a group, neither who owns the database nor who reaches Temporal's port.
// Method: the API's starter, real PostgreSQL and Temporal, a cluster that fails on command; the attacks themselves.
import { readFileSync } from 'node:fs';
import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createActivities } from '../../../activities/index.ts';
import { failedSigning } from '../../../domain/failures.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import type { GroupMember, SigningGroup, SigningTask } from '../../../domain/workflow-inputs.ts';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { endSigningRequest } from '../../../drizzle/operations/end-operations.ts';
import { sealGroup } from '../../../drizzle/signing-requests/signing-groups.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { insertOutboxEntry, type OutboxEntry, outbox } from '../../../drizzle/writes/workflow-outbox.ts';
import { OrphanedOperations } from '../../../src/worker/orphaned-operations.ts';
import { WorkflowStarter } from '../../../src/writes/start-workflow.ts';
import { noChains } from '../../support/chains/no-chains.ts';
import { FakeCluster, type Fault } from '../../support/cluster/fake-cluster.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { type Attacker, startAttacker } from '../../support/processes/attacker.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../../support/processes/worker.ts';
import {
  makeSigningRequest,
  makeWallet,
  makeWorkspace,
  readSigningRequest,
} from '../../support/rows/operation-rows.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { explanationOf, search, viewOf } from '../../workflow/operator-view.ts';

const PATIENCE = { timeout: 60_000, interval: 50 };
const temporal = testTemporal('signing-groups');
let database: TestDatabase;
let connection: DatabaseConnection;
let cluster: FakeCluster;
let worker: TestWorker;
let attacker: Attacker;
let workspaceId: string;
let walletId: string;
let warnings: string[] = [];

const db = () => connection.db;

const startWorker = () =>
  startTestWorker({
    temporal,
    activities: createActivities({
      db: db(),
      clusters: onlyMain(cluster),
      chains: noChains,
      seals: testSeals,
      bitcoinNetwork: 'regtest',
    }),
  });

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 8, name: 'test-signing-groups' });
  cluster = new FakeCluster();
  worker = await startWorker();
  attacker = await startAttacker(worker.client, worker.taskQueue);
  workspaceId = await makeWorkspace(db());
  walletId = await makeWallet(db(), workspaceId);
  await attacker.run('createWallet', { walletId, workspaceId }, workflowIdOf('createWallet', walletId));
});
beforeEach(() => {
  cluster.spare();
  warnings = [];
});
afterAll(async () => {
  await attacker.stop();
  await worker.stop();
  await connection.close();
  await database.drop();
});

const starterWith = (options: { seals?: typeof testSeals } = { seals: testSeals }) =>
  new WorkflowStarter({
    client: worker.client,
    taskQueue: worker.taskQueue,
    db: db(),
    log: { warn: (_details, message) => void warnings.push(message ?? '') },
    ...options,
  });

/** As the API accepts it. */
async function accept(): Promise<OutboxEntry> {
  const task = await makeSigningRequest(db(), workspaceId, walletId);
  const input: SigningTask = { ...task, atOnce: true };
  const workflowId = workflowIdOf('sign', task.signingId);
  return db().transaction((tx) => insertOutboxEntry(tx, { workflow: 'sign', workflowId, input }));
}

const acceptMany = (count: number) => Promise.all(Array.from({ length: count }, accept));
const idOf = ({ input }: OutboxEntry) => (input as SigningTask).signingId;
const rowOf = (entry: OutboxEntry) => readSigningRequest(db(), idOf(entry));
const untilAll = (entries: readonly OutboxEntry[], status: string) =>
  expect
    .poll(async () => new Set((await Promise.all(entries.map(rowOf))).map((row) => row.status)), PATIENCE)
    .toEqual(new Set([status]));
const signCallsOf = (entry: OutboxEntry) =>
  cluster.signCalls.filter(({ operationId }) => operationId === idOf(entry)).length;

const isKnown = (workflowId: string) =>
  worker.client.workflow
    .getHandle(workflowId)
    .describe()
    .then(
      ({ status }) => status.name,
      () => undefined,
    );

/** As the API forms it. */
function groupOf(entries: readonly OutboxEntry[]): SigningGroup {
  const members = entries.map(({ workflowId, input }) => {
    const { signingId, walletId: wallet, kind } = input as SigningTask;
    return { signingId, workflowId, walletId: wallet, kind };
  });
  return sealGroup(testSeals, { groupId: uuidv7(), workspaceId, networkCode: 'ETHEREUM_SANDBOX', members });
}

const groupIdOf = ({ groupId }: SigningGroup) => workflowIdOf('signGroup', groupId);
const runGroup = (group: SigningGroup) => attacker.run('signGroup', group, groupIdOf(group));

/** Who owns the database takes away what says that it has ended, and opens it again. */
const setBack = (entry: OutboxEntry) =>
  db().transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`delete from audit_logs where resource_id = ${idOf(entry)}`);
    await tx
      .update(signingRequests)
      .set({ status: 'pending', statusReason: null, completedAt: null, errorCode: null, errorReason: null })
      .where(eq(signingRequests.id, idOf(entry)));
  });

describe('what waits while others of its workspace are under way', () => {
  test('goes together, each to one outcome, and its rows name the workflow; nothing stays in the outbox', async () => {
    const starter = starterWith();
    const entries = await acceptMany(24);
    for (const entry of entries) starter.enqueue(entry);
    await untilAll(entries, 'success');
    const rows = await Promise.all(entries.map(rowOf));
    const groups = new Set(rows.map(({ groupWorkflowId }) => groupWorkflowId));
    expect(groups.has(null)).toBe(true); // the first ones came alone
    expect(rows.filter(({ groupWorkflowId }) => groupWorkflowId !== null).length).toBeGreaterThan(entries.length / 2);
    expect(groups.size).toBeLessThan(entries.length / 2);
    for (const id of groups) if (id !== null) expect(await isKnown(id)).toBeDefined();
    await starter.drain();
    expect(await db().select().from(outbox)).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test('one that comes alone has a workflow of its own', async () => {
    const [entry] = (await acceptMany(1)) as [OutboxEntry];
    const starter = starterWith();
    starter.enqueue(entry);
    await untilAll([entry], 'success');
    expect((await rowOf(entry)).groupWorkflowId).toBeNull();
    expect(await isKnown(entry.workflowId)).toBeDefined();
    await starter.drain();
  });
});

describe('a member', () => {
  test.each([
    ['that the nodes refuse', 'mpc_refused'],
    ['that waits for the cluster', 'cluster_not_ready'],
    ['of which the answer is lost', { lost: 'mpc_error' }],
  ] satisfies [string, Fault][])('%s ends by its own workflow and harms no other', async (_name, fault) => {
    const entries = await acceptMany(4);
    const group = groupOf(entries);
    cluster.meet('sign', fault);
    await runGroup(group);
    const open = (await Promise.all(entries.map(async (entry) => [entry, await isKnown(entry.workflowId)] as const)))
      .filter(([, known]) => known !== undefined)
      .map(([entry]) => entry);
    expect(open).toHaveLength(1);
    await untilAll(entries, 'success');
  });

  test('whose row was changed fails in its own workflow, and the others are signed', async () => {
    const entries = await acceptMany(3);
    const [poisoned, ...others] = entries as [OutboxEntry, ...OutboxEntry[]];
    await db()
      .update(signingRequests)
      .set({ unsignedTx: '0xff' })
      .where(eq(signingRequests.id, idOf(poisoned)));
    await runGroup(groupOf(entries));
    await untilAll(others, 'success');
    await worker.client.workflow.getHandle(poisoned.workflowId).result();
    expect(await rowOf(poisoned)).toMatchObject({ status: 'failed', errorCode: 'row_not_sealed' });
  });

  test('that was cancelled just before, and whose row is set back, is not signed by its group', async () => {
    const entries = await acceptMany(2);
    const [cancelled, other] = entries as [OutboxEntry, OutboxEntry];
    const fields = failedSigning('cancelled');
    await db().transaction((tx) => endSigningRequest(tx, testSeals, idOf(cancelled), { from: 'pending', fields }));
    // As the API tells Temporal before it answers.
    const ended = { ...cancelled, input: { ...cancelled.input, ended: true }, signal: 'changed' } as OutboxEntry;
    await starterWith().deliverEnd(ended);
    await setBack(cancelled);
    await runGroup(groupOf(entries));
    await untilAll([other], 'success');
    expect(signCallsOf(cancelled)).toBe(0);
    expect((await rowOf(cancelled)).status).not.toBe('success');
  });

  test('that ended without a signature, and whose row is set back, is not signed by another group', async () => {
    const [entry] = (await acceptMany(1)) as [OutboxEntry];
    cluster.meet('sign', 'mpc_refused', 'mpc_refused');
    await runGroup(groupOf([entry]));
    await worker.client.workflow.getHandle(entry.workflowId).result();
    const asked = signCallsOf(entry);
    await setBack(entry);
    await runGroup(groupOf([entry]));
    expect(signCallsOf(entry)).toBe(asked);
  });
});

describe('who reaches the port of Temporal', () => {
  const tried = async (group: SigningGroup, workflowId = groupIdOf(group)) => {
    const before = cluster.signCalls.length;
    await attacker.run('signGroup', group, workflowId);
    return cluster.signCalls.length - before;
  };

  test('forms no group, adds no member to one, and brings none under another id', async () => {
    const [entry, other] = (await acceptMany(2)) as [OutboxEntry, OutboxEntry];
    const group = groupOf([entry]);
    expect(await tried({ ...group, seal: `1.${'0'.repeat(64)}` })).toBe(0);
    expect(await tried({ ...group, groupId: uuidv7() })).toBe(0);
    expect(await tried({ ...group, workspaceId: uuidv7() })).toBe(0);
    expect(await tried({ ...group, members: groupOf([entry, other]).members })).toBe(0);
    expect(await tried(group, workflowIdOf('signGroup', uuidv7()))).toBe(0);
    expect(await attacker.schedule('signGroupAtOnce', group)).toEqual({ failed: 'row_not_sealed' });
    expect(await Promise.all([entry, other].map(async (one) => (await rowOf(one)).status))).toEqual([
      'pending',
      'pending',
    ]);
  });

  test('has nothing signed by the replay of a group that had ended', async () => {
    const entries = await acceptMany(3);
    const group = groupOf(entries);
    await runGroup(group);
    await untilAll(entries, 'success');
    const before = cluster.signCalls.length;
    await runGroup(group);
    expect(cluster.signCalls.length).toBe(before);
  });
});

test('an operator finds a group by the wallet of each member, and reads what it does and how each ended', async () => {
  const second = await makeWallet(db(), workspaceId);
  const entries = await acceptMany(3);
  const group = groupOf(entries);
  const unknown = { signingId: uuidv7(), walletId: second, kind: 'raw_digest' } as const;
  const members: GroupMember[] = [
    ...group.members,
    { ...unknown, workflowId: workflowIdOf('sign', unknown.signingId) },
  ];
  const { groupId, networkCode } = group;
  const shown = sealGroup(testSeals, { groupId, workspaceId, networkCode, members });
  await starterWith().startAgain({ workflow: 'signGroup', workflowId: groupIdOf(group), input: shown });
  await worker.client.workflow.getHandle(groupIdOf(group)).result();
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const [query = ''] = /^WalletId = .*$/m.exec(readme) ?? [];
  const foundBy = (id: string) =>
    search(worker.client, query.replaceAll(/[0-9a-f-]{36}/g, id), (ids) => ids.includes(groupIdOf(group)));
  expect(await foundBy(walletId)).toContain(groupIdOf(group));
  expect(await foundBy(second)).toContain(groupIdOf(group));
  const { summary, details, attributes, memo } = await viewOf(worker.client, groupIdOf(group));
  expect(summary).toBe('Sign 4 operations on ETHEREUM_SANDBOX');
  expect(memo).toEqual({ id: groupId });
  expect(attributes).toMatchObject({
    WorkspaceId: workspaceId,
    NetworkCode: networkCode,
    OperationStatus: 'handed_on',
  });
  for (const { signingId } of group.members) expect(details).toContain(`${signingId}: Signed as ${signingId}.1.`);
  expect(details).toContain(`${unknown.signingId}: Goes on in its own workflow (not_found).`);
  expect(await explanationOf(worker.client, groupIdOf(group))).toMatch(/^[A-Z].*\.$/);
});

test('a worker that is stopped amidst a group leaves it to the next one, which makes one outcome of each', async () => {
  const entries = await acceptMany(6);
  for (const _ of entries) cluster.meet('sign', 'hang');
  const group = groupOf(entries);
  const { workflow } = worker.client;
  const handle = await workflow.start('signGroup', {
    workflowId: groupIdOf(group),
    taskQueue: worker.taskQueue,
    args: [group],
    workflowTaskTimeout: 6_000,
  });
  await expect.poll(() => entries.map(signCallsOf), PATIENCE).toEqual(entries.map(() => 1));
  await worker.stop();
  cluster.spare();
  worker = await startWorker();
  await worker.client.workflow.getHandle(handle.workflowId).result();
  await untilAll(entries, 'success');
});

test('the members of a group that an operator terminated are started by their own ids', async () => {
  const entries = await acceptMany(2);
  await db().delete(outbox);
  const starter = starterWith();
  const orphans = new OrphanedOperations({
    db: db(),
    seals: testSeals,
    client: worker.client,
    starter,
    log: { warn: () => {} },
    openForMs: 0,
  });
  await orphans.closeSome();
  await untilAll(entries, 'success');
  for (const entry of entries) expect(await isKnown(entry.workflowId)).toBeDefined();
});
