// Goal: the catalogue of assets is consistent in itself, every contract is written as its chain writes it, and ids stay
// for ever. Method: the seed, walked; published ids are written here a second time.
import { existsSync } from 'node:fs';
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { isAddress as isSolanaAddress } from '@solana/kit';
import { isAddress } from 'viem';
import { expect, test } from 'vitest';
import { assetSeed } from '../../../domain/catalog/assets.ts';
import { networkSeed } from '../../../domain/catalog/networks.ts';

const networkOf = (networkId: string) => {
  const network = networkSeed.find(({ id }) => id === networkId);
  if (network === undefined) throw new Error(`no network ${networkId}`);
  return network;
};
const keyOf = (row: (typeof assetSeed)[number]) => `${networkOf(row.networkId).internalCode} ${row.symbol}`;

test('every network has its native asset, in its own currency', () => {
  const natives = assetSeed.filter(({ isNative }) => isNative);
  expect(natives.map(keyOf).toSorted()).toEqual(
    networkSeed.map(({ internalCode, nativeCurrency }) => `${internalCode} ${nativeCurrency}`).toSorted(),
  );
  for (const native of natives) {
    const { addressType } = networkOf(native.networkId);
    expect(native.decimals).toBe({ evm: 18, btc: 8, sol: 9, tron: 6 }[addressType]);
    expect(native).toMatchObject({ assetType: 'native', contractAddress: null });
  }
});

test('no two assets share an id, or a symbol on one network', () => {
  for (const values of [assetSeed.map(({ id }) => id), assetSeed.map(keyOf)])
    expect(new Set(values).size).toBe(values.length);
});

test('a contract is written as its chain writes it: EIP-55, base58, base58check', () => {
  const valid = {
    evm: (text: string) => text !== text.toLowerCase() && isAddress(text, { strict: true }),
    sol: isSolanaAddress,
    tron: (text: string) => createBase58check(sha256).decode(text)[0] === 0x41,
    btc: () => false,
  };
  const tokens = assetSeed.filter(({ isNative }) => !isNative);
  expect(tokens.length).toBeGreaterThan(40);
  for (const { contractAddress, networkId, assetType } of tokens) {
    expect([contractAddress, valid[networkOf(networkId).addressType](contractAddress ?? '')]).toEqual([
      contractAddress,
      true,
    ]);
    expect(assetType).toBe('token');
  }
});

test('decimals: USDC and USDT have 6, but 18 on BNB; DAI has 18', () => {
  for (const row of assetSeed.filter(({ symbol }) => ['USDC', 'USDT', 'DAI'].includes(symbol))) {
    const expected = row.symbol === 'DAI' || networkOf(row.networkId).internalCode === 'BNB_MAINNET' ? 18 : 6;
    expect([keyOf(row), row.decimals]).toEqual([keyOf(row), expected]);
  }
});

test('the main networks have their stablecoins; the sandboxes a dollar of their own', () => {
  const symbolsOn = (code: string) =>
    assetSeed
      .filter((row) => !row.isNative && networkOf(row.networkId).internalCode === code)
      .map(({ symbol }) => symbol)
      .toSorted();
  for (const code of ['ETHEREUM', 'ARBITRUM', 'OPTIMISM', 'POLYGON'])
    expect([code, symbolsOn(`${code}_MAINNET`)]).toEqual([code, ['DAI', 'USDC', 'USDT']]);
  for (const code of ['BNB', 'AVALANCHE', 'SOL'])
    expect([code, symbolsOn(`${code}_MAINNET`)]).toEqual([code, ['USDC', 'USDT']]);
  expect(symbolsOn('BASE_MAINNET')).toEqual(['DAI', 'USDC']);
  expect(symbolsOn('TRON_MAINNET')).toEqual(['USDT']);
  for (const code of ['ETHEREUM', 'SOL']) expect(symbolsOn(`${code}_SANDBOX`)).toEqual(['USDC']);
  expect(symbolsOn('BTC_SANDBOX')).toEqual([]);
});

test('a logo that is named is there', () => {
  for (const { logoUrl } of assetSeed)
    if (logoUrl !== null) expect([logoUrl, existsSync(`src/catalog${logoUrl}`)]).toEqual([logoUrl, true]);
});

test('an id stays with its asset for ever', () => {
  const published = Object.fromEntries(assetSeed.map((row) => [keyOf(row), row.id]));
  expect(published).toMatchObject({
    'ETHEREUM_MAINNET ETH': 'dc9a61a1-7dd7-57ab-9984-2d445a89ea03',
    'ETHEREUM_MAINNET USDC': 'bfc0a64b-e218-5deb-9c64-4125afa39d1a',
    'ETHEREUM_MAINNET USDT': 'ca7a8706-b4b3-5225-95fc-d5c878bcd0b6',
    'ETHEREUM_MAINNET DAI': '47ea3be4-636a-53b9-bc92-37de780556e1',
  });
});
