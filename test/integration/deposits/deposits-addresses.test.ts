// Goal: with a million addresses a block still costs milliseconds. Method: many rows in SQL, the look-up of a block's
// addresses by its own function, and its plans with and without knowledge of the parameters, as PostgreSQL makes them
// for a prepared statement: by the index already with fewer rows than a million.
import { randomBytes } from 'node:crypto';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import { v7 as uuidv7 } from 'uuid';
import { getAddress, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../drizzle/database/connection.ts';
import { findReceivers } from '../../../drizzle/deposits/deposits.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';

const ADDRESSES = 200_000;
/** What a full block of a fast chain may name. */
const ASKED = 5_000;
const OURS = 20;

let database: TestDatabase;
let client: Sql;
let db: Database;
let statements: { text: string; params: unknown[] }[] = [];
const mine = Array.from({ length: OURS }, () => ({ id: uuidv7(), address: randomAddress() }));

function randomAddress() {
  return getAddress(toHex(randomBytes(20)));
}

beforeAll(async () => {
  database = await createTestDatabase();
  client = postgres(database.url, { max: 1, onnotice: () => {} });
  const logQuery = (text: string, params: unknown[]) => void statements.push({ text, params });
  db = drizzle(client, { logger: { logQuery } });
  const workspaceId = uuidv7();
  // Foreign keys are not checked, which takes most of the time.
  await client.unsafe(`set session_replication_role = replica;
    insert into workspaces (id, name) values ('${workspaceId}', 'test');
    insert into wallets (id, workspace_id, name, wallet_type, status)
      select gen_random_uuid(), '${workspaceId}', '', 'mpc', 'active' from generate_series(1, ${ADDRESSES / 4});
    insert into wallet_addresses (wallet_id, address_type, address, derivation_path)
      select id, type, '0x' || md5(type || id), 'm/44/60/0/0/0' from wallets cross join unnest('{evm,btc,tron,sol}'::text[]) type`);
  for (const { id, address } of mine)
    await client.unsafe(`insert into wallets (id, workspace_id, name, wallet_type, status) values ('${id}', '${workspaceId}', '', 'mpc', 'active');
      insert into wallet_addresses (wallet_id, address_type, address, derivation_path) values ('${id}', 'evm', '${address}', 'm/44/60/0/0/0')`);
  await client.unsafe('set session_replication_role = origin; analyze wallet_addresses, wallets');
}, 120_000);
afterAll(async () => {
  await client.end();
  await database.drop();
});

const blockOf = (addresses: number) => [
  ...Array.from({ length: addresses - OURS }, randomAddress),
  ...mine.map(({ address }) => address),
];

test('of the addresses of a block ours are found', async () => {
  for (const addresses of [OURS, 500, ASKED]) {
    const found = await findReceivers(db, 'evm', blockOf(addresses));
    expect(found.map(({ walletId }) => walletId).toSorted()).toEqual(mine.map(({ id }) => id).toSorted());
  }
  expect(await findReceivers(db, 'btc', blockOf(OURS))).toEqual([]);
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

test.each(['force_custom_plan', 'force_generic_plan'])('by the index, never by the table: %s', async (mode) => {
  statements = [];
  await findReceivers(db, 'evm', blockOf(ASKED));
  const [statement] = statements;
  if (statement === undefined) throw new Error('nothing was asked');
  const values = statement.params.map((value) => `'${String(value)}'`).join(', ');
  await client.unsafe(`set plan_cache_mode = ${mode}; prepare look_up as ${statement.text}`);
  const [row] = await client.unsafe(`explain (analyze, format json) execute look_up(${values})`);
  await client.unsafe('deallocate look_up; reset plan_cache_mode');
  if (row === undefined) throw new Error('no plan');
  const nodes = (row['QUERY PLAN'] as { Plan: PlanNode }[]).flatMap(({ Plan }) => nodesOf(Plan));
  const looked = nodes.flatMap((node) => {
    const { 'Node Type': type, 'Index Name': index, 'Actual Rows': found } = node;
    return 'Relation Name' in node || index !== undefined ? [{ type, index, found }] : [];
  });
  // One row a look-up at most: the rows of a node are those of each of its loops.
  expect(looked).toEqual([
    { type: 'Index Scan', index: 'wallet_addresses_address', found: expect.toSatisfy((rows: number) => rows <= 1) },
    { type: 'Index Scan', index: 'wallets_pkey', found: 1 },
  ]);
});
