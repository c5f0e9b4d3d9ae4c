// Where a wallet receives on a network, and whether it still should.
import { type BitcoinNetwork, bitcoinNetworkOf, bitcoinPrefixes } from '../../domain/catalog/bitcoin-networks.ts';
import { type AddressType } from '../../domain/wallets/address-types.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import type { WalletAssetRow } from '../../drizzle/wallets/wallet-assets.ts';
import { findSealedAddress } from '../../drizzle/wallets/wallet-keys.ts';
import { sealedWalletAddresses, type WalletAddressRow, type WalletRow } from '../../drizzle/wallets/wallets.ts';
import { ApiError } from '../http/errors.ts';
import { onBitcoinNetwork } from './bitcoin-address.ts';

/**
 * On a network, or of a chain family as the deployment has it. One that this service did not write is never
 * answered (BrokenSealError). A frozen wallet still receives; an archived one must get nothing more.
 */
export async function receivingAddress(
  db: Database | Transaction,
  seals: Seals,
  wallet: WalletRow,
  on: NetworkRow | AddressType,
): Promise<WalletAddressRow> {
  if (wallet.status === 'archived')
    throw new ApiError('invalid_state', 'The wallet is archived: nothing more should be sent to it.');
  const found = await findSealedAddress(db, seals, wallet, typeof on === 'string' ? on : on.addressType);
  if (found === undefined)
    throw new ApiError('invalid_state', `The wallet is ${wallet.status} and has no address: wait until it is active.`);
  if (typeof on === 'string' || on.addressType !== 'btc') return found;
  return { ...found, address: onBitcoinNetwork(found.address, bitcoinNetworkOf(on.internalCode)) };
}

type Shown = Pick<WalletAssetRow, 'addressType' | 'address' | 'derivationPath'>;

/** The rows of attached assets repeat the wallet's address. Throws BrokenSealError for one that names another. */
export async function assertOwnAddresses(
  db: Database | Transaction,
  seals: Seals,
  wallet: Pick<WalletRow, 'workspaceId' | 'id'>,
  rows: readonly Shown[],
): Promise<void> {
  for (const addressType of new Set(rows.map((row) => row.addressType))) {
    const own = await findSealedAddress(db, seals, wallet, addressType);
    for (const { address, derivationPath } of rows.filter((row) => row.addressType === addressType))
      if (own === undefined || derivationPath !== own.derivationPath || !formsOf(own).includes(address))
        sealedWalletAddresses.assert(seals, {
          workspaceId: wallet.workspaceId,
          walletId: wallet.id,
          addressType,
          address,
          derivationPath,
          seal: own?.seal ?? null,
        });
  }
}

/** A Bitcoin key has an address on each Bitcoin network. */
const formsOf = ({ addressType, address }: WalletAddressRow) =>
  addressType === 'btc'
    ? (Object.keys(bitcoinPrefixes) as BitcoinNetwork[]).map((network) => onBitcoinNetwork(address, network))
    : [address];
