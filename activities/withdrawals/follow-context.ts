// What following a withdrawal needs at every step: the withdrawal, the nodes, and what is not certain. Moves no row but
// for noting why the withdrawal waits.
import type { Database } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import type { ChainTransactionRow } from '../../drizzle/withdrawals/chain-transactions.ts';
import type { WithdrawalContext } from '../../drizzle/withdrawals/withdrawal-context.ts';
import { noteWithdrawalWait } from '../../drizzle/withdrawals/withdrawal-waits.ts';
import type { Chain } from '../chains/port/chain.ts';
import { noteDispute, singleNodeReason } from './withdrawal-disputes.ts';

/** A transaction that is signed, and may have been sent. */
export type Sent = ChainTransactionRow & { signed: string; txHash: string };

/** Not included for so long, it is called stuck. */
const STUCK_AFTER_MS = 15 * 60_000;

export interface FollowContext {
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

export async function mayEndUnmoved(following: FollowContext): Promise<boolean> {
  const { context, mayEnd } = following;
  if (!mayEnd) await dispute(following, singleNodeReason(context.network.internalCode));
  return mayEnd;
}

/** For this look, and for whoever reads the withdrawal. */
export async function dispute({ db, context, disputes }: FollowContext, reason: string): Promise<void> {
  disputes.push(reason);
  await noteDispute(db, context.withdrawal.id, reason);
}

export async function noteIfLate(
  { db, context }: Pick<FollowContext, 'db' | 'context'>,
  sent: readonly Sent[],
  details: string,
): Promise<void> {
  if (Date.now() - (sent.at(-1)?.createdAt.getTime() ?? Date.now()) > STUCK_AFTER_MS)
    await noteWithdrawalWait(db, context.withdrawal.id, 'stuck', details);
}
