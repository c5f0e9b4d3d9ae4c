// Why a text is no address that money may be sent to, each cause in words of its own: what canonical-address.ts refuses
// and does not explain. Decides nothing.
import { base58 } from '@scure/base';
import { type AddressType, addressTypes } from '../wallets/address-types.ts';
import { type BitcoinNetwork, bitcoinCodecs } from './bitcoin-codecs.ts';
import { canonicalAddress } from './canonical-address.ts';

export interface AddressPlace {
  addressType: AddressType;
  bitcoinNetwork: BitcoinNetwork;
  /** What the sentence calls it: an internal code, or a family. */
  name: string;
}

const families = { evm: 'EVM networks', sol: 'Solana', btc: 'Bitcoin', tron: 'Tron' } as const;
const bitcoins = { mainnet: 'the main network', testnet: 'a test network', regtest: 'the sandbox' } as const;
const bitcoinNetworks = Object.keys(bitcoinCodecs) as BitcoinNetwork[];

const NOBODYS = 'is the address of all zeros, which nobody has the key of: what is sent there is lost';
const WRONG_CHECKSUM = 'has a checksum that does not fit, so a character of it is wrong or missing: copy it again';
const NOTHING: readonly string[] = [
  `0x${'0'.repeat(40)}`,
  '11111111111111111111111111111111',
  'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
];

/** To follow the name of a field, of a text that `canonicalAddress` refuses there. */
export function addressMistake(place: AddressPlace, text: string): string {
  if (NOTHING.includes(text.toLowerCase()) || NOTHING.includes(text)) return NOBODYS;
  return elsewhere(place, text) ?? misspelt(place, text);
}

/** It is an address, of another chain. */
function elsewhere({ addressType, bitcoinNetwork, name }: AddressPlace, text: string): string | undefined {
  for (const network of bitcoinNetworks)
    if (canonicalAddress('btc', text, network) !== undefined)
      return addressType === 'btc' && network !== bitcoinNetwork
        ? `is an address of Bitcoin on ${bitcoins[network]}, and none of ${name}`
        : `is an address of Bitcoin, and none of ${name}`;
  const other = addressTypes.find(
    (type) => type !== addressType && canonicalAddress(type, text, bitcoinNetwork) !== undefined,
  );
  return other && `is an address of ${families[other]}, and none of ${name}`;
}

function misspelt({ addressType, name }: AddressPlace, text: string): string {
  switch (addressType) {
    case 'evm':
      return misspeltEvm(text);
    case 'sol':
      return misspeltSolana(text);
    case 'btc':
      return misspeltBitcoin(text) ?? `is no address of ${name}`;
    case 'tron':
      if (/^(0x)?41[0-9a-fA-F]{40}$/.test(text)) return 'is in the hex form of Tron: send the form that begins with T';
      return /^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text) ? WRONG_CHECKSUM : `is no address of ${name}`;
  }
}

function misspeltEvm(text: string): string {
  if (/^0x[0-9a-fA-F]{40}$/.test(text))
    return 'has a checksum that does not fit (EIP-55), so a character of it or its case is wrong: copy it again';
  if (text.startsWith('0X')) return 'begins with 0X: write 0x';
  if (/^[0-9a-fA-F]{40}$/.test(text)) return 'lacks the 0x before its 40 hex digits';
  if (/^0x[0-9a-fA-F]*$/.test(text)) return `has ${text.length - 2} hex digits after 0x, and an address has 40`;
  return 'is not 0x and 40 hex digits';
}

/** 32 bytes have 44 digits at most: longer texts are not decoded. */
const DECODED_LENGTH_MAX = 100;

function misspeltSolana(text: string): string {
  const outside = /[^1-9A-HJ-NP-Za-km-z]/u.exec(text.slice(0, DECODED_LENGTH_MAX));
  if (outside !== null) return `has the character "${outside[0]}", which base58 does not have`;
  if (text.length > DECODED_LENGTH_MAX) return 'is longer than any address of Solana';
  return `is ${base58.decode(text).length} bytes in base58, and an address of Solana is 32`;
}

function misspeltBitcoin(text: string): string | undefined {
  if (!/^(bc|tb|bcrt)1/i.test(text))
    return /^[123mn][1-9A-HJ-NP-Za-km-z]{25,34}$/.test(text) ? WRONG_CHECKSUM : undefined;
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return 'mixes upper and lower case: write it in one';
  const isAnchor = bitcoinNetworks.some((network) => {
    try {
      return bitcoinCodecs[network].decode(text).type === 'p2a';
    } catch {
      return false;
    }
  });
  return isAnchor ? 'is of a kind that anybody can spend (pay to anchor)' : WRONG_CHECKSUM;
}

/** Of which family a text seems to be meant, where any would do. */
export function likelyFamily(text: string): AddressType {
  if (/^0x/i.test(text)) return 'evm';
  if (/^(bc|tb|bcrt)1/i.test(text)) return 'btc';
  return /^T.{33}$/.test(text) ? 'tron' : 'sol';
}
