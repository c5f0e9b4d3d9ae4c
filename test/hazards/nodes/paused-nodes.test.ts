// Goal: O2, what an operator pauses at the nodes is not signed from a second later on; what was asked for waits, says
// why, and is signed when the pause is over. Method: three real nodes whose policy file changes while signatures are
// made, the product's workflow and activities on real PostgreSQL and Temporal. Sessions under way, chains and broken
// files are in mpc/tests/nodes/contents/paused.rs.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v4 } from 'uuid';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Cluster } from '../../../activities/mpc/port.ts';
import { anySignature } from '../../support/cluster/any-signature.ts';
import { startTestCluster, type TestCluster } from '../../support/cluster/cluster.ts';
import { type NodesAndWorker, startNodesAndWorker } from '../../support/cluster/nodes-and-worker.ts';
import { onEvm, readSigningRequest } from '../../support/rows/operation-rows.ts';

const BUILD_MS = 300_000;
const WITHIN_MS = 1_000;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let nodes: TestCluster;
let cluster: Cluster;
let service: NodesAndWorker;
let policy: object;

beforeAll(async () => {
  nodes = await startTestCluster();
  cluster = nodes.cluster;
  policy = JSON.parse(readFileSync(policyFile(), 'utf8'));
  service = await startNodesAndWorker('paused-nodes', nodes, cluster);
}, BUILD_MS);
afterAll(() => service?.stop());

const policyFile = () => join(nodes.directory, 'policy.json');

/** In one move, as the runbook has it. All three nodes have this file, and are started again. */
function pause(paused: object): void {
  writeFileSync(`${policyFile()}.new`, JSON.stringify({ ...policy, paused }));
  renameSync(`${policyFile()}.new`, policyFile());
}

const askFor = (walletId: string) => service.ask(walletId, { kind: 'raw_digest', hex: `0x${'5a'.repeat(32)}` }, onEvm);

test('O2: a paused wallet waits and says why, others are signed for, and the end of the pause is the end of the wait', async () => {
  const [paused, other] = [await service.newWallet(), await service.newWallet()];
  pause({ wallets: [paused] });
  await sleep(WITHIN_MS);
  const waiting = await askFor(paused);
  const failure = async () => {
    const { raw } = await waiting.handle.describe();
    return raw.pendingActivities?.[0]?.lastFailure?.message;
  };
  await expect.poll(failure, { timeout: 60_000 }).toMatch(/paused by its operator: This node signs nothing for this/);
  expect(await readSigningRequest(service.db, waiting.id)).toMatchObject({ status: 'submitted', errorCode: null });
  const others = await askFor(other);
  await others.handle.result();
  expect(await readSigningRequest(service.db, others.id)).toMatchObject({ status: 'success' });
  pause({});
  await waiting.handle.result();
  expect(await readSigningRequest(service.db, waiting.id)).toMatchObject({ status: 'success' });
}, 300_000);

test('O2: nothing is signed from a second after everything is paused, health tells the new policy, and shares are renewed', async () => {
  const walletId = v4();
  // It needs all nodes, and the end of the pause before has just ended them.
  const root = await vi.waitFor(() => cluster.generateKey({ walletId, curve: 'ed25519' }), { timeout: 60_000 });
  const ends: { endedMs: number; signed: boolean }[] = [];
  let stopped = false;
  const digest = Buffer.alloc(32, 7);
  const run = async () => {
    while (!stopped) {
      const request = { walletId, curve: 'ed25519', path: [], payload: { kind: 'raw_digest', digest } } as const;
      const made = cluster.sign({ operationId: v4(), attempt: 1, ...request }, anySignature);
      const signed = await made.then(
        () => true,
        () => false,
      );
      ends.push({ endedMs: performance.now(), signed });
      await sleep(5);
    }
  };
  const policies = async () => new Set((await cluster.health()).map(({ policySha256 }) => policySha256));
  const [before] = await policies();
  const running = Promise.all([run(), run(), run()]);
  await expect.poll(() => ends.some(({ signed }) => signed), { timeout: 60_000 }).toBe(true);
  pause({ all: true });
  const pausedMs = performance.now();
  await sleep(4 * WITHIN_MS);
  const late = ends.filter(({ endedMs }) => endedMs > pausedMs + WITHIN_MS);
  expect(late.length).toBeGreaterThan(0);
  expect(late.filter(({ signed }) => signed)).toEqual([]);
  const after = await policies();
  expect(after.size).toBe(1);
  expect(after.has(before)).toBe(false);
  // What an operator needs meanwhile goes on.
  expect(await cluster.refreshKey({ walletId, curve: 'ed25519', root })).toBe(1);
  pause({});
  const isBack = () => ends.some(({ endedMs, signed }) => signed && endedMs > pausedMs + 4 * WITHIN_MS);
  await expect.poll(isBack, { timeout: 60_000 }).toBe(true);
  stopped = true;
  await running;
}, 300_000);
