// In which forms the rows of wallets may have an address that a caller writes: the canonical one of each chain family,
// and of a Bitcoin address those of every Bitcoin network, since a wallet is stored with one of them.
import { type BitcoinNetwork, bitcoinPrefixes } from '../../domain/catalog/bitcoin-networks.ts';
import { canonicalAddress } from '../../domain/payloads/canonical-address.ts';
import { onBitcoinNetwork } from './bitcoin-address.ts';

/** Empty for what is no address of a wallet. */
export function storedAddressForms(text: string): string[] {
  // As in other lists an address that is hex may be in either case.
  const written = text.startsWith('0x') ? text.toLowerCase() : text;
  const forms = (['evm', 'sol', 'tron'] as const).map((family) => canonicalAddress(family, written, 'mainnet'));
  const networks = Object.keys(bitcoinPrefixes) as BitcoinNetwork[];
  const own = networks.find((network) => text.toLowerCase().startsWith(`${bitcoinPrefixes[network]}1q`));
  const bitcoin = own && canonicalAddress('btc', text, own);
  return [
    ...forms.filter((form) => form !== undefined),
    ...(bitcoin === undefined ? [] : networks.map((network) => onBitcoinNetwork(bitcoin, network))),
  ];
}
