// Looks again at one transaction of which a deposit is missed.
//
// 1. recordTransaction finds its block and records what of it arrived at our addresses; by inbound transfer, so that
//   what is recorded already stays as it is; retried while the node is away. Nothing to compensate.
import { proxyActivities } from '@temporalio/workflow';
import type { Rescan } from '../activities/deposits/deposits.ts';
import type { Activities } from '../activities/index.ts';
import type { RescanTransactionInput } from '../domain/workflow-inputs.ts';
import { rescanOptions } from './activity-options.ts';
import { describeFailure } from './failure.ts';
import { report } from './report.ts';

const { recordTransaction } = proxyActivities<Activities>(rescanOptions);

export async function rescanTransaction({ networkCode, txHash }: RescanTransactionInput): Promise<void> {
  try {
    report('success', describe(await recordTransaction(networkCode, txHash)));
  } catch (error) {
    const { code, reason } = describeFailure(error);
    report('failed', `Not found out: ${reason} (${code}).`);
  }
}

function describe(rescan: Rescan): string {
  switch (rescan.outcome) {
    case 'unknown':
      return 'The node does not know the transaction.';
    case 'pending':
      return 'The transaction is in no block yet.';
    case 'failed':
      return 'The transaction has failed: it brought nothing.';
    case 'unread':
      return 'Its block is read in its turn.';
    case 'recorded':
      return `Deposits in it: ${rescan.found}, of which ${rescan.recorded} were missing.`;
  }
}
