// Holds the fee of a withdrawal's transaction to what its caller allows (max_fee), to what the policy judged, and to
// the operator's cap of the network. Asks no chain and stores nothing.
import { ApplicationFailure } from '@temporalio/common';
import { aboveFeeCap, type FeeCapSettings } from '../../domain/withdrawals/fee-caps.ts';
import type { WithdrawalContext } from '../../drizzle/withdrawals/withdrawal-context.ts';
import type { FeeQuote } from '../chains/port/transactions.ts';
import type { TransactionAttempt } from './withdrawal-transfer.ts';

/** The price that a quote offers, in the unit of its chain: of gas, of a virtual byte or of a compute unit. */
export function priceOf({ parameters }: FeeQuote): bigint {
  const { maxFeePerGas, gasPrice, rate, microLamportsPerUnit } = parameters;
  return BigInt(maxFeePerGas ?? gasPrice ?? rate ?? microLamportsPerUnit ?? 0);
}

/**
 * What the caller does not allow fails for good. What is above what the policy judged, or above the operator's cap, is
 * tried again, for a market calms down; but a speed-up or a drop is not made, since what is out may land while it
 * waited. A nonce filler is held to the cap alone: it frees the wallet, and moves nothing.
 */
export function assertWithinLimits(
  { withdrawal, network }: Pick<WithdrawalContext, 'withdrawal' | 'network'>,
  { kind }: TransactionAttempt,
  quote: FeeQuote,
  feeCaps: FeeCapSettings | undefined,
): void {
  const { maxFeeBaseUnits } = withdrawal;
  if (kind !== 'fill' && maxFeeBaseUnits !== null && quote.maxFee > maxFeeBaseUnits)
    throw ApplicationFailure.nonRetryable(
      `the fee of up to ${quote.maxFee} base units is above the max_fee of ${maxFeeBaseUnits}`,
      FEE_ABOVE_LIMIT,
    );
  const exceeded = aboveFeeCap(network, { feeBaseUnits: quote.maxFee, price: priceOf(quote) }, feeCaps);
  const reason = exceeded === undefined ? aboveBound(withdrawal, kind, quote) : `${exceeded} (FEE_CAPS)`;
  if (reason === undefined) return;
  const isReplacement = kind === 'speed_up' || kind === 'drop';
  throw isReplacement
    ? ApplicationFailure.nonRetryable(reason, FEE_ABOVE_LIMIT)
    : ApplicationFailure.retryable(reason, FEE_ABOVE_LIMIT);
}

/** Undefined when it is not: also for one of before there were bounds. */
function aboveBound(
  { feeBoundBaseUnits: bound }: Pick<WithdrawalContext['withdrawal'], 'feeBoundBaseUnits'>,
  kind: TransactionAttempt['kind'],
  { maxFee }: FeeQuote,
): string | undefined {
  if (kind === 'fill' || bound === null || maxFee <= bound) return undefined;
  return `the fee of up to ${maxFee} base units is above the ${bound} that the policy judged: it waits for a lower one, or cancel it and ask again with a max_fee`;
}

const FEE_ABOVE_LIMIT = 'fee_above_limit';
