// Finds keys of which a node has no share, and has the others make it again by commands that the holder of the
// enrolment key signed. No row changes.
import { heartbeat } from '@temporalio/activity';
import { type FailureCode } from '../../domain/failures.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { type KeyPlace, listWalletKeys } from '../../drizzle/wallets/wallet-keys.ts';
import { asFailure, namedCluster } from '../mpc/cluster-failure.ts';
import { ClusterError, type Clusters, type NodePlace, type RepairCommand } from '../mpc/port.ts';

/** As `mpc-node sign-enrolment --keys` reads it. */
export interface LostShare {
  wallet_id: string;
  curve: KeyPlace['curve'];
  epoch: number;
  /** Hex. */
  public_key: string;
}

export interface LostShares {
  looked: number;
  lost: LostShare[];
  /** Absent at the end. */
  next?: KeyPlace;
}

export interface RefusedRepair {
  /** In the list of commands, from 0. */
  position: number;
  errorCode: FailureCode;
  /** One sentence. */
  errorReason: string;
}

const PAGE = 500;
const AT_ONCE = 8;

export function createRepairActivities({ db, clusters }: { db: Database; clusters: Clusters }) {
  return {
    /**
     * Safe to repeat: it reads. A page of the cluster's keys, and those of which its `node` has no share of the newest
     * epoch. Not retried: a cluster that is not known here.
     */
    async findLostShares({ cluster: name, node }: NodePlace, after?: KeyPlace): Promise<LostShares> {
      const cluster = namedCluster(clusters, name);
      const keys = await listWalletKeys(db, { cluster: name, after, limit: PAGE });
      const lost: LostShare[] = [];
      const rest = keys.values();
      const inspectRest = async () => {
        for (const { walletId, curve, publicKey } of rest) {
          const { epoch, shares } = await cluster.sharesOf({ walletId, curve });
          if (shares.some((share) => share.node === node && share.state === 'missing'))
            lost.push({ wallet_id: walletId, curve, epoch, public_key: Buffer.from(publicKey).toString('hex') });
          heartbeat();
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, inspectRest)).catch((error: unknown) => {
        throw asFailure(error);
      });
      const last = keys.at(-1);
      const page = { looked: keys.length, lost };
      return keys.length === PAGE && last ? { ...page, next: { walletId: last.walletId, curve: last.curve } } : page;
    },

    /**
     * Safe to repeat: a share that is there is left. Retried for what may pass; what the nodes refuse is told of, and
     * keeps no other share from being made.
     */
    async repairShares(commands: readonly RepairCommand[]): Promise<RefusedRepair[]> {
      const refused: RefusedRepair[] = [];
      for (const [position, command] of commands.entries()) {
        heartbeat();
        try {
          await clusters.repairShare(command);
        } catch (error) {
          if (!(error instanceof ClusterError) || error.retryable) throw asFailure(error);
          refused.push({ position, errorCode: error.code, errorReason: error.message });
        }
      }
      return refused;
    },
  };
}

export type RepairActivities = ReturnType<typeof createRepairActivities>;
