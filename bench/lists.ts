// `tsx bench/lists.ts [rows]`: reads pages of ten million transactions, and of ten thousand, in turns: newest, in the
// middle, by either order and by every filter; and tells the slowest hundredth of each. Two databases and two APIs of
// the same build, one each. Run by hand. Everything lies in a temporary folder and is stopped by pid.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { connectDatabase, type Database } from '../drizzle/database/connection.ts';
import { insertWallet } from '../drizzle/wallets/wallet-steps.ts';
import { signRequest } from '../src/client/sign-request.ts';
import { createWorkspace, type NewWorkspace } from '../src/commands/create-workspace.ts';
import type { Part } from '../src/local/processes/part.ts';
import { findFreePort } from '../src/local/processes/ports.ts';
import { startApi } from '../src/local/processes/service-processes.ts';
import { testSeals } from '../test/support/rows/seals.ts';
import { insertManyTransactions, makeAsset } from '../test/support/rows/transactions.ts';
import { buildService } from './support/contenders.ts';
import { CpuMeter } from './support/cpu.ts';
import { at, interleave, quantile, type Round, roundsOf, spreadOf } from './support/rounds.ts';
import { withScratch } from './support/scratch.ts';
import { type Context, serveDatabase, serveTemporal } from './support/servers.ts';

const ROUNDS = 6;
const PAGES_PER_ROUND = 400;
const WALLETS = 100;
const FEW_ROWS = 10_000;
const root = resolve(import.meta.dirname, '..');
const manyRows = Number(process.argv[2] ?? 10_000_000);

/** A workspace with its transactions, and the API that lists them. */
interface Listed {
  rows: number;
  baseUrl: string;
  workspace: NewWorkspace;
  walletIds: readonly string[];
  assetId: string;
  networkId: string;
}

async function main(context: Context): Promise<void> {
  await buildService(root);
  const temporalAddress = await serveTemporal(context);
  const few = await serve(context, 'few', temporalAddress, FEW_ROWS);
  const many = await serve(context, 'many', temporalAddress, manyRows);
  await measure(few, many);
}

async function serve(context: Context, name: string, temporalAddress: string, rows: number): Promise<Listed> {
  const directory = join(context.directory, name);
  mkdirSync(directory, { mode: 0o755 });
  const databaseUrl = await serveDatabase({ ...context, directory });
  const keyEncryptionKey = randomBytes(32).toString('hex');
  const startedMs = Date.now();
  const filled = await fill(databaseUrl, keyEncryptionKey, rows);
  console.log(`${rows} transactions stand in the database after ${Math.round((Date.now() - startedMs) / 1000)} s`);
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const environment = {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    KEY_ENCRYPTION_KEY: keyEncryptionKey,
    MPC_SOFTWARE_SEED: randomBytes(32).toString('hex'),
    RATE_LIMIT_PER_MINUTE: '100000',
    PORT: String(port),
  };
  const onStart = (_name: string, part: Part) => context.onStart('service', 'api', part);
  await startApi({ dist: join(root, 'dist'), logDirectory: join(directory, 'logs'), environment, onStart }, baseUrl);
  return { rows, baseUrl, ...filled };
}

/** Indexes are made when the rows are there, and foreign keys are not checked: both would cost an hour. */
async function fill(databaseUrl: string, keyEncryptionKey: string, rows: number) {
  const connection = connectDatabase(databaseUrl, { poolSize: 1, name: 'countersign-bench' });
  const { db } = connection;
  try {
    const workspace = await createWorkspace(db, 'bench', keyEncryptionKey);
    const { workspaceId } = workspace;
    const walletIds = Array.from({ length: WALLETS }, () => uuidv7());
    for (const id of walletIds) {
      await db.transaction((tx) =>
        insertWallet(tx, testSeals, { id, workspaceId, name: 'bench', walletType: 'standard' }),
      );
    }
    const asset = await makeAsset(db);
    await db.execute(sql`set session_replication_role = replica`);
    const makeIndexes = await dropIndexes(db);
    await insertManyTransactions(db, { ...asset, workspaceId }, walletIds, { rows });
    await makeIndexes();
    await db.execute(sql`vacuum analyze transactions`);
    return { workspace, walletIds, ...asset };
  } finally {
    await connection.close();
  }
}

