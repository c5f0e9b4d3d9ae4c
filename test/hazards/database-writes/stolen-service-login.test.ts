// Goal: who has stolen the login that API and workers use deletes nothing that decides, and changes nothing that is
// only added to: that is for the owner of the database. Method: the login itself, on every such table; each statement
// would find no row, so that it is refused for the right alone.
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
let service: DatabaseConnection;
beforeAll(async () => {
  api = await startApi();
  service = connectDatabase(api.serviceUrl, { poolSize: 1, name: 'test-service-login' });
});
afterAll(async () => {
  await service.close();
  await api.stop();
});

const onlyAddedTo = [
  'audit_logs',
  'audit_seals',
  'audit_heads',
  'audit_findings',
  'set_back_rows',
  'ledger_entries',
  'ledger_events',
  'approvals',
  'events',
  'signing_movements',
  'unknown_movements',
  'wallet_keys',
  'wallet_addresses',
  'row_sealing',
];
const neverDeleted = [
  'approval_rounds',
  'authority_changes',
  'ledger_accounts',
  'service_keys',
  'workspaces',
  'api_keys',
  'users',
  'policies',
  'wallets',
  'signing_requests',
  'withdrawals',
  'chain_transactions',
];

/**
 * What it takes away in its turn: it may delete there, and not change. The second is how the former version sees the
 * first.
 */
const neverChanged = ['event_outbox', 'told_events'];

/** PostgreSQL's code for a right that is missing. */
const refused = { cause: { code: '42501' } };

/** A column that PostgreSQL does not make itself: for those the refusal would have another reason. */
async function writtenColumnOf(table: string): Promise<string> {
  const [row] = await api.db.execute<{ name: string }>(
    sql`select attname as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = '' order by attname limit 1`,
  );
  if (row === undefined) throw new Error(`there is no table ${table}`);
  return row.name;
}

test.each([...onlyAddedTo, ...neverDeleted])('it deletes nothing of %s', async (table) => {
  await expect(service.db.execute(sql`delete from ${sql.identifier(table)} where false`)).rejects.toMatchObject(
    refused,
  );
});

test.each([...onlyAddedTo, ...neverChanged])('it changes nothing of %s', async (table) => {
  const column = sql.identifier(await writtenColumnOf(table));
  const change = sql`update ${sql.identifier(table)} set ${column} = ${column} where false`;
  await expect(service.db.execute(change)).rejects.toMatchObject(refused);
});

test('it does not say that the rows of before are sealed', async () => {
  await expect(service.db.execute(sql`insert into row_sealing default values`)).rejects.toMatchObject(refused);
});

test('it reads them', async () => {
  for (const table of [...onlyAddedTo, ...neverDeleted])
    await service.db.execute(sql`select 1 from ${sql.identifier(table)} limit 1`);
});
