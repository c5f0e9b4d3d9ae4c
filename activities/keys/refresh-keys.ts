// Has the clusters renew the shares of wallets' keys, page after page. Keys and addresses stay, so no row changes.
import { activityInfo, heartbeat, sleep } from '@temporalio/activity';
import { type FailureCode } from '../../domain/failures.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { recordRefresh } from '../../drizzle/observability/maintenance.ts';
import { type KeyPlace, listWalletKeys } from '../../drizzle/wallets/wallet-keys.ts';
import type { WalletKeyRow } from '../../drizzle/wallets/wallets.ts';
import { asFailure, namedCluster } from '../mpc/cluster-failure.ts';
import { ClusterError, type Clusters } from '../mpc/port.ts';
import { withHeartbeat } from '../runtime/with-heartbeat.ts';

export interface FailedRefresh extends KeyPlace {
  errorCode: FailureCode;
  /** One sentence. */
  errorReason: string;
}

export interface RefreshedPage {
  refreshed: number;
  failed: FailedRefresh[];
  /** Absent at the end. */
  next?: KeyPlace;
}

/** About a second of all nodes' work each: a page takes less than a minute, and a retry repeats little. */
const PAGE = 20;

/** Of one key that the nodes do not come to an end with, as when the disk of one is full: each may leave a share. */
const TRIES_MAX = 3;

export function createRefreshActivities({ db, clusters }: { db: Database; clusters: Clusters }) {
  const refresh = async (key: WalletKeyRow, tries = 1): Promise<FailedRefresh[]> => {
    const { walletId, curve, publicKey, chainCode } = key;
    try {
      await clusters.refreshKey({ walletId, curve, root: { publicKey, chainCode } });
      return [];
    } catch (error) {
      if (!(error instanceof ClusterError)) throw asFailure(error);
      const failsInside = error.code === 'mpc_error';
      if (error.retryable && !failsInside) throw asFailure(error);
      if (failsInside && tries < TRIES_MAX) {
        await sleep(tries * 1_000);
        return refresh(key, tries + 1);
      }
      return [{ walletId, curve, errorCode: error.code, errorReason: error.message }];
    }
  };

  return {
    /**
     * Safe to repeat: a retry goes on behind the last key that its heartbeat tells of, and a key that is refreshed
     * twice is only newer. Waits, by Temporal's retries, for a node that is away; a key that the nodes refuse to
     * refresh, or do not come to an end with, is told of, and keeps no other from being refreshed. Not retried: a
     * cluster that is not known here. After the last page of a refresh in which nothing was refused it is recorded when
     * that was. `failedBefore`: how many were refused in the pages before.
     */
    async refreshKeys(
      after?: KeyPlace,
      walletId?: string,
      cluster?: string,
      failedBefore?: number,
    ): Promise<RefreshedPage> {
      if (cluster !== undefined) namedCluster(clusters, cluster);
      const keys = await listWalletKeys(db, { walletId, cluster, after, limit: PAGE });
      const last = keys.at(-1);
      const page: RefreshedPage = doneBefore() ?? { refreshed: 0, failed: [] };
      await withHeartbeat(
        async () => {
          for (const key of keys.slice(page.refreshed + page.failed.length)) {
            const failed = await refresh(key);
            page.failed.push(...failed);
            page.refreshed += 1 - failed.length;
            heartbeat(page);
          }
        },
        () => page,
      );
      if (keys.length === PAGE && last) return { ...page, next: { walletId: last.walletId, curve: last.curve } };
      if (walletId === undefined && failedBefore === 0 && page.failed.length === 0)
        await recordRefresh(db, cluster === undefined ? [...clusters.named.keys()] : [cluster]);
      return page;
    },
  };
}

/** By an attempt of this page that came to no end. */
function doneBefore(): RefreshedPage | undefined {
  const { heartbeatDetails } = activityInfo();
  return heartbeatDetails === undefined || heartbeatDetails === null ? undefined : (heartbeatDetails as RefreshedPage);
}

export type KeyRefreshActivities = ReturnType<typeof createRefreshActivities>;
