// Deposits: what arrived at our addresses. Known by network, transaction and place in it, never by the block, which a
// reorg may change.
import { and, asc, eq, getTableColumns, lte, type SQL, sql } from 'drizzle-orm';
import { bigint, index, pgTable, smallint, text, unique, uuid } from 'drizzle-orm/pg-core';
import { type DepositStatus, depositStatuses } from '../../domain/statuses.ts';
import { type AddressType } from '../../domain/wallets/address-types.ts';
import { baseUnits, moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { arrayOf } from '../database/page.ts';
import { recordEvent } from '../events/events.ts';
import type { RecordedRow } from '../events/recorded-rows.ts';
import { assets } from '../networks/assets.ts';
import { ownershipColumns } from '../transactions/ownership-columns.ts';
import { walletAddresses, wallets } from '../wallets/wallets.ts';

export const deposits = pgTable(
  'deposits',
  {
    /** Also that of its row in `transactions`. */
    id: uuid('id').primaryKey(),
    ...ownershipColumns(),
    txHash: text('tx_hash').notNull(),
    /** The inbound transfer's place in its transaction (activities/chains/port/chain.ts). */
    arrivalIndex: text('arrival_index').notNull(),
    fromAddress: text('from_address'),
    toAddress: text('to_address').notNull(),
    amountBaseUnits: baseUnits('amount_base_units').notNull(),
    status: text('status', { enum: depositStatuses }).notNull(),
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    /** Empty from when a reorg took the block until the transaction is in another one. */
    blockHash: text('block_hash').notNull(),
    /** How often it was seen anew after a reorg. */
    occurrence: smallint('occurrence').notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    unique('deposits_arrival').on(table.networkId, table.txHash, table.arrivalIndex),
    index('deposits_block').on(table.networkId, table.status, table.blockNumber),
  ],
);

export type DepositRow = typeof deposits.$inferSelect;

const depositEvents = {
  pending: 'deposit.pending',
  confirmed: 'deposit.confirmed',
  reorged: 'deposit.reorged',
} as const;

/** What its events record. */
export const recordedDeposit = {
  ...getTableColumns(deposits),
  decimals: sql<number>`(select ${assets.decimals} from ${assets} where ${assets.id} = ${deposits.assetId})`,
};
export type RecordedDeposit = RecordedRow<typeof recordedDeposit>;

/** The event of a deposit that has got this status. */
export const recordDepositEvent = (status: DepositStatus): SQL<string> =>
  recordEvent(depositEvents[status], recordedDeposit);

/** Who receives at an address, and by which key. */
export interface Receiver {
  walletId: string;
  workspaceId: string;
  address: string;
  derivationPath: string;
}

/**
 * The wallets at these addresses, each looked up by the index. One by one within a statement: of thousands at once
 * PostgreSQL thinks that reading the whole table is cheaper.
 */
export async function findReceivers(
  db: Database,
  addressType: AddressType,
  addresses: readonly string[],
): Promise<Receiver[]> {
  const found = await db.execute<{
    wallet_id: string;
    workspace_id: string;
    address: string;
    derivation_path: string;
  }>(sql`
    select receiver.* from unnest(${arrayOf('text', addresses)}) as asked(address) cross join lateral (
      select ${walletAddresses.walletId}, ${wallets.workspaceId}, ${walletAddresses.address}, ${walletAddresses.derivationPath}
      from ${walletAddresses} join ${wallets} on ${wallets.id} = ${walletAddresses.walletId}
      where ${walletAddresses.address} = asked.address and ${walletAddresses.addressType} = ${addressType} limit 1
    ) as receiver`);
  return [...found].map(
    ({ wallet_id: walletId, workspace_id: workspaceId, address, derivation_path: derivationPath }) => ({
      walletId,
      workspaceId,
      address,
      derivationPath,
    }),
  );
}

/** What of an asset a deposit needs to know. */
export interface CreditedAsset {
  id: string;
  /** Null for the native currency. */
  contract: string | null;
  symbol: string;
  decimals: number;
}

/** The assets of a network that are credited: those on the whitelist. */
export async function listCreditedAssets(db: Database, networkId: string): Promise<CreditedAsset[]> {
  return db
    .select({ id: assets.id, contract: assets.contractAddress, symbol: assets.symbol, decimals: assets.decimals })
    .from(assets)
    .where(and(eq(assets.networkId, networkId), eq(assets.isWhitelisted, true)));
}

/** A deposit that waits, with the asset it is of. */
export type PendingDeposit = DepositRow & { contract: string | null; symbol: string; decimals: number };

/** Those that are pending in a block up to this one, wallet by wallet. */
export async function listPendingDeposits(
  db: Database | Transaction,
  networkId: string,
  upToBlock: number,
): Promise<PendingDeposit[]> {
  const rows = await db
    .select({ deposit: deposits, contract: assets.contractAddress, symbol: assets.symbol, decimals: assets.decimals })
    .from(deposits)
    .innerJoin(assets, eq(assets.id, deposits.assetId))
    .where(and(eq(deposits.networkId, networkId), eq(deposits.status, 'pending'), lte(deposits.blockNumber, upToBlock)))
    .orderBy(asc(deposits.walletId), asc(deposits.assetId), asc(deposits.id));
  return rows.map(({ deposit, ...asset }) => ({ ...deposit, ...asset }));
}
