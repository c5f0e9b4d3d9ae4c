// Where a wallet receives on a network, and whether it still should.
import { bitcoinNetworkOf } from '../../drizzle/bitcoin-networks.ts';
import type { Database, Transaction } from '../../drizzle/database.ts';
import type { NetworkRow } from '../../drizzle/networks.ts';
import { type AddressType, findWalletAddress, type WalletAddressRow, type WalletRow } from '../../drizzle/wallets.ts';
import { ApiError } from '../http/errors.ts';
import { onBitcoinNetwork } from './bitcoin-address.ts';

/** On a network, or of a chain family as the deployment has it. A frozen wallet still receives; an archived one must get nothing more. */
export async function receivingAddress(
  db: Database | Transaction,
  wallet: WalletRow,
  on: NetworkRow | AddressType,
): Promise<WalletAddressRow> {
  if (wallet.status === 'archived')
    throw new ApiError('invalid_state', 'The wallet is archived: nothing more should be sent to it.');
  const found = await findWalletAddress(db, wallet.id, typeof on === 'string' ? on : on.addressType);
  if (found === undefined)
    throw new ApiError('invalid_state', `The wallet is ${wallet.status} and has no address: wait until it is active.`);
  if (typeof on === 'string' || on.addressType !== 'btc') return found;
  return { ...found, address: onBitcoinNetwork(found.address, bitcoinNetworkOf(on.internalCode)) };
}
