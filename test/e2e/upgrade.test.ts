// Goal: the service is upgraded while it serves, and goes back by one version, and no caller sees a failure: no request
// that is tried once fails, every signature that was accepted is made and verifies, every payment arrives once. Method:
// programs of the former version, built from the history of this clone: three nodes, two APIs and two workers behind a
// balancer that repeats nothing, on a chain that mines; then docs/upgrading.md step by step under load, and back.
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CountersignClient } from '../../src/client/client.ts';
import type { Credentials } from '../../src/client/sign-request.ts';
import type { Part } from '../../src/local/processes/part.ts';
import { findFreePort } from '../../src/local/processes/ports.ts';
import { runCommand, type ServiceContext, startApi, startWorker } from '../../src/local/processes/service-processes.ts';
import { type SteadyLoad, startSteadyLoad } from '../support/api/steady-load.ts';
import { type Anvil, dev, startAnvil } from '../support/chains/anvil.ts';
import { buildNode, startTestCluster, type TestCluster } from '../support/cluster/cluster.ts';
import { type Balancer, startBalancer } from '../support/processes/balancer.ts';
import { buildFormerVersion, type FormerVersion, whyNoFormerVersion } from '../support/processes/former-version.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/processes/postgres.ts';
import { testTemporal } from '../support/processes/temporal.ts';
import { sandbox } from '../support/rows/funded.ts';

const MINUTE_MS = 60_000;
/** As in production: a balancer has to notice within it, also on a busy machine. */
const DRAIN_MS = 3_000;

type Release = 'former' | 'present';
type Kind = 'api' | 'worker';

const why = whyNoFormerVersion();
if (why !== undefined) test('the upgrade is rehearsed', ({ skip }) => skip(why));

const directory = mkdtempSync(join(tmpdir(), 'countersign-upgrade-'));
const parts = new Map<string, Part>();
const ports = new Map<string, number>();
let former: FormerVersion;
let presentNode: string;
let database: TestDatabase;
let anvil: Anvil;
let cluster: TestCluster;
let balancer: Balancer;
let contextOf: (release: Release, name: string) => ServiceContext;
let credentials: Credentials;
let client: CountersignClient;
let walletId: string;
let load: SteadyLoad;

const names = (release: Release, kind: Kind) => [0, 1].map((place) => `${release}-${kind}-${place}`);

async function startBoth(release: Release, kind: Kind): Promise<void> {
  const starting = names(release, kind).map(async (name) => {
    const context = contextOf(release, name);
    if (kind === 'worker') return startWorker(context);
    await startApi(context, `http://127.0.0.1:${ports.get(name)}`);
    await vi.waitFor(() => expect(balancer.sendsTo(ports.get(name) ?? 0)).toBe(true), MINUTE_MS);
  });
  await Promise.all(starting);
}

async function stopBoth(release: Release, kind: Kind): Promise<void> {
  for (const name of names(release, kind)) await parts.get(name)?.stop();
}

