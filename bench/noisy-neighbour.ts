// `tsx bench/noisy-neighbour.ts [--nodes] [--no-quotas] [--rounds=4]`: how many signatures one workspace gets while
// another asks for 1,000 wallets and 100 rescans as fast as it can, beside how many it gets in quiet: rounds of both in
// turn. With the software signer, or with three real nodes. Run by hand. Everything lies in a temporary folder and is
// stopped by pid.
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { networkSeed } from '../domain/catalog/networks.ts';
import { connectDatabase } from '../drizzle/database/connection.ts';
import { CountersignClient } from '../src/client/client.ts';
import type { Part } from '../src/local/processes/part.ts';
import { findFreePort } from '../src/local/processes/ports.ts';
import { startApi, startWorker } from '../src/local/processes/service-processes.ts';
import { connectNetwork } from '../test/support/rows/funded.ts';
import { loop } from './sign-to-success.ts';
import { buildService, makeWorkspace } from './support/contenders.ts';
import { type CpuMeter, subtractCpu } from './support/cpu.ts';
import { Noise, startSlowNode } from './support/noisy-neighbour-load.ts';
import { interleave, type MeasuredRound, ratioOf, roundsOf, spreadOf } from './support/rounds.ts';
import { withScratch } from './support/scratch.ts';
import { type Context, serveDatabase, serveMpc, serveTemporal } from './support/servers.ts';
import { openService } from './support/signers.ts';

const options = new Set(process.argv.slice(2));
const withNodes = options.has('--nodes');
const rounds = Number([...options].find((option) => option.startsWith('--rounds='))?.slice(9) ?? 4);
const CONCURRENCY = 8;
const ROUND_MS = 10_000;
const NETWORK = 'ETHEREUM_SANDBOX';
const root = resolve(import.meta.dirname, '..');
const report = (line: string) => console.log(line);

async function main(context: Context, cpu: CpuMeter): Promise<void> {
  const slowNode = await startSlowNode();
  try {
    await measure(context, slowNode.url, cpu);
  } finally {
    slowNode.close();
  }
}

async function measure(context: Context, rpcUrl: string, cpu: CpuMeter): Promise<void> {
  const [databaseUrl, temporalAddress] = await Promise.all([serveDatabase(context), serveTemporal(context)]);
  await buildService(root);
  const keyEncryptionKey = randomBytes(32).toString('hex');
  const workspace = await makeWorkspace({ databaseUrl }, keyEncryptionKey);
  const neighbour = await makeWorkspace({ databaseUrl }, keyEncryptionKey);
  const network = await connectNetworkIn(databaseUrl);
  const port = await findFreePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const service = {
    dist: join(root, 'dist'),
    logDirectory: join(context.directory, 'logs'),
    environment: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      KEY_ENCRYPTION_KEY: keyEncryptionKey,
      PORT: String(port),
      RATE_LIMIT_PER_MINUTE: '0',
      RPC_URLS: `${NETWORK}=${rpcUrl}`,
      // Else only the first round would have them.
      WORKSPACE_RESCANS_PER_HOUR: '0',
      ...(options.has('--no-quotas') ? noQuotas : {}),
      ...(await signerOf(context)),
    },
    onStart: (name: string, part: Part) => context.onStart('service', name.toLowerCase(), part),
  };
  await Promise.all([startApi(service, apiUrl), startWorker(service)]);
  const { wallet_id: walletId } = await new CountersignClient({ baseUrl: apiUrl, ...workspace })
    .createWallet({ name: 'quiet' })
    .wait();
  const signer = openService({ apiUrl, databaseUrl, walletId, workspace });
  const client = new CountersignClient({ baseUrl: apiUrl, ...neighbour, retries: 0 });
  const quiet = async () => {
    const before = cpu.read();
    const measured = await loop(signer.once, CONCURRENCY, ROUND_MS);
    return { ...measured, cpu: subtractCpu(cpu.read(), before) };
  };
  const noisy = async () => {
    const noise = new Noise(client, network);
    await noise.underWay();
    const measured = await quiet();
    report(`   the neighbour: ${await noise.stop(databaseUrl, neighbour.workspaceId)}`);
    return measured;
  };
  const sides = [
    { name: 'quiet', run: quiet },
    { name: 'noisy', run: noisy },
  ];
  const comparison = await interleave(sides, rounds, cpu, report);
  for (const { name } of sides) {
    const { median } = spreadOf(roundsOf(comparison, name).map(({ operations, seconds }) => operations / seconds));
    report(`${name}: ${median.toFixed(1)} signatures a second; ${cpuOf(roundsOf(comparison, name))}`);
  }
  const { median, min, max } = ratioOf(comparison, 'noisy', 'quiet');
  report(`noisy / quiet: ${median.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})`);
  await signer.close();
}

/** Of each part, in the share of one processor. */
function cpuOf(measured: readonly MeasuredRound[]): string {
  const seconds = measured.reduce((sum, round) => sum + round.seconds, 0);
  const names = [...(measured[0]?.cpu.keys() ?? [])];
  const shareOf = (name: string) => measured.reduce((sum, { cpu }) => sum + (cpu.get(name) ?? 0), 0) / seconds;
  return names.map((name) => `${name} ${(100 * shareOf(name)).toFixed(0)} %`).join(', ');
}

const noQuotas = {
  WORKSPACE_WALLETS_UNDER_WAY_MAX: '0',
  WORKSPACE_KEY_GENERATIONS_PER_DAY: '0',
  WORKSPACE_RESCANS_PER_HOUR: '0',
};

async function signerOf(context: Context): Promise<Record<string, string>> {
  if (!withNodes) return { MPC_SOFTWARE_SEED: randomBytes(32).toString('hex') };
  const mpc = await serveMpc(context);
  return {
    MPC_NODES: mpc.addresses,
    MPC_CLUSTER_FILE: mpc.clusterFile,
    MPC_CREDENTIALS_DIR: mpc.credentialsDirectory,
  };
}

async function connectNetworkIn(databaseUrl: string): Promise<string> {
  const network = networkSeed.find(({ internalCode }) => internalCode === NETWORK);
  if (network === undefined) throw new Error(`there is no network ${NETWORK}`);
  const connection = connectDatabase(databaseUrl, { poolSize: 1, name: 'countersign-bench' });
  await connectNetwork(connection.db, network.id);
  await connection.close();
  return network.id;
}

await withScratch('noisy', main);
process.exit();
