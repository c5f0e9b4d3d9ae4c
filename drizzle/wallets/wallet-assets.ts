// Assets attached to wallets: where a wallet receives each of them.
import { and, eq, getTableColumns, inArray, ne, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { walletAssetStatuses } from '../../domain/statuses.ts';
import { addressTypes } from '../../domain/wallets/address-types.ts';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf, type Page, pageConditions, pageOrder } from '../database/page.ts';
import { assets } from '../networks/assets.ts';
import { wallets } from './wallets.ts';

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

export type WalletAssetStatus = (typeof walletAssetStatuses)[number];

/** An attached asset, with the network that the catalogue gives the asset. */
export type WalletAssetRow = typeof walletAssets.$inferSelect & { networkId: string };

/** False when the asset was attached already: that row is left as it is. */
export async function insertWalletAsset(tx: Transaction, row: typeof walletAssets.$inferInsert): Promise<boolean> {
  const inserted = await tx
    .insert(walletAssets)
    .values(row)
    .onConflictDoNothing({ target: [walletAssets.walletId, walletAssets.assetId] })
    .returning({ id: walletAssets.id });
  return inserted.length === 1;
}

const columns = { ...getTableColumns(walletAssets), networkId: assets.networkId };

export async function findWalletAsset(
  db: Database | Transaction,
  walletId: string,
  assetId: string,
): Promise<WalletAssetRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(walletAssets)
    .innerJoin(assets, eq(assets.id, walletAssets.assetId))
    .where(and(eq(walletAssets.walletId, walletId), eq(walletAssets.assetId, assetId)));
  return row;
}

export interface WalletAssetFilter {
  walletId: string;
  assetIds: readonly string[] | undefined;
  networkIds: readonly string[] | undefined;
  statuses: readonly WalletAssetStatus[] | undefined;
  /** Networks on which deposits are seen. */
  readIds: ReadonlySet<string>;
}

/** As it is shown: what is attached is pending until deposits of its network are seen. */
export const shownStatus = ({ status, networkId }: WalletAssetRow, readIds: ReadonlySet<string>): WalletAssetStatus =>
  status === 'disabled' ? status : readIds.has(networkId) ? 'active' : 'pending';

/** The same in SQL. */
function hasStatus(shown: WalletAssetStatus, readIds: readonly string[]): SQL | undefined {
  if (shown === 'disabled') return eq(walletAssets.status, shown);
  const isRead =
    shown === 'active' ? inArray(assets.networkId, [...readIds]) : notInArray(assets.networkId, [...readIds]);
  return and(ne(walletAssets.status, 'disabled'), isRead);
}

/** Whether a withdrawal may be of it now, and whether somebody may be told where to send it. */
export async function isAssetDisabled(db: Database | Transaction, walletId: string, assetId: string): Promise<boolean> {
  return (await findWalletAsset(db, walletId, assetId))?.status === 'disabled';
}

/** Of one that is attached, held against other changes until the transaction ends. */
export async function setWalletAssetStatus(
  tx: Transaction,
  { walletId, assetId }: Pick<WalletAssetRow, 'walletId' | 'assetId'>,
  status: 'active' | 'disabled',
): Promise<void> {
  await tx
    .update(walletAssets)
    .set({ status, updatedAt: sql`now()` })
    .where(
      and(eq(walletAssets.walletId, walletId), eq(walletAssets.assetId, assetId), ne(walletAssets.status, status)),
    );
}

/** One row more than the page asks for, when there is one. */
export async function listWalletAssets(db: Database, filter: WalletAssetFilter, page: Page): Promise<WalletAssetRow[]> {
  return db
    .select(columns)
    .from(walletAssets)
    .innerJoin(assets, eq(assets.id, walletAssets.assetId))
    .where(
      and(
        eq(walletAssets.walletId, filter.walletId),
        filter.assetIds === undefined ? undefined : anyOf(walletAssets.assetId, filter.assetIds),
        filter.networkIds === undefined ? undefined : anyOf(assets.networkId, filter.networkIds),
        filter.statuses && or(...filter.statuses.map((status) => hasStatus(status, [...filter.readIds]))),
        ...pageConditions(walletAssets, page),
      ),
    )
    .orderBy(...pageOrder(walletAssets, page))
    .limit(page.limit + 1);
}
