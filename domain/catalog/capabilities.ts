// What the service can do on a network. Says what is there, and reads nothing.
import type { AddressType } from '../wallets/address-types.ts';

/** What signing alone needs is there for every family; a chain is read and sent to by the adapter of its family. */
export const hasAdapter = (family: AddressType): boolean => family !== 'tron';

export interface NetworkCapabilities {
  sign: boolean;
  deposit: boolean;
  withdraw: boolean;
}

/** `isRead`: by a node, whose word is believed. */
export function capabilitiesOf(
  { disabled, addressType }: { disabled: boolean; addressType: AddressType },
  isRead: boolean,
): NetworkCapabilities {
  const reaches = !disabled && hasAdapter(addressType) && isRead;
  return { sign: !disabled, deposit: reaches, withdraw: reaches };
}
