// The reading of one network as the worker does it, for a test that says when: rows in a real database, the product's
// activities, whatever chain is given.

import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger, type LogLevel } from '@temporalio/worker';
import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { Broadcasts } from '../../../activities/chains/broadcasts.ts';
import type { Chains } from '../../../activities/chains/connect-chains.ts';
import type { Chain } from '../../../activities/chains/port/chain.ts';
import { createDepositActivities, type DepositDependencies } from '../../../activities/deposits/deposits.ts';
import type { Pace, Reading } from '../../../activities/deposits/read-network.ts';
import { type AddressType } from '../../../domain/wallets/address-types.ts';
import { connectDatabase, type Database } from '../../../drizzle/database/connection.ts';
import { type DepositRow, deposits } from '../../../drizzle/deposits/deposits.ts';
import { findLedgerImbalances, readLedgerBalance } from '../../../drizzle/ledger/ledger.ts';
import { assets } from '../../../drizzle/networks/assets.ts';
import { findNetworkByCode, findNetworkState, type NetworkStateRow } from '../../../drizzle/networks/network-states.ts';
import type { NetworkRow } from '../../../drizzle/networks/networks.ts';
import { type TransactionRow, transactions } from '../../../drizzle/transactions/transactions.ts';
import { insertWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { walletAddresses, wallets } from '../../../drizzle/wallets/wallets.ts';
import { insertWorkspace } from '../../../drizzle/workspaces/workspaces.ts';
import { createTestDatabase } from '../processes/postgres.ts';
import { testSeals } from '../rows/seals.ts';

export interface LogLine {
  level: LogLevel;
  message: string;
  meta: Record<string, unknown>;
}

export interface Balances {
  available: bigint;
  pending_in: bigint;
}

export type DepositDatabase = Awaited<ReturnType<typeof openDepositDatabase>>;

/** A database with a workspace, and what its rows say. */
export async function openDepositDatabase() {
  const database = await createTestDatabase();
  const connection = connectDatabase(database.url, { poolSize: 4, name: 'test-deposits' });
  const { db } = connection;
  const workspaceId = uuidv7();
  await db.transaction((tx) => insertWorkspace(tx, { id: workspaceId, name: 'test' }));
  const stop = async () => {
    await connection.close();
    await database.drop();
  };
  return { db, url: database.url, workspaceId, stop, ...readersOf(db, workspaceId) };
}

function readersOf(db: Database, workspaceId: string) {
  /** Active, with this one address. */
  const makeWallet = async (addressType: AddressType, address: string): Promise<string> => {
    const id = uuidv7();
    const fields = { id, workspaceId, name: 'test', walletType: 'mpc', status: 'active' } as const;
    await db.transaction((tx) => insertWallet(tx, testSeals, fields));
    await db.insert(walletAddresses).values({ walletId: id, addressType, address, derivationPath: 'm/44/60/0/0/0' });
    return id;
  };
  /** Of the catalogue, when it has no contract; else one more token, on the whitelist unless told. */
  const makeAsset = async (networkCode: string, contract: string, decimals = 6, isWhitelisted = true) => {
    const network = await networkOf(db, networkCode);
    const id = uuidv7();
    await db.insert(assets).values({
      id,
      networkId: network.id,
      name: 'Test',
      symbol: `T${id.slice(-6)}`,
      assetType: 'token',
      decimals,
      contractAddress: contract,
      isNative: false,
      isWhitelisted,
    });
    return id;
  };
  const nativeAsset = async (networkCode: string): Promise<string> => {
    const network = await networkOf(db, networkCode);
    const [row] = await db
      .select()
      .from(assets)
      .where(and(eq(assets.networkId, network.id), eq(assets.isNative, true)));
    if (row === undefined) throw new Error('no native asset');
    return row.id;
  };
  const depositsOf = async (walletId: string): Promise<DepositRow[]> =>
    db.select().from(deposits).where(eq(deposits.walletId, walletId)).orderBy(deposits.id);
  const activityOf = async (walletId: string): Promise<TransactionRow[]> =>
    db.select().from(transactions).where(eq(transactions.walletId, walletId)).orderBy(transactions.id);
  const balances = async (walletId: string, assetId: string): Promise<Balances> => ({
    available: await readLedgerBalance(db, walletId, assetId, 'available'),
    pending_in: await readLedgerBalance(db, walletId, assetId, 'pending_in'),
  });
  /** Everything that any wallet has been given. */
  const creditedInAll = async (): Promise<bigint> => {
    const rows = await db.execute<{ sum: string }>(
      sql`select coalesce(-sum(balance), 0) as sum from ledger_accounts where kind = 'outside'`,
    );
    return BigInt(rows[0]?.sum ?? 0);
  };
  const imbalances = () => findLedgerImbalances(db);
  const allDeposits = (): Promise<DepositRow[]> => db.select().from(deposits).orderBy(deposits.id);
  const archive = (walletId: string) => db.update(wallets).set({ status: 'archived' }).where(eq(wallets.id, walletId));
  const rows = { makeWallet, makeAsset, nativeAsset, depositsOf, activityOf, balances };
  return { ...rows, creditedInAll, imbalances, allDeposits, archive };
}

async function networkOf(db: Database, networkCode: string): Promise<NetworkRow> {
  const network = await findNetworkByCode(db, networkCode);
  if (network === undefined) throw new Error(`no network ${networkCode}`);
  return network;
}

export interface WatchedChain {
  networkCode: string;
  chain: Chain;
  second?: Chain;
  above?: DepositDependencies['secondSourceAbove'];
  bitcoinNetwork?: DepositDependencies['bitcoinNetwork'];
  /** Whether an outflow that nothing explains freezes its wallet; true when absent. */
  freeze?: boolean;
}

const AT_ONCE = { shortestMs: 1, longestMs: 1, lingerMs: 0, delayMs: 1 };

/** Reads when it is told to, in this process. */
export function watchDeposits(db: Database, watched: WatchedChain) {
  const { networkCode, chain, second, above = {}, bitcoinNetwork = 'regtest', freeze = true } = watched;
  const lines: LogLine[] = [];
  const logger = new DefaultLogger('TRACE', ({ level, message, meta = {} }) => lines.push({ level, message, meta }));
  const broadcasts = new Broadcasts();
  const told = broadcasts.of(networkCode, chain);
  const chains: Chains = {
    find: (code) => (code === networkCode ? told : undefined),
    findSecond: (code) => (code === networkCode ? second : undefined),
    isTrustedAlone: () => true,
    nextBroadcast: (code, signal) => broadcasts.next(code, signal),
  };
  const outcome = { secondSourceAbove: above, freezeOnUnexplainedOutflow: freeze };
  const activities = createDepositActivities({ db, chains, bitcoinNetwork, seals: testSeals, ...outcome });
  const run = <Result>(work: () => Promise<Result>): Promise<Result> =>
    new MockActivityEnvironment({}, { logger }).run<[], Result, () => Promise<Result>>(work);
  const look = (pace: Pace) => run(() => activities.readBlocks(networkCode, pace));
  const readAs = (code: string): Promise<Reading> => run(() => activities.readBlocks(code, AT_ONCE));
  const readOnce = () => readAs(networkCode);
  /** Until there is nothing more to be read. */
  const read = async (): Promise<Reading> => {
    for (let rounds = 0; rounds < 100; rounds += 1) {
      const reading = await readOnce();
      if (!reading.behind) return reading;
    }
    throw new Error('it is never read to the end');
  };
  const rescan = (txHash: string) => run(() => activities.recordTransaction(networkCode, txHash));
  const state = async (): Promise<NetworkStateRow> => {
    const row = await findNetworkState(db, (await networkOf(db, networkCode)).id);
    if (row === undefined) throw new Error('the network was never read');
    return row;
  };
  return { look, read, readOnce, readAs, rescan, state, lines, chain: told, network: () => networkOf(db, networkCode) };
}
