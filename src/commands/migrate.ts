// The operator's command: `npm run migrate`. Brings the database at DATABASE_URL to this version, and says when its
// rows are still to be sealed.
import { connectDatabase } from '../../drizzle/database/connection.ts';
import { SCHEMA_VERSION } from '../../drizzle/database/schema-version.ts';
import { migrateDatabase } from '../../drizzle/migrate.ts';
import { findSealedAt } from '../../drizzle/sealed-rows/row-sealing.ts';
import { ConfigError, readMigrateConfig } from '../process/config.ts';
import { describeFailure } from '../process/describe-failure.ts';

async function main(): Promise<void> {
  const config = readMigrateConfig(process.env);
  const { version, wanting } = await migrateDatabase(config.DATABASE_URL);
  if (version > SCHEMA_VERSION)
    console.log(`A later program has migrated the tables to version ${version}; this one may run on them.`);
  else console.log(`The tables are up to date (version ${version}).`);
  const connection = connectDatabase(config.DATABASE_URL, { poolSize: 1, name: 'countersign-migrate' });
  try {
    if ((await findSealedAt(connection.db)) === undefined)
      console.log('Its rows are not sealed yet: run `npm run workspace -- seal-rows` before the API and the workers.');
  } finally {
    await connection.close();
  }
  if (wanting !== undefined) throw new ConfigError(wanting);
}

main().catch((error: Error) => {
  console.error(describeFailure(error));
  process.exitCode = 1;
});
