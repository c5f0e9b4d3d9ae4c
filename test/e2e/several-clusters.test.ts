// Goal: a company with a hot and a treasury cluster has wallets in both, and what befalls one cluster concerns its own
// wallets alone. Method: API and one worker as processes, three real nodes of which two sign, and two of which both
// must; what each cluster was asked is read from the worker's metrics and from the nodes themselves.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { curves } from '../../domain/statuses.ts';
import { CountersignClient } from '../../src/client/client.ts';
import { findFreePort } from '../../src/local/processes/ports.ts';
import { samplesOf, sumOf } from '../support/api/metrics.ts';
import { isValid } from '../support/api/verify.ts';
import type { TestCluster } from '../support/cluster/cluster.ts';
import { type Stack, startStack } from '../support/processes/stack.ts';

const MINUTE_MS = 60_000;

interface Side {
  nodes: TestCluster;
  client: CountersignClient;
  walletId: string;
}

let stack: Stack;
let metricsPort: number;
let hot: Side;
let cold: Side;

beforeAll(async () => {
  metricsPort = await findFreePort();
  const environment = { METRICS_PORT: String(metricsPort) };
  stack = await startStack({ environment, clusters: { treasury: { size: 2, threshold: 2 } } });
  const made = await run('workspace', 'create', '--name', 'Treasury', '--cluster', 'treasury', '--json');
  expect(made.stderr).toBe('');
  const { api_key: apiKey, api_secret: apiSecret } = JSON.parse(made.stdout);
  const treasurer = new CountersignClient({ baseUrl: stack.baseUrl, apiKey, apiSecret });
  hot = await sideOf('main', stack.client);
  cold = await sideOf('treasury', treasurer);
}, 8 * MINUTE_MS);
afterAll(() => stack?.stop());

async function sideOf(name: string, client: CountersignClient): Promise<Side> {
  const nodes = stack.clusters.get(name);
  if (nodes === undefined) throw new Error(`there is no cluster ${name}`);
  const before = await keysOf(stack.clusters);
  const { wallet_id: walletId, status } = await client.createWallet({ name }).wait({ timeoutMs: 5 * MINUTE_MS });
  expect(status).toBe('success');
  expect(await client.get('/api/v1/wallets/{wallet_id}', { path: { wallet_id: walletId } })).toMatchObject({
    cluster: name,
  });
  const gained = (await keysOf(stack.clusters)).map((keys, at) => keys - (before[at] ?? 0));
  // Three nodes of main, then two of the treasury.
  expect(gained).toEqual(name === 'main' ? [2, 2, 2, 0, 0] : [0, 0, 0, 2, 2]);
  return { nodes, client, walletId };
}

/** Of each node, by what it says itself. */
async function keysOf(clusters: Stack['clusters']): Promise<number[]> {
  const healths = await Promise.all([...clusters.values()].map(({ cluster }) => cluster.health()));
  return healths.flat().map(({ keys }) => keys ?? -1);
}

