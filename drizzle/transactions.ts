// The activity of a workspace: withdrawals and deposits, one row each. Amounts are whole base units; `decimals` is the asset's, frozen with the row.
import { bigint, index, numeric, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { assets } from './assets.ts';
import { moment } from './columns.ts';
import { networks } from './networks.ts';
import { transactionDirections, transactionMethods, transactionStatuses } from './status.ts';
import { wallets } from './wallets.ts';
import { workspaces } from './workspaces.ts';

const baseUnits = (name: string) => numeric(name, { precision: 78, scale: 0, mode: 'bigint' });

export const transactions = pgTable(
  'transactions',
  {
    id: uuid('id').primaryKey(),
    /** The withdrawal that it is of; a deposit's own id. */
    transactionId: uuid('transaction_id').notNull(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id),
    assetId: uuid('asset_id')
      .notNull()
      .references(() => assets.id),
    networkId: uuid('network_id')
      .notNull()
      .references(() => networks.id),
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
    failedReason: text('failed_reason'),
    confirmedAt: moment('confirmed_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('transactions_workspace_created').on(table.workspaceId, table.createdAt, table.id),
    index('transactions_workspace_updated').on(table.workspaceId, table.updatedAt, table.id),
    index('transactions_workspace_status').on(table.workspaceId, table.status, table.createdAt, table.id),
    index('transactions_wallet_created').on(table.walletId, table.createdAt, table.id),
    index('transactions_wallet_updated').on(table.walletId, table.updatedAt, table.id),
    index('transactions_tx_hash').on(table.txHash),
    index('transactions_transaction').on(table.transactionId),
  ],
);

export type TransactionRow = typeof transactions.$inferSelect;
