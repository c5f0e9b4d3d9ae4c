// Which address a public key has on which family of chains.
import type { BitcoinNetwork } from '../../drizzle/bitcoin-networks.ts';
import type { AddressType } from '../../drizzle/wallets.ts';
import { bitcoinAddress } from './bitcoin.ts';
import { evmAddress } from './evm.ts';
import { solanaAddress } from './solana.ts';
import { tronAddress } from './tron.ts';

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
