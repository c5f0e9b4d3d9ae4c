// Looks where the transactions of a withdrawal stand on the chain, and ends the withdrawal when one of them is there for good. Signs nothing; sends only bytes that are stored.
import { ApplicationFailure } from '@temporalio/common';
import { isFinal, type WithdrawalStatus, withdrawalArrows } from '../../domain/statuses.ts';
import { type FeeLevel } from '../../domain/withdrawals/fee-levels.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import { recordEnd } from '../../drizzle/operations/end-operations.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import {
  advanceChainTransaction,
  type ChainTransactionRow,
  freeCoins,
  listChainTransactions,
  listSealedTransactions,
} from '../../drizzle/withdrawals/chain-transactions.ts';
import type { WithdrawalContext } from '../../drizzle/withdrawals/withdrawal-context.ts';
import {
  advanceWithdrawal,
  clearDispute,
  noteWithdrawalWait,
  settleWithdrawal,
  type WithdrawalFields,
} from '../../drizzle/withdrawals/withdrawal-steps.ts';
import { lockWithdrawal, type WithdrawalRow } from '../../drizzle/withdrawals/withdrawals.ts';
import { asChainFailure, requireChain } from '../chains/chain-failure.ts';
import type { Chains } from '../chains/connect-chains.ts';
import type { Chain } from '../chains/port/chain.ts';
import { ChainError } from '../chains/port/chain-error.ts';
import type { Broadcast, Inclusion, TransactionStatus } from '../chains/port/transactions.ts';
import { agreeOnInclusion, witnessesOf } from '../chains/witnesses.ts';
import { withHeartbeat } from '../runtime/with-heartbeat.ts';
import { requireWithdrawal } from './require-withdrawal.ts';
import { noteBroadcast } from './send-withdrawal.ts';
import { aloneReason, noteDispute } from './withdrawal-disputes.ts';
import { judgeEarlier } from './withdrawal-fates.ts';
import { movesNothing } from './withdrawal-transfer.ts';

/** What to do next. `details` is a sentence for the operator; `ordinal` is that of the transaction to make. */
export type FollowResult =
  | { next: 'end'; status: WithdrawalStatus; details: string }
  | { next: 'look'; afterMs: number }
  | { next: 'replace'; kind: 'speed_up' | 'drop' | 'renewal'; ordinal: number; feeLevel?: FeeLevel };

/** Not included for so long, it is called stuck. */
const STUCK_AFTER_MS = 15 * 60_000;

export function createFollowActivities({ db, chains, seals }: { db: Database; chains: Chains; seals: Seals }) {
  return {
    /**
     * Safe to repeat: every move is a compare-and-set, a withdrawal is settled once, and only stored bytes are sent again. Retried while the node cannot
     * be asked.
     */
    async followWithdrawal(id: string): Promise<FollowResult> {
      return withHeartbeat(async () => {
        try {
          const context = await requireWithdrawal(db, seals, id);
          if (isFinal(withdrawalArrows, context.withdrawal.status)) return endOf(context.withdrawal);
          const { internalCode } = context.network;
          const chain = requireChain(chains, internalCode);
          const witnesses = witnessesOf(chains, internalCode);
          const mayEnd = witnesses.length > 1 || chains.isTrustedAlone(internalCode);
          const asked = { db, seals, chain, context, witnesses, mayEnd, disputes: [] };
          const next = await look(asked);
          if (asked.disputes.length === 0 && context.withdrawal.disputedAt !== null) await clearDispute(db, id);
          return next ?? endOf((await requireWithdrawal(db, seals, id)).withdrawal);
        } catch (error) {
          throw asWaiting(asChainFailure(error));
        }
      });
    },
  };
}

/** What is out stays out, whatever was written into its rows: they are looked at again until an operator has put them right. */
const asWaiting = (failure: unknown) =>
  failure instanceof ApplicationFailure && failure.type === 'row_not_sealed'
    ? ApplicationFailure.retryable(failure.message, failure.type)
    : failure;