function run(program: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { address, namespace, taskQueue } = stack.temporal;
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: stack.databaseUrl,
    KEY_ENCRYPTION_KEY: stack.keyEncryptionKey,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_TASK_QUEUE: taskQueue,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [`dist/${program}.js`, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const ask = ({ client, walletId }: Side, network: 'ETHEREUM_SANDBOX' | 'SOL_SANDBOX' = 'ETHEREUM_SANDBOX') =>
  client.sign(walletId, {
    network_internal_code: network,
    key_type: network === 'SOL_SANDBOX' ? 'ed25519' : 'secp256k1',
    signing_hash: `0x${randomBytes(32).toString('hex')}`,
  });

async function signBoth(side: Side): Promise<void> {
  for (const network of ['ETHEREUM_SANDBOX', 'SOL_SANDBOX'] as const) {
    const signed = await ask(side, network).wait();
    expect(signed).toMatchObject({ status: 'success' });
    expect(await isValid(signed)).toBe(true);
  }
}

/** What the worker asked the nodes of a cluster about keys. */
async function questionsTo(cluster: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const name = 'countersign_mpc_node_request_duration_seconds_count';
  const ofAll = ['Health', 'Checkpoints', 'KeepCheckpoint'].map((question) =>
    sumOf(samplesOf(text), name, { cluster, question }),
  );
  return sumOf(samplesOf(text), name, { cluster }) - ofAll.reduce((sum, each) => sum + each, 0);
}

test.each([
  ['main', 'treasury', () => hot],
  ['treasury', 'main', () => cold],
] as const)(
  'a wallet of %s is signed for on both curves, and no node of %s is asked',
  async (own, other, side) => {
    const before = [await questionsTo(own), await questionsTo(other)];
    await signBoth(side());
    const after = [await questionsTo(own), await questionsTo(other)];
    expect(after[0]).toBeGreaterThan(before[0] ?? 0);
    expect(after[1]).toBe(before[1]);
  },
  2 * MINUTE_MS,
);

test('the nodes of one cluster know nothing of the wallets of the other', async () => {
  for (const curve of curves) {
    const unknown = { code: 'mpc_refused', message: 'the nodes do not know this wallet' };
    await expect(hot.nodes.cluster.sharesOf({ walletId: cold.walletId, curve })).rejects.toMatchObject(unknown);
    await expect(cold.nodes.cluster.sharesOf({ walletId: hot.walletId, curve })).rejects.toMatchObject(unknown);
  }
});

test('the status names each node with its cluster', async () => {
  const { mpc_nodes, signers } = await stack.client.get('/api/v1/observability/status');
  expect(mpc_nodes.map(({ cluster, node, status }) => `${cluster}/${node} ${status}`)).toEqual([
    'main/1 up',
    'main/2 up',
    'main/3 up',
    'treasury/1 up',
    'treasury/2 up',
  ]);
  expect(signers).toEqual({ total: 5, up: 5 });
});

test.each([
  ['treasury', () => [cold, hot] as const],
  ['main', () => [hot, cold] as const],
])(
  'while the nodes of %s are stopped its wallets wait, those of the other sign, and the service is ready',
  async (_name, sides) => {
    const [stopped, running] = sides();
    const nodes = stopped.nodes.cluster.nodes;
    await Promise.all(nodes.map((node) => stopped.nodes.kill(node)));
    const { transaction_id: id } = await ask(stopped);
    const read = () => stopped.client.get('/api/v1/signing-requests/{signing_id}', { path: { signing_id: id } });
    await expect.poll(read, { timeout: 60_000 }).toMatchObject({
      status: 'submitted',
      status_reason: 'cluster_not_ready',
    });
    await signBoth(running);
    const health = async () =>
      (await stack.client.get('/api/v1/observability/status')).mpc_nodes.filter(({ status }) => status === 'down');
    await expect.poll(health, { timeout: 60_000 }).toHaveLength(nodes.length);
    expect((await fetch(`${stack.baseUrl}/ready?deep`)).status).toBe(200);
    expect(await read()).toMatchObject({ status: 'submitted' });
    await Promise.all(nodes.map((node) => stopped.nodes.restart(node)));
    expect(await isValid(await stopped.client.waitForSignature(id))).toBe(true);
  },
  2 * MINUTE_MS,
);

test(
  'lost shares are listed by cluster, made again by the commands of its enrolment key, and refreshed in both clusters',
  async () => {
    const lose = async ({ nodes }: Side, node: number) => {
      await nodes.kill(node);
      const shares = join(nodes.directory, `node-${node}`, 'shares');
      const kept = join(nodes.directory, 'kept');
      mkdirSync(kept);
      // A share and its data key, which the node erases when it finds no share of it.
      const files = readdirSync(shares).filter((file) => file.endsWith('.committed') || file.endsWith('.key'));
      for (const file of files) renameSync(join(shares, file), join(kept, file));
      await nodes.restart(node);
      return async () => {
        await nodes.kill(node);
        for (const file of files) renameSync(join(kept, file), join(shares, file));
        await nodes.restart(node);
      };
    };
    const list = (...args: string[]) => run('repair-keys', 'list', ...args);
    const walletsIn = ({ stdout }: { stdout: string }) =>
      (JSON.parse(stdout) as { wallet_id: string }[]).map(({ wallet_id }) => wallet_id);

    const putBack = await lose(cold, 2);
    const ofTreasury = await list('--node', '2', '--cluster', 'treasury');
    expect(ofTreasury.stderr).toBe('Of 2 keys, node 2 of cluster treasury has no share of 2.\n');
    expect(walletsIn(ofTreasury)).toEqual([cold.walletId, cold.walletId]);
    expect((await list('--node', '2')).stderr).toBe('Of 2 keys, node 2 of cluster main has no share of 0.\n');
    await putBack();

    await lose(hot, 3);
    const ofMain = await list('--node', '3');
    expect(ofMain.stderr).toBe('Of 2 keys, node 3 of cluster main has no share of 2.\n');
    const { directory } = hot.nodes;
    writeFileSync(join(directory, 'keys.json'), ofMain.stdout);
    const signed = await hot.nodes.run(
      'sign-enrolment',
      '--dir',
      join(directory, 'enrolment'),
      '--cluster',
      join(directory, 'cluster.json'),
      '--target',
      '3',
      '--keys',
      join(directory, 'keys.json'),
    );
    writeFileSync(join(directory, 'commands.json'), JSON.stringify(signed));
    const repaired = await run('repair-keys', 'run', '--commands', join(directory, 'commands.json'));
    expect(repaired).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2 of 2 shares are there again\./) });

    await cold.nodes.kill(1);
    expect(await run('refresh-keys', '--cluster', 'main')).toMatchObject({
      code: 0,
      stdout: '2 keys have new shares on every node, 0 were refused.\n',
    });
    await cold.nodes.restart(1);
    expect(await run('refresh-keys')).toMatchObject({
      code: 0,
      stdout: '4 keys have new shares on every node, 0 were refused.\n',
    });
    for (const { nodes, walletId } of [hot, cold])
      for (const curve of curves) {
        const { epoch, shares } = await nodes.cluster.sharesOf({ walletId, curve });
        const times = nodes === hot.nodes ? 2 : 1;
        expect([epoch, ...new Set(shares.map(({ state }) => state))]).toEqual([times, 'whole']);
      }
    for (const side of [hot, cold]) await signBoth(side);
  },
  3 * MINUTE_MS,
);

