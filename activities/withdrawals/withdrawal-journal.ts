// Journals a transaction of a withdrawal: quotes and holds its fee, takes the nonce or the coins, builds it, and writes
// all of that with its signing operations in one commit. Signs and sends nothing.
import { ApplicationFailure } from '@temporalio/common';
import { v7 as uuidv7 } from 'uuid';
import { isFinal, withdrawalArrows } from '../../domain/statuses.ts';
import type { FeeCapSettings } from '../../domain/withdrawals/fee-caps.ts';
import type { FeeLevel } from '../../domain/withdrawals/fee-levels.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import {
  type ChainTransactionRow,
  insertChainTransaction,
  isJournaled,
} from '../../drizzle/withdrawals/chain-transactions.ts';
import { reserveNonce } from '../../drizzle/withdrawals/nonces.ts';
import { reserveCoins, withoutReserved } from '../../drizzle/withdrawals/reserved-coins.ts';
import type { WithdrawalContext } from '../../drizzle/withdrawals/withdrawal-context.ts';
import { advanceWithdrawal, clearRequestedReplacement, holdFee } from '../../drizzle/withdrawals/withdrawal-steps.ts';
import { lockWithdrawal } from '../../drizzle/withdrawals/withdrawals.ts';
import type { Chain, UtxoChain } from '../chains/port/chain.ts';
import { ChainError } from '../chains/port/chain-error.ts';
import {
  asTransfer,
  type Call,
  type Coin,
  type FeeQuote,
  isCall,
  type Reservation,
  type Transfer,
  type UnsignedTransaction,
} from '../chains/port/transactions.ts';
import type { OneAtATime } from '../runtime/one-at-a-time.ts';
import { assertWithinLimits, priceOf } from './fee-limits.ts';
import { findBelievedNonce } from './plausible-nonce.ts';
import { assertNothingLeftUnread } from './unread-blocks.ts';
import { insertSignings, signingIdsOf } from './withdrawal-signing.ts';
import { movesNothing, type TransactionRequest, toSend } from './withdrawal-transfer.ts';

/** What a replacement offers more than the one before it, at least. */
const RAISE_PERCENT = 20n;

export interface Journal {
  db: Database;
  seals: Seals;
  /** The first node. */
  chain: Chain;
  /** All nodes of the network, the first one too. */
  witnesses: readonly Chain[];
  context: WithdrawalContext;
  sending: TransactionRequest;
  /** The transactions before this one, in order. */
  earlier: readonly ChainTransactionRow[];
  /** The operator's own caps of fees. */
  feeCaps?: FeeCapSettings | undefined;
  /** By network and address: who writes next, since each locks the account, its nonces and its balance. */
  accounts: OneAtATime;
}

/** False when the withdrawal was closed meanwhile, or another attempt has journaled it. */
export async function journalTransaction(journal: Journal): Promise<boolean> {
  const { db, chain, context, sending } = journal;
  const what = toSend(context, sending.kind);
  const needed = await gather(journal, what);
  assertWithinLimits(context, sending, needed.quote, journal.feeCaps);
  // A chain without nonces or coins is asked for the newest block to build on.
  const early = chain.model === 'expiring' ? await chain.build(what, needed.quote, {}) : undefined;
  return journal.accounts.run(`${context.network.id} ${what.from}`, () =>
    db.transaction((tx) => write(tx, journal, { what, needed, early })),
  );
}

interface ToWrite {
  what: Transfer | Call;
  needed: Needed;
  early: UnsignedTransaction | undefined;
}

