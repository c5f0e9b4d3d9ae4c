// The operator's command: `npm run migrate`. Brings the database at DATABASE_URL to this version.
import { migrateDatabase } from '../drizzle/migrate.ts';
import { readMigrateConfig } from './config.ts';

async function main(): Promise<void> {
  const config = readMigrateConfig(process.env);
  await migrateDatabase(config.DATABASE_URL);
  console.log('The database is up to date.');
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
