// What it costs to spend given coins, and which coins to choose for an amount. Pure: the same arguments give the same answer, in whatever order the
// coins come. Knows no node and no scripts but their lengths.
import type { Coin } from './chain.ts';

/** This transfer cannot be made from these coins, however often it is tried. */
export class UnspendableError extends Error {
  override name = 'UnspendableError';
}

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
// Outpoint, empty script, sequence; a witness of two items: DER with low s and its sighash byte (72), and a compressed key (33).
const INPUT_WEIGHT = 4 * (32 + 4 + 1 + 4) + (1 + 1 + 72 + 1 + 33);
const outputBytes = (scriptBytes: number): number => 8 + 1 + scriptBytes;

function vsizeOf(inputs: number, scripts: readonly number[]): number {
  const outputs = scripts.reduce((sum, scriptBytes) => sum + 4 * outputBytes(scriptBytes), 0);
  return Math.ceil((TRANSACTION_WEIGHT + inputs * INPUT_WEIGHT + outputs) / 4);
}

/** Two inputs, the amount and the change. */
export const typicalVsize = vsizeOf(2, [LONGEST_SCRIPT_BYTES, CHANGE_SCRIPT_BYTES]);

/** Below this, nodes do not relay an output: three times what it costs to make and spend it at 1 sat/vB (Bitcoin Core's GetDustThreshold). */
export function dustOf(scriptBytes: number, isWitness: boolean): bigint {
  return 3n * BigInt(outputBytes(scriptBytes) + (isWitness ? 67 : 148));
}
export const CHANGE_DUST = dustOf(CHANGE_SCRIPT_BYTES, true);

/** All of `coins`, `amount` to one output, the rest back. Undefined when they do not suffice at this rate (sat/vB). */
export function planSpend(
  coins: readonly Coin[],
  amount: bigint,
  rate: bigint,
  scriptBytes: number,
): Spend | undefined {
  const held = coins.reduce((sum, coin) => sum + coin.amount, 0n);
  const withChange = vsizeOf(coins.length, [scriptBytes, CHANGE_SCRIPT_BYTES]);
  const change = held - amount - rate * BigInt(withChange);
  if (change >= CHANGE_DUST) return { vsize: withChange, fee: held - amount - change, change };
  const vsize = vsizeOf(coins.length, [scriptBytes]);
  const fee = held - amount;
  return fee >= rate * BigInt(vsize) ? { vsize, fee, change: 0n } : undefined;
}

/**
 * The largest coins first, as few as suffice for `amount` at `rate` (sat/vB) whatever standard address it goes to: each coin is one more signature.
 * Throws `UnspendableError` when they do not suffice, or too many would be needed.
 */
export function selectCoins(coins: readonly Coin[], amount: bigint, rate: bigint): Coin[] {
  const sorted = coins.toSorted(byAmountDescending);
  for (let count = 1; count <= Math.min(sorted.length, INPUTS_MAX); count++) {
    const chosen = sorted.slice(0, count);
    if (planSpend(chosen, amount, rate, LONGEST_SCRIPT_BYTES) !== undefined) return chosen;
  }
  const held = sorted.reduce((sum, coin) => sum + coin.amount, 0n);
  const limit = sorted.length > INPUTS_MAX ? `, of which one transaction spends at most ${INPUTS_MAX}` : '';
  throw new UnspendableError(
    `${sorted.length} coins of ${held} satoshis in all${limit} do not pay ${amount} satoshis and the fee at ${rate} sat/vB.`,
  );
}

function byAmountDescending(left: Coin, right: Coin): number {
  if (left.amount !== right.amount) return left.amount > right.amount ? -1 : 1;
  return compareOutpoints(left, right);
}

/** The order of inputs in BIP-69. */
export function compareOutpoints(left: Coin, right: Coin): number {
  if (left.txHash !== right.txHash) return left.txHash < right.txHash ? -1 : 1;
  return left.index - right.index;
}
