// The address that one Bitcoin key has on another Bitcoin network: the same witness program under that network's prefix
// (BIP-173).
import { bech32 } from '@scure/base';
import { type BitcoinNetwork, bitcoinPrefixes } from '../../domain/catalog/bitcoin-networks.ts';

/** For P2WPKH addresses, which is what wallets have: later witness versions have another checksum. */
export function onBitcoinNetwork(address: string, network: BitcoinNetwork): string {
  const { words } = bech32.decode(address as `${string}1${string}`);
  if (words[0] !== 0) throw new Error('a wallet address is no witness program of version 0');
  return bech32.encode(bitcoinPrefixes[network], words);
}
