// The fee of a withdrawal before its transaction is built: what it is expected to be by the last quotes of the workers,
// and what a policy judges it by. Asks no node.

import type { LevelFee, NetworkFees } from '../../domain/networks/stored-fees.ts';
import type { FeeCap } from '../../domain/withdrawals/fee-caps.ts';
import type { StoredCall } from '../../domain/withdrawals/stored-call.ts';
import type { TransferIntent, WithdrawalIntent } from './withdrawal-intent.ts';

/**
 * What a transfer of the native currency takes (Yellow Paper, G_transaction), and what is allowed for one of a token:
 * what it usually takes at most, and a part more.
 */
const PLAIN_TRANSFER_GAS = 21_000n;
const TOKEN_TRANSFER_GAS = 100_000n;
/**
 * Lamports that a new token account of the recipient must hold, and the compute units that are allowed for making it
 * and paying into it.
 */
const TOKEN_ACCOUNT_RENT = 2_039_280n;
const TOKEN_UNITS = 90_000n;
const MICROLAMPORTS = 1_000_000n;

/**
 * The fee of a plain transfer, made that of a token's: by gas on EVM networks, on Solana with the account that the
 * recipient may lack.
 */
export function expectedFee(
  { asset, network }: Pick<TransferIntent, 'asset' | 'network'>,
  { maxFee, parameters }: LevelFee,
): bigint {
  const plain = BigInt(maxFee);
  if (asset.isNative) return plain;
  if (network.addressType !== 'sol') return (plain * TOKEN_TRANSFER_GAS + PLAIN_TRANSFER_GAS - 1n) / PLAIN_TRANSFER_GAS;
  const price = BigInt(parameters['microLamportsPerUnit'] ?? '0');
  return plain + (price * TOKEN_UNITS + MICROLAMPORTS - 1n) / MICROLAMPORTS + TOKEN_ACCOUNT_RENT;
}

/**
 * What a withdrawal without `max_fee` may pay, beside the last quote: a market that has risen to three times as much,
 * or six speed-ups of a fifth each.
 */
const HEADROOM = 3n;
/**
 * Bitcoin: the size of a transaction with ten inputs, since the quote is for two and nobody knows yet which coins there
 * will be.
 */
const BITCOIN_VBYTES = 800n;
/** One more input, rounded up; and the most inputs that a transaction of ours has (coin-selection.ts). */
const BITCOIN_INPUT_VBYTES = 69n;
const BITCOIN_INPUTS_MAX = 100;

/**
 * What a withdrawal may pay at most, with all that takes its place: what the caller allows; else a headroom over what
 * its own fields or the last quotes make of it. Without either it is the cap of the network, and it is never more. The
 * policy judges this bound, and the workers hold each transaction to it (activities/withdrawals/fee-limits.ts).
 * `coins`: how many a transaction on a chain like Bitcoin will spend, when it shall spend all.
 */
export function feeBoundOf(
  intent: Pick<WithdrawalIntent, 'asset' | 'network' | 'call' | 'ownFee' | 'maxFee' | 'feeLevel'>,
  fees: NetworkFees | null,
  cap: FeeCap,
  coins = 0,
): bigint {
  const { call, ownFee, maxFee, feeLevel } = intent;
  if (ownFee !== undefined) return ownFee;
  const quoted = fees?.[feeLevel];
  const usual = call === null ? quoted && usualFee(intent, quoted, coins) : feeOfCall(call, quoted);
  const bound = maxFee ?? (usual === undefined ? undefined : usual * HEADROOM);
  return bound === undefined || bound > cap.feeBaseUnits ? cap.feeBaseUnits : bound;
}

function usualFee(transfer: Pick<TransferIntent, 'asset' | 'network'>, quoted: LevelFee, coins: number): bigint {
  const expected = expectedFee(transfer, quoted);
  if (transfer.network.addressType !== 'btc') return expected;
  const ofCoins = BigInt(Math.min(coins, BITCOIN_INPUTS_MAX)) * BITCOIN_INPUT_VBYTES;
  const vbytes = ofCoins > BITCOIN_VBYTES ? ofCoins : BITCOIN_VBYTES;
  const large = BigInt(quoted.parameters['rate'] ?? '0') * vbytes;
  return large > expected ? large : expected;
}

/** Undefined where its gas is not given: how much a contract takes only a trial on the node tells. */
function feeOfCall(
  { gasLimit, maxFeePerGas, maxPriorityFeePerGas }: StoredCall,
  quoted: LevelFee | undefined,
): bigint | undefined {
  if (gasLimit === undefined) return undefined;
  const { maxFeePerGas: usual, gasPrice } = quoted?.parameters ?? {};
  const price = maxFeePerGas ?? usual ?? gasPrice;
  // An own tip without an own maximum comes on top of the usual one.
  return price === undefined
    ? undefined
    : BigInt(gasLimit) * (BigInt(price) + tipBeyond(maxFeePerGas, maxPriorityFeePerGas));
}

const tipBeyond = (maxFeePerGas: string | undefined, tip = '0') => (maxFeePerGas === undefined ? BigInt(tip) : 0n);
