// Reads bytes as an unsigned EVM transaction, as strictly as a network does: exactly one, of a known type, in the one
// way that it is written.
import { parseTransaction, serializeTransaction, type TransactionSerializable } from 'viem';

export interface EvmTransaction {
  type: 'legacy' | 'eip2930' | 'eip1559' | 'eip4844' | 'eip7702';
  /** Undefined before EIP-155: valid on every chain. */
  chainId: number | undefined;
  nonce: number;
  to: string | null | undefined;
  value: bigint;
  data: `0x${string}`;
}

const UINT64_MAX = 2n ** 64n - 1n;
const UINT256_MAX = 2n ** 256n - 1n;

/** Undefined for anything else, one that is signed already among them. */
export function readEvmBytes(unsigned: `0x${string}`): EvmTransaction | undefined {
  const transaction = parse(unsigned);
  if (transaction === undefined || !fits(transaction)) return undefined;
  const { chainId, nonce = 0, to, value = 0n, data = '0x', type } = transaction;
  return { type: type as EvmTransaction['type'], chainId, nonce, to, value, data };
}

function parse(unsigned: `0x${string}`): TransactionSerializable | undefined {
  try {
    const transaction = parseTransaction(unsigned);
    return 'r' in transaction || serializeTransaction(transaction) !== unsigned ? undefined : transaction;
  } catch {
    return undefined;
  }
}

function fits({ gas = 0n, value = 0n, gasPrice = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n }: Numbers): boolean {
  return gas <= UINT64_MAX && [value, gasPrice, maxFeePerGas, maxPriorityFeePerGas].every((one) => one <= UINT256_MAX);
}

type Numbers = {
  [name in 'gas' | 'value' | 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas']?: bigint | undefined;
};