type Sent = ChainTransactionRow & { signed: string; txHash: string };

function endOf({ status, errorReason, txHash }: WithdrawalRow): FollowResult {
  return { next: 'end', status, details: errorReason ?? `Completed by ${txHash}.` };
}

interface Following {
  db: Database;
  seals: Seals;
  /** Of the first node, which is asked first and given what is sent. */
  chain: Chain;
  context: WithdrawalContext;
  /** All nodes of the network, the first one too: how it ends is for all of them to say. */
  witnesses: readonly Chain[];
  /** False where one node alone is not believed that nothing moved. */
  mayEnd: boolean;
  /** What this look has found that is not certain. */
  disputes: string[];
}

type Followed = readonly { row: Sent; found: TransactionStatus }[];

/** Undefined when the withdrawal has ended by it. */
async function look(following: Following): Promise<FollowResult | undefined> {
  const { db, seals, chain, context } = following;
  const { withdrawal, network } = context;
  const rows = await listSealedTransactions(db, seals, withdrawal.id);
  const sent = rows.filter(
    (row): row is Sent => row.signed !== null && row.txHash !== null && row.status !== 'abandoned',
  );
  const followed = await Promise.all(sent.map(async (row) => ({ row, found: await chain.follow(row.txHash) })));
  const again = { next: 'look' as const, afterMs: lookAgainMs(network.internalCode) };

  for (const { row, found } of followed)
    if (found.state === 'included') return (await include(following, row, found)) ? undefined : again;
  await takeBackIncluded(db, context, sent);

  const ordinal = rows.length;
  const { wish, wishedFeeLevel } = withdrawal;
  // Of a workflow that was ended from outside: another beside it would be a second one that could land.
  const begun = rows.find(({ kind, status }) => kind === 'renewal' && status === 'built');
  if (begun !== undefined) return { next: 'replace', kind: 'renewal', ordinal: begun.ordinal };
  if (wish !== null && chain.model !== 'expiring')
    return { next: 'replace', kind: wish, ordinal, ...(wishedFeeLevel === null ? {} : { feeLevel: wishedFeeLevel }) };
  if (chain.model === 'expiring' && sent.length > 0 && (await areDead(following))) {
    if (withdrawal.errorCode === null) return { next: 'replace', kind: 'renewal', ordinal };
    await failUnlanded(following, sent, { errorReason: withdrawal.errorReason ?? 'It has expired.' });
    return undefined;
  }
  if (await isDead(following, followed)) return undefined;
  await noteIfLate(following, sent, 'It waits for a block longer than usual: speed it up, or drop it.');
  return again;
}

/** True when the withdrawal has ended by it: all witnesses show it alike, as deep as the network asks. */
async function include(following: Following, found: Sent, inclusion: Inclusion): Promise<boolean> {
  const { db, context, witnesses } = following;
  const { confirmationBlocks } = context.network;
  const row = await noted(db, context, found);
  if (inclusion.confirmations < confirmationBlocks) {
    await db.transaction((tx) => noteIncluded(tx, context, row, inclusion));
    return false;
  }
  const { outcome, reason } = await agreeOnInclusion(witnesses, row.txHash, inclusion, confirmationBlocks);
  if (outcome === 'disputed') await dispute(following, reason);
  if (outcome === 'behind')
    await noteIfLate({ db, context }, [row], 'The second node is behind: it waits until all nodes show its block.');
  if (outcome !== 'agreed') return false;
  if (!hasMoved(row, inclusion) && !(await mayEndUnmoved(following))) return false;
  await db.transaction((tx) => settle(tx, following, row, inclusion));
  return true;
}

/** Whether none of its transactions has landed or ever can. What is disputed is no proof: it waits, and an operator hears of it. */
async function areDead(following: Following): Promise<boolean> {
  const { db, seals, context, witnesses } = following;
  const { outcome, reason } = await judgeEarlier({ db, seals }, witnesses, context.withdrawal);
  if (outcome === 'disputed') await dispute(following, reason);
  return outcome === 'dead' && mayEndUnmoved(following);
}

