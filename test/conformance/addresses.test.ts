// Goal: a public key has the address that its chain's own rules and libraries give it; a wrong one would lose deposits.
// Method: published vectors first, then random keys against viem, @scure/btc-signer and @solana/kit.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { getAddress, NETWORK, TEST_NETWORK } from '@scure/btc-signer';
import { getAddressDecoder } from '@solana/kit';
import { bytesToHex, hexToBytes } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { addressOf } from '../../activities/chains/key-address.ts';
import { bitcoinNetworkOf } from '../../domain/catalog/bitcoin-networks.ts';
import { networkSeed } from '../../domain/catalog/networks.ts';
import { onBitcoinNetwork } from '../../src/wallets/bitcoin-address.ts';

const publicOf = (secret: string) => secp256k1.getPublicKey(hexToBytes(`0x${secret}`));
const bytes = (hex: string) => hexToBytes(`0x${hex}`);
const randomSecrets = Array.from({ length: 20 }, () => secp256k1.utils.randomSecretKey());
const bitcoins = {
  mainnet: NETWORK,
  testnet: TEST_NETWORK,
  regtest: { ...TEST_NETWORK, bech32: 'bcrt' },
} as const;
const bitcoinNetworks = ['mainnet', 'testnet', 'regtest'] as const;

describe('EVM', () => {
  // The first development accounts of Hardhat and Anvil, and the generator point's.
  test.each([
    ['ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    ['59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
    ['0000000000000000000000000000000000000000000000000000000000000001', '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'],
  ])('published: %s', (secret, address) => {
    expect(addressOf('evm', publicOf(secret), 'mainnet')).toBe(address);
  });

  test('random keys, by viem', () => {
    for (const secret of randomSecrets)
      expect(addressOf('evm', secp256k1.getPublicKey(secret), 'mainnet')).toBe(privateKeyToAddress(bytesToHex(secret)));
  });
});

describe('Bitcoin', () => {
  const generator = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
  test.each([
    ['BIP-173 on mainnet', generator, 'mainnet', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['BIP-173 on testnet', generator, 'testnet', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
    [
      'BIP-84, first receiving address',
      '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
      'mainnet',
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    ],
  ] as const)('%s', (_name, publicKey, network, address) => {
    expect(addressOf('btc', bytes(publicKey), network)).toBe(address);
  });

  test.each(bitcoinNetworks)('random keys on %s, by @scure/btc-signer', (network) => {
    for (const secret of randomSecrets)
      expect(addressOf('btc', secp256k1.getPublicKey(secret), network)).toBe(
        getAddress('wpkh', secret, bitcoins[network]),
      );
  });

  test('from any network to any other: the address that the same key has there', () => {
    for (const secret of randomSecrets)
      for (const from of bitcoinNetworks)
        for (const to of bitcoinNetworks)
          expect(onBitcoinNetwork(getAddress('wpkh', secret, bitcoins[from]), to)).toBe(
            getAddress('wpkh', secret, bitcoins[to]),
          );
  });

  test.each([
    ['a taproot address (BIP-350)', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
    ['a wrong checksum (BIP-173)', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
    ['mixed case (BIP-173)', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsX'],
    ['an address that is none of Bitcoin', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
  ])('%s is not carried over', (_name, address) => {
    expect(() => onBitcoinNetwork(address, 'mainnet')).toThrow();
  });

  test('each Bitcoin of the catalogue is one of its own', () => {
    const codes = networkSeed
      .filter(({ addressType }) => addressType === 'btc')
      .map(({ internalCode }) => internalCode);
    expect(codes).toHaveLength(3);
    expect(new Set(codes.map(bitcoinNetworkOf)).size).toBe(3);
  });
});

describe('Tron', () => {
  // Trust Wallet Core's test of the chain; and the contract of USDT, in Tron's own two notations.
  test('published: a private key', () => {
    const secret = '2d8f68944bdbfbc0769542fba8fc2d2a3de67393334471624364c7006da2aa54';
    expect(addressOf('tron', publicOf(secret), 'mainnet')).toBe('TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC');
  });

  test('published: hex and base58check of one address', () => {
    const decoded = createBase58check(sha256).decode('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t');
    expect(bytesToHex(decoded)).toBe('0x41a614f803b6fd780986a42c78ec9c7f77e6ded13c');
  });

  test('random keys: 0x41 and the 20 bytes of viem', () => {
    for (const secret of randomSecrets) {
      const decoded = createBase58check(sha256).decode(addressOf('tron', secp256k1.getPublicKey(secret), 'mainnet'));
      expect(bytesToHex(decoded)).toBe(`0x41${privateKeyToAddress(bytesToHex(secret)).slice(2).toLowerCase()}`);
    }
  });
});

describe('Solana', () => {
  test('published: the system program is 32 zero bytes', () => {
    expect(addressOf('sol', new Uint8Array(32), 'mainnet')).toBe('1'.repeat(32));
  });

  test('random keys, by @solana/kit', () => {
    const decoder = getAddressDecoder();
    for (const secret of randomSecrets) expect(addressOf('sol', secret, 'mainnet')).toBe(decoder.decode(secret));
  });

  test('a key of another curve has no address', () => {
    expect(() => addressOf('sol', publicOf('01'.repeat(32)), 'mainnet')).toThrow(/32-byte/);
  });
});
