// Makes a number of an amount that says `max`, or that the fee is taken out of, before anything is judged, held or
// sealed: whoever approves it approves a number. Reads and stores nothing.
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import { ApiError } from '../http/errors.ts';
import { amountMinimumOf, assertAmountAtMost } from './amount-limits.ts';
import { inUnits } from './amounts-in-errors.ts';
import type { TransferIntent } from './withdrawal-intent.ts';

/**
 * Lamports that an account on Solana must keep, or nothing at all. Nobody knows the fee to the last lamport when the
 * amount is fixed, so nothing cannot be meant.
 */
const SOLANA_ACCOUNT_RENT = 890_880n;

export interface ResolvedAmount {
  /** Base units: what the recipient gets. */
  amount: bigint;
  /** Of the same asset, held with it: as much as the fee may take, where it comes out of what was asked for. */
  feeHeld: bigint;
}

/** Base units of the asset, and of what fees are paid in. */
export interface Spendable {
  available: bigint;
  feeBound: bigint;
  /** Whether who asks may read balances: else no refusal tells them. */
  isTold: boolean;
}

/** `refusal`: why it cannot be had now, in one sentence. What is fixed already is not looked at. */
export function resolveAmount(transfer: TransferIntent, spendable: Spendable): ResolvedAmount | { refusal: string } {
  const { asset, feeAsset, network, amountRule } = transfer;
  if (amountRule === undefined) return { amount: transfer.amount, feeHeld: 0n };
  const paysFee = asset.id === feeAsset.id;
  const feeHeld = paysFee ? spendable.feeBound : 0n;
  const kept = paysFee ? keptOn(network) : 0n;
  const most = spendable.available - kept;
  const debit = amountRule === 'max' ? most : transfer.amount;
  const amount = debit - feeHeld;
  const show = (baseUnits: bigint) => inUnits(asset, baseUnits > 0n ? baseUnits : 0n);
  const fee = feeHeld === 0n ? '' : ` after a fee of up to ${show(feeHeld)}`;
  const rest =
    kept === 0n ? '' : `, and ${show(kept)} stay, as an account on ${network.internalCode} must keep so much`;
  const there = spendable.isTold ? `: the wallet has ${show(spendable.available)} available${rest}` : rest;
  if (amount < amountMinimumOf(asset, network))
    return {
      refusal:
        amountRule === 'max'
          ? `Nothing is left to send${fee}${there}.`
          : `Nothing of the amount is left to send${fee}: ask for more, or set a lower max_fee.`,
    };
  if (debit > most) return { refusal: `The amount is not available${there}.` };
  return { amount, feeHeld };
}

/** Throws where it cannot be had now, and where it is more than one withdrawal may move. */
export function requireAmount(transfer: TransferIntent, spendable: Spendable): ResolvedAmount {
  const resolved = resolveAmount(transfer, spendable);
  if ('refusal' in resolved) throw new ApiError('insufficient_funds', resolved.refusal);
  assertAmountAtMost(transfer.asset, resolved.amount, 'amount', inUnits);
  return resolved;
}

const keptOn = ({ addressType }: NetworkRow) => (addressType === 'sol' ? SOLANA_ACCOUNT_RENT : 0n);
