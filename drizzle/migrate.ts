// Brings a database to this version: the generated migrations, the rights of the service's role, then the catalogue
// seed. Safe to repeat, to run from several processes at once, and beside processes that serve.
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { connectDatabase, type Database } from './database/connection.ts';
import { runMigrations } from './database/run-migrations.ts';
import { describeMisfit, findTablesVersion, SCHEMA_VERSION } from './database/schema-version.ts';
import { seedAssets } from './networks/assets.ts';
import { seedNetworks } from './networks/networks.ts';

/** Any number that nobody else locks: only one process migrates at a time. */
const MIGRATION_LOCK = 0x636f7369;
const ASKED_FOR_LOCK_EVERY_MS = 200;

const NO_ROLE =
  'The role countersign_app is missing, and this login may not make it: have one that may run ' +
  '`CREATE ROLE countersign_app NOLOGIN`, then run `npm run migrate` again. Without it the API and the workers can ' +
  'only have the login of the owner, which may change everything.';

export interface Migrated {
  /** Of the tables: higher than this program's where a later one has migrated them. */
  version: number;
  /** What is missing for the API and the workers to have a login of their own. */
  wanting?: string;
}

/** Changes nothing where a later program has migrated, and throws where this one may not run on its tables. */
export async function migrateDatabase(url: string): Promise<Migrated> {
  const connection = connectDatabase(url, { poolSize: 1, name: 'countersign-migrate' });
  const { db } = connection;
  try {
    await takeLock(db);
    const before = await findTablesVersion(db);
    if (before !== undefined && before.version > SCHEMA_VERSION) {
      const misfit = describeMisfit(before);
      if (misfit !== undefined) throw new Error(misfit);
      return { version: before.version };
    }
    await runMigrations(db, { folder: migrationsFolder() });
    await db.execute(sql`select grant_service_rights()`);
    await seedNetworks(db);
    await seedAssets(db);
    const [role] = await db.execute(sql`select from pg_roles where rolname = 'countersign_app'`);
    return { version: SCHEMA_VERSION, ...(role === undefined ? { wanting: NO_ROLE } : {}) };
  } finally {
    await connection.close();
  }
}

/**
 * Asked for again and again: a statement that waited for it would itself be waited for by an index that is built
 * beside the service.
 */
async function takeLock(db: Database): Promise<void> {
  while (true) {
    const [row] = await db.execute<{ taken: boolean }>(sql`select pg_try_advisory_lock(${MIGRATION_LOCK}) as taken`);
    if (row?.taken === true) return;
    await sleep(ASKED_FOR_LOCK_EVERY_MS);
  }
}

/** Beside this file in the sources, and beside the bundle in dist/. */
function migrationsFolder(): string {
  const folder = fileURLToPath(new URL('./migrations', import.meta.url));
  if (!existsSync(folder)) throw new Error(`the migrations are missing: ${folder}`);
  return folder;
}
