// Reads from Solana's refusals whether the payer lacks funds. Knows only transactions as they are made here.
import {
  isSolanaError,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT,
} from '@solana/kit';

/**
 * The same number in the programs for SOL, tokens and associated accounts: SystemError::ResultWithNegativeLamports,
 * TokenError::InsufficientFunds.
 */
const INSUFFICIENT_FUNDS = 1;
const PAYER_INDEX = 0;

/** Also of a payer who would keep less than the rent of an account, but not all. */
export function lacksFunds(refusal: unknown): boolean {
  if (isSolanaError(refusal, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM))
    return refusal.context.code === INSUFFICIENT_FUNDS;
  if (isSolanaError(refusal, SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT))
    return refusal.context.accountIndex === PAYER_INDEX;
  return (
    isSolanaError(refusal, SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE) ||
    isSolanaError(refusal, SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND)
  );
}

/** The recipient has nothing, and would have less than the rent of an account. */
export function isBelowRent(refusal: unknown): boolean {
  return isSolanaError(refusal, SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT) && !lacksFunds(refusal);
}
