// The activity of a workspace: withdrawals, deposits and departures, one row each. Amounts are whole base units;
// `decimals` is the asset's, frozen with the row.
import { and, asc, desc, eq, gte, lt, or, type SQL } from 'drizzle-orm';
import { bigint, index, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import {
  transactionDirections,
  transactionMethods,
  transactionStatuses,
  withdrawalStatuses,
} from '../../domain/statuses.ts';
import { anyCaseIn, anyCaseOf, lowerCaseOf } from '../database/any-case.ts';
import { baseUnits, moment } from '../database/columns.ts';
import type { Database } from '../database/connection.ts';
import { anyOf, type OneOf, type Page, selectPage } from '../database/page.ts';
import { streamRows } from '../database/row-stream.ts';
import { ownershipColumns } from './ownership-columns.ts';

/** Few values each, and often asked for together: one index serves every combination. */
const kindOf = <Column>(table: Record<'workspaceId' | 'direction' | 'method' | 'status', Column>) =>
  [table.workspaceId, table.direction, table.method, table.status] as const;

export const transactions = pgTable(
  'transactions',
  {
    id: uuid('id').primaryKey(),
    /** The withdrawal or the signing operation that it is of; a deposit's own id. */
    transactionId: uuid('transaction_id').notNull(),
    ...ownershipColumns(),
    direction: text('direction', { enum: transactionDirections }).notNull(),
    method: text('method', { enum: transactionMethods }).notNull(),
    amountBaseUnits: baseUnits('amount_base_units').notNull(),
    decimals: smallint('decimals').notNull(),
    status: text('status', { enum: transactionStatuses }).notNull(),
    txHash: text('tx_hash'),
    fromAddress: text('from_address'),
    toAddress: text('to_address'),
    recipientAddress: text('recipient_address'),
    blockNumber: bigint('block_number', { mode: 'number' }),
    blockHash: text('block_hash'),
    gasUsed: baseUnits('gas_used'),
    effectiveGasPriceWei: baseUnits('effective_gas_price_wei'),
    /** What the chain took from the wallet, of the native asset of the network; null until that is final. */
    feeBaseUnits: baseUnits('fee_base_units'),
    /** Of a withdrawal its own status, which tells one that was cancelled from one that failed. */
    withdrawalStatus: text('withdrawal_status', { enum: withdrawalStatuses }),
    /** The caller's own name for the withdrawal or the signing operation, and his words for the withdrawal. */
    externalId: text('external_id'),
    notes: text('notes'),
    failedReason: text('failed_reason'),
    confirmedAt: moment('confirmed_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  // Every filter of the list has an index in each order of the list, so that no page depends on how many rows there are
  // (see selectPage).
  (table) => [
    index('transactions_workspace_created').on(table.workspaceId, table.createdAt, table.id),
    index('transactions_workspace_updated').on(table.workspaceId, table.updatedAt, table.id),
    index('transactions_kind_created').on(...kindOf(table), table.createdAt, table.id),
    index('transactions_kind_updated').on(...kindOf(table), table.updatedAt, table.id),
    index('transactions_wallet_created').on(table.walletId, table.createdAt, table.id),
    index('transactions_wallet_updated').on(table.walletId, table.updatedAt, table.id),
    index('transactions_asset_created').on(table.workspaceId, table.assetId, table.createdAt, table.id),
    index('transactions_asset_updated').on(table.workspaceId, table.assetId, table.updatedAt, table.id),
    index('transactions_network_created').on(table.workspaceId, table.networkId, table.createdAt, table.id),
    index('transactions_network_updated').on(table.workspaceId, table.networkId, table.updatedAt, table.id),
    index('transactions_tx_hash').on(lowerCaseOf(table.txHash)),
    index('transactions_from').on(table.workspaceId, lowerCaseOf(table.fromAddress)),
    index('transactions_to').on(table.workspaceId, lowerCaseOf(table.toAddress)),
    index('transactions_recipient').on(table.workspaceId, lowerCaseOf(table.recipientAddress)),
    index('transactions_transaction').on(table.transactionId),
  ],
);

export type TransactionRow = typeof transactions.$inferSelect;

/** Which transactions; an absent list means any. */
export interface TransactionFilter {
  workspaceId: string;
  walletIds?: readonly string[] | undefined;
  assetIds?: readonly string[] | undefined;
  networkIds?: readonly string[] | undefined;
  directions?: readonly TransactionRow['direction'][] | undefined;
  methods?: readonly TransactionRow['method'][] | undefined;
  /** Of a withdrawal too: a status that no row has finds none. */
  statuses?: readonly string[] | undefined;
  txHashes?: readonly string[] | undefined;
  /** Sender, receiver or recipient. */
  addresses?: readonly string[] | undefined;
  /** Of withdrawals and signing operations. */
  transactionIds?: readonly string[] | undefined;
}

/** One row more than the page asks for, when there is one. */
export async function listTransactions(db: Database, filter: TransactionFilter, page: Page): Promise<TransactionRow[]> {
  const parts = partsOf(filter);
  return selectPage(db, transactions, { where: matching(filter, parts), parts, page });
}

/** Every transaction, by the time of creation, as of one moment, in batches. See streamRows. */
export function streamTransactions(
  db: Database,
  filter: TransactionFilter & Created,
  sortOrder: 'asc' | 'desc',
  signal: AbortSignal,
): AsyncGenerator<TransactionRow[], void> {
  const direction = sortOrder === 'asc' ? asc : desc;
  const order = [direction(transactions.createdAt), direction(transactions.id)];
  return streamRows(db, transactions, { where: [...matching(filter), ...createdWithin(filter)], order }, signal);
}

/** By its own id, or by that of what it is of: the newest, when there are several. */
export async function findTransaction(
  db: Database,
  workspaceId: string,
  id: string,
): Promise<TransactionRow | undefined> {
  const [row] = await db
    .select()
    .from(transactions)
    .where(
      and(eq(transactions.workspaceId, workspaceId), or(eq(transactions.id, id), eq(transactions.transactionId, id))),
    )
    .orderBy(desc(eq(transactions.id, id)), desc(transactions.createdAt), desc(transactions.id))
    .limit(1);
  return row;
}

interface Created {
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

const createdWithin = ({ from, to }: Created): SQL[] => [
  ...(from === undefined ? [] : [gte(transactions.createdAt, from)]),
  ...(to === undefined ? [] : [lt(transactions.createdAt, to)]),
];

/**
 * What the list looks up value by value: the most telling filter that has an index of its own. A hash, an address or a
 * withdrawal is telling enough by itself.
 */
function partsOf(filter: TransactionFilter): readonly OneOf[] {
  const { walletIds, assetIds, networkIds, directions, methods, statuses } = filter;
  if ([filter.txHashes, filter.addresses, filter.transactionIds].some((list) => list !== undefined)) return [];
  if (walletIds !== undefined) return [[transactions.walletId, walletIds]];
  if (assetIds !== undefined) return [[transactions.assetId, assetIds]];
  if (networkIds !== undefined) return [[transactions.networkId, networkIds]];
  if (directions === undefined && methods === undefined && statuses === undefined) return [];
  return [
    [transactions.direction, directions ?? transactionDirections],
    [transactions.method, methods ?? transactionMethods],
    [transactions.status, statuses ?? transactionStatuses],
  ];
}

function matching(filter: TransactionFilter, parts: readonly OneOf[] = []): SQL[] {
  const lists = [
    [transactions.walletId, filter.walletIds],
    [transactions.assetId, filter.assetIds],
    [transactions.networkId, filter.networkIds],
    [transactions.direction, filter.directions],
    [transactions.method, filter.methods],
    [transactions.status, filter.statuses],
    [transactions.transactionId, filter.transactionIds],
  ] as const;
  const { txHashes, addresses } = filter;
  const { fromAddress, toAddress, recipientAddress } = transactions;
  return [
    eq(transactions.workspaceId, filter.workspaceId),
    ...lists.flatMap(([column, values]) =>
      values === undefined || parts.some(([part]) => part === column) ? [] : [anyOf(column, values)],
    ),
    ...(txHashes === undefined ? [] : [anyCaseOf(transactions.txHash, txHashes)]),
    ...(addresses === undefined ? [] : [anyCaseIn([fromAddress, toAddress, recipientAddress], addresses)]),
  ];
}
