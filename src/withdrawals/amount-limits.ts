// How little and how much of an asset one withdrawal may move. The upper bound catches amounts in the wrong unit
// (control A6): far above what anybody means, far below what a mistake of a few digits makes of it. Policies are where
// a workspace sets limits of its own.
import type { AssetRow } from '../../drizzle/networks/assets.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import { ApiError } from '../http/errors.ts';
import { type AmountWriter, inUnits } from './amounts-in-errors.ts';

/**
 * In satoshis: below it nodes do not relay an output of the oldest kind of address, which has the highest such limit.
 */
const BITCOIN_DUST = 546n;

/** Whole coins, each worth some tens of millions of dollars when this was written. */
const coinsMax: Readonly<Record<string, bigint>> = { BTC: 500n, ETH: 20_000n, BNB: 100_000n, SOL: 500_000n };
const DOLLARS_MAX = 100_000_000n;
const dollars = new Set(['USDC', 'USDT', 'DAI', 'XDAI', 'USD']);
/** Of everything else: the cheapest coins of the catalogue are worth a few cents. */
const OTHERS_MAX = 1_000_000_000n;

/** In the asset's unit; on every network the same. */
function wholeUnitsMax(symbol: string): bigint {
  const name = symbol.toUpperCase();
  return coinsMax[name] ?? (dollars.has(name) ? DOLLARS_MAX : OTHERS_MAX);
}

/** Base units. */
export const amountMinimumOf = (asset: AssetRow, network: NetworkRow): bigint =>
  network.addressType === 'btc' && asset.isNative ? BITCOIN_DUST : 1n;

/** Base units. */
export function assertAmountInBounds(asset: AssetRow, network: NetworkRow, amount: bigint): void {
  const minimum = amountMinimumOf(asset, network);
  if (amount < minimum) throw new ApiError('invalid_request', `amount must be at least ${inUnits(asset, minimum)}.`);
  assertAmountAtMost(asset, amount, 'amount', inUnits);
}

/** Base units. `name`: what the caller sent it as, and `write` in which unit. */
export function assertAmountAtMost(asset: AssetRow, amount: bigint, name: string, write: AmountWriter): void {
  const maximum = wholeUnitsMax(asset.symbol) * 10n ** BigInt(asset.decimals);
  if (amount > maximum)
    throw new ApiError(
      'invalid_request',
      `${name} must be at most ${write(asset, maximum)} in one withdrawal, and is ${write(asset, amount)}: check its unit.`,
    );
}
