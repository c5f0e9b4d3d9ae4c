// Goal: every contract of the catalogue is the token it is said to be; a wrong one would send money into the void.
// Method: each is looked for in lists that others maintain (Circle's own for USDC); Solana's mints have no checksum, so
// only the comparison can find a wrong letter in them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { assetSeed } from '../../domain/catalog/assets.ts';
import { networkSeed } from '../../domain/catalog/networks.ts';

interface Listed {
  network: string;
  symbol: string;
  decimals?: number;
  contract_address: string;
}

const { lists } = JSON.parse(readFileSync(new URL('token-lists.json', import.meta.url), 'utf8')) as {
  lists: { source: string; tokens: Listed[] }[];
};
const [circle, ...others] = lists;

/**
 * No list that we could take from covers Tron (test/conformance/addresses.test.ts), and none the sandbox's own
 * (test/integration/local/sandbox-tokens.test.ts).
 */
const checkedElsewhere = new Set(['TRON_MAINNET', 'ETHEREUM_SANDBOX', 'SOL_SANDBOX']);

/** Hex has no case of its own; base58 has. */
const same = (one: string, other: string) =>
  one === other || (one.startsWith('0x') && one.toLowerCase() === other.toLowerCase());

const tokens = assetSeed.flatMap((asset) => {
  const network = networkSeed.find(({ id }) => id === asset.networkId)?.internalCode ?? '';
  return asset.isNative || checkedElsewhere.has(network) ? [] : [{ ...asset, network }];
});

test.each(tokens.map((token) => [token.network, token.symbol, token] as const))('%s %s', (network, symbol, token) => {
  const isCircles = symbol === 'USDC' && network !== 'BNB_MAINNET';
  const candidates = isCircles ? (circle?.tokens ?? []) : lists.flatMap((list) => list.tokens);
  const found = candidates.filter(
    (listed) => listed.network === network && same(listed.contract_address, token.contractAddress ?? ''),
  );
  expect(found).not.toEqual([]);
  // USD₮0 and "DAI (PoS)" are how the lists tell variants apart.
  for (const { symbol: listed, decimals } of found) {
    expect(listed.replace('₮', 'T').toUpperCase()).toContain(symbol);
    expect(decimals ?? token.decimals).toBe(token.decimals);
  }
});

test('where two lists have a token of Circle, they agree', () => {
  const usdc = (circle?.tokens ?? []).filter(({ symbol }) => symbol === 'USDC');
  const confirmed = usdc.filter(({ network, contract_address }) =>
    others
      .flatMap(({ tokens: listed }) => listed)
      .some((listed) => listed.network === network && same(listed.contract_address, contract_address)),
  );
  expect(confirmed.length).toBeGreaterThan(9);
});
