// Addresses of Bitcoin. Knows no node.
import { NETWORK, p2wpkh } from '@scure/btc-signer';
import { type BitcoinNetwork, bitcoinPrefixes } from '../../../domain/catalog/bitcoin-networks.ts';

/** Bech32 P2WPKH address (BIP-173) of a compressed secp256k1 public key (33 bytes). */
export function bitcoinAddress(publicKey: Uint8Array, network: BitcoinNetwork): string {
  const { address } = p2wpkh(publicKey, { ...NETWORK, bech32: bitcoinPrefixes[network] });
  if (address === undefined) throw new Error('a public key gave no address');
  return address;
}
