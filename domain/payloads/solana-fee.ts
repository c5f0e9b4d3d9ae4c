// Reads what a Solana message lets the network take as a fee, with the rent of the token accounts that it makes: the
// most that its payer can lose beside what it moves.
import type { FeeBound } from '../withdrawals/fee-caps.ts';
import { type Instruction, readInstructions } from './solana-instructions.ts';

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const [HEAP_FRAME, UNIT_LIMIT, UNIT_PRICE, DATA_SIZE_LIMIT] = [1, 2, 3, 4];
/** Of a message that sets no limit of its own, and the most that any may set. */
const UNITS_PER_INSTRUCTION = 200_000n;
const UNITS_MAX = 1_400_000n;
const LAMPORTS_PER_SIGNATURE = 5_000n;
const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
/** Lamports that a token account must hold, with the extension that every associated one of the newer program has. */
const ACCOUNT_RENT = 2_074_080n;
const MICROLAMPORTS = 1_000_000n;
const VERSION_0 = 0x80;

/** Without a fee where the runtime would refuse the message whole. */
export function readSolanaFee(message: Uint8Array): FeeBound {
  const instructions = readInstructions(message);
  const budget = instructions.filter(({ program }) => program === COMPUTE_BUDGET).map(({ data }) => readSetting(data));
  // What the runtime would refuse whole is not guessed at.
  if (budget.includes(undefined)) return {};
  const valueOf = (kind: number) => budget.find((setting) => setting?.kind === kind)?.value;
  const usual = UNITS_PER_INSTRUCTION * BigInt(instructions.length - budget.length);
  const units = valueOf(UNIT_LIMIT) ?? usual;
  const price = valueOf(UNIT_PRICE) ?? 0n;
  const signatures = BigInt((message[0] === VERSION_0 ? message[1] : message[0]) ?? 0);
  const priority = (price * (units < UNITS_MAX ? units : UNITS_MAX) + MICROLAMPORTS - 1n) / MICROLAMPORTS;
  const rent = ACCOUNT_RENT * BigInt(instructions.filter(makesAccount).length);
  return { price, feeBaseUnits: LAMPORTS_PER_SIGNATURE * signatures + priority + rent };
}

/** Who pays the fee may also pay for a recipient's new token account. */
const makesAccount = ({ program, data }: Instruction) => program === ASSOCIATED_TOKEN && (data[0] ?? 0) <= 1;

function readSetting(data: Uint8Array): { kind: number; value: bigint } | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const kind = data[0];
  if (kind === UNIT_PRICE) return data.length === 9 ? { kind, value: view.getBigUint64(1, true) } : undefined;
  if (kind !== UNIT_LIMIT && kind !== HEAP_FRAME && kind !== DATA_SIZE_LIMIT) return undefined;
  return data.length === 5 ? { kind, value: BigInt(view.getUint32(1, true)) } : undefined;
}
