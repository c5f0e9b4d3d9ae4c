// Builds the port to all clusters from configuration, each on a cluster file of its own, which is followed: a node that
// is taken off it is used no more.

import type { Cluster, Clusters } from '../port.ts';
import { parseNodeAddresses } from '../transport/node-addresses.ts';
import { httpApprover } from './approver.ts';
import { RoutedClusters, type WalletClusters } from './clusters.ts';
import { connectTo } from './connect-cluster.ts';
import { type FollowOptions, followCluster } from './follow-cluster.ts';
import type { ClusterObserver } from './observed-cluster.ts';

export interface ClusterSettings {
  /** `1=host:port,2=host:port,…` */
  nodes: string;
  /** Path of cluster.json. */
  clusterFile: string;
  credentialsDir: string;
  /** Who signs each command besides. */
  approverUrl?: string | undefined;
}

export interface ClustersConfig {
  /** By name. */
  settings: ReadonlyMap<string, ClusterSettings>;
  places: WalletClusters;
  /** For the cluster of that name. */
  observerOf: (name: string) => ClusterObserver;
  logOf: (name: string) => FollowOptions['log'];
}

/** Throws a plain error that names the cluster whose files are missing or not valid. */
export function connectClusters({ settings, places, observerOf, logOf }: ClustersConfig): Clusters {
  const named = new Map<string, Cluster>();
  for (const [name, { nodes, clusterFile, credentialsDir, approverUrl }] of settings) {
    try {
      const approve = approverUrl === undefined ? undefined : httpApprover(approverUrl);
      const connection = { nodes: parseNodeAddresses(nodes), credentialsDir, observer: observerOf(name), approve };
      const connect = (text: string) => connectTo(text, connection);
      named.set(name, followCluster({ clusterFile, connect, log: logOf(name) }));
    } catch (error) {
      throw new Error(`cluster ${name}: ${(error as Error).message}`, { cause: error });
    }
  }
  return new RoutedClusters(named, places);
}
