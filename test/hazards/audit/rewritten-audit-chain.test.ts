// Goal: L2, an audit chain that was rewritten or cut contradicts what is kept outside the database, and nothing that
// its attacker writes into the database hides that. Method: the activities themselves over a cluster in memory; the
// change is made at the moment that is best for whoever makes it. With real nodes: test/e2e/checkpoints.test.ts.

import { execFile } from 'node:child_process';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger, type LogEntry } from '@temporalio/worker';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type CheckpointActivities,
  type Comparison,
  createCheckpointActivities,
} from '../../../activities/audit/checkpoint-audit.ts';
import { RoutedClusters } from '../../../activities/mpc/client/clusters.ts';
import { type AuditCheckpoint, type Cluster, ClusterError, type Clusters } from '../../../activities/mpc/port.ts';
import { listAuditFindings, resolveAuditFinding } from '../../../drizzle/audit/audit-checkpoints.ts';
import { auditHeads, auditLogs } from '../../../drizzle/audit/audit-tables.ts';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { readGauges } from '../../../drizzle/observability/gauges.ts';
import { FakeCluster } from '../../support/cluster/fake-cluster.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { cutChain, growChain, rewriteChain, whileChanged } from '../../support/rows/audit-chains.ts';
import { makeWorkspace } from '../../support/rows/operation-rows.ts';

let database: TestDatabase;
let connection: DatabaseConnection;
let cluster: FakeCluster;
let workspaceId: string;
let logged: LogEntry[];

beforeEach(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 4, name: 'test-rewritten-audit-chain' });
  cluster = new FakeCluster();
  logged = [];
  workspaceId = await makeWorkspace(connection.db);
  await growChain(connection.db, workspaceId, 4);
  const { due } = await compare();
  expect(await keep(due)).toEqual({ kept: 1 });
});
afterEach(async () => {
  await connection.close();
  await database.drop();
});

function inActivity<T>(act: (activities: CheckpointActivities) => Promise<T>, over: Cluster = cluster): Promise<T> {
  return overClusters(act, onlyMain(over));
}

function overClusters<T>(act: (activities: CheckpointActivities) => Promise<T>, clusters: Clusters): Promise<T> {
  const logger = new DefaultLogger('WARN', (entry) => logged.push(entry));
  const activities = createCheckpointActivities({ db: connection.db, clusters });
  return new MockActivityEnvironment({}, { logger }).run(() => act(activities));
}

const compare = (over?: Cluster, despite?: string[]): Promise<Comparison> =>
  inActivity((activities) => activities.compareCheckpoints('newest', despite), over);
const keep = (due: readonly AuditCheckpoint[], over?: Cluster) =>
  inActivity((activities) => activities.keepCheckpoints(due), over);

const keptSeq = async () => (await cluster.readCheckpoints({ node: 1, list: 'newest' }))[0]?.seq;

/** The cluster, with something else done at a question. */
function interrupted(
  meanwhile: (question: { node: number; after?: AuditCheckpoint | undefined }) => Promise<void>,
): Cluster {
  return Object.assign(Object.create(cluster) as Cluster, {
    readCheckpoints: async (question: Parameters<Cluster['readCheckpoints']>[0]) => {
      const page = await cluster.readCheckpoints(question);
      await meanwhile(question);
      return page;
    },
    keepCheckpoint: (checkpoint: AuditCheckpoint) => cluster.keepCheckpoint(checkpoint),
  });
}

test.each([
  ['written anew', (tx: never) => rewriteChain(tx, workspaceId, 2), 64],
  ['cut', (tx: never) => cutChain(tx, workspaceId, 3), undefined],
] as const)('L2: a chain that was %s is found at every node, and logged as an error', async (_how, change, found) => {
  await whileChanged(connection.db, change as never, async () => {
    const comparison = await compare();
    expect(comparison.findings.map(({ node, seq, found: other }) => [node, seq, other?.length])).toEqual(
      [1, 2, 3].map((node) => [node, 4, found]),
    );
    const [entry] = logged.filter(({ level }) => level === 'ERROR');
    expect(entry?.meta).toMatchObject({ findingCount: 3, findings: [{ workspaceId, seq: 4, node: 1 }, {}, {}] });
  });
});

