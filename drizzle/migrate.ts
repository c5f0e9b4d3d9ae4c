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

const NO_ROLE =
  'The role countersign_app is missing, and this login may not make it: have one that may run ' +
  '`CREATE ROLE countersign_app NOLOGIN`, then run `npm run migrate` again. Without it the API and the workers can ' +
  'only have the login of the owner, which may change everything.';

/** Answers what is wanting for the API and the workers to have a login of their own; undefined when nothing is. */
export async function migrateDatabase(url: string): Promise<string | undefined> {
  const connection = connectDatabase(url, { poolSize: 1, name: 'countersign-migrate' });
  try {
    await connection.db.execute(sql`select pg_advisory_lock(${MIGRATION_LOCK})`);
    await migrate(connection.db, { migrationsFolder: migrationsFolder() });
    await connection.db.execute(sql`select grant_service_rights()`);
    await seedNetworks(connection.db);
    await seedAssets(connection.db);
    const [role] = await connection.db.execute(sql`select from pg_roles where rolname = 'countersign_app'`);
    return role === undefined ? NO_ROLE : undefined;
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
