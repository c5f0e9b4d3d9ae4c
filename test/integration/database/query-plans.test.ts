// Goal: no page of a list costs more because there are more rows. Method: 100,000 rows a table, spread so that a
// planner that guesses averages guesses wrong (all but a few rows alike, the rare ones at one end), then
// test/support/rows/query-plans.ts. Events, webhooks and the audit log are in query-plans-events.test.ts. Not covered,
// because the rows that match are few or the filter is an afterthought: several filters at once beyond kind (direction,
// method, status, wallet type), addresses or metadata that a great part of a workspace shares, signing requests of a
// rare network, withdrawals by several filters.
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listApiKeys } from '../../../drizzle/api-keys/api-key-queries.ts';
import type { Database } from '../../../drizzle/database/connection.ts';
import { type BalancePlace, listBalances, listWalletPlaces } from '../../../drizzle/ledger/balances.ts';
import { countOpenOperations, countWalletsUnderWay } from '../../../drizzle/operations/quotas.ts';
import { sumMoved } from '../../../drizzle/policies/policy-facts.ts';
import { listSigningRequests } from '../../../drizzle/signing-requests/signing-queries.ts';
import {
  findTransaction,
  listTransactions,
  type TransactionFilter,
} from '../../../drizzle/transactions/transactions.ts';
import { listWallets } from '../../../drizzle/wallets/list-wallets.ts';
import { listWalletAssets } from '../../../drizzle/wallets/wallet-assets.ts';
import { listSealedAddresses } from '../../../drizzle/wallets/wallet-keys.ts';
import { listWithdrawals, type WithdrawalFilter } from '../../../drizzle/withdrawals/withdrawals.ts';
import { sandbox } from '../../support/rows/funded.ts';
import * as plans from '../../support/rows/query-plans.ts';
import { after, createPlannedDatabase, either, fill, LIMIT, moments, pages } from '../../support/rows/query-plans.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { makeAsset, type TestAsset } from '../../support/rows/transactions.ts';

const ROWS = 100_000;
/** Combinations of direction, method and status. */
const KINDS = 2 * 2 * 6;
/** Every part of a page gives at most a page; the merged parts are sorted once more. */
const ROWS_TOUCHED_MAX = 2 * KINDS * (LIMIT + 1);

/** When the newest row was made. */
const newestMs = Date.parse('2026-01-01Z') + ROWS * 1000;

let planned: plans.PlannedDatabase;
let db: Database;
const workspaceId = uuidv7();
const [busyWallet, rareWallet, otherWallet] = [uuidv7(), uuidv7(), uuidv7()];
let common: TestAsset;
let rare: TestAsset;

beforeAll(async () => {
  planned = await createPlannedDatabase();
  ({ db } = planned);
  common = await makeAsset(db);
  rare = await makeAsset(db, 'SOL_SANDBOX');
  await seed();
}, 120_000);
afterAll(() => planned.drop());

