// The assets of one wallet as they are shown: with what the catalogue says of them now, and with an address only where
// something should be sent.
import type { Database } from '../../drizzle/database/connection.ts';
import { shownStatus, type WalletAssetRow } from '../../drizzle/wallets/wallet-assets.ts';
import { findWallet } from '../../drizzle/wallets/wallet-queries.ts';
import type { AssetCatalog } from '../catalog/assets.ts';
import type { NetworkCatalog } from '../catalog/networks.ts';
import type { PriceSource } from '../catalog/prices.ts';
import { receivingIds } from '../catalog/receiving-networks.ts';
import { toWalletAsset } from './wallets.response.ts';

export interface ShownAssets {
  assets: AssetCatalog;
  networks: NetworkCatalog;
  prices: PriceSource;
}

/** How these rows are shown. */
export async function showAssets(
  { db, assets, networks, prices }: ShownAssets & { db: Database },
  workspaceId: string,
  rows: readonly WalletAssetRow[],
) {
  const [first] = rows;
  const [wallet, current, readIds, found] = await Promise.all([
    first && findWallet(db, workspaceId, first.walletId),
    prices.current(),
    receivingIds(db, networks),
    Promise.all(rows.map(({ assetId: id }) => assets.find(id))),
  ]);
  const byId = new Map(found.flatMap((one) => (one === undefined ? [] : [[one.asset.id, one]])));
  const isArchived = wallet?.status === 'archived';
  return (row: WalletAssetRow) => {
    const asset = byId.get(row.assetId);
    if (asset === undefined) throw new Error('the catalogue lacks an asset that is attached to a wallet');
    return toWalletAsset(row, shownStatus(row, readIds), { asset, prices: current, isArchived });
  };
}
