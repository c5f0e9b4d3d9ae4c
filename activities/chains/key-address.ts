// Which address a public key has on which family of chains, and of which family a network is.
import type { BitcoinNetwork } from '../../domain/catalog/bitcoin-networks.ts';
import { networkSeed } from '../../domain/catalog/networks.ts';
import type { AddressType } from '../../domain/wallets/address-types.ts';
import { bitcoinAddress } from './bitcoin/key-address.ts';
import { evmAddress } from './evm/key-address.ts';
import { solanaAddress } from './solana/key-address.ts';
import { tronAddress } from './tron/key-address.ts';

export function addressOf(addressType: AddressType, publicKey: Uint8Array, bitcoinNetwork: BitcoinNetwork): string {
  switch (addressType) {
    case 'evm':
      return evmAddress(publicKey);
    case 'sol':
      return solanaAddress(publicKey);
    case 'btc':
      return bitcoinAddress(publicKey, bitcoinNetwork);
    case 'tron':
      return tronAddress(publicKey);
  }
}

const addressTypes = new Map(networkSeed.map(({ internalCode, addressType }) => [internalCode, addressType]));

/** By this version's catalogue, not by the database's copy of it. */
export function addressTypeOf(networkCode: string): AddressType {
  const found = addressTypes.get(networkCode);
  if (found === undefined) throw new Error(`there is no network ${networkCode}`);
  return found;
}