async function seed(): Promise<void> {
  const tables = [
    'transactions',
    'withdrawals',
    'signing_requests',
    'wallets',
    'wallet_addresses',
    'api_keys',
    'wallet_assets',
    'ledger_accounts',
    'signing_movements',
    'chain_transactions',
  ];
  await fill(planned, tables, [
    `insert into transactions (id, transaction_id, workspace_id, wallet_id, asset_id, network_id, direction, method,
      amount_base_units, decimals, status, tx_hash, from_address, to_address, recipient_address, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid(), '${workspaceId}', ${either(rareWallet, busyWallet)}::uuid,
      ${either(rare.assetId, common.assetId)}::uuid, ${either(rare.networkId, common.networkId)}::uuid,
      ${either('out', 'in')}, ${either('contract_call', 'transfer')}, n, 6, ${either('pending', 'completed')},
      '0xA' || n, '0xF' || n % ${ROWS / 10}, '0xE' || n, '0xE' || n, ${moments} from generate_series(1, ${ROWS}) n`,
    `insert into signing_requests (id, workspace_id, wallet_id, operation_type, network_internal_code, key_type, signing_hash,
      unsigned_tx, derivation_path, status, external_id, address, created_at, updated_at)
    select gen_random_uuid(), '${workspaceId}', ${either(rareWallet, busyWallet)}::uuid, 'generic', 'ETHEREUM_SANDBOX', 'secp256k1', '', '', '',
      ${either('pending', 'success')}, 'name ' || n, ${either('0xRare', '0xBusy')}, ${moments} from generate_series(1, ${ROWS}) n`,
    `insert into signing_movements (signing_id, asset_id, workspace_id, wallet_id, amount_base_units, created_at)
    select id, '${sandbox.ETH.assetId}', workspace_id, wallet_id, 1, created_at from signing_requests`,
    `insert into wallets (id, workspace_id, name, wallet_type, status, external_id, metadata_terms, created_at, updated_at)
    select case n when 1 then '${busyWallet}' when 2 then '${rareWallet}' when 3 then '${otherWallet}' else gen_random_uuid() end,
      '${workspaceId}', ${either('Rare', 'Common')}, ${either('standard', 'mpc')}, ${either('frozen', 'active')}, 'name ' || n,
      array['${workspaceId}:customer:' || n, '${workspaceId}:kind:user'], ${moments} from generate_series(1, ${ROWS}) n`,
    `insert into wallet_addresses (wallet_id, address_type, address, derivation_path)
    select id, 'evm', '0xf' || substr(external_id, 6), '' from wallets`,
    `insert into users (id, workspace_id, name, created_by, created_at, updated_at)
    select gen_random_uuid(), '${workspaceId}', '', '', ${moments} from generate_series(1, ${ROWS / 10}) n`,
    `insert into api_keys (id, api_key, workspace_id, user_id, secret_encrypted, scopes, name, created_by, created_at, updated_at)
    select gen_random_uuid(), id::text, '${workspaceId}', id, '', '{}', '', '', created_at, updated_at from users`,
    `insert into wallet_assets (id, wallet_id, asset_id, address_type, address, derivation_path, status, created_at, updated_at)
    select gen_random_uuid(), id, '${common.assetId}', 'evm', '', '', 'active', created_at, updated_at from wallets limit ${ROWS / 10}`,
    `insert into withdrawals (id, workspace_id, wallet_id, asset_id, network_id, fee_asset_id, amount_base_units, decimals, from_address,
      derivation_path, recipient_address, requested_by, status, sub_status, method, external_id, tx_hash, created_at, updated_at)
    select gen_random_uuid(), '${workspaceId}', ${either(rareWallet, busyWallet)}::uuid, ${either(rare.assetId, common.assetId)}::uuid,
      ${either(rare.networkId, common.networkId)}::uuid, '${common.assetId}', n, 6, '0xF' || n % ${ROWS / 10}, '', '0xE' || n, gen_random_uuid(),
      ${either('pending', 'completed')}, ${either('insufficient_funds', 'reverted')}, ${either('contract_call', 'transfer')}, 'name ' || n, '0xA' || n,
      ${moments} from generate_series(1, ${ROWS}) n`,
    `insert into chain_transactions (id, withdrawal_id, ordinal, kind, network_id, from_address, fee, max_fee_base_units, unsigned, payloads, signing_ids)
    select gen_random_uuid(), id, 0, 'transfer', network_id, '', '{}', 1, '', '[]', '{}' from withdrawals`,
    `insert into ledger_accounts (wallet_id, asset_id, kind, balance)
    select id, '${common.assetId}'::uuid, kind, 1 from wallets cross join (values ('available'), ('outside')) as kinds(kind)`,
  ]);
}

