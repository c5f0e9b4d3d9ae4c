// Goal: queries that Drizzle builds are prepared once a connection, inside transactions too: without it each costs a
// parse and a round trip more. Method: PostgreSQL's own list of the session's prepared statements.
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { findWalletKey } from '../../../drizzle/wallets/wallet-keys.ts';
import { findWallet } from '../../../drizzle/wallets/wallet-queries.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';

const NOBODY = '01900000-0000-7000-8000-000000000000';

let database: TestDatabase;
let connection: DatabaseConnection;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 1, name: 'test-database' });
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

async function preparedFor(table: string): Promise<number> {
  const [row] = await connection.db.execute<{ count: number }>(
    sql`select count(*)::int as count from pg_prepared_statements where statement like ${`%from "${table}"%`}`,
  );
  return row?.count ?? 0;
}

test('a query is prepared, once', async () => {
  expect(await preparedFor('wallet_keys')).toBe(0);
  await findWalletKey(connection.db, NOBODY, 'ed25519');
  await findWalletKey(connection.db, NOBODY, 'ed25519');
  expect(await preparedFor('wallet_keys')).toBe(1);
});

test('also within a transaction', async () => {
  await connection.db.transaction((tx) => findWallet(tx, NOBODY, NOBODY));
  expect(await preparedFor('wallets')).toBe(1);
});
