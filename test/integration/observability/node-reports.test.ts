// Goal: the status of the service says of each node what the workers know of it: its version and policy, how fast it
// is, and whom it has banned; a worker that does not know how fast a node signs takes nothing away from what another
// one knows. Method: the API on a real database, and the worker's loop over nodes that answer as the test says.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NodeHealth } from '../../../activities/mpc/port.ts';
import { startReportingHealth } from '../../../src/worker/report-node-health.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
});
afterAll(() => api.stop());

const ban = (peer: number, generation = 0) => ({
  rootPublicKey: '02',
  peer,
  generation,
  at: '2027-01-15T08:00:00.000Z',
});
const well = { reachable: true, version: '0.1.0', policySha256: 'ab'.repeat(32), answerMs: 2.4 };

const nodesOfStatus = async () => (await api.call('GET', '/api/v1/observability/status')).body.data.mpc_nodes;

/** By a worker that hears this of its nodes. */
async function until(health: readonly NodeHealth[], shown: readonly object[]): Promise<void> {
  const clusters = new Map([['main', { threshold: 2, health: async () => [...health] }]]);
  const stop = startReportingHealth({ db: api.db, clusters, log: { info: () => undefined, warn: () => undefined } });
  try {
    await expect.poll(nodesOfStatus, { timeout: 60_000 }).toMatchObject(shown);
  } finally {
    await stop();
  }
}

test('each node with its version, its policy, its times and whom it has banned', async () => {
  await until(
    [
      { node: 1, ...well, signingMs: 40.6, bans: [ban(3), ban(2), ban(3, 1)] },
      { node: 2, ...well, bans: [] },
      { node: 3, reachable: false, signingMs: 90, reason: 'it is away' },
    ],
    [{ node: 1 }, { node: 2 }, { node: 3 }],
  );
  expect(await nodesOfStatus()).toEqual([
    {
      cluster: 'main',
      node: 1,
      status: 'up',
      bans: 3,
      banned_nodes: [2, 3],
      version: '0.1.0',
      policy_sha256: 'ab'.repeat(32),
      answer_ms: 2,
      signing_ms: 41,
      error: null,
      checked_age_seconds: expect.any(Number),
    },
    expect.objectContaining({ node: 2, bans: 0, banned_nodes: [], answer_ms: 2, signing_ms: null }),
    expect.objectContaining({
      node: 3,
      status: 'down',
      banned_nodes: [],
      version: null,
      policy_sha256: null,
      answer_ms: null,
      signing_ms: 90,
      error: 'it is away',
    }),
  ]);
});

test('a worker that has signed nothing yet leaves what another one knows', async () => {
  await until(
    [
      { node: 1, ...well, version: '0.2.0', bans: [] },
      { node: 2, ...well, version: '0.2.0', signingMs: 55, bans: [ban(1)] },
    ],
    [
      { version: '0.2.0', signing_ms: 41, banned_nodes: [] },
      { version: '0.2.0', signing_ms: 55, banned_nodes: [1] },
    ],
  );
  expect(await nodesOfStatus()).toHaveLength(2);
});