test(
  'clusters that have changed places in the file are asked for nothing, and all goes on when they are back',
  async () => {
    const file = join(stack.logDirectory, 'clusters.json');
    const right = readFileSync(file, 'utf8');
    const { main, treasury } = JSON.parse(right).clusters;
    await stack.worker.stop();
    writeFileSync(file, JSON.stringify({ clusters: { main: treasury, treasury: main } }));
    const mistaken = await stack.startWorker();
    const before = await keysOf(stack.clusters);
    const waiting = await Promise.all(
      [hot, cold].map(async (side) => {
        const { transaction_id: signing_id } = await ask(side);
        const { wallet_id } = await side.client.createWallet({ name: 'of a mistaken worker' });
        const created = () => side.client.get('/api/v1/wallets/creation-status/{wallet_id}', { path: { wallet_id } });
        const read = () => side.client.get('/api/v1/signing-requests/{signing_id}', { path: { signing_id } });
        return { side, signing_id, created, read };
      }),
    );
    for (const { created, read } of waiting) {
      await expect.poll(read, { timeout: 60_000 }).toMatchObject({ status_reason: 'cluster_not_ready' });
      await expect.poll(created, { timeout: 60_000 }).toMatchObject({ status_reason: 'cluster_not_ready' });
    }
    expect(await keysOf(stack.clusters)).toEqual(before);
    await mistaken.stop();
    writeFileSync(file, right);
    await stack.startWorker();
    for (const { side, signing_id, created } of waiting) {
      expect(await isValid(await side.client.waitForSignature(signing_id))).toBe(true);
      await expect.poll(created, { timeout: 60_000 }).toMatchObject({ status: 'success' });
    }
    const gained = (await keysOf(stack.clusters)).map((keys, at) => keys - (before[at] ?? 0));
    expect(gained).toEqual([2, 2, 2, 2, 2]);
  },
  4 * MINUTE_MS,
);

test.each([
  ['The repair', ['repair-keys', 'list', '--node', '1']],
  ['The refresh', ['refresh-keys']],
] as const)('%s of a cluster that the worker does not know ends at once', async (what, [program, ...args]) => {
  const { code, stderr } = await run(program, ...args, '--cluster', 'tresury');
  expect(code).toBe(1);
  expect(stderr).toBe(`${what} failed: the worker knows no cluster tresury, but main, treasury\n`);
});
