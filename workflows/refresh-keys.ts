// Renews the shares of all wallets' keys, of one wallet's or of one cluster's: what was stolen of a node before is
// worth nothing after. Public keys and addresses stay.
//
// 1. refreshKeys page after page, in the order of wallets; retried for as long as a node is away; while it goes on,
//   everything signs What the nodes refuse is in the result and fails nothing else. Nothing to compensate: every key is
//   whole after each step.
import { continueAsNew, proxyActivities, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { FailedRefresh, KeyRefreshActivities } from '../activities/keys/refresh-keys.ts';
import { refreshOptions } from './activity-options.ts';
import { report } from './report.ts';
import { walletIdAttribute } from './search-attributes.ts';

const { refreshKeys: refreshPage } = proxyActivities<KeyRefreshActivities>(refreshOptions);

/** The count goes on. A result must fit into a history. */
const LISTED_MAX = 500;

export interface KeyRefresh {
  refreshed: number;
  failed: FailedRefresh[];
  failedCount: number;
}

export interface RefreshKeysInput {
  /** Only this wallet's keys. */
  walletId?: string;
  /** Only the keys of this cluster. */
  cluster?: string;
  /** Of a workflow that goes on after another. */
  after?: Pick<FailedRefresh, 'walletId' | 'curve'>;
  sofar?: KeyRefresh;
}

export async function refreshKeys({ walletId, cluster, after, sofar }: RefreshKeysInput): Promise<KeyRefresh> {
  const result = sofar ?? { refreshed: 0, failed: [], failedCount: 0 };
  if (walletId !== undefined) upsertSearchAttributes([{ key: walletIdAttribute, value: walletId }]);
  report('refreshing', describe(result));
  for (let place = after; ; ) {
    const { refreshed, failed, next } = await refreshPage(place, walletId, cluster, result.failedCount);
    result.refreshed += refreshed;
    result.failedCount += failed.length;
    result.failed = [...result.failed, ...failed].slice(0, LISTED_MAX);
    const status = result.failedCount > 0 ? 'refused' : 'refreshed';
    report(next === undefined ? status : 'refreshing', describe(result));
    if (next === undefined) return result;
    place = next;
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof refreshKeys>({
        ...(walletId && { walletId }),
        ...(cluster && { cluster }),
        after: next,
        sofar: result,
      });
  }
}

const describe = ({ refreshed, failedCount }: KeyRefresh) =>
  `${refreshed} keys have new shares, ${failedCount} were refused.`;
