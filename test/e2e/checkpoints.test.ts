// Goal: whoever rewrites the audit log in the database, or cuts it, is found through the MPC nodes, whatever else they
// hold; nodes that were away catch up (control L2). Method: three real nodes, the workflow on a real worker; changes as
// a superuser with a stolen signing key makes them, who leaves no wrong hash behind.
import type { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createCheckpointActivities } from '../../activities/audit/checkpoint-audit.ts';
import type { AuditCheckpoint, CheckpointList } from '../../activities/mpc/port.ts';
import { auditFindings } from '../../drizzle/audit/audit-checkpoints.ts';
import { auditHeads } from '../../drizzle/audit/audit-tables.ts';
import { connectDatabase, type DatabaseConnection, type Transaction } from '../../drizzle/database/connection.ts';
import { checkpointScheduleIdOf, startCheckpointAudit } from '../../src/worker/checkpoint-audit.ts';
import type { CheckpointAudit, CheckpointAuditInput } from '../../workflows/checkpoint-audit.ts';
import { startTestCluster, type TestCluster } from '../support/cluster/cluster.ts';
import { onlyMain } from '../support/cluster/only-main.ts';
import { createTestDatabase, type TestDatabase } from '../support/processes/postgres.ts';
import { testTemporal } from '../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../support/processes/worker.ts';
import { cutChain, growChain, rewriteChain, whileChanged } from '../support/rows/audit-chains.ts';
import { makeWorkspace } from '../support/rows/operation-rows.ts';

let nodes: TestCluster;
let database: TestDatabase;
let connection: DatabaseConnection;
let worker: TestWorker;
let workspaceId: string;

beforeAll(async () => {
  nodes = await startTestCluster();
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 4, name: 'test-checkpoints' });
  const { db } = connection;
  worker = await startTestWorker({
    temporal: testTemporal('checkpoints'),
    activities: createCheckpointActivities({ db, clusters: onlyMain(nodes.cluster) }),
  });
  workspaceId = await makeWorkspace(db);
  await growChain(db, workspaceId, 5);
}, 300_000);

afterAll(async () => {
  await worker?.stop();
  await connection?.close();
  await database?.drop();
  await nodes?.stop();
});

let runs = 0;

async function audit(input: CheckpointAuditInput = { wholeHistory: false }): Promise<CheckpointAudit> {
  const { client, taskQueue } = worker;
  runs += 1;
  return client.workflow.execute('checkpointAudit', {
    workflowId: `${taskQueue}-${runs}`,
    taskQueue,
    args: [input],
  });
}

/** The sentence that the workflow failed with. */
async function alarm(input?: CheckpointAuditInput): Promise<string> {
  const cause: unknown = await audit(input).then(
    () => undefined,
    (failure: WorkflowFailedError) => failure.cause,
  );
  if (!(cause instanceof ApplicationFailure)) throw new Error('the workflow did not fail');
  const { type, nonRetryable, message } = cause;
  expect({ type, nonRetryable }).toEqual({ type: 'audit_chain_differs', nonRetryable: true });
  return message;
}

const keptBy = (node: number, list: CheckpointList = 'newest'): Promise<AuditCheckpoint[]> =>
  nodes.cluster.readCheckpoints({ node, list });

async function newestSeqs(): Promise<(number | undefined)[]> {
  const pages = await Promise.all([1, 2, 3].map((node) => keptBy(node)));
  return pages.map((page) => page.find((checkpoint) => checkpoint.workspaceId === workspaceId)?.seq);
}

const changed = <T>(change: (tx: Transaction) => Promise<void>, look: () => Promise<T>): Promise<T> =>
  whileChanged(connection.db, change, look);

describe('a chain that nobody touches', () => {
  test('is kept by every node, and agrees the next time', async () => {
    expect(await audit()).toEqual({ compared: 0, kept: 1, unreached: [] });
    expect(await newestSeqs()).toEqual([5, 5, 5]);
    expect(await audit({ wholeHistory: true })).toEqual({ compared: 6, kept: 0, unreached: [] });
    const [head] = await connection.db.select().from(auditHeads);
    expect(head?.keptAt).toBeInstanceOf(Date);
  });

  test('goes on while a node is down, which learns of it later', async () => {
    await nodes.kill(3);
    await growChain(connection.db, workspaceId, 2);
    expect(await audit()).toEqual({ compared: 2, kept: 1, unreached: [{ cluster: 'main', node: 3 }] });
    await nodes.restart(3);
    await expect.poll(newestSeqs, { timeout: 60_000 }).toEqual([7, 7, 5]);
    expect(await audit()).toEqual({ compared: 3, kept: 1, unreached: [] });
    expect(await newestSeqs()).toEqual([7, 7, 7]);
  });

  test('is not kept by one node alone', async () => {
    await Promise.all([nodes.kill(2), nodes.kill(3)]);
    await growChain(connection.db, workspaceId, 1);
    expect(await audit()).toEqual({
      compared: 1,
      kept: 0,
      unreached: [2, 3].map((node) => ({ cluster: 'main', node })),
      reason: expect.stringMatching(/node [23]/),
    });
    const [head] = await connection.db.select().from(auditHeads).where(sql`seq = 8`);
    expect(head?.keptAt).toBeNull();
    await Promise.all([nodes.restart(2), nodes.restart(3)]);
    await expect.poll(async () => (await audit()).unreached, { timeout: 60_000 }).toEqual([]);
    await expect.poll(newestSeqs, { timeout: 60_000 }).toEqual([8, 8, 8]);
  });
});