async function mayEndUnmoved(following: Following): Promise<boolean> {
  const { context, mayEnd } = following;
  if (!mayEnd) await dispute(following, aloneReason(context.network.internalCode));
  return mayEnd;
}

/** For this look, and for whoever reads the withdrawal. */
async function dispute({ db, context, disputes }: Following, reason: string): Promise<void> {
  disputes.push(reason);
  await noteDispute(db, context.withdrawal.id, reason);
}

async function noteIfLate(
  { db, context }: Pick<Following, 'db' | 'context'>,
  sent: readonly Sent[],
  details: string,
): Promise<void> {
  if (Date.now() - (sent.at(-1)?.createdAt.getTime() ?? Date.now()) > STUCK_AFTER_MS)
    await noteWithdrawalWait(db, context.withdrawal.id, 'stuck', details);
}

/** What is in a block was broadcast, also when whoever sent it had no time to note so: callers hear of it before they hear of its end. */
async function noted(db: Database, context: WithdrawalContext, row: Sent): Promise<Sent> {
  if (row.status !== 'signed') return row;
  await noteBroadcast(db, context, row, row.txHash);
  return { ...row, status: 'broadcast' };
}

/** About a block; the sandbox mines at once. */
function lookAgainMs(networkCode: string): number {
  if (networkCode.endsWith('_SANDBOX')) return 500;
  return networkCode.startsWith('BTC') ? 30_000 : networkCode.startsWith('SOL') ? 2_000 : 6_000;
}

/**
 * What no node knows any more, a node that forgot or a reorg dropped, goes out again: the newest of them, the same bytes. True when they can never land and the
 * withdrawal has ended by that.
 */
async function isDead(following: Following, followed: Followed): Promise<boolean> {
  if (followed.some(({ found }) => found.state === 'pending')) return false;
  const { db, chain, context } = following;
  const { withdrawal } = context;
  const newest = followed.at(-1)?.row;
  if (newest === undefined) return false;
  const broadcast = await sendAgain(db, chain, newest);
  if (broadcast === undefined) return false;
  if (broadcast.outcome === 'accepted') {
    await noteBroadcast(db, context, newest, newest.txHash);
    return false;
  }
  const { reason } = broadcast;
  if (broadcast.dead !== true) {
    await noteWithdrawalWait(db, withdrawal.id, 'stuck', reason);
    return false;
  }
  // One that expires may have done so since it was asked: the next look sees to it.
  if (chain.model === 'expiring' || !(await areDead(following))) return false;
  const sent = followed.map(({ row }) => row);
  return failUnlanded(following, sent, { errorCode: 'replaced_elsewhere', errorReason: reason });
}

/** Undefined when the node refuses for now: it is asked again as soon as there may be a block, not later and later. */
async function sendAgain(db: Database, chain: Chain, row: Sent): Promise<Broadcast | undefined> {
  try {
    return await chain.broadcast(row.signed, row.validUntil ?? undefined);
  } catch (error) {
    const isRefusal = error instanceof ChainError && error.code !== 'unavailable' && error.code !== 'wrong_chain';
    if (!isRefusal) throw error;
    if (error.code === 'insufficient_funds')
      await noteWithdrawalWait(db, row.withdrawalId, 'insufficient_funds', error.message);
    return undefined;
  }
}

/** Ends a withdrawal of which nothing can land any more. */
async function failUnlanded(
  { db, seals, context }: Following,
  sent: readonly Sent[],
  fields: { errorCode?: string; errorReason: string },
): Promise<boolean> {
  const { id } = context.withdrawal;
  return db.transaction(async (tx) => {
    for (const row of sent) await advanceChainTransaction(tx, row.id, row.status, 'abandoned');
    await freeCoins(tx, id);
    const step = { details: fields.errorReason };
    const isEnded = await advanceWithdrawal(tx, id, 'processing', 'failed', fields, step);
    if (isEnded) await recordEnd(tx, seals, context.withdrawal, fields);
    return isEnded;
  });
}

