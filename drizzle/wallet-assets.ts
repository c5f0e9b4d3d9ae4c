// Assets attached to wallets: where a wallet receives each of them.
import { index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { assets } from './assets.ts';
import { moment } from './columns.ts';
import { walletAssetStatuses } from './status.ts';
import { addressTypes, wallets } from './wallets.ts';

export const walletAssets = pgTable(
  'wallet_assets',
  {
    id: uuid('id').primaryKey(),
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id),
    assetId: uuid('asset_id')
      .notNull()
      .references(() => assets.id),
    addressType: text('address_type', { enum: addressTypes }).notNull(),
    address: text('address').notNull(),
    derivationPath: text('derivation_path').notNull(),
    status: text('status', { enum: walletAssetStatuses }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    unique('wallet_assets_wallet_asset').on(table.walletId, table.assetId),
    index('wallet_assets_wallet_created').on(table.walletId, table.createdAt, table.id),
    index('wallet_assets_wallet_updated').on(table.walletId, table.updatedAt, table.id),
  ],
);

export type WalletAssetRow = typeof walletAssets.$inferSelect;
