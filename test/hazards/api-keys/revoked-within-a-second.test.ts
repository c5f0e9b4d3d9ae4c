// Goal: K4, who was revoked is refused within a second, also in what is under way: a key, an approver, a node. Method:
// two API instances on one database, the round of approvals held by a lock while the key goes; three real nodes of
// which one is taken off the cluster file while signatures are being made. More of the same: keys in
// test/hazards/api-keys/revoke-during-use.test.ts and test/integration/http/waiting-keys.test.ts, what the nodes say to
// each other in mpc/tests/nodes/{removed,cluster_file,bans}.rs.
import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectCluster, connectTo } from '../../../activities/mpc/client/connect-cluster.ts';
import { followCluster } from '../../../activities/mpc/client/follow-cluster.ts';
import { type Cluster, ClusterError, type ClusterErrorCode } from '../../../activities/mpc/port.ts';
import { clusterFailures } from '../../../domain/failures.ts';
import type { PolicyDocument } from '../../../domain/policies/policy-document.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { anySignature } from '../../support/cluster/any-signature.ts';
import { startTestCluster, type TestCluster } from '../../support/cluster/cluster.ts';
import { ApprovalStage, type KnownKey } from '../../support/rows/approvals.ts';

const WITHIN_MS = 1_000;
const two: PolicyDocument = { rules: [], default: { action: 'require_approvals', approvals: 2 } };
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('keys and approvers', () => {
  let api: TestApi;
  let second: Awaited<ReturnType<TestApi['startAnother']>>;
  let stage: ApprovalStage;
  let id: string;
  let approvers: KnownKey[];

  beforeAll(async () => {
    api = await startApi({ temporalAddress: '127.0.0.1:1' });
    second = await api.startAnother();
    stage = new ApprovalStage(api);
    await stage.connect();
    await stage.setPolicy(two);
    approvers = await stage.makeApprovers(4);
    id = await stage.askId('signing', await stage.makeFundedWallet());
  });
  afterAll(async () => {
    await second.stop();
    await api.stop();
  });

  const approve = (key: KnownKey) => stage.decide('signing', id, { verb: 'approve', key });
  const revoke = async (key: KnownKey) =>
    expect((await stage.call('DELETE', `/api/v1/api-keys/${key.id}`)).status).toBe(200);

  /** Holds the round, so that whoever decides waits; lets go when `act` has ended. */
  async function whileHeld(act: () => Promise<unknown>): Promise<void> {
    await api.db.transaction(async (tx) => {
      await tx.execute(sql`select from approval_rounds where subject_id = ${id} for update`);
      await act();
    });
  }

  const waitingForLocks = async () => {
    const [row] = await api.db.execute(sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return row?.['count'];
  };

  test('K4: a revoked key is refused on every process within a second', async () => {
    const key = await stage.makeApprover();
    const self = (at = api.app) => api.call('GET', '/api/v1/api-keys/self', undefined, { key, at });
    expect([(await self()).status, (await self(second.app)).status]).toEqual([200, 200]);
    await revoke(key);
    expect((await self()).status).toBe(401);
    await sleep(WITHIN_MS);
    expect((await self(second.app)).status).toBe(401);
  });

  test('K4: the approval of a key that is revoked while the next one is on its way does not count', async () => {
    const [leaving, staying] = approvers as [KnownKey, KnownKey];
    expect((await approve(leaving)).status).toBe(200);
    let answer: ReturnType<typeof approve> | undefined;
    await whileHeld(async () => {
      answer = approve(staying);
      await expect.poll(waitingForLocks, { timeout: 60_000 }).toBe(1);
      await revoke(leaving);
    });
    expect(await answer).toMatchObject({ status: 200, body: { data: { status_reason: 'awaiting_approval' } } });
  });

  test('K4: the approval of a key that is revoked while it is on its way does not count', async () => {
    const [, , leaving, last] = approvers as [KnownKey, KnownKey, KnownKey, KnownKey];
    let answer: ReturnType<typeof approve> | undefined;
    await whileHeld(async () => {
      answer = approve(leaving);
      await expect.poll(waitingForLocks, { timeout: 60_000 }).toBe(1);
      await revoke(leaving);
    });
    await answer;
    expect(await stage.read('signing', id)).toMatchObject({ status_reason: 'awaiting_approval' });
    expect((await approve(leaving)).status).toBe(401);
    const gone = await approve(last);
    expect(gone.body.data.status_reason).not.toBe('awaiting_approval');
  });
});

describe('a node that is taken off the cluster file, and goes on as if it were not', () => {
  const walletId = v4();
  const others: Cluster[] = [];
  let nodes: TestCluster;
  let putBack = () => {};

  beforeAll(async () => {
    nodes = await startTestCluster({ deaf: 3 });
    await nodes.cluster.generateKey({ walletId, curve: 'ed25519' });
  }, 300_000);
  afterAll(async () => {
    await Promise.all(others.map((cluster) => cluster.close()));
    await nodes?.stop();
  });

  const sign = (cluster: Cluster) =>
    cluster.sign(
      {
        operationId: v4(),
        attempt: 1,
        walletId,
        curve: 'ed25519',
        path: [1],
        payload: { kind: 'raw_digest', digest: randomBytes(32) },
      },
      anySignature,
    );

  /** As the worker does it. */
  function follow(): Cluster {
    const { clusterFile } = nodes.config;
    const connect = (text: string) => connectTo(text, nodes.config);
    const cluster = followCluster({ clusterFile, connect, log: { warn: () => undefined, error: () => undefined } });
    others.push(cluster);
    return cluster;
  }

  interface Made {
    beganMs: number;
    endedMs: number;
    /** The signers, or the code of the failure. */
    end: readonly number[] | ClusterErrorCode | 'unexpected';
  }
  const byNode3 = ({ end }: Made) => Array.isArray(end) && end.includes(3);

  /** Signs without a pause until stopped. */
  function keepSigning(cluster: Cluster) {
    let stopped = false;
    const made: Made[] = [];
    const run = async () => {
      while (!stopped) {
        const beganMs = performance.now();
        const end = await sign(cluster).then(
          ({ signers }) => signers,
          (error: unknown) => (error instanceof ClusterError ? error.code : 'unexpected'),
        );
        made.push({ beganMs, endedMs: performance.now(), end });
        await sleep(5);
      }
    };
    const running = Promise.all([run(), run(), run()]);
    const stop = async () => {
      stopped = true;
      await running;
      return made;
    };
    return { made, stop };
  }

  test('K4: is refused within a second, in what is under way too, by its peers and by the worker', async () => {
    const worker = keepSigning(follow());
    const stale = keepSigning(nodes.cluster);
    await expect.poll(() => [worker, stale].every(({ made }) => made.some(byNode3)), { timeout: 60_000 }).toBe(true);
    putBack = nodes.takeOff(3);
    const changedMs = performance.now();
    const refusedFromMs = changedMs + WITHIN_MS;
    const isBack = ({ beganMs, end }: Made) => beganMs > changedMs && Array.isArray(end) && end.join() === '1,2';
    await expect.poll(() => worker.made.some(isBack), { timeout: 60_000 }).toBe(true);
    const isLate = ({ beganMs }: Made) => beganMs > refusedFromMs;
    await expect.poll(() => [worker, stale].every(({ made }) => made.some(isLate)), { timeout: 60_000 }).toBe(true);
    const [madeByWorker, madeByStale] = await Promise.all([worker.stop(), stale.stop()]);
    expect([...madeByWorker, ...madeByStale].filter((one) => byNode3(one) && one.endedMs > refusedFromMs)).toEqual([]);
    // Who knows the old file only gets no signature at all.
    const late = madeByStale.filter(isLate);
    expect(late.filter(({ end }) => typeof end !== 'string')).toEqual([]);
    // Whatever failed meanwhile may be tried again: no operation is lost.
    const failures = [...madeByWorker, ...madeByStale].flatMap(({ end }) => (typeof end === 'string' ? [end] : []));
    expect(failures.filter((code) => code === 'unexpected' || !clusterFailures[code].retryHelps)).toEqual([]);
  });

  test('K4: a worker that starts on the new file does not speak to it, and signs with the others', async () => {
    const cluster = connectCluster(nodes.config);
    others.push(cluster);
    for (let round = 0; round < 6; round += 1) expect((await sign(cluster)).signers).toEqual([1, 2]);
    const health = await cluster.health();
    expect(health.map(({ reachable }) => reachable)).toEqual([true, true, false]);
  });

  test('K4: signs again when the file has it again', async () => {
    const worker = keepSigning(follow());
    putBack();
    await expect.poll(() => worker.made.some(byNode3), { timeout: 60_000 }).toBe(true);
    await worker.stop();
  });
});
