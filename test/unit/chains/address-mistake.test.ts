// Goal: each cause for which a text is no address is told in words of its own, and never for what is one. Method: one
// text of each cause, on each family; random texts, which always get a sentence.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AddressPlace, addressMistake, likelyFamily } from '../../../domain/payloads/address-mistake.ts';
import { canonicalAddress } from '../../../domain/payloads/canonical-address.ts';

const places = {
  evm: { addressType: 'evm', bitcoinNetwork: 'testnet', name: 'ETHEREUM_MAINNET' },
  sol: { addressType: 'sol', bitcoinNetwork: 'testnet', name: 'SOL_MAINNET' },
  btc: { addressType: 'btc', bitcoinNetwork: 'mainnet', name: 'BTC_MAINNET' },
  tron: { addressType: 'tron', bitcoinNetwork: 'testnet', name: 'TRON_MAINNET' },
} as const satisfies Record<string, AddressPlace>;

const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const sol = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const btc = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

test.each([
  ['evm', evm.replace('Aeb', 'aeb'), /^has a checksum that does not fit \(EIP-55\)/],
  ['evm', `0x${'0'.repeat(40)}`, /^is the address of all zeros/],
  ['evm', sol, /^is an address of Solana, and none of ETHEREUM_MAINNET$/],
  ['evm', btc, /^is an address of Bitcoin, and none of ETHEREUM_MAINNET$/],
  ['evm', tron, /^is an address of Tron, and none of ETHEREUM_MAINNET$/],
  ['evm', evm.slice(0, -1), /^has 39 hex digits after 0x, and an address has 40$/],
  ['evm', `${evm}0`, /^has 41 hex digits/],
  ['evm', evm.slice(2), /^lacks the 0x/],
  ['evm', evm.replace('0x', '0X'), /^begins with 0X/],
  ['evm', 'vitalik.eth', /^is not 0x and 40 hex digits$/],
  ['sol', '1'.repeat(32), /^is the address of all zeros/],
  ['sol', evm, /^is an address of EVM networks, and none of SOL_MAINNET$/],
  ['sol', sol.slice(0, -1), /^is 31 bytes in base58, and an address of Solana is 32$/],
  ['sol', sol.replace('k', 'l'), /^has the character "l", which base58 does not have$/],
  ['sol', '2'.repeat(100_000), /^is longer than any address/],
  ['btc', btc.replace('w508', 'w509'), /^has a checksum that does not fit/],
  ['btc', btc.replace('bc1q', 'bc1Q'), /^mixes upper and lower case/],
  [
    'btc',
    'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    /^is an address of Bitcoin on a test network, and none of BTC_MAINNET$/,
  ],
  ['btc', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3', /^has a checksum that does not fit/],
  ['btc', 'bc1pfeessrawgf', /^is of a kind that anybody can spend/],
  ['btc', evm, /^is an address of EVM networks/],
  ['btc', 'satoshi', /^is no address of BTC_MAINNET$/],
  ['tron', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', /^is in the hex form of Tron/],
  ['tron', tron.replace('NH', 'NG'), /^has a checksum that does not fit/],
  ['tron', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', /^is the address of all zeros/],
  ['tron', evm, /^is an address of EVM networks/],
] as const)('%s: %s', (family, text, said) => {
  expect(canonicalAddress(family, text, places[family].bitcoinNetwork)).toBeUndefined();
  expect(addressMistake(places[family], text)).toMatch(said);
});

test('a text without a place is taken for what it looks like', () => {
  expect([evm, sol, btc, tron, 'nonsense'].map(likelyFamily)).toEqual(['evm', 'sol', 'btc', 'tron', 'sol']);
});

test('any other text gets a clause too', () => {
  fc.assert(
    fc.property(fc.constantFrom('evm', 'sol', 'btc', 'tron'), fc.string({ unit: 'binary' }), (family, text) => {
      expect(addressMistake(places[family], text)).toMatch(/^[a-z]/);
    }),
  );
});
