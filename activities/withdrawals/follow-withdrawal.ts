// Follows the transactions of a withdrawal on the chain, ends it when one of them is there for good, and says what
// comes next. Signs nothing.
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
import { recordInclusion, takeBackIncluded } from './included-transactions.ts';
import { requireWithdrawal } from './require-withdrawal.ts';
import { areProvenDead, failIfDead, failUnlanded } from './unlanded-transactions.ts';

/** What to do next. `details` is a sentence for the operator; `ordinal` is that of the transaction to make. */
export type FollowResult =
  | { next: 'end'; status: WithdrawalStatus; details: string }
  | { next: 'look'; afterMs: number }
  | { next: 'replace'; kind: 'speed_up' | 'drop' | 'renewal'; ordinal: number; feeLevel?: FeeLevel };

export function createFollowActivities({ db, chains, seals }: { db: Database; chains: Chains; seals: Seals }) {
  return {
    /**
     * Safe to repeat: every move is a compare-and-set, a withdrawal is settled once, and only stored bytes are sent
     * again. Retried while the node cannot be asked.
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
          const next = await followOnce(asked);
          if (asked.disputes.length === 0 && context.withdrawal.disputedAt !== null) await clearDispute(db, id);
          return next ?? endOf((await requireWithdrawal(db, seals, id)).withdrawal);
        } catch (error) {
          throw asWaiting(asChainFailure(error));
        }
      });
    },
  };
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
  const again = { next: 'look' as const, afterMs: lookAgainMs(network.internalCode) };

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
function lookAgainMs(networkCode: string): number {
  if (networkCode.endsWith('_SANDBOX')) return 500;
  return networkCode.startsWith('BTC') ? 30_000 : networkCode.startsWith('SOL') ? 2_000 : 6_000;
}
