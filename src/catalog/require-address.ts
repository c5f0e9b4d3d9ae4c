// An address that a request names, in its canonical form. Each cause of a refusal has its own sentence.
import { bitcoinNetworkOf } from '../../domain/catalog/bitcoin-networks.ts';
import { addressMistake } from '../../domain/payloads/address-mistake.ts';
import { canonicalAddress } from '../../domain/payloads/canonical-address.ts';
import type { AddressType } from '../../domain/wallets/address-types.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import { ApiError } from '../http/errors.ts';

/** `field`: as the caller sent it. */
export function requireAddress(network: NetworkRow, field: string, text: string): string {
  const { addressType, internalCode } = network;
  return requireCanonical({ addressType, name: internalCode }, field, text, internalCode);
}

/** Of any network of the family, where addresses are the same on all of them. */
export const requireFamilyAddress = (addressType: Exclude<AddressType, 'btc'>, field: string, text: string): string =>
  requireCanonical({ addressType, name: familyNames[addressType] }, field, text, '');

const familyNames = { evm: 'EVM networks', sol: 'Solana', tron: 'Tron' } as const;

function requireCanonical(
  place: { addressType: AddressType; name: string },
  field: string,
  text: string,
  networkCode: string,
): string {
  const bitcoinNetwork = bitcoinNetworkOf(networkCode);
  const address = canonicalAddress(place.addressType, text, bitcoinNetwork);
  if (address !== undefined) return address;
  throw new ApiError('invalid_address', `${field} ${addressMistake({ ...place, bitcoinNetwork }, text)}.`);
}