test('L2: a finding that an operator has resolved is open again only once something else stands there', async () => {
  const change = (tx: never) => cutChain(tx, workspaceId, 3);
  await whileChanged(connection.db, change as never, () => compare());
  const open = async () =>
    (await listAuditFindings(connection.db, { all: false })).map(({ node }) => node).toSorted((a, b) => a - b);
  const resolve = (node: number) =>
    connection.db.transaction((tx) =>
      resolveAuditFinding(tx, { workspaceId, seq: 4, cluster: 'main', node }, 'rows restored'),
    );
  expect(await open()).toEqual([1, 2, 3]);
  for (const node of [1, 2, 3]) expect(await resolve(node)).toMatchObject({ resolution: 'rows restored', found: null });
  expect(await resolve(1)).toBeUndefined();
  expect([await open(), (await readGauges(connection.db)).auditFindings]).toEqual([[], 0]);
  expect(await listAuditFindings(connection.db, { all: true })).toHaveLength(3);
  await rewriteForGood();
  expect([await open(), (await readGauges(connection.db)).auditFindings]).toEqual([[1, 2, 3], 3]);
});

test('L2: an operator lists the findings and resolves them by a command; it is in the audit log', async () => {
  const run = (...args: string[]): Promise<{ code: number; output: string }> =>
    new Promise((resolve) => {
      const env = { PATH: process.env['PATH'], DATABASE_URL: database.url };
      execFile(process.execPath, ['dist/audit-findings.js', ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
      );
    });
  expect(await run('list')).toEqual({ code: 0, output: 'None is unresolved.\n' });
  const change = (tx: never) => cutChain(tx, workspaceId, 3);
  await whileChanged(connection.db, change as never, () => compare());
  const listed = await run('list');
  expect(listed.output.match(/^UNRESOLVED /gm)).toHaveLength(3);
  expect(listed.output).toContain(`${workspaceId}/4/main/2`);
  expect(listed.output).toContain('and here there was no entry');
  for (const args of [['resolve', `${workspaceId}/4/main/2`], ['resolve', 'x', '--note', 'y'], ['list', 'x'], []])
    expect(await run(...args)).toMatchObject({ code: 1, output: expect.stringMatching(/^Usage: /) });
  const resolve = ['resolve', `${workspaceId}/4/main/2`, '--note', 'a backup was put back'];
  expect(await run(...resolve)).toMatchObject({ code: 0 });
  expect(await run(...resolve)).toMatchObject({ code: 1, output: expect.stringContaining('no unresolved finding') });
  expect((await run('list')).output.match(/^UNRESOLVED /gm)).toHaveLength(2);
  expect((await run('list', '--all')).output).toContain('a backup was put back');
  const entries = await connection.db.select().from(auditLogs).where(eq(auditLogs.action, 'audit-findings resolve'));
  expect(entries).toMatchObject([{ workspaceId, actor: 'operator' }]);
}, 120_000);

test('L2: a head that is signed after the rewriting, in the midst of a comparison, is not passed on', async () => {
  await growChain(connection.db, workspaceId, 2);
  const afterItsComparison = interrupted(async ({ node, after }) => {
    if (node !== 3 || after === undefined) return;
    await rewriteForGood();
    await growChain(connection.db, workspaceId, 1);
  });
  const { due, findingCount } = await compare(afterItsComparison);
  expect(findingCount).toBe(0);
  await keep(due);
  expect(await keptSeq(), 'the head of before').toBe(6);
  expect(await compare()).toMatchObject({ findingCount: 3, due: [] });
});

test('L2: a head that the database calls kept is passed on when the nodes do not have it', async () => {
  await growChain(connection.db, workspaceId, 2);
  await connection.db.update(auditHeads).set({ keptAt: new Date() });
  const { due } = await compare();
  expect(due.map(({ seq }) => seq)).toEqual([6]);
});

test('L2: a chain that differs goes no further, unless an operator says so', async () => {
  await rewriteForGood();
  await growChain(connection.db, workspaceId, 2);
  expect((await compare()).due).toEqual([]);
  const { due, findingCount } = await compare(cluster, [workspaceId]);
  expect(findingCount).toBe(3);
  expect(await keep(due)).toEqual({ kept: 1 });
  expect(await compare()).toMatchObject({ findingCount: 0, due: [] });
});

test('L2: a node that is away keeps neither the others from being asked nor a finding from being made', async () => {
  await rewriteForGood();
  const away = interrupted(async ({ node }) => {
    if (node !== 2) throw new ClusterError('cluster_not_ready', 'it is away', { node });
  });
  expect(await compare(away)).toMatchObject({
    unreached: [1, 3].map((node) => ({ cluster: 'main', node })),
    findingCount: 1,
    findings: [{ node: 2 }],
  });
});

test('L2: what is refused for one chain does not hold up the others', async () => {
  const other = await makeWorkspace(connection.db);
  await growChain(connection.db, other, 1);
  const { due } = await compare();
  const behind = { workspaceId, seq: 1, hash: 'ab'.repeat(32) };
  expect(await keep([behind, ...due])).toEqual({ kept: 1, reason: expect.stringMatching(/later/) });
  const [head] = await connection.db.select().from(auditHeads).where(sql`workspace_id = ${other}`);
  expect(head?.keptAt).toBeInstanceOf(Date);
});

/** Nothing puts the tables back. */
async function rewriteForGood(): Promise<void> {
  await connection.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await rewriteChain(tx, workspaceId, 2);
  });
}

