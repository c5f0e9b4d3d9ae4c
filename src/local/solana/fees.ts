// What a transaction costs: a fixed fee for each signature, and what its compute budget instructions offer on top.
// Charges nothing: the SVM does.
import { getU32Decoder, getU64Decoder } from '@solana/kit';
import type { Message } from './message.ts';

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICROLAMPORTS = 1_000_000n;
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
/** Programs that are part of the runtime: each of their instructions is budgeted with less. */
const BUILTIN = new Set([
  COMPUTE_BUDGET,
  '11111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
]);
const BUILTIN_UNITS = 3_000n;
const PROGRAM_UNITS = 200_000n;
const MAX_UNITS = 1_400_000n;

const SET_UNIT_LIMIT = 2;
const SET_UNIT_PRICE = 3;

export function feeOf({ header, instructions, staticAccounts }: Message): bigint {
  let limit: bigint | undefined;
  let price = 0n;
  let budgeted = 0n;
  for (const { programAddressIndex, data } of instructions) {
    const program = staticAccounts[programAddressIndex] ?? '';
    budgeted += BUILTIN.has(program) ? BUILTIN_UNITS : PROGRAM_UNITS;
    if (program !== COMPUTE_BUDGET || data === undefined) continue;
    if (data[0] === SET_UNIT_LIMIT) limit = BigInt(getU32Decoder().decode(data, 1));
    if (data[0] === SET_UNIT_PRICE) price = getU64Decoder().decode(data, 1);
  }
  const wanted = limit ?? budgeted;
  const units = wanted < MAX_UNITS ? wanted : MAX_UNITS;
  const priority = (price * units + MICROLAMPORTS - 1n) / MICROLAMPORTS;
  return BigInt(header.numSignerAccounts) * LAMPORTS_PER_SIGNATURE + priority;
}