describe('L2: is found through the nodes', () => {
  // Each finding is logged as an error, which from here on would fill the screen.
  beforeAll(() => void vi.spyOn(process.stderr, 'write').mockReturnValue(true));

  test('a chain that was written anew to its end', async () => {
    const message = await changed(
      (tx) => rewriteChain(tx, workspaceId, 3),
      () => alarm(),
    );
    expect(message).toBe(
      `the audit chain of workspace ${workspaceId} differs from checkpoint 8, kept by node 1 of cluster main (2 more findings)`,
    );
    const findings = await connection.db.select().from(auditFindings).orderBy(auditFindings.node);
    expect(findings.map(({ node, seq, found }) => [node, seq, found?.length])).toEqual([
      [1, 8, 64],
      [2, 8, 64],
      [3, 8, 64],
    ]);
    expect(await audit(), 'once it is as it was').toMatchObject({ compared: 3 });
  });

  test('one that was written anew and grew since: no node is told of its new head', async () => {
    const message = await changed(
      async (tx) => rewriteChain(tx, workspaceId, 8),
      async () => {
        await growChain(connection.db, workspaceId, 2);
        return alarm();
      },
    );
    expect(message).toContain('differs from checkpoint 8');
    expect(await newestSeqs()).toEqual([8, 8, 8]);
  });

  test('a tail that was cut', async () => {
    const message = await changed(
      (tx) => cutChain(tx, workspaceId, 6),
      () => alarm(),
    );
    expect(message).toContain('ends before checkpoint 8');
  });

  test('a workspace whose log is gone', async () => {
    const message = await changed(
      (tx) => cutChain(tx, workspaceId, 0),
      () => alarm(),
    );
    expect(message).toContain(`workspace ${workspaceId} ends before checkpoint 8`);
  });

  test('with one node lost and one that cannot be reached: the third is enough', async () => {
    await Promise.all([nodes.kill(1), nodes.kill(2)]);
    const message = await changed(
      (tx) => cutChain(tx, workspaceId, 7),
      () => alarm(),
    );
    expect(message).toContain('kept by node 3');
    await Promise.all([nodes.restart(1), nodes.restart(2)]);
    await expect.poll(newestSeqs, { timeout: 60_000 }).toEqual([8, 8, 8]);
  });

  test('what the holder of the command key has the nodes keep: the first of the day stays', async () => {
    const forged = { workspaceId, seq: 8, hash: 'ab'.repeat(32) };
    await expect(nodes.cluster.keepCheckpoint(forged)).rejects.toMatchObject({ code: 'mpc_refused' });
    await expect(nodes.cluster.keepCheckpoint({ ...forged, seq: 4 })).rejects.toMatchObject({ code: 'mpc_refused' });
    const message = await changed(
      (tx) => rewriteChain(tx, workspaceId, 2),
      async () => {
        await growChain(connection.db, workspaceId, 1);
        // The run that an operator starts after a restore, here by the wrong hands.
        expect(await alarm({ wholeHistory: false, despite: [workspaceId] })).toContain('differs from checkpoint 8');
        expect(await newestSeqs()).toEqual([9, 9, 9]);
        expect(await audit()).toMatchObject({ compared: 3 });
        return alarm({ wholeHistory: true });
      },
    );
    expect(message).toContain('differs from checkpoint 5');
  });
});

test('a schedule starts it, and says so once however often it is set up', async () => {
  const { client, taskQueue } = worker;
  const log = { info: () => {}, warn: (details: object) => expect(details).toBeUndefined() };
  const scheduling = [1, 2].map(() => startCheckpointAudit({ client, taskQueue, log }));
  const handle = client.schedule.getHandle(checkpointScheduleIdOf(taskQueue));
  await expect
    .poll(() =>
      handle.describe().then(
        ({ spec }) => spec.intervals,
        () => undefined,
      ),
    )
    .toHaveLength(1);
  await handle.trigger();
  await expect
    .poll(async () => (await handle.describe()).info.recentActions.length, { timeout: 60_000 })
    .toBeGreaterThan(0);
  await Promise.all(scheduling.map((stop) => stop()));
  await handle.delete();
});
