// Goal: the catalogue of networks is consistent in itself, says of EVM chains what viem says, and keeps its ids for
// ever, since callers store them. Method: viem/chains as the maintained source; the published ids are written here a
// second time.
import { existsSync } from 'node:fs';
import type { Chain } from 'viem';
import * as chains from 'viem/chains';
import { describe, expect, test } from 'vitest';
import { networkSeed } from '../../../domain/catalog/networks.ts';

const unique = (values: readonly unknown[]) => expect(new Set(values).size).toBe(values.length);

test('no network shares an id, a code or a chain id with another', () => {
  unique(networkSeed.map(({ id }) => id));
  unique(networkSeed.map(({ internalCode }) => internalCode));
  unique(networkSeed.flatMap(({ chainId }) => (chainId === null ? [] : [chainId])));
});

test('curve, coin type and address agree', () => {
  const known = new Set(['secp256k1 60 evm', 'ed25519 501 sol', 'secp256k1 0 btc', 'secp256k1 195 tron']);
  for (const { curve, coinType, addressType, isEvm, chainId } of networkSeed) {
    expect(known).toContain(`${curve} ${coinType} ${addressType}`);
    expect(isEvm).toBe(addressType === 'evm');
    expect(chainId !== null).toBe(isEvm);
  }
});

describe('an EVM chain is the one of viem/chains', () => {
  // Some chains stand there twice, under an old name too.
  const known = (Object.values(chains) as Chain[]).filter(({ id }) => id !== undefined);
  const evm = networkSeed.filter(({ isEvm, internalCode }) => isEvm && internalCode !== 'ETHEREUM_SANDBOX');
  test.each(evm.map((network) => [network.internalCode, network] as const))('%s', (_code, network) => {
    const sameId = known.filter(({ id }) => id === network.chainId);
    const described = sameId.map(({ name, nativeCurrency }) => [name, nativeCurrency.symbol, nativeCurrency.decimals]);
    expect(described).toContainEqual([network.name, network.nativeCurrency, 18]);
    const chain = sameId.find(({ name }) => name === network.name);
    expect([network.internalCode, chain?.testnet ?? false]).toEqual([network.internalCode, network.isTestnet]);
  });
});

test('a code says what the network is', () => {
  for (const { internalCode, isTestnet } of networkSeed) {
    expect(internalCode).toMatch(/^[A-Z0-9]+(_[A-Z0-9]+)*_(MAINNET|TESTNET|DEVNET|SANDBOX)$/);
    expect([internalCode, internalCode.endsWith('_MAINNET')]).toEqual([internalCode, !isTestnet]);
  }
});

test('a logo that is named is there', () => {
  for (const { logoUrl } of networkSeed)
    if (logoUrl !== null) expect([logoUrl, existsSync(`src/catalog${logoUrl}`)]).toEqual([logoUrl, true]);
});

describe('an id stays with its network for ever', () => {
  test('those that were numbered', () => {
    const numbered = networkSeed.filter(({ id }) => id.startsWith('6e657477-6f72-4000-8000-'));
    expect(Object.fromEntries(numbered.map(({ id, internalCode }) => [internalCode, id.slice(24)]))).toEqual({
      ETHEREUM_SANDBOX: '000000000001',
      SOL_SANDBOX: '000000000002',
      BTC_SANDBOX: '000000000003',
      ETHEREUM_MAINNET: '000000000004',
      BASE_MAINNET: '000000000005',
      ETHER_SEPOLIA_TESTNET: '000000000006',
      SOL_MAINNET: '000000000007',
      SOL_DEVNET: '000000000008',
      BTC_MAINNET: '000000000009',
      ARBITRUM_MAINNET: '00000000000a',
      OPTIMISM_MAINNET: '00000000000b',
      POLYGON_MAINNET: '00000000000c',
      BNB_MAINNET: '00000000000d',
      AVALANCHE_MAINNET: '00000000000e',
      TRON_MAINNET: '00000000000f',
      BASE_SEPOLIA_TESTNET: '000000000010',
      ARBITRUM_SEPOLIA_TESTNET: '000000000011',
      OPTIMISM_SEPOLIA_TESTNET: '000000000012',
      POLYGON_AMOY_TESTNET: '000000000013',
      BNB_TESTNET: '000000000014',
      AVALANCHE_FUJI_TESTNET: '000000000015',
      BTC_TESTNET: '000000000016',
    });
    expect(numbered.filter(({ disabled }) => disabled)).toEqual([]);
  });

  test('the further ones: their chain id; disabled at first', () => {
    const further = networkSeed.filter(({ id }) => !id.startsWith('6e657477-6f72-4000-8000-'));
    expect(further.length).toBeGreaterThan(36);
    for (const { id, chainId, disabled } of further) {
      expect(id).toMatch(/^6e657477-6f72-4000-8001-[0-9a-f]{12}$/);
      expect(Number.parseInt(id.slice(24), 16)).toBe(chainId);
      expect(disabled).toBe(true);
    }
  });
});
