// Follows the transactions of a withdrawal on the chain, ends it when one of them is there for good, and says what
// comes next. Signs nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { isFinal, type WithdrawalStatus, withdrawalArrows } from '../../domain/statuses.ts';
import { type FeeLevel } from '../../domain/withdrawals/fee-levels.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { listSealedTransactions } from '../../drizzle/withdrawals/chain-transactions.ts';
import { clearDispute } from '../../drizzle/withdrawals/withdrawal-steps.ts';
import type { WithdrawalRow } from '../../drizzle/withdrawals/withdrawals.ts';
import { witnessesOf } from '../chains/agreement-of-nodes.ts';
import { asChainFailure, requireChain } from '../chains/chain-failure.ts';
import type { Chains } from '../chains/connect-chains.ts';
import { withHeartbeat } from '../runtime/with-heartbeat.ts';
import { type FollowContext, noteIfLate, type Sent } from './follow-context.ts';
import { FollowWaits, type Line } from './follow-waits.ts';
import { recordInclusion, takeBackIncluded } from './included-transactions.ts';
import { requireWithdrawal } from './require-withdrawal.ts';
import { areProvenDead, failIfDead, failUnlanded } from './unlanded-transactions.ts';
import { WithdrawalNews } from './withdrawal-news.ts';

/** What to do next. `details` is a sentence for the operator; `ordinal` is that of the transaction to make. */
export type FollowResult =
  | { next: 'end'; status: WithdrawalStatus; details: string }
  | { next: 'look'; afterMs: number }
  | { next: 'replace'; kind: 'speed_up' | 'drop' | 'renewal'; ordinal: number; feeLevel?: FeeLevel };

export interface FollowDependencies {
  db: Database;
  chains: Chains;
  seals: Seals;
  followWaits?: FollowWaits | undefined;
}

export function createFollowActivities({ followWaits = new FollowWaits(), db, ...rest }: FollowDependencies) {
  const following = { db, ...rest, news: new WithdrawalNews(db) };
  return {
    /**
     * Safe to repeat: every move is a compare-and-set, a withdrawal is settled once, and only stored bytes are sent
     * again. Goes on for a few seconds where something may come of it so soon. Retried while the node cannot be asked.
     */
    async followWithdrawal(id: string): Promise<FollowResult> {
      return withHeartbeat(() => pollWhileSoon(() => poll(following, id), followWaits, cancellationSignal()));
    },
  };
}

interface Poll {
  found: FollowResult;
  /** Beside which others the next poll comes. */
  line: Line;
  /** Whether the next poll may find anything else. */
  hasNews: () => Promise<boolean>;
}

async function pollWhileSoon(poll: () => Promise<Poll>, waits: FollowWaits, abort: AbortSignal): Promise<FollowResult> {
  const untilMs = performance.now() + waits.heldForMs;
  let leave: (() => void) | undefined;
  try {
    for (;;) {
      const { found, line, hasNews } = await poll();
      if (found.next !== 'look') return found;
      do {
        const isSoon = performance.now() + found.afterMs <= untilMs;
        if (isSoon) leave ??= waits.enter(line.workspaceId);
        if (!isSoon || leave === undefined) return { ...found, afterMs: waits.untilNextLookMs(line, found.afterMs) };
        await sleep(found.afterMs, undefined, { signal: abort }).catch(() => undefined);
        // A worker that stops leaves the next poll to another one.
        if (abort.aborted) return found;
        // A node that cannot be asked is for the next poll to tell.
      } while (!(await hasNews().catch(() => true)));
    }
  } finally {
    leave?.();
  }
}

interface Following extends Omit<FollowDependencies, 'followWaits'> {
  news: WithdrawalNews;
}

async function poll({ db, chains, seals, news }: Following, id: string): Promise<Poll> {
  try {
    const context = await requireWithdrawal(db, seals, id);
    const { withdrawal, network } = context;
    const line = { networkId: network.id, workspaceId: withdrawal.workspaceId };
    if (isFinal(withdrawalArrows, withdrawal.status))
      return { found: endOf(withdrawal), line, hasNews: async () => false };
    const chain = requireChain(chains, network.internalCode);
    const headHash = await news.headOf(chain);
    const witnesses = witnessesOf(chains, network.internalCode);
    const mayEnd = witnesses.length > 1 || chains.isTrustedAlone(network.internalCode);
    const asked = { db, seals, chain, context, witnesses, mayEnd, disputes: [] };
    const next = await followOnce(asked);
    if (asked.disputes.length === 0 && withdrawal.disputedAt !== null) await clearDispute(db, id);
    const found = next ?? endOf((await requireWithdrawal(db, seals, id)).withdrawal);
    return { found, line, hasNews: () => news.isThere(id, chain, headHash) };
  } catch (error) {
    throw asWaiting(asChainFailure(error));
  }
}

/**
 * What is out stays out, whatever was written into its rows: they are looked at again until an operator has put them
 * right.
 */
const asWaiting = (failure: unknown) =>
  failure instanceof ApplicationFailure && failure.type === 'row_not_sealed'
    ? ApplicationFailure.retryable(failure.message, failure.type)
    : failure;

function endOf({ status, errorReason, txHash }: WithdrawalRow): FollowResult {
  return { next: 'end', status, details: errorReason ?? `Completed by ${txHash}.` };
}

/** Undefined when the withdrawal has ended by it. */
async function followOnce(following: FollowContext): Promise<FollowResult | undefined> {
  const { db, seals, chain, context } = following;
  const { withdrawal, network } = context;
  const rows = await listSealedTransactions(db, seals, withdrawal.id);
  const sent = rows.filter(
    (row): row is Sent => row.signed !== null && row.txHash !== null && row.status !== 'abandoned',
  );
  const followed = await Promise.all(sent.map(async (row) => ({ row, status: await chain.follow(row.txHash) })));
  const again = { next: 'look' as const, afterMs: pollAgainMs(network.internalCode) };

  for (const { row, status } of followed)
    if (status.state === 'included') return (await recordInclusion(following, row, status)) ? undefined : again;
  await takeBackIncluded(db, context, sent);

  const ordinal = rows.length;
  const { requestedReplacement, requestedFeeLevel } = withdrawal;
  // Of a workflow that was ended from outside: another beside it would be a second one that could land.
  const begun = rows.find(({ kind, status }) => kind === 'renewal' && status === 'built');
  if (begun !== undefined) return { next: 'replace', kind: 'renewal', ordinal: begun.ordinal };
  if (chain.model !== 'expiring') {
    const feeLevel = requestedFeeLevel === null ? {} : { feeLevel: requestedFeeLevel };
    if (requestedReplacement !== null) return { next: 'replace', kind: requestedReplacement, ordinal, ...feeLevel };
  } else if (sent.length > 0 && (await areProvenDead(following))) {
    if (withdrawal.errorCode === null) return { next: 'replace', kind: 'renewal', ordinal };
    await failUnlanded(following, sent, { errorReason: withdrawal.errorReason ?? 'It has expired.' });
    return undefined;
  }
  if (await failIfDead(following, followed)) return undefined;
  await noteIfLate(following, sent, 'It waits for a block longer than usual: speed it up, or drop it.');
  return again;
}

/** About a block; the sandbox mines at once. */
function pollAgainMs(networkCode: string): number {
  if (networkCode.endsWith('_SANDBOX')) return 500;
  return networkCode.startsWith('BTC') ? 30_000 : networkCode.startsWith('SOL') ? 2_000 : 6_000;
}
