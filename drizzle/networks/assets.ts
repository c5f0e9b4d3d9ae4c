// The catalogue of assets: native currencies and the tokens whose contracts were checked. Ids are stable for ever.
import { desc } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { assetSeed } from '../../domain/catalog/assets.ts';
import type { Database } from '../database/connection.ts';
import { takeExcluded } from '../database/upsert.ts';
import { networks } from './networks.ts';

export const assetTypes = ['native', 'token'] as const;

export const assets = pgTable(
  'assets',
  {
    id: uuid('id').primaryKey(),
    networkId: uuid('network_id')
      .notNull()
      .references(() => networks.id),
    name: text('name').notNull(),
    symbol: text('symbol').notNull(),
    assetType: text('asset_type', { enum: assetTypes }).notNull(),
    /** EIP-55 on EVM chains, the mint on Solana; null for a native currency. */
    contractAddress: text('contract_address'),
    decimals: integer('decimals').notNull(),
    isNative: boolean('is_native').notNull(),
    isWhitelisted: boolean('is_whitelisted').notNull().default(true),
    logoUrl: text('logo_url'),
  },
  (table) => [
    unique('assets_network_contract').on(table.networkId, table.contractAddress).nullsNotDistinct(),
    index('assets_symbol').on(table.symbol),
  ],
);

export type AssetRow = typeof assets.$inferSelect;

/** The whole catalogue: native currencies first, then by symbol. */
export async function listAssets(db: Database): Promise<AssetRow[]> {
  return db.select().from(assets).orderBy(desc(assets.isNative), assets.symbol, assets.networkId, assets.id);
}

/**
 * Brings the catalogue up to the seed of this version; the networks must be there. What an operator took off the
 * whitelist stays off.
 */
export async function seedAssets(db: Database): Promise<void> {
  await db
    .insert(assets)
    .values([...assetSeed])
    .onConflictDoUpdate({
      target: assets.id,
      set: takeExcluded(assets, ['name', 'symbol', 'decimals', 'logoUrl']),
    });
}
