// The operator's command: `npm run migrate`. Brings the database at DATABASE_URL to this version, and says when its
// rows are still to be sealed.
import { connectDatabase } from '../../drizzle/database/connection.ts';
import { describeDatabaseFailure } from '../../drizzle/database/database-url.ts';
import { migrateDatabase } from '../../drizzle/migrate.ts';
import { findSealedAt } from '../../drizzle/sealed-rows/row-sealing.ts';
import { readMigrateConfig } from '../process/config.ts';

async function main(): Promise<void> {
  const config = readMigrateConfig(process.env);
  await migrateDatabase(config.DATABASE_URL);
  console.log('The database is up to date.');
  const connection = connectDatabase(config.DATABASE_URL, { poolSize: 1, name: 'countersign-migrate' });
  try {
    if ((await findSealedAt(connection.db)) === undefined)
      console.log('Its rows are not sealed yet: run `npm run workspace -- seal-rows` before the API and the workers.');
  } finally {
    await connection.close();
  }
}

main().catch((error: Error) => {
  console.error(describeDatabaseFailure(error) ?? error.message);
  process.exitCode = 1;
});
