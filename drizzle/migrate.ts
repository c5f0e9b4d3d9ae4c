// Brings a database to this version: the generated migrations, the rights of the service's role, then the catalogue
// seed. Safe to repeat and to run from several processes at once.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import { connectDatabase } from './database/connection.ts';
import { seedAssets } from './networks/assets.ts';
import { seedNetworks } from './networks/networks.ts';

/** Any number that nobody else locks: only one process migrates at a time. */
const MIGRATION_LOCK = 0x636f7369;

export async function migrateDatabase(url: string): Promise<void> {
  const connection = connectDatabase(url, { poolSize: 1, name: 'countersign-migrate' });
  try {
    await connection.db.execute(sql`select pg_advisory_lock(${MIGRATION_LOCK})`);
    await migrate(connection.db, { migrationsFolder: migrationsFolder() });
    await connection.db.execute(sql`select grant_service_rights()`);
    await seedNetworks(connection.db);
    await seedAssets(connection.db);
  } finally {
    await connection.close();
  }
}

/** Beside this file in the sources, and beside the bundle in dist/. */
function migrationsFolder(): string {
  const folder = fileURLToPath(new URL('./migrations', import.meta.url));
  if (!existsSync(folder)) throw new Error(`the migrations are missing: ${folder}`);
  return folder;
}