describe('L2: with several clusters', () => {
  let treasury: FakeCluster;
  let both: Clusters;
  beforeEach(() => {
    treasury = new FakeCluster();
    const named = new Map<string, Cluster>([
      ['main', cluster],
      ['treasury', treasury],
    ]);
    both = new RoutedClusters(named, { clusterOf: async () => 'main', witnessOf: async () => undefined });
  });
  const compareBoth = () => overClusters((activities) => activities.compareCheckpoints('newest'), both);
  const keepBoth = (due: readonly AuditCheckpoint[]) =>
    overClusters((activities) => activities.keepCheckpoints(due), both);
  const seqAt = async (at: FakeCluster) => (await at.readCheckpoints({ node: 1, list: 'newest' }))[0]?.seq;

  test('a head that one of them lacks is kept by all, and a chain that differs is found at each', async () => {
    const { due, compared } = await compareBoth();
    expect([compared, due.map(({ seq }) => seq)]).toEqual([3, [4]]);
    expect(await keepBoth(due)).toEqual({ kept: 1 });
    expect([await seqAt(cluster), await seqAt(treasury)]).toEqual([4, 4]);
    expect((await compareBoth()).due).toEqual([]);
    await whileChanged(connection.db, ((tx: never) => rewriteChain(tx, workspaceId, 2)) as never, async () => {
      const { findings, findingCount } = await compareBoth();
      expect(findingCount).toBe(6);
      const keepers = ['main', 'treasury'].flatMap((name) => [1, 2, 3].map((node) => `${name}/${node}`));
      expect(findings.map((finding) => `${finding.cluster}/${finding.node}`)).toEqual(keepers);
      const listed = await listAuditFindings(connection.db, { all: false });
      expect(listed.map((finding) => `${finding.cluster}/${finding.node}`).toSorted()).toEqual(keepers);
    });
  });

  test('one that is away keeps the other from nothing, and learns of it later', async () => {
    await keepBoth((await compareBoth()).due);
    await growChain(connection.db, workspaceId, 2);
    const away = async () => {
      throw new ClusterError('cluster_not_ready', 'node 1 is unreachable');
    };
    const calls = (['keepCheckpoint', 'readCheckpoints'] as const).map((call) => vi.spyOn(treasury, call));
    for (const call of calls) call.mockImplementation(away);
    const { due, unreached } = await compareBoth();
    expect(unreached).toEqual([1, 2, 3].map((node) => ({ cluster: 'treasury', node })));
    expect(await keepBoth(due)).toEqual({ kept: 1, reason: 'cluster treasury: node 1 is unreachable' });
    expect(await seqAt(cluster)).toBe(6);
    for (const call of calls) call.mockRestore();
    expect(await seqAt(treasury)).toBe(4);
    expect(await keepBoth((await compareBoth()).due)).toEqual({ kept: 1 });
    expect(await seqAt(treasury)).toBe(6);
  });
});
