// Goal: who runs a node asks it on its machine how it is, and nobody asks from another one; at an address that he names
// for Prometheus it shows its metrics and nothing else. Method: real nodes, one of them observed, and a policy file
// that pauses them.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { samplesOf, sumOf } from '../../support/api/metrics.ts';
import { buildNode, startTestCluster, type TestCluster } from '../../support/cluster/cluster.ts';

const STARTED_WITHIN_MS = 900_000;

let cluster: TestCluster;
let address: string;
beforeAll(async () => {
  address = `127.0.0.1:${await findFreePort()}`;
  cluster = await startTestCluster({ policy: { messages: true }, observe: address });
}, STARTED_WITHIN_MS);
afterAll(() => cluster.stop());

const ask = (path: string, options?: RequestInit) => fetch(`http://${address}${path}`, options);
const programSha256 = async () =>
  createHash('sha256')
    .update(readFileSync(await buildNode()))
    .digest('hex');
const metrics = async () => (await ask('/metrics')).text();

test('its probe says that it is up, and which program runs', async () => {
  const answer = await ask('/health');
  // Tests build it by Cargo alone, which is told no commit.
  const commit = process.env['SOURCE_COMMIT'] ?? 'unknown';
  const sha256 = await programSha256();
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'up', version: '0.1.0', commit, sha256 }]);
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
  expect(text).toContain(
    `mpc_node_info{version="0.1.0",program="${(await programSha256()).slice(0, 12)}",policy="${policySha256?.slice(0, 12)}"} 1\n`,
  );
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

const serveSecond = (...options: string[]) => {
  const keys = ['--store-key-file', join(cluster.directory, 'keys', 'node-2.key')];
  const places = ['--dir', join(cluster.directory, 'node-2'), '--cluster', cluster.config.clusterFile, ...keys];
  return ['serve', '--index', '2', '--listen', '127.0.0.1:0', ...places, ...options];
};

test.each(['0.0.0.0:9150', '[::]:9150', 'localhost'])('it does not listen on %s', async (elsewhere) => {
  await cluster.kill(2);
  await expect(cluster.run(...serveSecond('--observe', elsewhere))).rejects.toThrow(
    /--observe is not an address of this machine alone/,
  );
});

test('what it shows to a network is its metrics alone, and whoever holds that port keeps no probe waiting', async () => {
  await cluster.kill(2);
  await expect(cluster.run(...serveSecond('--metrics', 'everywhere'))).rejects.toThrow(/--metrics is not an address/);
  const [observed, shown] = [await findFreePort(), await findFreePort()];
  const options = ['--observe', `127.0.0.1:${observed}`, '--metrics', `0.0.0.0:${shown}`];
  const served = spawn(await buildNode(), serveSecond(...options), { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(served.stdout, 'data');
    const at = (port: number, path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    expect(await (await at(shown, '/metrics')).text()).toContain('mpc_node_paused 0\n');
    expect((await at(shown, '/health')).status).toBe(404);
    const held = Array.from({ length: 20 }, () => connect(shown, '127.0.0.1'));
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    expect((await at(observed, '/health')).status).toBe(200);
    for (const socket of held) socket.destroy();
  } finally {
    served.kill('SIGKILL');
  }
});
