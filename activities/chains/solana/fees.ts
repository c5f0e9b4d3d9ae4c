// What Solana's leaders were lately paid beyond the fixed fee, and the fee's numbers as a quote carries them.
import type { Address } from '@solana/kit';
import type { FeeLevel } from '../../../domain/withdrawals/fee-levels.ts';
import type { FeeQuote } from '../port/transactions.ts';
import { type AskSolana, SolanaNodeError } from './rpc.ts';

/** Millionths of a lamport for each compute unit. `share`: of the recent slots so many were to be had for less. */
const PRICES: Record<FeeLevel, { least: bigint; share: number }> = {
  low: { least: 1_000n, share: 0.5 },
  medium: { least: 10_000n, share: 0.75 },
  high: { least: 100_000n, share: 0.95 },
};
/** A node that lies about the market makes nobody pay more than 0.0009 SOL for a token transfer. */
const MOST = 10_000_000n;

/** Of transactions that write to these accounts. A node that does not tell leaves the least price of the level. */
export async function unitPrice(ask: AskSolana, level: FeeLevel, accounts: Address[]): Promise<bigint> {
  const { least, share } = PRICES[level];
  const paid = (await recentPrices(ask, accounts)).sort((a, b) => (a < b ? -1 : Number(a > b)));
  const seen = paid[Math.min(paid.length - 1, Math.floor(paid.length * share))] ?? 0n;
  const price = seen > least ? seen : least;
  return price < MOST ? price : MOST;
}

async function recentPrices(ask: AskSolana, accounts: Address[]): Promise<bigint[]> {
  try {
    const recent = await ask((rpc) => rpc.getRecentPrioritizationFees(accounts));
    return recent.map(({ prioritizationFee }) => prioritizationFee);
  } catch (error) {
    if (error instanceof SolanaNodeError) return [];
    throw error;
  }
}

export function readFee({ parameters }: FeeQuote): { units: number; microLamportsPerUnit: bigint; rent: bigint } {
  const { units, microLamportsPerUnit, rent } = parameters;
  if (units === undefined || microLamportsPerUnit === undefined || rent === undefined)
    throw new Error('The fee was not quoted for Solana.');
  return { units: Number(units), microLamportsPerUnit: BigInt(microLamportsPerUnit), rent: BigInt(rent) };
}
