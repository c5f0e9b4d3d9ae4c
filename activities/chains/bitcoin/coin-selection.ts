// What it costs to spend given coins, and which coins to choose for an amount. Pure: the same arguments give the same
// answer, in whatever order the coins come. Knows no node and no scripts but their lengths.
import { ChainError } from '../port/chain-error.ts';
import type { Coin, ReservedCoin } from '../port/transactions.ts';

export interface Spend {
  /** In virtual bytes (BIP-141), with signatures of the greatest length. */
  vsize: number;
  fee: bigint;
  /** Back to where the coins lie; 0n when it would be dust and the fee takes it. */
  change: bigint;
}

/** Each input is a signature of the cluster; a standard transaction could hold some 1,400 (100,000 vB). */
export const INPUTS_MAX = 100;

/** P2WPKH: version byte, length, 20 bytes of hash. */
const CHANGE_SCRIPT_BYTES = 22;
/** P2WSH and P2TR. */
const LONGEST_SCRIPT_BYTES = 34;

// Weights (BIP-141), 4 to a virtual byte. Version, lock time, two counts below 253; the SegWit marker and flag.
const TRANSACTION_WEIGHT = 4 * (4 + 4 + 1 + 1) + 2;
// Outpoint, empty script, sequence; a witness of two items: DER with low s and its sighash byte (72), and a compressed
// key (33).
const INPUT_WEIGHT = 4 * (32 + 4 + 1 + 4) + (1 + 1 + 72 + 1 + 33);
const outputBytes = (scriptBytes: number): number => 8 + 1 + scriptBytes;

function vsizeOf(inputs: number, scripts: readonly number[]): number {
  const outputs = scripts.reduce((sum, scriptBytes) => sum + 4 * outputBytes(scriptBytes), 0);
  return Math.ceil((TRANSACTION_WEIGHT + inputs * INPUT_WEIGHT + outputs) / 4);
}

/** Two inputs, the amount and the change. */
export const typicalVsize = vsizeOf(2, [LONGEST_SCRIPT_BYTES, CHANGE_SCRIPT_BYTES]);

/**
 * Below this, nodes do not relay an output: three times what it costs to make and spend it at 1 sat/vB (Bitcoin Core's
 * GetDustThreshold).
 */
export function dustOf(scriptBytes: number, isWitness: boolean): bigint {
  return 3n * BigInt(outputBytes(scriptBytes) + (isWitness ? 67 : 148));
}
export const CHANGE_DUST = dustOf(CHANGE_SCRIPT_BYTES, true);

/** What the transaction is to pay others; nothing when all goes back. */
export interface Payment {
  amount: bigint;
  scriptBytes: number;
}

export interface Price {
  /** In sat/vB. */
  rate: bigint;
  /** The least fee in all, for what replaces another transaction. */
  feeMin: bigint;
}

/** All of `coins`, the payment to one output, the rest back. Undefined when they do not suffice at this price. */
export function planSpend(
  coins: readonly ReservedCoin[],
  payment: Payment | undefined,
  price: Price,
): Spend | undefined {
  const rest = sumOf(coins) - (payment?.amount ?? 0n);
  const scripts = payment === undefined ? [] : [payment.scriptBytes];
  const withChange = vsizeOf(coins.length, [...scripts, CHANGE_SCRIPT_BYTES]);
  const fee = feeOf(withChange, price);
  if (rest - fee >= CHANGE_DUST) return { vsize: withChange, fee, change: rest - fee };
  const vsize = vsizeOf(coins.length, scripts);
  const suffices = payment !== undefined && rest >= feeOf(vsize, price);
  return suffices ? { vsize, fee: rest, change: 0n } : undefined;
}

function feeOf(vsize: number, { rate, feeMin }: Price): bigint {
  const byRate = rate * BigInt(vsize);
  return byRate > feeMin ? byRate : feeMin;
}

/**
 * The largest coins first, as few as suffice: each coin is one more signature. Throws `ChainError` when they do not
 * suffice, or too many would be needed.
 */
export function selectCoins(coins: readonly Coin[], payment: Payment | undefined, price: Price): Coin[] {
  const sorted = coins.toSorted(byAmountDescending);
  for (let count = 1; count <= Math.min(sorted.length, INPUTS_MAX); count++) {
    const chosen = sorted.slice(0, count);
    if (planSpend(chosen, payment, price) !== undefined) return chosen;
  }
  const limit = sorted.length > INPUTS_MAX ? `, of which one transaction spends at most ${INPUTS_MAX}` : '';
  const amount = payment?.amount ?? 0n;
  throw new ChainError(
    `${sorted.length} coins of ${sumOf(sorted)} satoshis in all${limit} do not pay ${amount} satoshis and the fee at ${price.rate} sat/vB.`,
    'insufficient_funds',
    sorted.length < INPUTS_MAX ? missingOf(sorted, payment, price) : undefined,
  );
}

/** What one more coin must bring, with its own input paid. */
function missingOf(coins: readonly Coin[], payment: Payment | undefined, price: Price): bigint {
  const scripts = payment === undefined ? [CHANGE_SCRIPT_BYTES] : [payment.scriptBytes];
  return (payment?.amount ?? 0n) + feeOf(vsizeOf(coins.length + 1, scripts), price) - sumOf(coins);
}

const sumOf = (coins: readonly ReservedCoin[]): bigint => coins.reduce((sum, { amount }) => sum + amount, 0n);

function byAmountDescending(left: ReservedCoin, right: ReservedCoin): number {
  if (left.amount !== right.amount) return left.amount > right.amount ? -1 : 1;
  return compareOutpoints(left, right);
}

/** The order of inputs in BIP-69. */
export function compareOutpoints(left: ReservedCoin, right: ReservedCoin): number {
  if (left.txHash !== right.txHash) return left.txHash < right.txHash ? -1 : 1;
  return left.index - right.index;
}