describe.skipIf(why !== undefined)('from the former version to this one, and back', () => {
  beforeAll(async () => {
    former = await buildFormerVersion();
    presentNode = await buildNode();
    [database, anvil, cluster] = await Promise.all([
      createEmptyDatabase(),
      startAnvil(),
      startTestCluster({ program: former.nodeProgram }),
    ]);
    const temporal = testTemporal('upgrade');
    const { config } = cluster;
    const environment = {
      PATH: process.env['PATH'],
      DATABASE_URL: database.serviceUrl ?? database.url,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_TASK_QUEUE: temporal.taskQueue,
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      RPC_URLS: `ETHEREUM_SANDBOX=${anvil.url}`,
      MPC_NODES: [...config.nodes].map(([index, node]) => `${index}=${node.host}:${node.port}`).join(','),
      MPC_CLUSTER_FILE: config.clusterFile,
      MPC_CREDENTIALS_DIR: config.credentialsDir,
      SHUTDOWN_DELAY_MS: String(DRAIN_MS),
      // On a busy machine less is done than is asked for: the quota has tests of its own.
      WORKSPACE_OPEN_OPERATIONS_MAX: '0',
      WORKSPACE_WALLETS_UNDER_WAY_MAX: '0',
      // So has what an overloaded process refuses.
      EVENT_LOOP_DELAY_MAX_MS: '60000',
    };
    for (const release of ['former', 'present'] as const)
      for (const name of names(release, 'api')) ports.set(name, await findFreePort());
    contextOf = (release, name) => {
      const logDirectory = join(directory, name);
      mkdirSync(logDirectory, { recursive: true });
      return {
        dist: release === 'former' ? former.dist : resolve(import.meta.dirname, '../../dist'),
        logDirectory,
        environment: { ...environment, PORT: String(ports.get(name) ?? 0) },
        onStart: (_name, part) => void parts.set(name, part),
      };
    };
    await migrateWith('former');
    const created = JSON.parse(
      await runCommand(contextOf('former', 'command'), 'workspace', ['create', '--name', 'upgraded', '--json']),
    );
    credentials = { apiKey: created.api_key, apiSecret: created.api_secret };
    balancer = await startBalancer([...ports.values()]);
    await Promise.all([startBoth('former', 'worker'), startBoth('former', 'api')]);
    client = new CountersignClient({ baseUrl: balancer.url, ...credentials });
    walletId = await fundedWallet();
    load = startSteadyLoad({ client, credentials, baseUrl: balancer.url, walletId, chain: anvil.client });
  }, 20 * MINUTE_MS);

  afterAll(async () => {
    await load?.stop();
    await balancer?.stop();
    await Promise.all([...parts.values()].map((part) => part.stop()));
    await Promise.all([cluster?.stop(), anvil?.stop(), database?.drop()]);
    rmSync(directory, { recursive: true, force: true });
  }, 2 * MINUTE_MS);

  test('the nodes are replaced one by one, while former workers sign by them', { timeout: 5 * MINUTE_MS }, async () => {
    await load.progress(4);
    for (const node of [1, 2, 3]) {
      await cluster.restart(node, presentNode);
      await load.progress(4);
    }
    load.expectNoFailure();
  });

  test('the database is migrated while former processes serve', { timeout: 5 * MINUTE_MS }, async () => {
    expect(await migrateWith('present')).toMatch(/The tables are up to date \(version \d+\)/);
    await load.progress(4);
    load.expectNoFailure();
  });

  test('new workers join the former ones, which then go; then the APIs', { timeout: 10 * MINUTE_MS }, async () => {
    for (const kind of ['worker', 'api'] as const) {
      await startBoth('present', kind);
      await load.progress(4);
      await stopBoth('former', kind);
      await load.progress(4);
    }
    // Before any former worker is there again: what a new one cannot go on with would end by that.
    await load.expectAllEnded();
    load.expectNoFailure();
  });

  test('back by one version: the former APIs join the new ones, which go; then the workers', {
    timeout: 10 * MINUTE_MS,
  }, async () => {
    // What a new worker has begun to make waits for one of them (docs/upgrading.md).
    await load.makeNoMoreWallets();
    for (const kind of ['api', 'worker'] as const) {
      await startBoth('former', kind);
      await load.progress(4);
      await stopBoth('present', kind);
      await load.progress(4);
    }
    load.expectNoFailure();
  });

  test('everything that was accepted has ended once', { timeout: 10 * MINUTE_MS }, async () => {
    await load.stop();
    load.expectNoFailure();
    await load.expectAllEnded();
    for (const [name, { logFile }] of parts) expect(readFileSync(logFile, 'utf8'), name).not.toMatch(/TMPRL1100/);
    const { signatures, payments, wallets } = load.accepted;
    console.log(
      `${load.calls()} calls; ${signatures.length} signatures, ${payments.length} payments, ${wallets.length} wallets`,
    );
  });
});

function migrateWith(release: Release): Promise<string> {
  const context = contextOf(release, `${release}-migrate`);
  return runCommand({ ...context, environment: { ...context.environment, DATABASE_URL: database.url } }, 'migrate');
}

async function fundedWallet(): Promise<string> {
  const { wallet_id: id } = await client.createWallet({ name: 'upgraded' }).wait({ timeoutMs: 2 * MINUTE_MS });
  const path = { wallet_id: id };
  const { address } = await client.get('/api/v1/wallets/{wallet_id}/address', { path, query: { address_type: 'evm' } });
  await anvil.client.sendTransaction({ account: dev, to: address as `0x${string}`, value: parseEther('1000') });
  const available = async () => {
    await anvil.client.mine({ blocks: 1 });
    for await (const { asset_id, available } of client.walletBalances(id))
      if (asset_id === sandbox.ETH.assetId) return Number(available);
    return 0;
  };
  await vi.waitFor(async () => expect(await available()).toBeGreaterThan(0), { timeout: 2 * MINUTE_MS, interval: 300 });
  return id;
}