async function dropIndexes(db: Database): Promise<() => Promise<void>> {
  const indexes = await db.execute<{ indexname: string; indexdef: string }>(sql`
    select indexname, indexdef from pg_indexes where tablename = 'transactions' and indexname <> 'transactions_pkey'`);
  for (const { indexname } of indexes) await db.execute(sql.raw(`drop index ${indexname}`));
  return async () => {
    await db.execute(sql`set maintenance_work_mem = '1GB'`);
    for (const { indexdef } of indexes) await db.execute(sql.raw(indexdef));
  };
}

async function measure(few: Listed, many: Listed): Promise<void> {
  const sides = [
    { name: 'few', run: () => readPages(few) },
    { name: 'many', run: () => readPages(many) },
  ];
  const comparison = await interleave(sides, ROUNDS, new CpuMeter(), console.log);
  const slowest = (side: string, share: number) =>
    roundsOf(comparison, side).map(({ latenciesMs = [] }) => quantile(latenciesMs, share));
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    const [below, above] = [slowest('few', share), slowest('many', share)];
    const { median, min, max } = spreadOf(above.map((each, index) => each / at(below, index)));
    const [least, most] = [spreadOf(below).median, spreadOf(above).median].map((each) => each.toFixed(1));
    const ratio = `${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`;
    console.log(`${name}: ${most} ms of ${many.rows} rows, ${least} ms of ${few.rows}: ${ratio}`);
  }
}

/** One after the other, over one connection; each page is another one. */
async function readPages(listed: Listed): Promise<Round> {
  const latenciesMs: number[] = [];
  const startedMs = performance.now();
  for (let index = 0; index < PAGES_PER_ROUND; index += 1) {
    const query = at(QUERIES, index % QUERIES.length)(listed, Math.ceil(Math.random() * listed.rows));
    latenciesMs.push(await readPage(listed, query));
  }
  return { operations: PAGES_PER_ROUND, seconds: (performance.now() - startedMs) / 1000, latenciesMs };
}

async function readPage({ baseUrl, workspace }: Listed, query: string): Promise<number> {
  const path = `/api/v1/workspaces/${workspace.workspaceId}/transactions?${query}`;
  const headers = signRequest(workspace, { method: 'GET', path, body: '' }, Math.floor(Date.now() / 1000));
  const startedMs = performance.now();
  const response = await fetch(baseUrl + path, { headers });
  const body = (await response.json()) as { data: unknown[] | null };
  if (response.status !== 200 || !body.data?.length) throw new Error(`${response.status} for ${query}`);
  return performance.now() - startedMs;
}

/** Row n was created n seconds after the year began, and updated as long before June (see insertManyTransactions). */
const created = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString();
const updated = (n: number) => new Date(Date.UTC(2026, 5, 1) - n * 1_000).toISOString();
const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');

/** Each of a row near which it reads; all find something. */
const QUERIES: readonly ((listed: Listed, n: number) => string)[] = [
  () => 'limit=50',
  () => 'sort_by=updated_at&sort_order=asc',
  (_, n) => `from=${created(1)}&to=${created(n + 1)}`,
  (_, n) => `from=${created(n)}&sort_order=asc&limit=200`,
  (_, n) => `sort_by=updated_at&to=${updated(n - 1)}`,
  (_, n) => `status=completed&direction=in,out&to=${created(n + 1)}`,
  (_, n) => `direction=in&method=transfer&status=pending,completed&to=${created(n + 5)}`,
  ({ walletIds }, n) => `wallet_id=${at(walletIds, n % WALLETS)}`,
  ({ walletIds }, n) =>
    `wallet_id=${at(walletIds, n % WALLETS)},${at(walletIds, (n + 1) % WALLETS)}&to=${created(n + 1)}`,
  ({ assetId }, n) => `asset_id=${assetId}&to=${created(n + 1)}`,
  ({ networkId }, n) => `network_id=${networkId}&sort_by=updated_at&from=${updated(n)}`,
  (_, n) => `tx_hash=0x${hex(n, 64)}`,
  (_, n) => `address=0xB${hex(n, 39)}`,
];

await withScratch('lists', main);
