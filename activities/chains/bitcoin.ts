// Addresses of Bitcoin. Knows no node.
import { NETWORK, p2wpkh, TEST_NETWORK } from '@scure/btc-signer';

export type BitcoinNetwork = 'mainnet' | 'testnet' | 'regtest';

const parameters = { mainnet: NETWORK, testnet: TEST_NETWORK, regtest: { ...TEST_NETWORK, bech32: 'bcrt' } };

/** Bech32 P2WPKH address (BIP-173) of a compressed secp256k1 public key (33 bytes). */
export function bitcoinAddress(publicKey: Uint8Array, network: BitcoinNetwork): string {
  const { address } = p2wpkh(publicKey, parameters[network]);
  if (address === undefined) throw new Error('a public key gave no address');
  return address;
}

/** Which Bitcoin a network of the catalogue is. */
export function bitcoinNetworkOf(networkCode: string): BitcoinNetwork {
  if (networkCode === 'BTC_SANDBOX') return 'regtest';
  return networkCode === 'BTC_MAINNET' ? 'mainnet' : 'testnet';
}
