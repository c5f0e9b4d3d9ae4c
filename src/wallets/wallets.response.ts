// How rows of wallets and of their assets are shown.
import type { AddressType } from '../../domain/wallets/address-types.ts';
import type { WalletAssetRow, WalletAssetStatus } from '../../drizzle/wallets/wallet-assets.ts';
import type { RecordedWallet } from '../../drizzle/wallets/wallet-steps.ts';
import type { WalletRow } from '../../drizzle/wallets/wallets.ts';
import type { CatalogAsset } from '../catalog/assets.ts';
import { toAsset } from '../catalog/catalog.response.ts';
import type { Prices } from '../catalog/prices.ts';

/** By chain family. */
export type WalletAddresses = Readonly<Partial<Record<AddressType, string>>>;

export function toCreationStatus(wallet: WalletRow) {
  const creating = wallet.status === 'creating';
  return {
    wallet_id: wallet.id,
    status: creating ? ('pending' as const) : wallet.status === 'failed' ? ('error' as const) : ('success' as const),
    ...(creating && wallet.statusReason !== null ? { status_reason: wallet.statusReason } : {}),
    ...(wallet.errorCode !== null ? { error_code: wallet.errorCode } : {}),
    ...(wallet.errorReason !== null ? { error_reason: wallet.errorReason } : {}),
  };
}

/** What the record and events say of it. */
const fieldsOf = (wallet: Omit<RecordedWallet, 'walletId' | 'addresses'>) => ({
  id: wallet.id,
  wallet_id: wallet.id,
  workspace_id: wallet.workspaceId,
  name: wallet.name,
  wallet_type: wallet.walletType,
  ...(wallet.walletPurpose === null ? {} : { wallet_purpose: wallet.walletPurpose }),
  ...(wallet.externalId === null ? {} : { external_id: wallet.externalId }),
  status: wallet.status,
  ...(wallet.reason === null ? {} : { reason: wallet.reason }),
  created_at: wallet.createdAt.toISOString(),
  updated_at: wallet.updatedAt.toISOString(),
});

/** Without its addresses, for the audit log. */
export const toWalletFields = (wallet: WalletRow) => ({
  ...fieldsOf(wallet),
  metadata: wallet.metadata,
  cluster: wallet.cluster,
});

export const toWalletRecord = (wallet: WalletRow, addresses: WalletAddresses) => ({
  ...toWalletFields(wallet),
  addresses,
});

export const toWalletEventData = (wallet: RecordedWallet) => ({
  ...fieldsOf(wallet),
  ...(wallet.errorCode === null ? {} : { error_code: wallet.errorCode }),
  ...(wallet.errorReason === null ? {} : { error_reason: wallet.errorReason }),
});

export const toCreatedWalletEventData = (wallet: RecordedWallet) => ({
  ...toWalletEventData(wallet),
  addresses: wallet.addresses ?? {},
});

export function toWalletDetail(wallet: WalletRow, addressType: AddressType, address: string) {
  return {
    id: wallet.id,
    wallet_id: wallet.id,
    workspace_id: wallet.workspaceId,
    name: wallet.name,
    wallet_type: wallet.walletType,
    status: wallet.status,
    address_type: addressType,
    address,
  };
}

/** Where nothing should be sent now no address is shown. */
export const toWalletAsset = (
  row: WalletAssetRow,
  status: WalletAssetStatus,
  { asset, prices, isArchived }: { asset: CatalogAsset; prices: Prices; isArchived: boolean },
) => ({
  ...toAttachedAsset({ ...row, status, address: status === 'active' && !isArchived ? row.address : '' }),
  asset: toAsset(asset, prices),
});

/** As it is stored, without what the catalogue says of the asset. */
export function toAttachedAsset(row: WalletAssetRow) {
  return {
    id: row.id,
    wallet_id: row.walletId,
    asset_id: row.assetId,
    network_id: row.networkId,
    address_type: row.addressType,
    address: row.address,
    deposit_address: row.address,
    derivation_path: row.derivationPath,
    status: row.status,
    hidden: row.status === 'disabled',
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
