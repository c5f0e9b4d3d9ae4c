// Goal: the catalogue is consistent in itself and keeps its ids for ever, since callers store them. Method: the published ids are written here a second time.
import { expect, test } from 'vitest';
import { networkSeed } from '../../../drizzle/networks.seed.ts';

test('no network shares an id, a code or a chain id with another', () => {
  const unique = (values: readonly unknown[]) => expect(new Set(values).size).toBe(values.length);
  unique(networkSeed.map(({ id }) => id));
  unique(networkSeed.map(({ internalCode }) => internalCode));
  unique(networkSeed.flatMap(({ chainId }) => (chainId === null ? [] : [chainId])));
});

test('curve, coin type and address agree', () => {
  const known = new Set([
    'secp256k1 60 evm',
    'ed25519 501 sol',
    'secp256k1 0 btc',
    'secp256k1 195 tron',
    'secp256k1 1 btc',
  ]);
  for (const { curve, coinType, addressType, isEvm, chainId } of networkSeed) {
    expect(known).toContain(`${curve} ${coinType} ${addressType}`);
    expect(isEvm).toBe(addressType === 'evm');
    expect(chainId !== null).toBe(isEvm);
  }
});

test('an id stays with its network for ever', () => {
  const published = Object.fromEntries(networkSeed.map(({ id, internalCode }) => [internalCode, id.slice(-2)]));
  expect(published).toMatchObject({
    ETHEREUM_SANDBOX: '01',
    SOL_SANDBOX: '02',
    BTC_SANDBOX: '03',
    ETHEREUM_MAINNET: '04',
    BASE_MAINNET: '05',
    ETHER_SEPOLIA_TESTNET: '06',
    SOL_MAINNET: '07',
    SOL_DEVNET: '08',
    BTC_MAINNET: '09',
  });
});
