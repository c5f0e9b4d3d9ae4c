// Goal: the fee that a payload allows is never taken for less than it is. Method: EVM transactions of each type written
// by viem, and Solana messages byte by byte.
import { base58 } from '@scure/base';
import { serializeTransaction, type TransactionSerializable } from 'viem';
import { describe, expect, test } from 'vitest';
import { readFee } from '../../../src/policies/read-fee.ts';

const to = `0x${'11'.repeat(20)}` as const;
const chain = { chainId: 1, nonce: 3, gas: 21_000n, to, value: 1n } as const;
const evm = (transaction: TransactionSerializable) =>
  readFee({ kind: 'evm_transaction', hex: serializeTransaction(transaction) });

describe('EVM: gas by the highest price', () => {
  const dynamic = { maxFeePerGas: 7n, maxPriorityFeePerGas: 5n };
  const authorization = {
    address: to,
    chainId: 1,
    nonce: 0,
    r: `0x${'01'.repeat(32)}`,
    s: `0x${'01'.repeat(32)}`,
  } as const;
  test.each<[TransactionSerializable, bigint]>([
    [{ ...chain, type: 'legacy', gasPrice: 3n }, 63_000n],
    [{ ...chain, type: 'eip2930', gasPrice: 3n }, 63_000n],
    [{ ...chain, type: 'eip1559', ...dynamic }, 147_000n],
    [{ ...chain, type: 'eip7702', ...dynamic, authorizationList: [{ ...authorization, yParity: 1 }] }, 147_000n],
    [
      { ...chain, type: 'eip4844', ...dynamic, maxFeePerBlobGas: 2n, blobVersionedHashes: [`0x01${'44'.repeat(31)}`] },
      147_000n + 2n * 131_072n,
    ],
    [{ ...chain, type: 'legacy' }, 0n],
  ])('$type', (transaction, feeBaseUnits) => {
    expect(evm(transaction).feeBaseUnits).toBe(feeBaseUnits);
  });

  test('what cannot be read has a fee that is not known', () => {
    expect(readFee({ kind: 'evm_transaction', hex: '0x02c0' })).toEqual({});
  });
});

const COMPUTE_BUDGET = base58.decode('ComputeBudget111111111111111111111111111111');
const ASSOCIATED_TOKEN = base58.decode('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
const OTHER = new Uint8Array(32).fill(9);
interface Written {
  program: Uint8Array;
  data: readonly number[];
}

function message(instructions: readonly Written[], signers = 1): string {
  const payers = Array.from({ length: signers }, (_, index) => new Uint8Array(32).fill(index + 1));
  const programs = [COMPUTE_BUDGET, ASSOCIATED_TOKEN, OTHER];
  const keys = [...payers, ...programs].flatMap((key) => [...key]);
  const written = instructions.flatMap(({ program, data }) => {
    const index = programs.indexOf(program);
    return [signers + index, 0, data.length, ...data];
  });
  const bytes = [signers, 0, programs.length, signers + programs.length, ...keys, ...new Uint8Array(32)];
  return `0x${Buffer.from([...bytes, instructions.length, ...written]).toString('hex')}`;
}
const littleEndian = (value: bigint, sizeBytes: number) =>
  Array.from({ length: sizeBytes }, (_, index) => Number((value >> BigInt(8 * index)) & 0xffn));
const price = (value: bigint) => ({ program: COMPUTE_BUDGET, data: [3, ...littleEndian(value, 8)] });
const limit = (units: bigint) => ({ program: COMPUTE_BUDGET, data: [2, ...littleEndian(units, 4)] });
const call = { program: OTHER, data: [1] };
const solana = (...written: Written[]) => readFee({ kind: 'solana_transaction', hex: message(written) });

describe('Solana: signatures, units by their price, and the rent of new token accounts', () => {
  test.each<[string, ReturnType<typeof solana>, bigint | undefined]>([
    ['a signature', solana(call), 5_000n],
    ['two signatures', readFee({ kind: 'solana_transaction', hex: message([call], 2) }), 10_000n],
    ['its own limit and price', solana(limit(300_000n), price(2_000_000n), call), 605_000n],
    ['a price without a limit: 200,000 units an instruction', solana(price(1_000_000n), call, call), 405_000n],
    ['no more units than a transaction may have', solana(limit(9_000_000n), price(1_000_000n), call), 1_405_000n],
    ['an absurd price', solana(limit(1_400_000n), price(2n ** 64n - 1n), call), 25_825_441_703_193_377_261n],
    ['an account', solana({ program: ASSOCIATED_TOKEN, data: [1] }), 2_079_080n],
    [
      'an older setting of the price',
      solana({ program: COMPUTE_BUDGET, data: [0, 0, 0, 0, 0, 9, 0, 0, 0] }),
      undefined,
    ],
  ])('%s', (_, { feeBaseUnits }, expected) => {
    expect(feeBaseUnits).toBe(expected);
  });
});

test('messages and typed data pay nothing; what a digest is of nobody knows', () => {
  expect(readFee({ kind: 'evm_message', hex: '0x48656c6c6f' })).toEqual({ feeBaseUnits: 0n });
  expect(readFee({ kind: 'evm_message', hex: `0x${'ab'.repeat(32)}` })).toEqual({});
  expect(readFee({ kind: 'raw_digest', hex: `0x${'ab'.repeat(32)}` })).toEqual({});
});
