// Turns what a chain says went wrong into a failure that Temporal retries or not. Its `type` is a code of ours, its
// message one plain sentence.
import { ApplicationFailure } from '@temporalio/common';
import { InsufficientFunds } from '../../drizzle/ledger/ledger.ts';
import { BrokenSealError } from '../../drizzle/seals/seals.ts';
import { asSealFailure } from '../mpc/cluster-failure.ts';
import type { Chains } from './connect-chains.ts';
import type { Chain } from './port/chain.ts';
import { ChainError, ImpossibleTransfer } from './port/chain-error.ts';

export function asChainFailure(error: unknown): unknown {
  if (error instanceof BrokenSealError) return asSealFailure(error);
  if (error instanceof ImpossibleTransfer) return ApplicationFailure.nonRetryable(error.message, 'impossible_transfer');
  if (error instanceof InsufficientFunds)
    return ApplicationFailure.retryable('the wallet lacks the fee of the transaction', 'insufficient_funds');
  if (error instanceof ChainError && error.code === 'insufficient_funds')
    return ApplicationFailure.retryable(error.message, 'insufficient_funds', ...toDetails(error.missing));
  if (error instanceof ChainError) return ApplicationFailure.retryable(error.message, 'dependency_unavailable');
  return error;
}

const toDetails = (missing: bigint | undefined) => (missing === undefined ? [] : [{ missing: `${missing}` }]);

/** How much of the native currency a chain said that it lacks, in base units. */
export function missingIn({ details }: ApplicationFailure): bigint | undefined {
  const [known] = (details ?? []) as { missing?: string }[];
  return known?.missing === undefined ? undefined : BigInt(known.missing);
}

export const lacksFunds = (failure: unknown): failure is ApplicationFailure =>
  failure instanceof ApplicationFailure && failure.type === 'insufficient_funds';

export const isRetried = (failure: unknown): failure is ApplicationFailure =>
  failure instanceof ApplicationFailure && failure.nonRetryable !== true;

/** A network may get its node later, by configuration: until then it is waited for. */
export function requireChain(chains: Chains, networkCode: string): Chain {
  const chain = chains.find(networkCode);
  if (chain === undefined)
    throw ApplicationFailure.retryable(`no node of ${networkCode} is configured here`, 'dependency_unavailable');
  return chain;
}