async function noteIncluded(tx: Transaction, { withdrawal }: WithdrawalContext, row: Sent, inclusion: Inclusion) {
  const { blockNumber, confirmations } = inclusion;
  if (row.status !== 'included') await advanceChainTransaction(tx, row.id, row.status, 'included');
  if (withdrawal.blockNumber === blockNumber && withdrawal.confirmations === confirmations) return;
  const fields = { subStatus: 'confirming' as const, txHash: row.txHash, blockNumber, confirmations };
  const details = `In block ${blockNumber}, with ${confirmations} confirmations.`;
  await advanceWithdrawal(tx, withdrawal.id, 'processing', 'processing', fields, { details });
}

/** A transaction that was in a block and is in none now: a reorg. Its bytes go out again. */
async function takeBackIncluded(db: Database, { withdrawal }: WithdrawalContext, sent: readonly Sent[]): Promise<void> {
  for (const row of sent.filter(({ status }) => status === 'included'))
    await db.transaction(async (tx) => {
      if (!(await advanceChainTransaction(tx, row.id, 'included', 'broadcast'))) return;
      const fields = { subStatus: 'reorged' as const, blockNumber: null, confirmations: null };
      const details = 'The chain was reorganised: its block is no longer there.';
      await advanceWithdrawal(tx, withdrawal.id, 'processing', 'processing', fields, { details });
    });
}

const hasMoved = ({ kind }: Sent, { succeeded }: Inclusion) => succeeded && !movesNothing(kind);

async function settle(tx: Transaction, { seals, context }: Following, row: Sent, inclusion: Inclusion): Promise<void> {
  const withdrawal = await lockWithdrawal(tx, context.withdrawal.id);
  if (withdrawal === undefined || isFinal(withdrawalArrows, withdrawal.status)) return;
  if (row.status !== 'included') await advanceChainTransaction(tx, row.id, row.status, 'included');
  // Those that it took the place of, or that took its: none of them can land any more.
  for (const other of await listChainTransactions(tx, withdrawal.id))
    if (other.id !== row.id && other.status !== 'abandoned')
      await advanceChainTransaction(tx, other.id, other.status, 'abandoned');
  const { blockNumber, blockHash, confirmations, feePaid, gasUsed, effectiveGasPriceWei } = inclusion;
  const moved = hasMoved(row, inclusion);
  const end = moved ? { fields: { subStatus: null }, details: 'Completed.' } : whyNothingMoved(withdrawal, row);
  const isEnded = await settleWithdrawal(tx, withdrawal, {
    moved,
    feePaid,
    fields: { ...end.fields, txHash: row.txHash, blockNumber, confirmations },
    step: {
      details: end.details,
      activity: {
        blockNumber,
        blockHash,
        gasUsed: gasUsed ?? null,
        effectiveGasPriceWei: effectiveGasPriceWei ?? null,
        confirmedAt: new Date(),
      },
    },
  });
  if (isEnded && !moved) await recordEnd(tx, seals, withdrawal, end.fields);
}

function whyNothingMoved(
  { errorCode, errorReason }: WithdrawalContext['withdrawal'],
  { kind }: Sent,
): { fields: WithdrawalFields; details: string } {
  if (!movesNothing(kind)) {
    const details = 'The chain executed it and it failed: only the fee was paid.';
    return { fields: { subStatus: 'reverted', errorCode: 'reverted', errorReason: details }, details };
  }
  const reason = errorReason ?? 'It was dropped: a transaction that moves nothing took its place.';
  return { fields: { subStatus: 'replaced', errorCode: errorCode ?? 'dropped', errorReason: reason }, details: reason };
}
