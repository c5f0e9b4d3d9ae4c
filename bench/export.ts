// `tsx bench/export.ts [rows]`: exports a million transactions through the built API process and tells whether the file
// is whole, how fast it came and how much memory the process took for it. Run by hand, on Linux (it reads /proc).
// Everything lies in a temporary folder and is stopped by pid.

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { connectDatabase } from '../drizzle/database/connection.ts';
import { migrateDatabase } from '../drizzle/migrate.ts';
import { insertWallet } from '../drizzle/wallets/wallet-steps.ts';
import { signRequest } from '../src/client/sign-request.ts';
import { createWorkspace, type NewWorkspace } from '../src/commands/create-workspace.ts';
import { startPostgres } from '../src/local/postgres/postgres.ts';
import { type Part, startPart, waitUntilReady } from '../src/local/processes/part.ts';
import { findFreePort } from '../src/local/processes/ports.ts';
import { testSeals } from '../test/support/rows/seals.ts';
import { insertManyTransactions, makeAsset } from '../test/support/rows/transactions.ts';
import { buildService } from './support/contenders.ts';

const BLOCK_NUMBER_COLUMN = 13;
const READY_WITHIN_MS = 20_000;
const root = resolve(import.meta.dirname, '..');
const rows = Number(process.argv[2] ?? 1_000_000);

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-export-'));
  chmodSync(directory, 0o755); // as root, PostgreSQL runs as another user
  const parts: Part[] = [];
  try {
    const postgres = await startPostgres({ directory: join(directory, 'postgres'), fast: true });
    parts.push(postgres);
    const databaseUrl = postgres.url('countersign');
    await Promise.all([migrateDatabase(databaseUrl), buildService(root)]);
    const keyEncryptionKey = randomBytes(32).toString('hex');
    const workspace = await fill(databaseUrl, keyEncryptionKey);
    const port = await findFreePort();
    const api = await startPart({
      command: process.execPath,
      args: [join(root, 'dist', 'server.js')],
      environment: {
        DATABASE_URL: databaseUrl,
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        KEY_ENCRYPTION_KEY: keyEncryptionKey,
        PORT: String(port),
      },
      logFile: join(directory, 'api.log'),
      lifeline: 'ipc',
    });
    parts.push(api);
    const url = `http://127.0.0.1:${port}`;
    await waitUntilReady(api, READY_WITHIN_MS, () =>
      fetch(`${url}/health`).then(
        (response) => response.ok || undefined,
        () => undefined,
      ),
    );
    for (const round of ['first', 'second', 'third']) await measure(round, url, workspace, api.pid);
  } finally {
    await Promise.all(parts.toReversed().map((part) => part.stop()));
    rmSync(directory, { recursive: true, force: true });
  }
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

async function measure(round: string, url: string, workspace: NewWorkspace, pid: number): Promise<void> {
  const path = `/api/v1/workspaces/${workspace.workspaceId}/transactions/export?sort_order=asc`;
  const headers = signRequest(workspace, { method: 'GET', path, body: '' }, Math.floor(Date.now() / 1000));
  const before = readMemoryMiB(pid);
  let highest = before;
  const watch = setInterval(() => {
    highest = Math.max(highest, readMemoryMiB(pid));
  }, 50);
  const startedMs = performance.now();
  const response = await fetch(url + path, { headers });
  const firstMs = performance.now() - startedMs;
  const read = await check(response);
  clearInterval(watch);
  const seconds = (performance.now() - startedMs) / 1000;
  const rate = `${Math.round(read.lines / seconds)} rows/s, ${(read.bytes / 2 ** 20 / seconds).toFixed(0)} MiB/s`;
  const memory = `${before.toFixed(0)} → at most ${highest.toFixed(0)} MiB`;
  console.log(
    `${round}: ${read.lines} rows whole, ${seconds.toFixed(1)} s (first byte ${firstMs.toFixed(0)} ms), ${rate}; memory ${memory}`,
  );
}

/** Throws unless every row is there once, in order. */
async function check(response: Response): Promise<{ lines: number; bytes: number }> {
  if (!response.ok || response.body === null) throw new Error(`the API answered ${response.status}`);
  const decoder = new TextDecoder();
  let lines = -1; // the header
  let bytes = 0;
  let rest = '';
  for await (const chunk of response.body) {
    bytes += chunk.length;
    const complete = (rest + decoder.decode(chunk, { stream: true })).split('\r\n');
    rest = complete.pop() ?? '';
    for (const line of complete) {
      lines += 1;
      if (lines > 0 && Number(line.split(',')[BLOCK_NUMBER_COLUMN]) !== lines)
        throw new Error(`row ${lines} is ${line}`);
    }
  }
  if (lines !== rows || rest !== '') throw new Error(`${lines} rows came instead of ${rows}`);
  return { lines, bytes };
}

const readMemoryMiB = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

await main();
