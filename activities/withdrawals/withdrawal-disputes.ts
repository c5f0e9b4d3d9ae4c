// Notes that it is not certain how a withdrawal ends, because the nodes of its network do not agree or the only one is
// not believed: in its history, in the log, and for the gauge that alerts operators. Decides nothing.
import { log } from '@temporalio/activity';
import type { Database } from '../../drizzle/database/connection.ts';
import { markDisputed } from '../../drizzle/withdrawals/withdrawal-steps.ts';
import { noteWithdrawalWait } from '../../drizzle/withdrawals/withdrawal-waits.ts';

export async function noteDispute(db: Database, id: string, reason: string): Promise<void> {
  const details = `It waits, and nothing is given back or signed anew, until it is certain how it ended. ${reason}`;
  await markDisputed(db, id);
  if (await noteWithdrawalWait(db, id, 'stuck', details))
    log.error('a withdrawal waits: it is not certain how it ended', { withdrawalId: id, reason });
}

export const singleNodeReason = (networkCode: string): string =>
  `The only node of ${networkCode} says that nothing moved, and is not believed alone: name a second one in RPC_URLS_SECOND, or the network in SINGLE_NODE_NETWORKS.`;
