// `tsx bench/exports.ts [rows] [format]`: has a million transactions exported, as CSV unless it says otherwise, from
// the POST until the export is `completed`, in turn with PostgreSQL's own COPY of the same rows to this process; and
// tells how much memory the worker took for it. Run by hand, on Linux (it reads /proc). Everything lies in a temporary
// folder and is stopped by pid.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { v7 as uuidv7 } from 'uuid';
import { exportFormats } from '../domain/exports/export-contents.ts';
import { connectDatabase } from '../drizzle/database/connection.ts';
import { insertWallet } from '../drizzle/wallets/wallet-steps.ts';
import { CountersignClient } from '../src/client/client.ts';
import { createWorkspace, type NewWorkspace } from '../src/commands/create-workspace.ts';
import type { Part } from '../src/local/processes/part.ts';
import { findFreePort } from '../src/local/processes/ports.ts';
import { startApi, startWorker } from '../src/local/processes/service-processes.ts';
import { testSeals } from '../test/support/rows/seals.ts';
import { insertManyTransactions, makeAsset } from '../test/support/rows/transactions.ts';
import { buildService } from './support/contenders.ts';
import type { CpuMeter } from './support/cpu.ts';
import { interleave, type Round, ratioOf } from './support/rounds.ts';
import { withScratch } from './support/scratch.ts';
import { type Context, serveDatabase, serveTemporal } from './support/servers.ts';

const ROUNDS = 5;
const EXPORTED_WITHIN_MS = 600_000;
const LOOK_AT_MEMORY_EVERY_MS = 50;
const root = resolve(import.meta.dirname, '..');
const rows = Number(process.argv[2] ?? 1_000_000);
const format = exportFormats.find((each) => each === process.argv[3]) ?? 'csv';

async function main(context: Context, cpu: CpuMeter): Promise<void> {
  const [databaseUrl, temporalAddress] = await Promise.all([serveDatabase(context), serveTemporal(context)]);
  await buildService(root);
  const keyEncryptionKey = randomBytes(32).toString('hex');
  const workspace = await fill(databaseUrl, keyEncryptionKey);
  const port = await findFreePort();
  const exportDirectory = join(context.directory, 'exports');
  mkdirSync(exportDirectory, { mode: 0o700 });
  const service = {
    dist: join(root, 'dist'),
    logDirectory: join(context.directory, 'logs'),
    environment: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      KEY_ENCRYPTION_KEY: keyEncryptionKey,
      MPC_SOFTWARE_SEED: randomBytes(32).toString('hex'),
      EXPORT_DIRECTORY: exportDirectory,
      PORT: String(port),
    },
    onStart: (part: string, started: Part) => context.onStart('service', part.toLowerCase(), started),
  };
  const baseUrl = `http://127.0.0.1:${port}`;
  const [worker] = await Promise.all([startWorker(service), startApi(service, baseUrl)]);
  await measure(new CountersignClient({ baseUrl, ...workspace }), {
    databaseUrl,
    workspace,
    workerPid: worker.pid,
    cpu,
  });
}

/**
 * Only the index that the export walks is kept, and foreign keys are not checked: both cost minutes here and nothing in
 * what is measured.
 */
async function fill(databaseUrl: string, keyEncryptionKey: string): Promise<NewWorkspace> {
  const connection = connectDatabase(databaseUrl, { poolSize: 1, name: 'countersign-bench' });
  const { db } = connection;
  try {
    const workspace = await createWorkspace(db, 'bench', keyEncryptionKey);
    const walletId = uuidv7();
    const { workspaceId } = workspace;
    await db.transaction((tx) =>
      insertWallet(tx, testSeals, { id: walletId, workspaceId, name: 'bench', walletType: 'mpc' }),
    );
    const asset = await makeAsset(db);
    await db.execute(sql`do $$ declare name text; begin
      for name in select indexname from pg_indexes where tablename = 'transactions' and indexname not in
        ('transactions_pkey', 'transactions_workspace_created') loop execute 'drop index ' || name; end loop; end $$`);
    await db.execute(sql`set session_replication_role = replica`);
    await insertManyTransactions(db, { ...asset, workspaceId }, [walletId], { rows });
    await db.execute(sql`vacuum analyze transactions`);
    return workspace;
  } finally {
    await connection.close();
  }
}

interface Measured {
  databaseUrl: string;
  workspace: NewWorkspace;
  workerPid: number;
  cpu: CpuMeter;
}

async function measure(client: CountersignClient, { databaseUrl, workspace, workerPid, cpu }: Measured): Promise<void> {
  const idle = readMemoryMiB(workerPid);
  let highest = idle;
  const watch = setInterval(() => {
    highest = Math.max(highest, readMemoryMiB(workerPid));
  }, LOOK_AT_MEMORY_EVERY_MS);
  const direct = postgres(databaseUrl, { max: 1 });
  const service = () =>
    timed(async () => {
      const started = client.startExport({ content: 'transactions', format });
      const { file } = await started.wait({ timeoutMs: EXPORTED_WITHIN_MS });
      if (file.rows !== rows) throw new Error(`${file.rows} rows came instead of ${rows}`);
    });
  const copy = () =>
    timed(async () => {
      const stream = await direct`copy (select * from transactions
        where workspace_id = '${direct.unsafe(workspace.workspaceId)}' order by created_at, id)
        to stdout (format csv)`.readable();
      let lines = 0;
      for await (const piece of stream) for (const byte of piece as Buffer) if (byte === 10) lines += 1;
      if (lines !== rows) throw new Error(`${lines} lines came instead of ${rows}`);
    });
  try {
    const sides = [
      { name: 'service', run: service },
      { name: 'copy', run: copy },
    ];
    const comparison = await interleave(sides, ROUNDS, cpu, console.log);
    const { median, min, max } = ratioOf(comparison, 'service', 'copy');
    console.log(`${rows} rows as ${format}: ${median.toFixed(2)} of COPY (${min.toFixed(2)}–${max.toFixed(2)})`);
    console.log(`memory of the worker: ${idle.toFixed(0)} → at most ${highest.toFixed(0)} MiB`);
  } finally {
    clearInterval(watch);
    await direct.end();
  }
}

async function timed(act: () => Promise<void>): Promise<Round> {
  const startedMs = performance.now();
  await act();
  return { operations: rows, seconds: (performance.now() - startedMs) / 1000 };
}

const readMemoryMiB = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

await withScratch('exports', main);