async function write(tx: Transaction, journal: Journal, { what, needed, early }: ToWrite): Promise<boolean> {
  const { seals, chain, context, sending } = journal;
  const withdrawal = await lockWithdrawal(tx, context.withdrawal.id);
  if (withdrawal === undefined || isFinal(withdrawalArrows, withdrawal.status)) return false;
  // The nonce before the money, as where both are given back: the two locks are taken in one order.
  const reservation = await reserve(tx, journal, needed);
  await holdFee(tx, withdrawal, sending.ordinal, needed.quote.maxFee);
  const { unsigned, payloads, validUntil } = early ?? (await chain.build(what, needed.quote, reservation));
  // Two equal transactions would be one, which lands once and would be booked twice.
  if (chain.model === 'expiring' && (await isJournaled(tx, what.from, context.network.id, unsigned)))
    throw ApplicationFailure.retryable('the same transaction is out with this blockhash: it takes the next one');
  const signingIds = signingIdsOf(withdrawal.id, sending.ordinal, payloads.length);
  const { namesChildren } = sending;
  await insertSignings(tx, seals, context, { signingIds, payloads, namesChildren });
  await insertChainTransaction(tx, seals, {
    id: uuidv7(),
    withdrawalId: withdrawal.id,
    ordinal: sending.ordinal,
    kind: sending.kind,
    networkId: context.network.id,
    fromAddress: what.from,
    nonce: reservation.nonce ?? null,
    fee: { ...needed.quote, maxFee: `${needed.quote.maxFee}` },
    maxFeeBaseUnits: needed.quote.maxFee,
    unsigned,
    payloads,
    signingIds,
    validUntil: validUntil ?? null,
  });
  const nonce = reservation.nonce === undefined ? '' : ` with nonce ${reservation.nonce}`;
  const details = `Transaction ${sending.ordinal + 1} (${sending.kind}) is built${nonce}; its fee is at most ${needed.quote.maxFee} base units.`;
  if (sending.kind === 'speed_up' || sending.kind === 'drop')
    await clearRequestedReplacement(tx, withdrawal.id, sending.kind);
  const fields = { subStatus: sending.ordinal === 0 ? ('awaiting_signature' as const) : ('replaced' as const) };
  return advanceWithdrawal(tx, withdrawal.id, { from: 'processing', to: 'processing', fields, details });
}

interface Needed {
  quote: FeeQuote;
  /** Chains with a nonce. */
  chainNonce?: number;
  /** UTXO chains, for the first transaction. */
  coins?: readonly Coin[];
}

/** What must be asked of the chain, before the transaction that writes it: no lock waits for a node. */
async function gather(journal: Journal, what: Transfer | Call): Promise<Needed> {
  const { db, chain, context, sending, earlier } = journal;
  const { withdrawal, network } = context;
  const isRequested = sending.kind === 'speed_up' || sending.kind === 'drop';
  const level = (isRequested ? withdrawal.requestedFeeLevel : null) ?? withdrawal.feeLevel;
  const before = earlier.at(-1);
  if (chain.model === 'utxo' && before === undefined) {
    const coins = await findFreeCoins(db, { chain, network }, what.from);
    const guess = await chain.estimateFee(what, level);
    const chosen = chain.selectCoins(coins, asTransfer(what), guess);
    return { quote: await chain.estimateFee(what, level, { coins: chosen }), coins: chosen };
  }
  const quote =
    before === undefined ? await chain.estimateFee(what, level) : await raised(chain, journal, before, level);
  if (chain.model !== 'account') return { quote };
  await assertPays(chain, what, quote);
  // A replacement has the nonce of what it replaces.
  if (before !== undefined && before.nonce !== null) return { quote, chainNonce: before.nonce };
  const { fromAddress: address, walletId } = withdrawal;
  const account = { networkId: network.id, networkCode: network.internalCode, address, walletId };
  return { quote, chainNonce: await findBelievedNonce(db, journal.witnesses, account) };
}

/**
 * Those that no withdrawal has taken. Throws `ChainError` while what spends others of this address waits for its block,
 * or is in one that is not read: what the record has lost, as after a restore, may be the very payment that is asked
 * for.
 */
