// What a transaction of a withdrawal moves: the transfer or call that was asked for, or nothing, when it only takes the
// place of one.
import type { chainTransactionKinds } from '../../domain/statuses.ts';
import type { FeeLevel } from '../../domain/withdrawals/fee-levels.ts';
import type { WithdrawalContext } from '../../drizzle/withdrawals/withdrawal-context.ts';
import type { Call, Transfer } from '../chains/port/transactions.ts';

export type TransactionKind = (typeof chainTransactionKinds)[number];

export interface TransactionAttempt {
  withdrawalId: string;
  /** 0 for the first transaction, one more for each that takes its place. */
  ordinal: number;
  kind: TransactionKind;
  /** Of a speed-up; that of the request when absent. */
  feeLevel?: FeeLevel;
}

/** What is asked of whoever prepares it. */
export interface TransactionRequest extends TransactionAttempt {
  /** Its signing operations run under the ids that they are told; under bare ids when absent, as of before. */
  namesChildren?: boolean;
  /** The activity that prepares it goes on with it as far as that goes. Absent from those of a former version. */
  goesOnAtOnce?: boolean;
}

export function toSend({ withdrawal, contract }: WithdrawalContext, kind: TransactionKind): Transfer | Call {
  const { fromAddress: from, recipientAddress: to, amountBaseUnits: amount, decimals, call } = withdrawal;
  if (kind === 'drop' || kind === 'fill') return { from, to: from, asset: { contract: null, decimals }, amount: 0n };
  if (call === null) return { from, to, asset: { contract, decimals }, amount };
  const { data, accessList, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = call;
  return {
    from,
    to,
    // What a token's contract moves is in the data.
    value: contract === null ? amount : 0n,
    data,
    ...(accessList === undefined ? {} : { accessList }),
    ...(gasLimit === undefined ? {} : { gasLimit: BigInt(gasLimit) }),
    ...(maxFeePerGas === undefined ? {} : { maxFeePerGas: BigInt(maxFeePerGas) }),
    ...(maxPriorityFeePerGas === undefined ? {} : { maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) }),
  };
}

/** One that moves nothing: when it is included, the withdrawal has failed. */
export const movesNothing = (kind: TransactionKind): boolean => kind === 'drop' || kind === 'fill';
