// Goal: an operator who lost a node's shares has them back, and nobody without the enrolment key can have them made.
// Method: the documented commands as they are run, a worker, three real nodes of which one loses its disk; every quorum
// signs afterwards. What nodes refuse of each other: mpc/tests.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v4 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRefreshActivities } from '../../activities/keys/refresh-keys.ts';
import { createRepairActivities } from '../../activities/keys/repair-keys.ts';
import type { PublicKey } from '../../activities/mpc/port.ts';
import { verifySignature } from '../../activities/mpc/verify/verify-signature.ts';
import { type Curve, curves } from '../../domain/statuses.ts';
import { connectDatabase, type DatabaseConnection } from '../../drizzle/database/connection.ts';
import { walletKeys } from '../../drizzle/wallets/wallets.ts';
import { anySignature } from '../support/cluster/any-signature.ts';
import { startTestCluster, type TestCluster } from '../support/cluster/cluster.ts';
import { onlyMain } from '../support/cluster/only-main.ts';
import { createTestDatabase, type TestDatabase } from '../support/processes/postgres.ts';
import { testTemporal } from '../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../support/processes/worker.ts';
import { makeWallet, makeWorkspace } from '../support/rows/operation-rows.ts';

const temporal = testTemporal('repair');
let nodes: TestCluster;
let database: TestDatabase;
let connection: DatabaseConnection;
let worker: TestWorker;
let walletId: string;
const roots = new Map<Curve, PublicKey>();

beforeAll(async () => {
  nodes = await startTestCluster();
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 4, name: 'test-repair' });
  const { db } = connection;
  walletId = await makeWallet(db, await makeWorkspace(db));
  for (const curve of curves) {
    const { publicKey, chainCode } = await nodes.cluster.generateKey({ walletId, curve });
    roots.set(curve, { publicKey, chainCode });
    await db
      .insert(walletKeys)
      .values({ walletId, curve, publicKey: Buffer.from(publicKey), chainCode: Buffer.from(chainCode) });
  }
  const dependencies = { db, clusters: onlyMain(nodes.cluster) };
  const activities = { ...createRefreshActivities(dependencies), ...createRepairActivities(dependencies) };
  worker = await startTestWorker({ temporal, activities });
}, 300_000);

afterAll(async () => {
  await worker?.stop();
  await connection?.close();
  await database?.drop();
  await nodes?.stop();
});

function run(program: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env['PATH'],
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    TEMPORAL_TASK_QUEUE: worker.taskQueue,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [`dist/${program}.js`, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

async function sign(curve: Curve): Promise<readonly number[]> {
  const payload = { kind: 'raw_digest', digest: randomBytes(32) } as const;
  const request = { operationId: v4(), attempt: 1, walletId, curve, path: [2], payload };
  const signature = await nodes.cluster.sign(request, anySignature);
  verifySignature({ ...request, root: roots.get(curve) as PublicKey, signature });
  return signature.signers;
}

test('a node that lost its shares gets them again, and signs after a refresh', async () => {
  const shares = join(nodes.directory, 'node-3', 'shares');
  await nodes.kill(3);
  for (const name of readdirSync(shares).filter((file) => file.endsWith('.committed'))) rmSync(join(shares, name));
  await nodes.restart(3);

  const listed = await run('repair-keys', 'list', '--node', '3');
  expect(listed).toMatchObject({ code: 0, stderr: 'Of 2 keys, node 3 of cluster main has no share of 2.\n' });
  expect(JSON.parse((await run('repair-keys', 'list', '--node', '2')).stdout)).toEqual([]);
  const keysFile = join(nodes.directory, 'keys.json');
  writeFileSync(keysFile, listed.stdout);
  const clusterFile = join(nodes.directory, 'cluster.json');
  const enrolment = join(nodes.directory, 'enrolment');
  const signed = await nodes.run(
    'sign-enrolment',
    '--dir',
    enrolment,
    '--cluster',
    clusterFile,
    '--target',
    '3',
    '--keys',
    keysFile,
  );
  const commandsFile = join(nodes.directory, 'commands.json');
  writeFileSync(commandsFile, JSON.stringify(signed));

  const forged = join(nodes.directory, 'forged.json');
  writeFileSync(forged, readFileSync(commandsFile, 'utf8').replaceAll(/"signature":"../g, '"signature":"00'));
  const refused = await run('repair-keys', 'run', '--commands', forged);
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain(`REFUSED  ed25519 key of wallet ${walletId}: `);
  expect(refused.stdout).toContain('0 of 2 shares are there again.');

  const repaired = await run('repair-keys', 'run', '--commands', commandsFile);
  expect(repaired).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2 of 2 shares are there again\./) });
  for (const curve of curves) {
    const { shares: states } = await nodes.cluster.sharesOf({ walletId, curve });
    expect(states.map(({ state }) => state)).toEqual(['whole', 'whole', 'unrefreshed']);
    expect(await sign(curve)).toEqual([1, 2]);
  }
  expect(await run('refresh-keys')).toMatchObject({
    code: 0,
    stdout: '2 keys have new shares on every node, 0 were refused.\n',
  });
  await nodes.kill(1);
  for (const curve of curves) expect(await sign(curve)).toEqual([2, 3]);
  await nodes.restart(1);
}, 120_000);

test('nothing happens without a list of commands', async () => {
  const empty = join(nodes.directory, 'empty.json');
  writeFileSync(empty, '{"commands":[{"command":"zz","signature":"00"}]}');
  for (const args of [['run', '--commands', empty], ['run', '--commands', '/nowhere'], ['list', '--node', 'x'], []]) {
    const { code, stderr } = await run('repair-keys', ...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Say `list|is not what `mpc-node sign-enrolment` prints\.\n$/);
  }
}, 120_000);
