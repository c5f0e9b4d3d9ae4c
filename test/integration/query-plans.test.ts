// Goal: no page of a list costs more because there are more rows. Method: 100,000 rows a table, spread so that a planner that guesses averages guesses
// wrong (all but a few rows alike, the rare ones at one end), then EXPLAIN ANALYZE of the very statements that the list functions send, planned both
// with and without knowledge of the parameters, as PostgreSQL does for a prepared statement. No plan may scan a table or read or sort more rows
// than the page needs. Not covered, because the rows that match are few or the filter is an afterthought: several filters at once beyond
// kind (direction, method, status), addresses that a great part of a workspace shares, signing requests of a rare network, withdrawals by several filters, events of a rare
// type of a busy wallet.
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listApiKeys } from '../../drizzle/api-keys.ts';
import { type BalancePlace, listBalances, listWalletPlaces } from '../../drizzle/balances.ts';
import type { Database } from '../../drizzle/database.ts';
import { type FeedFilter, listEvents } from '../../drizzle/event-feed.ts';
import type { Page } from '../../drizzle/page.ts';
import { listSigningRequests } from '../../drizzle/signing-requests.ts';
import { findTransaction, listTransactions, type TransactionFilter } from '../../drizzle/transactions.ts';
import { listWalletAssets } from '../../drizzle/wallet-assets.ts';
import { listWallets } from '../../drizzle/wallets.ts';
import { listWithdrawals, type WithdrawalFilter } from '../../drizzle/withdrawals.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { makeAsset, type TestAsset } from '../support/transactions.ts';

const ROWS = 100_000;
/** Rows of each rare kind, all among the oldest. */
const RARE = 30;
const LIMIT = 50;
/** Combinations of direction, method and status. */
const KINDS = 2 * 2 * 6;
/** Every part of a page gives at most a page; the merged parts are sorted once more. */
const ROWS_TOUCHED_MAX = 2 * KINDS * (LIMIT + 1);

let database: TestDatabase;
let client: Sql;
let db: Database;
let statements: { text: string; params: unknown[] }[];
const workspaceId = uuidv7();
const [busyWallet, rareWallet, otherWallet] = [uuidv7(), uuidv7(), uuidv7()];
let common: TestAsset;
let rare: TestAsset;

