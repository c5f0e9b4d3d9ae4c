// Fees as rows have them: what they are at most in base units of the native currency, and the chain's own numbers
// behind that, all as decimal text.
import type { FeeLevel } from '../withdrawals/fee-levels.ts';

export type LevelFee = { maxFee: string; parameters: Record<string, string> };

/** The quote that a transaction was built with. */
export type StoredQuote = LevelFee & { level: FeeLevel };

/** What a plain transfer of the native currency costs now. */
export type NetworkFees = Record<FeeLevel, LevelFee> & {
  /** RFC 3339. */
  quotedAt: string;
};
