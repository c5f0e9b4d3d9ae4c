// Reads what a payload lets its network take as a fee, as far as its bytes show it: the most that whoever sends the
// signed transaction can have its payer lose. Decides nothing.
import { type Hex, parseTransaction } from 'viem';
import { isDigest } from '../../domain/payloads/message-digest.ts';
import type { SigningContent } from '../../domain/signing/signing-content.ts';
import type { FeeBound } from '../../domain/withdrawals/fee-caps.ts';
import { type Instruction, readInstructions } from './solana-calls.ts';

/** `feeBaseUnits` is 0 for what is no transaction, and undefined where it is not known. */
export function readFee(payload: SigningContent['payload']): FeeBound {
  switch (payload.kind) {
    case 'evm_transaction':
      return readEvmFee(payload.hex as Hex);
    case 'solana_transaction':
      return readSolanaFee(Buffer.from(payload.hex.slice(2), 'hex'));
    case 'evm_typed_data':
      return noFee;
    case 'evm_message':
      return isDigest(payload.hex) ? {} : noFee;
    case 'raw_digest':
    case 'bitcoin_input':
      return {};
  }
}

const noFee = { feeBaseUnits: 0n };
/** EIP-4844. */
const GAS_PER_BLOB = 131_072n;

/** Without what a rollup charges for the chain below it: no transaction names that. */
function readEvmFee(unsigned: Hex): FeeBound {
  try {
    const transaction = parseTransaction(unsigned);
    const { gas = 0n, gasPrice, maxFeePerGas, maxFeePerBlobGas, blobVersionedHashes } = transaction;
    const price = maxFeePerGas ?? gasPrice ?? 0n;
    const blobGas = GAS_PER_BLOB * BigInt(blobVersionedHashes?.length ?? 0);
    return { price, feeBaseUnits: gas * price + blobGas * (maxFeePerBlobGas ?? 0n) };
  } catch {
    return {};
  }
}

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

function readSolanaFee(message: Uint8Array): FeeBound {
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