beforeAll(async () => {
  database = await createTestDatabase();
  client = postgres(database.url, { max: 1, onnotice: () => {} });
  const logQuery = (text: string, params: unknown[]) => void statements.push({ text, params });
  statements = [];
  db = drizzle(client, { logger: { logQuery } });
  common = await makeAsset(db);
  rare = await makeAsset(db, 'SOL_SANDBOX');
  await seed();
}, 60_000);
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Indexes are made after the rows, and foreign keys are not checked: several times as fast. */
async function seed(): Promise<void> {
  const tables = [
    'transactions',
    'withdrawals',
    'signing_requests',
    'wallets',
    'api_keys',
    'wallet_assets',
    'ledger_accounts',
    'events',
  ];
  const indexes = await client<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes where tablename in ${client(tables)}
      and indexname not in (select conname from pg_constraint)`;
  await client.unsafe(
    `set session_replication_role = replica; ${indexes.map(({ name }) => `drop index ${name};`).join('')}`,
  );
  const moments = `timestamptz '2026-01-01Z' + n * interval '1 second', timestamptz '2026-06-01Z' + n * interval '1 second'`;
  const isRare = `n <= ${RARE}`;
  const either = (ifRare: string, otherwise: string) => `case when ${isRare} then '${ifRare}' else '${otherwise}' end`;
  await client.unsafe(`insert into transactions (id, transaction_id, workspace_id, wallet_id, asset_id, network_id, direction, method,
      amount_base_units, decimals, status, tx_hash, from_address, to_address, recipient_address, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid(), '${workspaceId}', ${either(rareWallet, busyWallet)}::uuid,
      ${either(rare.assetId, common.assetId)}::uuid, ${either(rare.networkId, common.networkId)}::uuid,
      ${either('out', 'in')}, ${either('contract_call', 'transfer')}, n, 6, ${either('pending', 'completed')},
      '0xA' || n, '0xF' || n % ${ROWS / 10}, '0xE' || n, '0xE' || n, ${moments} from generate_series(1, ${ROWS}) n`);
  await client.unsafe(`insert into signing_requests (id, workspace_id, wallet_id, operation_type, network_internal_code, key_type, signing_hash,
      unsigned_tx, derivation_path, status, created_at, updated_at)
    select gen_random_uuid(), '${workspaceId}', ${either(rareWallet, busyWallet)}::uuid, 'generic', 'ETHEREUM_SANDBOX', 'secp256k1', '', '', '',
      ${either('pending', 'success')}, ${moments} from generate_series(1, ${ROWS}) n`);
  await client.unsafe(`insert into wallets (id, workspace_id, name, wallet_type, status, created_at, updated_at)
    select case n when 1 then '${busyWallet}' when 2 then '${rareWallet}' when 3 then '${otherWallet}' else gen_random_uuid() end,
      '${workspaceId}', '', 'mpc', ${either('frozen', 'active')}, ${moments} from generate_series(1, ${ROWS}) n`);
  await client.unsafe(`insert into api_keys (id, api_key, workspace_id, secret_encrypted, scopes, name, created_by, created_at, updated_at)
    select gen_random_uuid(), n, '${workspaceId}', '', '{}', '', '', ${moments} from generate_series(1, ${ROWS / 10}) n`);
  await client.unsafe(`insert into wallet_assets (id, wallet_id, asset_id, address_type, address, derivation_path, status, created_at, updated_at)
    select gen_random_uuid(), id, '${common.assetId}', 'evm', '', '', 'active', created_at, updated_at from wallets limit ${ROWS / 10}`);
  await client.unsafe(`insert into withdrawals (id, workspace_id, wallet_id, asset_id, network_id, fee_asset_id, amount_base_units, decimals, from_address,
      derivation_path, recipient_address, requested_by, status, created_at, updated_at)
    select gen_random_uuid(), '${workspaceId}', ${either(rareWallet, busyWallet)}::uuid, ${either(rare.assetId, common.assetId)}::uuid,
      ${either(rare.networkId, common.networkId)}::uuid, '${common.assetId}', n, 6, '', '', '', gen_random_uuid(), ${either('pending', 'completed')},
      ${moments} from generate_series(1, ${ROWS}) n`);
  await client.unsafe(`insert into ledger_accounts (wallet_id, asset_id, kind, balance)
    select id, '${common.assetId}'::uuid, kind, 1 from wallets cross join (values ('available'), ('outside')) as kinds(kind)`);
  await client.unsafe(`insert into events (id, seq, workspace_id, wallet_id, type, data, created_at)
    select gen_random_uuid(), n, '${workspaceId}', ${either(rareWallet, busyWallet)}::uuid, ${either('wallet.created', 'signing.success')}, '{}', now()
    from generate_series(1, ${ROWS}) n`);
  await client.unsafe(indexes.map(({ definition }) => `${definition};`).join(''));
  await client.unsafe(`set session_replication_role = origin; analyze`);
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The plans of what a list function sends: with the parameters known, and the generic one of a prepared statement. */
async function plansOf(list: () => Promise<unknown>): Promise<PlanNode[]> {
  statements = [];
  await list();
  const [statement, ...others] = statements;
  if (statement === undefined || others.length > 0) throw new Error(`${statements.length} statements instead of one`);
  const values = statement.params.map((value) => `'${String(value).replaceAll("'", "''")}'`).join(', ');
  await client.unsafe(`prepare list as ${statement.text}`);
  const plans: PlanNode[] = [];
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await client.unsafe(`set plan_cache_mode = ${mode}`);
    const rows = await client.unsafe(`explain (analyze, format json) execute list(${values})`);
    for (const row of rows) plans.push(...(row['QUERY PLAN'] as { Plan: PlanNode }[]).map(({ Plan }) => Plan));
  }
  await client.unsafe('deallocate list');
  return plans;
}

/** As long as the catalogue, whatever anybody does: read whole, also for each row of a page. */
const catalogue: ReadonlySet<string | undefined> = new Set(['assets', 'networks', 'network_states']);

async function expectBounded(list: () => Promise<unknown>, rowsTouchedMax = ROWS_TOUCHED_MAX): Promise<void> {
  for (const plan of await plansOf(list)) {
    const nodes = nodesOf(plan).filter((node) => !catalogue.has(node['Relation Name']));
    const shown = JSON.stringify(plan, undefined, 1);
    expect(
      nodes.filter((node) => node['Node Type'] === 'Seq Scan'),
      shown,
    ).toEqual([]);
    for (const node of nodes) {
      const rows =
        node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
      const touched = node['Actual Loops'] * rows;
      expect(touched, shown).toBeLessThanOrEqual(rowsTouchedMax);
    }
  }
}