const expectBounded = (list: () => Promise<unknown>, rowsTouchedMax = ROWS_TOUCHED_MAX) =>
  plans.expectBounded(planned, list, rowsTouchedMax);

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
    ['withdrawals', () => ({ transactionIds: [busyWallet, rareWallet] })],
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
    ['a rare sub-status', () => ({ subStatuses: ['insufficient_funds'] })],
    ['common and rare sub-statuses', () => ({ subStatuses: ['insufficient_funds', 'reverted', 'stuck'] })],
    ["a caller's own name", () => ({ externalIds: ['name 77'] })],
    ["several of a caller's own names", () => ({ externalIds: ['name 77', 'name 78', 'nobody'] })],
    ['a common method', () => ({ methods: ['transfer'] })],
    ['a rare method', () => ({ methods: ['contract_call'] })],
    ['a rare method with a common status', () => ({ methods: ['contract_call'], statuses: ['completed'] })],
    ['a hash', () => ({ txHashes: ['0xa777'] })],
    ['several hashes', () => ({ txHashes: ['0xa777', '0xa778', 'none'] })],
    ['an address', () => ({ addresses: ['0xf77'] })],
    ['several addresses', () => ({ addresses: ['0xf77', '0xe78', 'none'] })],
  ])('withdrawals: %s', async (_filter, filter) => {
    await expectBounded(() => listWithdrawals(db, { workspaceId, ...filter() }, page));
  });

  const none = {
    workspaceId,
    walletIds: undefined,
    statuses: undefined,
    networkCodes: undefined,
    externalIds: undefined,
    addresses: undefined,
  };
  test.each<[string, Partial<Parameters<typeof listSigningRequests>[1]>]>([
    ['everything', {}],
    ['a rare status', { statuses: ['pending'] }],
    ['rare statuses', { statuses: ['pending', 'failed'] }],
    ['common and rare statuses', { statuses: ['pending', 'success'] }],
    ['a busy wallet', { walletIds: [busyWallet] }],
    ['a rare wallet', { walletIds: [rareWallet] }],
    ['several wallets', { walletIds: [rareWallet, busyWallet, otherWallet] }],
    ['several rare wallets', { walletIds: [rareWallet, otherWallet] }],
    ["callers' own names", { externalIds: ['name 77', 'nobody'] }],
    ["a caller's own name in a busy wallet", { externalIds: ['name 77'], walletIds: [busyWallet] }],
    ['an address that signs everything', { addresses: ['0xBusy'] }],
    ['addresses that sign much, little and nothing', { addresses: ['0xBusy', '0xRare', '0xNone'] }],
    ['what is no address', { addresses: [] }],
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
    ['a rare type', { walletTypes: ['standard'] }],
    ['a common type', { walletTypes: ['mpc'] }],
    ['a rare type with a common status', { walletTypes: ['standard'], statuses: ['active'] }],
    ["callers' own names", { externalIds: ['name 77', 'nobody'] }],
    ['a name that few have', { name: 'RARE' }],
    ['a name that most have', { name: 'common' }],
    ['rare metadata', { metadata: { name: 'customer', value: '77' } }],
    ['metadata that no wallet has', { metadata: { name: 'customer', value: 'nobody' } }],
    ['addresses', { addresses: ['0xf77', '0xf78', 'none'] }],
  ])('wallets: %s', async (_filter, filter) => {
    await expectBounded(() => listWallets(db, { workspaceId, walletIds: [], ...filter }, page));
  });

  test('the addresses of a page of wallets', async () => {
    const owners = await listWallets(db, { workspaceId, walletIds: [] }, page);
    await expectBounded(() => listSealedAddresses(db, testSeals, owners));
  });

  test('API keys, and the assets of a wallet', async () => {
    await expectBounded(() => listApiKeys(db, workspaceId, page));
    const every = { walletId: busyWallet, assetIds: undefined, networkIds: undefined, readIds: new Set<string>() };
    for (const statuses of [undefined, ['active', 'disabled'] as const])
      await expectBounded(() => listWalletAssets(db, { ...every, statuses }, page));
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
      await expectBounded(() => listBalances(db, asked, {}, { after: from, limit: LIMIT }));
      await expectBounded(() => listBalances(db, asked, { assetIds: [rare.assetId] }, { after: from, limit: LIMIT }));
      await expectBounded(() =>
        listBalances(db, asked, { networkIds: [common.networkId] }, { after: from, limit: LIMIT }),
      );
    }
  });
});

test('a transaction by its id or its withdrawal, another than there is', async () => {
  await expectBounded(() => findTransaction(db, workspaceId, uuidv7()), 1);
});

test('what a workspace has under way, however much it has ended', async () => {
  await expectBounded(() => db.transaction((tx) => countOpenOperations(tx, workspaceId, LIMIT)), 2 * LIMIT);
  await expectBounded(() => db.transaction((tx) => countWalletsUnderWay(tx, workspaceId, LIMIT)), 2 * LIMIT);
});

test('what operations moved in a window of time, however much was moved before', async () => {
  const secondsSince = Math.floor((Date.now() - newestMs) / 1000) + 40;
  for (const walletId of [undefined, busyWallet, rareWallet]) {
    const window = { workspaceId, walletId, seconds: secondsSince };
    await expectBounded(() => db.transaction((tx) => sumMoved(tx, window, sandbox.ETH.assetId)), 4 * LIMIT);
  }
});

test('the check itself finds plans that grow with the table', async () => {
  const pick = sql`select * from transactions where amount_base_units % 7 = ${8}`;
  await expect(expectBounded(() => db.execute(pick))).rejects.toThrow('Seq Scan');
  await expect(expectBounded(() => db.execute(sql`${pick} order by id limit 1`))).rejects.toThrow('Index Scan');
  await expect(expectBounded(() => db.execute(sql`${pick} order by from_address limit 1`))).rejects.toThrow('Sort');
});
