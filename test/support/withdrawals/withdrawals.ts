// A wallet with money on a real chain, and withdrawals from it, carried out by the product's workflows and activities
// on real PostgreSQL and Temporal. The cluster is in memory, so that a signature costs nothing; the chain is real.
import { randomBytes } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type Chains, connectChains } from '../../../activities/chains/connect-chains.ts';
import { type Activities, createActivities } from '../../../activities/index.ts';
import { FollowWaits } from '../../../activities/withdrawals/follow-waits.ts';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import type { LedgerAccountKind, WithdrawalStatus } from '../../../domain/statuses.ts';
import type { FeeCapSettings } from '../../../domain/withdrawals/fee-caps.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { connectDatabase, type Database } from '../../../drizzle/database/connection.ts';
import { findLedgerImbalances, postLedgerEvent, readLedgerBalance } from '../../../drizzle/ledger/ledger.ts';
import { assets } from '../../../drizzle/networks/assets.ts';
import { networks } from '../../../drizzle/networks/networks.ts';
import { findTransaction, type TransactionRow } from '../../../drizzle/transactions/transactions.ts';
import { findWalletAddress } from '../../../drizzle/wallets/wallet-keys.ts';
import { type ChainTransactionRow, listChainTransactions } from '../../../drizzle/withdrawals/chain-transactions.ts';
import { listWithdrawalEvents } from '../../../drizzle/withdrawals/withdrawal-history.ts';
import { advanceWithdrawal, insertWithdrawal } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { type WithdrawalRow, withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { FakeCluster } from '../cluster/fake-cluster.ts';
import { onlyMain } from '../cluster/only-main.ts';
import { bundleWithFastRetries, followingOften } from '../processes/fast-retries.ts';
import { createTestDatabase } from '../processes/postgres.ts';
import { testTemporal } from '../processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../processes/worker.ts';
import { makeWallet, makeWorkspace } from '../rows/operation-rows.ts';
import { testSeals } from '../rows/seals.ts';

export interface WithdrawalStack {
  db: Database;
  databaseUrl: string;
  cluster: FakeCluster;
  worker: TestWorker;
  workspaceId: string;
  makeWallet(): Promise<string>;
  addressOf(walletId: string, networkCode: string): Promise<string>;
  /** In the ledger, as a confirmed deposit would. */
  credit(walletId: string, networkCode: string, amount: bigint, symbol?: string): Promise<void>;
  balance(walletId: string, networkCode: string, kind: LedgerAccountKind, symbol?: string): Promise<bigint>;
  /** As the API stores it when the policy allows it at once, with its workflow started. */
  withdraw(asked: Asked): Promise<string>;
  /** The same without its workflow. */
  accept(asked: Asked): Promise<string>;
  /** The row, once it has this status. */
  until(id: string, status: WithdrawalStatus, timeoutMs?: number): Promise<WithdrawalRow>;
  read(id: string): Promise<WithdrawalRow>;
  transactionsOf(id: string): Promise<ChainTransactionRow[]>;
  /** Its line in the activity. */
  activityOf(id: string): Promise<TransactionRow | undefined>;
  historyOf(id: string): Promise<string[]>;
  /** As the API does for speed-up and drop. */
  replace(id: string, kind: 'speed_up' | 'drop'): Promise<void>;
  workflowOf(id: string): WorkflowHandle;
  signal(id: string): Promise<void>;
  assertBalanced(): Promise<void>;
  startWorker(): Promise<TestWorker>;
  stop(): Promise<void>;
}

export interface Asked {
  walletId: string;
  networkCode: string;
  amount: bigint;
  to: string;
  symbol?: string;
  fields?: Partial<typeof withdrawals.$inferInsert>;
}

export interface WithdrawalStackOptions {
  /** Retries and looks follow each other at once (fast-retries.ts). */
  fastRetries?: true;
  /** That all networks ask for; else those of the catalogue. */
  confirmations?: number;
  /** Nodes of other operators. */
  secondRpcUrls?: Record<string, string>;
  /** The operator's own caps of fees. */
  feeCaps?: FeeCapSettings;
  /** Networks whose only node is believed alone; absent: all. */
  trustedAlone?: readonly string[];
  /** In the place of those behind the nodes. */
  chains?: Chains;
  /** What the worker calls instead of the activities. */
  around?: (activities: Activities) => Partial<Activities>;
  /** By which address the activities reach the database. */
  through?: (databaseUrl: string) => Promise<string>;
}

export async function startWithdrawals(
  rpcUrls: Record<string, string>,
  { confirmations, secondRpcUrls = {}, around = (activities) => activities, ...options }: WithdrawalStackOptions = {},
): Promise<WithdrawalStack> {
  const database = await createTestDatabase();
  const connection = connectDatabase(database.url, { poolSize: 8, name: 'test-withdrawals' });
  const { db } = connection;
  const cluster = new FakeCluster();
  const seed =
    confirmations === undefined
      ? networkSeed
      : networkSeed.map((row) => ({ ...row, confirmationBlocks: confirmations }));
  if (confirmations !== undefined) await db.update(networks).set({ confirmationBlocks: confirmations });
  const chains = options.chains ?? connectChains(rpcUrls, seed, { secondRpcUrls, trustedAlone: options.trustedAlone });
  const workerUrl = (await options.through?.(database.url)) ?? database.url;
  const working = connectDatabase(workerUrl, { poolSize: 8, name: 'test-withdrawals-worker' });
  const made = createActivities({
    db: working.db,
    clusters: onlyMain(cluster),
    chains,
    seals: testSeals,
    bitcoinNetwork: 'regtest',
    feeCaps: options.feeCaps,
    followWaits: options.fastRetries === true ? new FollowWaits({ heldForMs: 0 }) : undefined,
  });
  const activities = around(options.fastRetries === true ? followingOften(made) : made);
  const temporal = testTemporal('withdrawals');
  const workers: TestWorker[] = [];
  const startWorker = async () => {
    const started = await startTestWorker({
      temporal,
      activities,
      ...(options.fastRetries === true ? { code: await bundleWithFastRetries() } : {}),
    });
    workers.push(started);
    return started;
  };
  const worker = await startWorker();
  const workspaceId = await makeWorkspace(db);
  const { client, taskQueue } = worker;

  const assetOf = async (networkCode: string, symbol?: string) => {
    const rows = await db
      .select({ asset: assets, network: networks })
      .from(assets)
      .innerJoin(networks, eq(networks.id, assets.networkId))
      .where(eq(networks.internalCode, networkCode));
    const found = rows.find(({ asset }) => (symbol === undefined ? asset.isNative : asset.symbol === symbol));
    const native = rows.find(({ asset }) => asset.isNative);
    if (found === undefined || native === undefined) throw new Error(`no asset ${symbol} on ${networkCode}`);
    return { ...found, native: native.asset };
  };
  const addressOf = async (walletId: string, networkCode: string) => {
    const { network } = await assetOf(networkCode);
    const row = await findWalletAddress(db, walletId, network.addressType);
    if (row === undefined) throw new Error('the wallet has no address');
    return row.address;
  };
  const read = async (id: string) => {
    const [row] = await db.select().from(withdrawals).where(eq(withdrawals.id, id));
    if (row === undefined) throw new Error(`there is no withdrawal ${id}`);
    return row;
  };

  const accept: WithdrawalStack['accept'] = async ({ walletId, networkCode, amount, to, symbol, fields }) => {
    const { asset, network, native } = await assetOf(networkCode, symbol);
    const address = await findWalletAddress(db, walletId, network.addressType);
    if (address === undefined) throw new Error('the wallet has no address');
    const id = uuidv7();
    await db.transaction(async (tx) => {
      await insertWithdrawal(tx, testSeals, {
        id,
        workflowId: workflowIdOf('withdraw', id),
        workspaceId,
        walletId,
        assetId: asset.id,
        networkId: network.id,
        feeAssetId: native.id,
        amountBaseUnits: amount,
        decimals: asset.decimals,
        fromAddress: address.address,
        derivationPath: address.derivationPath,
        recipientAddress: to,
        requestedBy: uuidv7(),
        ...fields,
      });
      await advanceWithdrawal(tx, id, {
        from: 'pending',
        to: 'approved',
        fields: { subStatus: 'queued' },
        details: 'Allowed.',
      });
    });
    return id;
  };

  const workflowOf = (id: string) => client.workflow.getHandle(workflowIdOf('withdraw', id));

  return {
    db,
    databaseUrl: database.url,
    cluster,
    worker,
    workspaceId,
    addressOf,
    read,
    startWorker,
    makeWallet: async () => {
      const id = await makeWallet(db, workspaceId);
      await client.workflow.execute('createWallet', {
        workflowId: workflowIdOf('createWallet', id),
        taskQueue,
        args: [{ walletId: id, workspaceId }],
      });
      return id;
    },
    credit: async (walletId, networkCode, amount, symbol) => {
      const { asset } = await assetOf(networkCode, symbol);
      const movements = [{ assetId: asset.id, from: 'outside', to: 'available', amount }] as const;
      await db.transaction((tx) =>
        postLedgerEvent(tx, { kind: 'deposit_confirmed', subjectId: uuidv7(), walletId, movements }),
      );
    },
    balance: async (walletId, networkCode, kind, symbol) => {
      const { asset } = await assetOf(networkCode, symbol);
      return readLedgerBalance(db, walletId, asset.id, kind);
    },
    accept,
    withdraw: async (asked) => {
      const { walletId, networkCode } = asked;
      const id = await accept(asked);
      await client.workflow.start('withdraw', {
        workflowId: workflowIdOf('withdraw', id),
        taskQueue,
        args: [{ withdrawalId: id, workspaceId, walletId, networkCode }],
      });
      return id;
    },
    until: async (id, status, timeoutMs = 90_000) => {
      const until = Date.now() + timeoutMs;
      for (;;) {
        const row = await read(id);
        if (row.status === status) return row;
        if (Date.now() > until) {
          const history = (await listWithdrawalEvents(db, id)).map(({ details }) => details).join('\n');
          throw new Error(
            `the withdrawal is ${row.status} ${row.subStatus} ${row.errorReason}, not ${status}:\n${history}`,
          );
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    transactionsOf: (id) => listChainTransactions(db, id),
    activityOf: (id) => findTransaction(db, workspaceId, id),
    historyOf: async (id) =>
      (await listWithdrawalEvents(db, id)).map(({ status, subStatus }) => `${status} ${subStatus ?? ''}`.trim()),
    replace: async (id, requestedReplacement) => {
      await db.update(withdrawals).set({ requestedReplacement }).where(eq(withdrawals.id, id));
      await workflowOf(id).signal('changed');
    },
    workflowOf,
    signal: (id) => workflowOf(id).signal('changed'),
    assertBalanced: async () => {
      const imbalances = await findLedgerImbalances(db);
      if (imbalances.length > 0) throw new Error(`the ledger does not balance: ${imbalances.join('; ')}`);
    },
    stop: async () => {
      await Promise.all(workers.map((each) => each.stop()));
      await Promise.all([working.close(), connection.close()]);
      await database.drop();
    },
  };
}

export const anyEvmAddress = (): `0x${string}` => `0x${randomBytes(20).toString('hex')}`;
