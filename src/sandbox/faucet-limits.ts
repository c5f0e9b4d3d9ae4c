// How much the faucet pays at once. Pays nothing itself.

import { AmountError, parseAmount } from '../../domain/money.ts';
import type { AssetRow } from '../../drizzle/networks/assets.ts';
import { ApiError } from '../http/errors.ts';

/**
 * By symbol, in the asset's unit. Less would not pay for itself on its chain (dust on Bitcoin, the rent of an account
 * on Solana).
 */
const limits: Readonly<Record<string, { least: string; most: string }>> = {
  ETH: { least: '0.000000000000000001', most: '100' },
  SOL: { least: '0.001', most: '1000' },
  BTC: { least: '0.00001', most: '10' },
  USDC: { least: '0.000001', most: '1000000' },
};

/** Base units. Throws 400 for an amount outside of the limits, and for an asset without any. */
export function readFaucetAmount(text: string, { symbol, decimals }: AssetRow): bigint {
  const limit = limits[symbol];
  if (limit === undefined) throw new ApiError('invalid_request', `The faucet has no ${symbol}.`);
  try {
    const amount = parseAmount(text, decimals);
    if (amount >= parseAmount(limit.least, decimals) && amount <= parseAmount(limit.most, decimals)) return amount;
  } catch (error) {
    if (error instanceof AmountError) throw new ApiError('invalid_request', error.message);
    throw error;
  }
  throw new ApiError('invalid_request', `The faucet pays from ${limit.least} to ${limit.most} ${symbol} at once.`);
}
