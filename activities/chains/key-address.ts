// Which address a public key has on which family of chains, and of which family a network is.
import type { BitcoinNetwork } from '../../domain/catalog/bitcoin-networks.ts';
import { networkSeed } from '../../domain/catalog/networks.ts';
import type { AddressType } from '../../domain/wallets/address-types.ts';
import { bitcoinAddress } from './bitcoin/key-address.ts';
import { evmAddress } from './evm/key-address.ts';
import { solanaAddress } from './solana/key-address.ts';
import { tronAddress } from './tron/key-address.ts';

/**
 * A pure function's results, so never stale: a point is decompressed for an address, and an address signs many times.
 */
const known = new Map<string, string>();
const KNOWN_MAX = 20_000;

export function addressOf(addressType: AddressType, publicKey: Uint8Array, bitcoinNetwork: BitcoinNetwork): string {
  const name = `${addressType} ${bitcoinNetwork} ${Buffer.from(publicKey).toString('hex')}`;
  let address = known.get(name);
  if (address === undefined) {
    address = computeAddress(addressType, publicKey, bitcoinNetwork);
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(name, address);
  }
  return address;
}

function computeAddress(addressType: AddressType, publicKey: Uint8Array, bitcoinNetwork: BitcoinNetwork): string {
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