/** The last row of the first page of the busiest list, in each order: a cursor that has almost every row before or after it. */
const after = { at: new Date('2026-01-01T12:00:00Z'), id: '01900000-0000-7000-8000-000000000000' };
const bounds = { from: undefined, to: undefined };
const pages: [string, Page][] = (['created_at', 'updated_at'] as const).flatMap((sortBy) =>
  (['asc', 'desc'] as const).flatMap((sortOrder) => {
    const page = { limit: LIMIT, sortBy, sortOrder, ...bounds };
    const at = sortBy === 'created_at' ? after.at : new Date('2026-06-01T12:00:00Z');
    return [
      [`${sortBy} ${sortOrder}, first page`, { ...page, after: undefined }],
      [`${sortBy} ${sortOrder}, next page`, { ...page, after: { ...after, at } }],
    ] as [string, Page][];
  }),
);

describe.each([0, RARE / 2, ROWS / 2])('events after %i', (afterSeq) => {
  test.each<[string, Partial<FeedFilter>]>([
    ['everything', {}],
    ['a common type', { types: ['signing.success'] }],
    ['a rare type', { types: ['wallet.created'] }],
    ['a type that nothing has', { types: ['webhook.ping'] }],
    ['common and rare types', { types: ['wallet.created', 'signing.success', 'webhook.ping'] }],
    ['a busy wallet', { walletIds: [busyWallet] }],
    ['a rare wallet', { walletIds: [rareWallet] }],
    ['several wallets', { walletIds: [rareWallet, busyWallet, otherWallet] }],
    ['a common type of several wallets', { walletIds: [rareWallet, busyWallet], types: ['signing.success'] }],
  ])('%s', async (_filter, filter) => {
    const any = { workspaceId, afterSeq, walletIds: undefined, types: undefined };
    await expectBounded(() => listEvents(db, { ...any, ...filter }, LIMIT));
  });
});

describe.each(pages)('%s', (_name, page) => {
  const filters: [string, () => Partial<TransactionFilter>][] = [
    ['everything', () => ({})],
    ['a common status', () => ({ statuses: ['completed'] })],
    ['a rare status', () => ({ statuses: ['pending'] })],
    ['a status that nothing has', () => ({ statuses: ['rejected'] })],
    ['common and rare statuses', () => ({ statuses: ['pending', 'completed', 'failed'] })],
    ['a common direction', () => ({ directions: ['in'] })],
    ['a rare direction', () => ({ directions: ['out'] })],
    ['a rare method', () => ({ methods: ['contract_call'] })],
    ['a rare kind', () => ({ directions: ['out'], methods: ['transfer'], statuses: ['completed'] })],
    ['a busy wallet', () => ({ walletIds: [busyWallet] })],
    ['a rare wallet', () => ({ walletIds: [rareWallet] })],
    ['several wallets', () => ({ walletIds: [rareWallet, otherWallet, busyWallet] })],
    ['several rare wallets', () => ({ walletIds: [rareWallet, otherWallet] })],
    ['a common asset', () => ({ assetIds: [common.assetId] })],
    ['a rare asset', () => ({ assetIds: [rare.assetId] })],
    ['several rare assets', () => ({ assetIds: [rare.assetId, otherWallet] })],
    ['a rare network', () => ({ networkIds: [rare.networkId] })],
    ['several networks', () => ({ networkIds: [common.networkId, rare.networkId] })],
    ['several rare networks', () => ({ networkIds: [rare.networkId, otherWallet] })],
    ['a hash', () => ({ txHashes: ['0xa777'] })],
    ['several hashes', () => ({ txHashes: ['0xa777', '0xa778', 'none'] })],
    ['an address', () => ({ addresses: ['0xf77'] })],
    ['several addresses', () => ({ addresses: ['0xf77', '0xe78', 'none'] })],
  ];
  test.each(filters)('transactions: %s', async (_filter, filter) => {
    await expectBounded(() => listTransactions(db, { workspaceId, ...filter() }, page));
  });

  test.each<[string, () => Partial<WithdrawalFilter>]>([
    ['everything', () => ({})],
    ['a common status', () => ({ statuses: ['completed'] })],
    ['a rare status', () => ({ statuses: ['pending'] })],
    ['a status that nothing has', () => ({ statuses: ['rejected'] })],
    ['common and rare statuses', () => ({ statuses: ['pending', 'completed', 'failed'] })],
    ['a busy wallet', () => ({ walletIds: [busyWallet] })],
    ['several wallets', () => ({ walletIds: [rareWallet, otherWallet, busyWallet] })],
    ['several rare wallets', () => ({ walletIds: [rareWallet, otherWallet] })],
    ['a common asset', () => ({ assetIds: [common.assetId] })],
    ['several rare assets', () => ({ assetIds: [rare.assetId, otherWallet] })],
    ['a rare network', () => ({ networkIds: [rare.networkId] })],
    ['several networks', () => ({ networkIds: [common.networkId, rare.networkId] })],
    ["a caller's own name", () => ({ externalId: 'nobody' })],
  ])('withdrawals: %s', async (_filter, filter) => {
    await expectBounded(() => listWithdrawals(db, { workspaceId, ...filter() }, page));
  });

  const none = { workspaceId, walletIds: undefined, statuses: undefined, networkCodes: undefined };
  test.each<[string, Partial<Parameters<typeof listSigningRequests>[1]>]>([
    ['everything', {}],
    ['a rare status', { statuses: ['pending'] }],
    ['rare statuses', { statuses: ['pending', 'failed'] }],
    ['common and rare statuses', { statuses: ['pending', 'success'] }],
    ['a busy wallet', { walletIds: [busyWallet] }],
    ['a rare wallet', { walletIds: [rareWallet] }],
    ['several wallets', { walletIds: [rareWallet, busyWallet, otherWallet] }],
    ['several rare wallets', { walletIds: [rareWallet, otherWallet] }],
  ])('signing requests: %s', async (_filter, filter) => {
    await expectBounded(() => listSigningRequests(db, { ...none, ...filter }, page));
  });

  test.each<[string, Partial<Parameters<typeof listWallets>[1]>]>([
    ['everything', {}],
    ['a rare status', { statuses: ['frozen'] }],
    ['rare statuses', { statuses: ['frozen', 'failed'] }],
    ['common and rare statuses', { statuses: ['frozen', 'active'] }],
    ['those of a key', { walletIds: [rareWallet, busyWallet, otherWallet] }],
    ['those of a key with a status', { walletIds: [rareWallet, busyWallet], statuses: ['active'] }],
  ])('wallets: %s', async (_filter, filter) => {
    await expectBounded(() => listWallets(db, { workspaceId, walletIds: [], statuses: undefined, ...filter }, page));
  });

  test('API keys, and the assets of a wallet', async () => {
    await expectBounded(() => listApiKeys(db, workspaceId, page));
    const every = { walletId: busyWallet, assetIds: undefined, networkIds: undefined, statuses: undefined };
    await expectBounded(() => listWalletAssets(db, every, page));
  });
});

