// The price of a Bitcoin transaction as a quote carries it, and what a replacement must offer. Asks no node.

import { type FeeLevel } from '../../../domain/withdrawals/fee-levels.ts';
import { ImpossibleTransfer } from '../port/chain-error.ts';
import type { FeeQuote } from '../port/transactions.ts';
import { CHANGE_DUST, type Price, type Spend, typicalVsize } from './coin-selection.ts';

/**
 * Without a plan it is a guess, to choose coins by. `parameters`: the rate in sat/vB, the size in vB and, with a plan,
 * the change in satoshis.
 */
export function quoteOf(level: FeeLevel, rate: bigint, plan?: Spend): FeeQuote {
  if (plan === undefined)
    return {
      level,
      maxFee: rate * BigInt(typicalVsize) + CHANGE_DUST,
      parameters: { rate: `${rate}`, vsize: `${typicalVsize}` },
    };
  const { fee, vsize, change } = plan;
  return { level, maxFee: fee, parameters: { rate: `${rate}`, vsize: `${vsize}`, change: `${change}` } };
}

/**
 * For the same coins. Nodes take what replaces another only at a higher rate, and when it pays the other's whole fee
 * and 1 sat/vB more for its own size (BIP-125, rules 3 and 4): `feeMin` holds for a drop too, which is smaller and at
 * the same rate would pay less.
 */
export function raiseBitcoinFee({ level, maxFee, parameters }: FeeQuote, percent: number): FeeQuote {
  if (!Number.isSafeInteger(percent) || percent < 1)
    throw new Error('a replacement pays at least 1 whole percent more');
  const vsize = BigInt(parameters['vsize'] ?? typicalVsize);
  const byPercent = dividedUp(maxFee * BigInt(100 + percent), 100n);
  const least = maxFee + vsize;
  const rate = dividedUp(byPercent > least ? byPercent : least, vsize);
  const feeMin = rate * vsize;
  const held = BigInt(parameters['change'] ?? 0);
  const change = held - (feeMin - maxFee);
  const isDust = change >= 0n && change < CHANGE_DUST; // then it goes to the fee
  const numbers = { rate, vsize, change: change >= CHANGE_DUST ? change : 0n, feeMin };
  const texts = Object.entries(numbers).map(([name, number]) => [name, String(number)]);
  return { level, maxFee: isDust ? maxFee + held : feeMin, parameters: Object.fromEntries(texts) };
}

export function priceOf({ parameters }: FeeQuote): Price {
  const rate = BigInt(parameters['rate'] ?? 0);
  if (rate <= 0n) throw new ImpossibleTransfer('The quote has no fee rate.');
  return { rate, feeMin: BigInt(parameters['feeMin'] ?? 0) };
}

/** Rounded up. */
const dividedUp = (amount: bigint, by: bigint) => (amount + by - 1n) / by;
