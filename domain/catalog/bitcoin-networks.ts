// Which Bitcoin each network of the catalogue is, and how its addresses begin (BIP-173). Imports nothing, so that any
// layer may read it.
export const bitcoinPrefixes = { mainnet: 'bc', testnet: 'tb', regtest: 'bcrt' } as const;
export type BitcoinNetwork = keyof typeof bitcoinPrefixes;

export function bitcoinNetworkOf(networkCode: string): BitcoinNetwork {
  if (networkCode === 'BTC_SANDBOX') return 'regtest';
  return networkCode === 'BTC_MAINNET' ? 'mainnet' : 'testnet';
}
