// Goal: who runs a node asks it on its machine how it is, and nobody asks from another one. Method: real nodes, one of
// them observed, and a policy file that pauses them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { samplesOf, sumOf } from '../../support/api/metrics.ts';
import { startTestCluster, type TestCluster } from '../../support/cluster/cluster.ts';

const STARTED_WITHIN_MS = 900_000;

let cluster: TestCluster;
let address: string;
beforeAll(async () => {
  address = `127.0.0.1:${await findFreePort()}`;
  cluster = await startTestCluster({ policy: { messages: true }, observe: address });
}, STARTED_WITHIN_MS);
afterAll(() => cluster.stop());

const ask = (path: string, options?: RequestInit) => fetch(`http://${address}${path}`, options);
const metrics = async () => (await ask('/metrics')).text();

test('its probe says that it is up', async () => {
  const answer = await ask('/health');
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'up' }]);
});

test('the program itself is a probe, for where there is nothing else to ask with', async () => {
  expect(await cluster.run('health', '--observe', address)).toEqual({ status: 'up' });
  const silent = `127.0.0.1:${await findFreePort()}`;
  await expect(cluster.run('health', '--observe', silent)).rejects.toThrow(/no node answers on/);
  await expect(cluster.run('health', '--observe', '10.0.0.1:9150')).rejects.toThrow(/--observe is not an address/);
});

test('its metrics are in the text form of Prometheus, and say which policy it signs by', async () => {
  const { policySha256 } = (await cluster.cluster.health()).find(({ node }) => node === 1) ?? {};
  const text = await metrics();
  expect(text).toContain(`mpc_node_info{version="0.1.0",policy="${policySha256?.slice(0, 12)}"} 1\n`);
  for (const name of ['paused', 'set_back', 'keys', 'live_sessions', 'bans']) {
    expect(text).toContain(`# TYPE mpc_node_${name} gauge\n`);
    expect(sumOf(samplesOf(text), `mpc_node_${name}`)).toBe(0);
  }
});

test('a pause shows, also while nobody asks for a signature', { timeout: 120_000 }, async () => {
  writeFileSync(join(cluster.directory, 'policy.json'), JSON.stringify({ paused: { chains: ['solana'] } }));
  const paused = async () => sumOf(samplesOf(await metrics().catch(() => '')), 'mpc_node_paused');
  await expect.poll(paused, { timeout: 60_000 }).toBe(1);
});

test.each([
  ['another path', '/', {}],
  ['an order', '/metrics', { method: 'POST', body: '{}' }],
])('%s is not found', async (_what, path, options) => {
  expect((await ask(path, options)).status).toBe(404);
});

test.each(['0.0.0.0:9150', '[::]:9150', 'localhost'])('it does not listen on %s', async (elsewhere) => {
  const directory = join(cluster.directory, 'node-2');
  const places = ['--dir', directory, '--store-key-file', join(cluster.directory, 'keys', 'node-2.key')];
  const served = ['--index', '2', '--cluster', cluster.config.clusterFile, '--listen', '127.0.0.1:0'];
  await cluster.kill(2);
  await expect(cluster.run('serve', ...served, ...places, '--observe', elsewhere)).rejects.toThrow(
    /--observe is not an address of this machine alone/,
  );
});