describe('balances', () => {
  const WALLETS = 500;
  const middle: BalancePlace = { createdAt: after.at, walletId: after.id, assetId: after.id };
  test.each<[string, BalancePlace | undefined, readonly string[] | undefined]>([
    ['of a workspace, first page', undefined, undefined],
    ['of a workspace, next page', middle, undefined],
    ['of few wallets', undefined, [rareWallet, busyWallet, otherWallet]],
    ['of few wallets, next page', middle, [rareWallet, busyWallet, otherWallet]],
  ])('%s', async (_name, from, walletIds) => {
    await expectBounded(() => listWalletPlaces(db, { workspaceId, walletIds }, from, WALLETS));
    const places = await listWalletPlaces(db, { workspaceId, walletIds }, from, WALLETS);
    expect(places).toHaveLength(walletIds === undefined ? WALLETS : from === undefined ? 3 : 0);
    const few = [rareWallet, busyWallet].map((walletId) => ({ walletId, createdAt: after.at }));
    for (const asked of [places, few]) {
      await expectBounded(() => listBalances(db, asked, {}, from, LIMIT));
      await expectBounded(() => listBalances(db, asked, { assetIds: [rare.assetId] }, from, LIMIT));
      await expectBounded(() => listBalances(db, asked, { networkIds: [common.networkId] }, from, LIMIT));
    }
  });
});

test('a transaction by its id or its withdrawal, another than there is', async () => {
  await expectBounded(() => findTransaction(db, workspaceId, uuidv7()), 1);
});

test('the check itself finds plans that grow with the table', async () => {
  const pick = sql`select * from transactions where amount_base_units % 7 = ${8}`;
  await expect(expectBounded(() => db.execute(pick))).rejects.toThrow('Seq Scan');
  await expect(expectBounded(() => db.execute(sql`${pick} order by id limit 1`))).rejects.toThrow('Index Scan');
  await expect(expectBounded(() => db.execute(sql`${pick} order by from_address limit 1`))).rejects.toThrow('Sort');
});
