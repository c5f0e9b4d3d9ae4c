// Goal: a text is an address only on its own family and network, in one form, and a mistyped one is none. Method:
// addresses of random keys made by the code that gives wallets theirs, published ones, and changes to both.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressOf } from '../../../activities/chains/key-address.ts';
import { bitcoinPrefixes } from '../../../domain/catalog/bitcoin-networks.ts';
import { canonicalAddress } from '../../../domain/payloads/canonical-address.ts';

const families = ['evm', 'sol', 'btc', 'tron'] as const;
const networks = ['mainnet', 'testnet', 'regtest'] as const;
const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter(secp256k1.utils.isValidSecretKey);
const wallets = fc
  .tuple(fc.constantFrom(...families), fc.constantFrom(...networks), secrets)
  .map(([family, network, secret]) => {
    const publicKey = secp256k1.getPublicKey(secret, true);
    const address = addressOf(family, family === 'sol' ? publicKey.subarray(1) : publicKey, network);
    return { family, network, address };
  });

test('the address of any wallet is itself on its own family and network, and none elsewhere', () => {
  fc.assert(
    fc.property(wallets, ({ family, network, address }) => {
      for (const other of families)
        expect(canonicalAddress(other, address, network)).toBe(other === family ? address : undefined);
      for (const other of networks)
        expect(canonicalAddress(family, address, other)).toBe(
          family !== 'btc' || other === network ? address : undefined,
        );
    }),
  );
});

test('one wrong character makes it none, where the form has a checksum', () => {
  const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  const changed = fc
    .tuple(wallets, fc.nat({ max: 41 }), fc.constantFrom(...letters.split('')))
    .map(([wallet, at, letter]) => {
      const { address } = wallet;
      const place = at % address.length;
      return { ...wallet, text: address.slice(0, place) + letter + address.slice(place + 1) };
    });
  fc.assert(
    fc.property(changed, ({ family, network, address, text }) => {
      fc.pre(text !== address && (family === 'btc' || family === 'tron'));
      expect(canonicalAddress(family, text, network)).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});

test('bech32 is that of the networks of the catalogue', () => {
  const program = 'qw508d6qejxtdg4y5r3zarvary0c5xw7k';
  const suffixes = { mainnet: 'v8f3t4', testnet: 'xpjzsx', regtest: 'ygt080' };
  for (const network of networks) {
    const address = `${bitcoinPrefixes[network]}1${program}${suffixes[network]}`;
    expect(canonicalAddress('btc', address, network)).toBe(address);
  }
});

describe('evm (EIP-55)', () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'; // of the EIP's examples
  test.each([
    ['its checksum', address, address],
    ['lower case', address.toLowerCase(), address],
    ['upper case', `0x${address.slice(2).toUpperCase()}`, address],
    ['a wrong checksum', address.replace('Aeb', 'aeb'), undefined],
    ['the zero address', `0x${'0'.repeat(40)}`, undefined],
    ['an upper-case prefix', address.replace('0x', '0X'), undefined],
    ['too long', `${address}0`, undefined],
    ['a line break', `${address}\n`, undefined],
  ])('%s', (_case, text, canonical) => expect(canonicalAddress('evm', text, 'mainnet')).toBe(canonical));
});

describe('sol', () => {
  const token = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
  test.each([
    ['a program', token, token],
    ['31 bytes', token.slice(0, -1), undefined],
    ['33 bytes', '1'.repeat(33), undefined],
    ['the key of all zeros', '1'.repeat(32), undefined],
    ['a letter that base58 has not', token.replace('k', 'l'), undefined],
    ['a very long text', '2'.repeat(100_000), undefined],
  ])('%s', (_case, text, canonical) => expect(canonicalAddress('sol', text, 'mainnet')).toBe(canonical));
});

describe('tron', () => {
  const tether = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
  test.each([
    ['a contract', tether, tether],
    ['its hex form', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', undefined],
    ['the account of all zeros', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', undefined],
    ['another prefix, with its checksum', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', undefined],
    ['a very long text', 'T'.repeat(100_000), undefined],
  ])('%s', (_case, text, canonical) => expect(canonicalAddress('tron', text, 'mainnet')).toBe(canonical));
});
