// `npm run bench`: measures the service beside its limits in one run and writes the ratios to bench/RESULTS.md. `--
// --quick` takes some two minutes. Everything runs in a temporary folder on free ports, and is stopped by pid at the
// end, on failure and on Ctrl-C.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Connection } from '@temporalio/client';
import postgres from 'postgres';
import { RunningParts } from '../src/local/processes/running-parts.ts';
import { stopWithStarter } from '../src/local/processes/stop-with-starter.ts';
import { measureAcceptSigning } from './accept-signing.ts';
import { measureCreateWallets } from './create-wallets.ts';
import { readHistories } from './histories.ts';
import { measureReadStatus } from './read-status.ts';
import { measureSignToSuccess } from './sign-to-success.ts';
import { buildService, type Contenders, startContenders } from './support/contenders.ts';
import { CpuMeter } from './support/cpu.ts';
import { type Results, writeResults } from './support/results.ts';
import { type Context, type Servers, startServers } from './support/servers.ts';
import { readSettings, type Settings } from './support/settings.ts';
import { openCluster, openNoop, openService } from './support/signers.ts';
import { measureWaiters } from './waiters.ts';

const root = resolve(import.meta.dirname, '..');
const startedMs = Date.now();
const report = (line: string) => console.log(`[${((Date.now() - startedMs) / 1000).toFixed(0).padStart(3)} s] ${line}`);

async function main(): Promise<void> {
  const settings = readSettings(process.argv.slice(2));
  const state = join(root, '.local', 'bench');
  mkdirSync(state, { recursive: true });
  const { parts, ended } = await RunningParts.takeOver(join(state, 'run.json'));
  if (ended.length > 0) report(`ended what an earlier run left: ${ended.join(', ')}`);
  const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  chmodSync(directory, 0o755); // as root, PostgreSQL runs as another user
  const { signal, stop } = stopWithStarter(parts, report);
  let done = false;
  process.on('exit', () => {
    rmSync(directory, { recursive: true, force: true });
    if (!done && !process.exitCode) process.exitCode = 130;
  });
  const cpu = new CpuMeter();
  const context: Context = {
    root,
    directory,
    supervision: { report, signal, onExhausted: (failure) => void stop(failure) },
    onStart: (stage, name, part) => {
      parts.add(stage, name, part);
      cpu.add(name, part.pid);
    },
  };
  try {
    const results = await measure(context, settings, cpu);
    writeResults(join(root, 'bench', 'RESULTS.md'), results);
    report('bench/RESULTS.md is written');
    done = true;
    await stop();
  } catch (error) {
    if (!signal.aborted) await stop(`The benchmark failed: ${(error as Error).stack}`);
  }
}

async function measure(context: Context, settings: Settings, cpu: CpuMeter): Promise<Results> {
  const { signal } = context.supervision;
  report('starting PostgreSQL, Temporal and three nodes');
  const [servers] = await Promise.all([startServers(context), buildService(context.root)]);
  report('starting the API, the worker and what they are compared with');
  const contenders = await startContenders(context, servers);
  const versions = await readVersions(servers);

  signal.throwIfAborted();
  report('(c) signatures, from POST to success');
  const signing = await measureSigning(contenders, settings, cpu);

  signal.throwIfAborted();
  report('(e) wallets, from POST to active');
  const createWallets = settings.quick ? undefined : await measureCreateWallets(contenders, settings, cpu, report);

  signal.throwIfAborted();
  await contenders.stopWorkers();
  report('(d) waiters');
  const waiters = await measureWaiters(context, contenders, settings, cpu);

  signal.throwIfAborted();
  report('(b) status reads');
  const readStatus = await measureReadStatus(contenders, settings, cpu, report);

  signal.throwIfAborted();
  report('(a) POST /sign answered 202');
  const acceptSigning = await measureAcceptSigning(contenders, settings, cpu, report);
  return { settings, versions, acceptSigning, readStatus, waiters, createWallets, ...signing };
}

async function measureSigning(contenders: Contenders, settings: Settings, cpu: CpuMeter) {
  const service = openService(contenders);
  const noops = [await openNoop(contenders), await openNoop(contenders, 'local')];
  const secp256k1 = { curve: 'secp256k1', signers: [service, await openCluster(contenders), ...noops] } as const;
  const onEd25519 = [openService(contenders, 'ed25519'), await openCluster(contenders, 'ed25519')];
  const ed25519 = { curve: 'ed25519', signers: [...onEd25519, ...noops] } as const;
  try {
    const [oneAtATime, ...more] = settings.concurrencies;
    const measureAt = (sides: typeof secp256k1 | typeof ed25519, concurrencies: readonly number[]) =>
      measureSignToSuccess(sides, { ...settings, concurrencies }, cpu, report);
    const first = await measureAt(secp256k1, oneAtATime === undefined ? [] : [oneAtATime]);
    const histories = await readHistories(contenders.temporalAddress, service.latest);
    const rest = await measureAt(secp256k1, more);
    const ofEd25519 = await measureAt(ed25519, settings.concurrencies);
    return { signToSuccess: [...first, ...rest, ...ofEd25519], histories };
  } finally {
    await Promise.all([...secp256k1.signers, ...onEd25519].map((signer) => signer.close()));
  }
}

async function readVersions({ databaseUrl, temporalAddress }: Servers): Promise<Record<string, string>> {
  const sql = postgres(databaseUrl, { max: 1 });
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const [shown] = await sql<{ server_version: string }[]>`show server_version`;
    const { serverVersion } = await connection.workflowService.getSystemInfo({});
    return {
      'Node.js': process.versions.node,
      PostgreSQL: shown?.server_version ?? 'unknown',
      'Temporal server': serverVersion ?? 'unknown',
    };
  } finally {
    await Promise.all([sql.end(), connection.close()]);
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