async function findFreeCoins(
  db: Database,
  { chain, network }: { chain: UtxoChain; network: WithdrawalContext['network'] },
  address: string,
): Promise<Coin[]> {
  const { free, spentByWaiting } = await chain.coins(address);
  const [unknown] = await withoutReserved(db, network.id, spentByWaiting);
  if (unknown !== undefined)
    throw new ChainError(`transactions of ${address} are on their way that are not known here`);
  // After the question for what waits: what has left it since is in a block.
  await assertNothingLeftUnread(db, { chain, network }, address);
  return withoutReserved(db, network.id, free);
}

/**
 * At least what replaces the one before it; more when the chain has become dearer. What is sent again takes the gas
 * that it took before: a trial now would fail beside what has landed meanwhile. An expired one is not replaced but
 * followed by another.
 */
async function raised(
  chain: Chain,
  { context, sending, earlier }: Journal,
  before: ChainTransactionRow,
  level: FeeLevel,
): Promise<FeeQuote> {
  if (chain.model === 'expiring') return chain.estimateFee(toSend(context, sending.kind), level);
  const last = quoteOf(before);
  if (chain.model === 'utxo') return chain.raiseFee(last, Number(RAISE_PERCENT));
  const nothing = await chain.estimateFee(toSend(context, 'drop'), level);
  const same = movesNothing(sending.kind) ? undefined : earlier.findLast(({ kind }) => !movesNothing(kind));
  const { gasLimit } = (same === undefined ? nothing : quoteOf(same)).parameters;
  const dearerPercent = priceOf(last) === 0n ? 0n : (priceOf(nothing) * 100n) / priceOf(last) - 100n;
  const percent = dearerPercent > RAISE_PERCENT ? dearerPercent : RAISE_PERCENT;
  const parameters = gasLimit === undefined ? last.parameters : { ...last.parameters, gasLimit };
  return chain.raiseFee({ ...last, parameters }, Number(percent));
}

function quoteOf(row: ChainTransactionRow): FeeQuote {
  const { level, parameters } = row.fee;
  return { level, parameters, maxFee: row.maxFeeBaseUnits };
}

/** No nonce is taken for what the account cannot pay now: it would hold up all that come after it. */
async function assertPays(chain: Chain, what: Transfer | Call, quote: FeeQuote): Promise<void> {
  const native = await chain.balance(what.from, { contract: null, decimals: 0 });
  const value = isCall(what) ? what.value : what.asset.contract === null ? what.amount : 0n;
  if (native < value + quote.maxFee)
    throw ApplicationFailure.retryable('the address lacks the amount or the fee on the chain', 'insufficient_funds');
}

async function reserve(tx: Transaction, { chain, context, earlier }: Journal, needed: Needed): Promise<Reservation> {
  const { withdrawal, network } = context;
  if (needed.coins !== undefined) {
    if (!(await reserveCoins(tx, network.id, withdrawal.id, needed.coins)))
      throw ApplicationFailure.retryable('another withdrawal has taken the coins', 'coins_taken');
    return { coins: needed.coins };
  }
  const last = earlier.at(-1);
  // The very coins of the one before it, as its sealed bytes have them.
  if (last !== undefined && chain.model === 'utxo') return { coins: chain.coinsOf(last.unsigned) };
  if (needed.chainNonce === undefined) return {};
  const { id: withdrawalId, fromAddress: address } = withdrawal;
  const wanted = earlier.length === 0 ? withdrawal.call?.nonce : undefined;
  const nonce = await reserveNonce(tx, { networkId: network.id, address, withdrawalId }, needed.chainNonce);
  // The row that says who has a nonce is not sealed: one that takes the place of another has its nonce or none.
  if (earlier.some((row) => row.nonce !== nonce))
    throw ApplicationFailure.nonRetryable('its nonce is not that of the transaction before it', 'row_not_sealed');
  if (wanted !== undefined && wanted !== nonce)
    throw ApplicationFailure.nonRetryable(
      `the nonce ${wanted} was asked for, and ${nonce} is the next one`,
      'nonce_taken',
    );
  return { nonce };
}
