// `tsx bench/compare-signatures.ts [--rounds=4] [--seconds=6] [--at-once=1,32] [--curve=secp256k1] DIST[@NODE]...`:
// signatures from POST to `success` by several builds of the service in turns, with the processor time of each process,
// on one PostgreSQL and Temporal. A build is a folder that `npm run build` made, and after an @ the node program whose
// three nodes it has to itself; builds without one share three nodes. `--node-options=` is NODE_OPTIONS of API and
// worker. Run by hand; writes no file.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import postgres from 'postgres';
import type { Curve } from '../domain/statuses.ts';
import { migrateDatabase } from '../drizzle/migrate.ts';
import { CountersignClient } from '../src/client/client.ts';
import type { Part } from '../src/local/processes/part.ts';
import { findFreePort } from '../src/local/processes/ports.ts';
import { startApi, startWorker } from '../src/local/processes/service-processes.ts';
import { loop } from './sign-to-success.ts';
import { makeWorkspace } from './support/contenders.ts';
import type { CpuMeter } from './support/cpu.ts';
import { type Comparison, interleave, quantile, rateOf, roundsOf, spreadOf } from './support/rounds.ts';
import { withScratch } from './support/scratch.ts';
import { type Context, type Servers, serveMpc, startServers } from './support/servers.ts';
import { openService, type ServiceSigner } from './support/signers.ts';

const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const builds = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const option = (name: string, otherwise: string) =>
  options.find((given) => given.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise;
const rounds = Number(option('rounds', '4'));
const roundMs = Number(option('seconds', '6')) * 1000;
const concurrencies = option('at-once', '1,32').split(',').map(Number);
const nodeOptions = option('node-options', '');
const curve: Curve = option('curve', 'secp256k1') === 'ed25519' ? 'ed25519' : 'secp256k1';
const report = (line: string) => console.log(line);

async function main(context: Context, cpu: CpuMeter): Promise<void> {
  if (builds.length === 0) throw new Error('Name the folders of the builds that are to be compared.');
  const servers = await startServers(context);
  const signers: ServiceSigner[] = [];
  for (const [index, build] of builds.entries()) {
    const [dist = build, program] = build.split('@');
    const name = `${index + 1}-${basename(dist)}`;
    const directory = join(context.directory, name);
    mkdirSync(directory);
    const mpc = program === undefined ? servers.mpc : await serveMpc({ ...context, directory }, resolve(program));
    signers.push(await startService(context, { ...servers, mpc }, { name, dist }));
  }
  for (const concurrency of concurrencies) {
    report(`${concurrency} at once`);
    const sides = signers.map(({ name, once }) => ({ name, run: () => loop(once, concurrency, roundMs) }));
    for (const line of describe(await interleave(sides, rounds, cpu, report))) report(line);
  }
  await Promise.all(signers.map((signer) => signer.close()));
}

/** With a database and a task queue of its own, so that no build does the work of another. */
async function startService(
  context: Context,
  servers: Servers,
  { name, dist }: { name: string; dist: string },
): Promise<ServiceSigner> {
  const databaseUrl = await makeDatabase(servers.databaseUrl, `compare_${randomBytes(4).toString('hex')}`);
  const keyEncryptionKey = randomBytes(32).toString('hex');
  const workspace = await makeWorkspace({ databaseUrl }, keyEncryptionKey);
  const port = await findFreePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const service = {
    dist: resolve(dist),
    logDirectory: join(context.directory, 'logs', name),
    environment: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: servers.temporalAddress,
      TEMPORAL_TASK_QUEUE: `compare-${name}`,
      KEY_ENCRYPTION_KEY: keyEncryptionKey,
      // A module that profiles them, for one.
      ...(nodeOptions === '' ? {} : { NODE_OPTIONS: nodeOptions }),
      RATE_LIMIT_PER_MINUTE: '1000000000', // counted as always, and never reached
      PORT: String(port),
      MPC_NODES: servers.mpc.addresses,
      MPC_CLUSTER_FILE: servers.mpc.clusterFile,
      MPC_CREDENTIALS_DIR: servers.mpc.credentialsDirectory,
    },
    onStart: (part: string, started: Part) => context.onStart('service', part.toLowerCase(), started),
  };
  await startWorker(service);
  await startApi(service, apiUrl);
  const client = new CountersignClient({ baseUrl: apiUrl, ...workspace });
  const { wallet_id: walletId } = await client.createWallet({ name: 'compare' }).wait();
  return { ...openService({ apiUrl, databaseUrl, walletId, workspace }, curve), name };
}

async function makeDatabase(beside: string, name: string): Promise<string> {
  const sql = postgres(beside, { max: 1 });
  await sql`create database ${sql(name)}`;
  await sql.end();
  const url = new URL(beside);
  url.pathname = `/${name}`;
  await migrateDatabase(url.href);
  return url.href;
}

/** Medians of the rounds; processor time in milliseconds for one signature. */
function describe(comparison: Comparison): string[] {
  return [...comparison.rounds.keys()].map((side) => {
    const measured = roundsOf(comparison, side);
    const latenciesMs = measured.flatMap((round) => round.latenciesMs ?? []);
    const processes = [...(measured[0]?.cpu.keys() ?? [])];
    const costOf = (name: string) =>
      spreadOf(measured.map(({ cpu, operations }) => ((cpu.get(name) ?? 0) * 1000) / operations)).median;
    const costs = processes.map((name) => `${name} ${costOf(name).toFixed(1)}`).join(', ');
    const total = processes.filter((name) => name !== 'driver').reduce((sum, name) => sum + costOf(name), 0);
    const { median, min, max } = spreadOf(measured.map(rateOf));
    return (
      `  ${side}: ${median.toFixed(1)}/s (${min.toFixed(1)}–${max.toFixed(1)}), p50 ${quantile(latenciesMs, 0.5).toFixed(0)} ms, ` +
      `p95 ${quantile(latenciesMs, 0.95).toFixed(0)} ms; CPU ms a signature: ${costs}; without the driver ${total.toFixed(1)}`
    );
  });
}

withScratch('compare', main).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
