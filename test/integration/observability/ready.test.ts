// Goal: `/ready` says whether this process can serve, whatever becomes of the rest; `/ready?deep` says whether wallets
// can sign, without the API speaking to a node, and names what keeps it. Method: the API on a real database, the
// worker's loop over nodes that come and go; old reports are made by moving their time.
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeHealth } from '../../../drizzle/observability/node-health.ts';
import { startReportingHealth } from '../../../src/worker/report-node-health.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';

const isUp = [true, true, true];
const strange = { reachable: true, reason: 'it belongs to another cluster or has another number' };
const cluster = {
  threshold: 2,
  health: async () =>
    isUp.map((reachable, index) => ({
      node: index + 1,
      ...(reachable
        ? { reachable, version: '0.1\0', bans: [{ peer: 2 }] }
        : { reachable, reason: `node ${index + 1} is unreachable` }),
    })),
};

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

async function ready(
  query = '?deep',
): Promise<{ status: number; message: string; code: unknown; data: object | null }> {
  const answer = await api.app.inject({ method: 'GET', url: `/ready${query}` });
  const { message, code, data } = answer.json();
  return { status: answer.statusCode, message, code, data };
}

const withoutQuorum = {
  status: 503,
  message: 'Not ready: mpc cannot be reached.',
  code: 'mpc_unavailable',
  data: null,
};

async function reported<T>(over: typeof cluster, look: () => Promise<T>): Promise<T> {
  const warnings: object[] = [];
  const stop = startReportingHealth({
    db: api.db,
    clusters: new Map([['main', over]]),
    log: { info: () => undefined, warn: (details) => warnings.push(details) },
  });
  try {
    return await look();
  } finally {
    await stop();
    expect(warnings).toEqual([]);
  }
}

test('nobody has told of a node yet, and the process can serve', async () => {
  for (const query of ['?deep', '?deep=true']) expect(await ready(query)).toEqual(withoutQuorum);
  for (const query of ['', '?deep=false'])
    expect(await ready(query)).toMatchObject({ status: 200, data: { postgres: 'up' } });
  expect(await ready('?deep=yes')).toMatchObject({ status: 400, message: expect.stringContaining('?deep=true') });
});

test('a quorum is up, then not, then again', async () => {
  await reported(cluster, async () => {
    await expect.poll(ready, { timeout: 60_000 }).toMatchObject({
      status: 200,
      data: { postgres: 'up', temporal: 'up', mpc: 'up' },
    });
    isUp[0] = false;
    await expect.poll(statuses, { timeout: 60_000 }).toEqual(['down', 'up', 'up']);
    expect(await ready()).toMatchObject({ status: 200 });
    isUp[1] = false;
    await expect.poll(ready, { timeout: 60_000 }).toEqual(withoutQuorum);
    isUp.fill(true);
    await expect.poll(ready, { timeout: 60_000 }).toMatchObject({ status: 200 });
  });
  const [node] = await api.db.select().from(nodeHealth);
  expect(node).toMatchObject({ version: '0.1', bans: 1, threshold: 2, error: null });
});

const statuses = async () =>
  (await api.db.select().from(nodeHealth).orderBy(nodeHealth.node)).map(({ status }) => status);

test('what was told too long ago says nothing', async () => {
  const age = (seconds: number) =>
    api.db
      .update(nodeHealth)
      .set({ checkedAt: sql`now() - ${seconds} * interval '1 second'` })
      .where(sql`node < 3`);
  await age(10);
  expect(await ready()).toMatchObject({ status: 200 });
  await age(16);
  expect(await ready()).toEqual(withoutQuorum);
});

test('a node that answers for another cluster is not up, and one that is no longer in the cluster is forgotten', async () => {
  const smaller = { threshold: 2, health: async () => [1, 2].map((node) => ({ node, ...strange })) };
  await reported(smaller as typeof cluster, async () => {
    await expect.poll(statuses, { timeout: 60_000 }).toEqual(['down', 'down']);
    expect(await ready()).toEqual(withoutQuorum);
  });
});

test('which policy a node signs by is logged once, and again when it is another', async () => {
  const logged: object[] = [];
  let policySha256 = 'aa';
  const one = { threshold: 1, health: async () => [{ node: 1, reachable: true, policySha256 }] };
  const log = { info: (details: object) => logged.push(details), warn: () => undefined };
  const stop = startReportingHealth({ db: api.db, clusters: new Map([['main', one]]), log });
  try {
    await expect.poll(() => logged, { timeout: 60_000 }).toEqual([{ cluster: 'main', node: 1, policySha256: 'aa' }]);
    policySha256 = 'bb';
    const both = ['aa', 'bb'].map((hash) => ({ cluster: 'main', node: 1, policySha256: hash }));
    await expect.poll(() => logged, { timeout: 60_000 }).toEqual(both);
    const stored = api.db.select({ policy: nodeHealth.policySha256 }).from(nodeHealth);
    await expect.poll(() => stored, { timeout: 60_000 }).toEqual([{ policy: 'bb' }]);
  } finally {
    await stop();
  }
});
