// Applies migrations while a service runs on the tables. Each is a transaction of its own that gives up a lock for
// which it would have others wait, and tries again; an index over a table with rows is built beforehand, beside whoever
// writes. A migration that was ended halfway left nothing but such an index, and is taken up by the next run.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Database, Transaction } from './connection.ts';
import { failureCode } from './failure-code.ts';
import { schemaVersion } from './schema-version.ts';

/**
 * Whoever comes after a migration that waits for a lock waits too: no longer than this. Less than PostgreSQL's
 * `deadlock_timeout`: of two that wait for each other the migration gives way, and no request.
 */
const LOCK_TIMEOUT_MS = 500;
/** In between, whoever was held up goes on. */
const PAUSE_MS = 1_000;
const BLOCKED_MAX_MS = 10 * 60_000;

/** What a migration that holds others up, or is held up, ends with. */
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';
/** An index over what its own migration adds. */
const NOT_THERE_YET = ['42P01', '42703', '42704'];

/** The first migration that says which version the tables have. */
const FIRST_VERSION = 35;

interface Migration {
  number: number;
  statements: string[];
  hash: string;
  createdAt: number;
}

export interface MigrationOptions {
  folder: string;
  blockedMaxMs?: number;
}

/** The caller holds the lock of the migration on this connection, which is the only one of its pool. */
export async function runMigrations(db: Database, { folder, ...options }: MigrationOptions): Promise<void> {
  await db.execute(sql`create schema if not exists drizzle`);
  await db.execute(sql`create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint)`);
  const [newest] = await db.execute<{ created_at: string }>(
    sql`select created_at from drizzle.__drizzle_migrations order by created_at desc limit 1`,
  );
  const pending = readMigrations(folder).filter(({ createdAt }) => createdAt > Number(newest?.created_at ?? 0));
  for (const migration of pending) {
    for (const statement of migration.statements) await buildBeforehand(db, statement);
    await applyWhenFree(db, migration, options.blockedMaxMs ?? BLOCKED_MAX_MS);
  }
}

function readMigrations(folder: string): Migration[] {
  return readMigrationFiles({ migrationsFolder: folder }).map((file, number) => {
    return { number, statements: file.sql, hash: file.hash, createdAt: file.folderMillis };
  });
}

/** Builds the index that a statement makes, when its table has rows. Writers of the table go on meanwhile. */
async function buildBeforehand(db: Database, statement: string): Promise<void> {
  const { index = '', table = '' } = INDEX.exec(statement)?.groups ?? {};
  if (index === '' || !(await hasRows(db, table)) || (await isBuilt(db, index))) return;
  const name = sql.identifier(index);
  // What an earlier run left of it, when it was ended while it built.
  await db.execute(sql`drop index concurrently if exists ${name}`);
  try {
    await db.execute(sql.raw(statement.replace(INDEX, '$<create> CONCURRENTLY "$<index>" ON "$<table>"')));
  } catch (error) {
    if (!NOT_THERE_YET.includes(failureCode(error) ?? '')) throw error;
  }
}

const INDEX = /^(?<create>CREATE (?:UNIQUE )?INDEX) "(?<index>\w+)" ON "(?<table>\w+)"/m;

async function hasRows(db: Database, table: string): Promise<boolean> {
  const [there] = await db.execute(sql`select from pg_tables where schemaname = 'public' and tablename = ${table}`);
  if (there === undefined) return false;
  const [row] = await db.execute(sql`select from ${sql.identifier(table)} limit 1`);
  return row !== undefined;
}

async function isBuilt(db: Database | Transaction, index: string): Promise<boolean> {
  const [row] = await db.execute(
    sql`select from pg_index join pg_class on pg_class.oid = indexrelid
      where relname = ${index} and relnamespace = 'public'::regnamespace and indisvalid`,
  );
  return row !== undefined;
}

async function applyWhenFree(db: Database, migration: Migration, blockedMaxMs: number): Promise<void> {
  const giveUpAtMs = Date.now() + blockedMaxMs;
  while (true) {
    const applying = db.transaction((tx) => apply(tx, migration));
    const failure: unknown = await applying.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) return;
    if (![LOCK_NOT_AVAILABLE, DEADLOCK].includes(failureCode(failure) ?? '')) throw failure;
    if (Date.now() >= giveUpAtMs) throw new Error(await describeBlocked(db, migration));
    await sleep(PAUSE_MS);
  }
}

async function apply(tx: Transaction, { number, statements, hash, createdAt }: Migration): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`);
  for (const statement of statements) {
    // `IF NOT EXISTS` would lock the table before it looks.
    const { index } = INDEX.exec(statement)?.groups ?? {};
    if (index === undefined || !(await isBuilt(tx, index))) await tx.execute(sql.raw(statement));
  }
  await tx.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${createdAt})`);
  if (number >= FIRST_VERSION) await tx.update(schemaVersion).set({ version: number });
}

async function describeBlocked(db: Database, { number }: Migration): Promise<string> {
  const [oldest] = await db.execute<{ name: string; pid: number; since: string }>(
    sql`select application_name as name, pid, xact_start::text as since from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
      order by xact_start limit 1`,
  );
  const who = oldest === undefined ? '' : `; the oldest is of "${oldest.name}" (pid ${oldest.pid}, ${oldest.since})`;
  return (
    `Migration ${number} found no moment in which no other transaction holds what it changes${who}. Nothing of it ` +
    'was applied: end that transaction, or wait for it, and run `npm run migrate` again.'
  );
}
