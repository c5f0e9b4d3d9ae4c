// Says of a withdrawal that waits for funds how much is missing and until when it waits, so that somebody can bring it.
// Decides nothing by it: whether there is enough is found out anew by each attempt.
import { activityInfo } from '@temporalio/activity';
import { assetSeed } from '../../domain/catalog/assets.ts';
import { formatAmount } from '../../domain/money.ts';
import type { Shortage } from '../../domain/withdrawals/shortage.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { readLedgerBalance } from '../../drizzle/ledger/ledger.ts';
import type { WithdrawalContext } from '../../drizzle/withdrawals/withdrawal-context.ts';
import { heldForFee } from '../../drizzle/withdrawals/withdrawal-steps.ts';
import { noteShortage } from '../../drizzle/withdrawals/withdrawal-waits.ts';
import type { WithdrawalRow } from '../../drizzle/withdrawals/withdrawals.ts';
import type { Chain } from '../chains/port/chain.ts';
import { type Call, isCall, type Transfer } from '../chains/port/transactions.ts';
import { type TransactionKind, toSend } from './withdrawal-transfer.ts';

interface Refusal {
  /** One clause. */
  message: string;
  /** Of the native currency, where what refused it knew. */
  missing: bigint | undefined;
}

interface ShortOf {
  db: Database;
  chain: Chain;
  context: WithdrawalContext;
  /** Which transaction cannot be paid, and its fee where it is built already. */
  kind: TransactionKind;
  maxFee?: bigint;
  /** Null when it waits for ever. */
  waitsUntil: string | null;
}

/** `failure`: what refused it. */
export async function reportShortage(short: ShortOf, failure: Refusal): Promise<void> {
  const { db, context, waitsUntil } = short;
  const { assetId, feeAssetId, id } = context.withdrawal;
  // A chain that cannot be asked now leaves it open how much is missing, and not that something is.
  const lacking = await readLacking(short, failure.missing).catch(() => undefined);
  const asset = assetSeed.find((known) => known.id === (lacking?.isToken === true ? assetId : feeAssetId));
  if (asset === undefined) throw new Error('the catalogue lacks the asset of a withdrawal');
  const missing = lacking === undefined ? null : formatAmount(lacking.baseUnits, asset.decimals);
  const shortage: Shortage = { assetId: asset.id, symbol: asset.symbol, missing, waitsUntil };
  const what = missing === null ? asset.symbol : `${missing} ${asset.symbol}`;
  const until = waitsUntil === null ? '' : ` It fails when that is still missing at ${waitsUntil}.`;
  await noteShortage(db, id, shortage, `It waits for ${what}, which the wallet lacks: ${failure.message}.${until}`);
}

/** When the attempts of the activity that is under way end. */
export function attemptsEndAt(): string | null {
  const { scheduledTimestampMs, scheduleToCloseTimeoutMs } = activityInfo();
  const isBounded = scheduleToCloseTimeoutMs > 0 && Number.isFinite(scheduleToCloseTimeoutMs);
  return isBounded ? new Date(scheduledTimestampMs + scheduleToCloseTimeoutMs).toISOString() : null;
}

/** Undefined when there seems to be enough: then it was something else, or has come meanwhile. */
async function readLacking(
  short: ShortOf,
  known: bigint | undefined,
): Promise<{ baseUnits: bigint; isToken: boolean } | undefined> {
  const { db, chain, context, kind } = short;
  const { withdrawal, contract } = context;
  const what = toSend(context, kind);
  const { amountBaseUnits: amount, decimals } = withdrawal;
  if (contract !== null) {
    const baseUnits = amount - (await chain.balance(what.from, { contract, decimals }));
    if (baseUnits > 0n) return { baseUnits, isToken: true };
  }
  const fee = short.maxFee ?? (await chain.estimateFee(what, withdrawal.feeLevel)).maxFee;
  const onChain = chain.model === 'utxo' ? (known ?? 0n) : nativeOf(what) + fee - (await nativeBalanceOf(chain, what));
  const unbooked = short.maxFee === undefined ? fee - (await bookedForFee(db, withdrawal)) : 0n;
  const baseUnits = onChain > unbooked ? onChain : unbooked;
  return baseUnits > 0n ? { baseUnits, isToken: false } : undefined;
}

/** The ledger knows what of the balance is for others. What is held for this very withdrawal counts as there. */
async function bookedForFee(db: Database, withdrawal: WithdrawalRow): Promise<bigint> {
  const available = await readLedgerBalance(db, withdrawal.walletId, withdrawal.feeAssetId, 'available');
  return available + (await heldForFee(db, withdrawal));
}

function nativeOf(what: Transfer | Call): bigint {
  if (isCall(what)) return what.value;
  return what.asset.contract === null ? what.amount : 0n;
}

/** Not of a chain like Bitcoin: to look for coins once more may take a node minutes. */
const nativeBalanceOf = (chain: Chain, { from }: Transfer | Call): Promise<bigint> =>
  chain.balance(from, { contract: null, decimals: 0 });
