// One cluster, to which every wallet belongs: what most tests need.
import type { Cluster, Clusters } from '../../../activities/mpc/cluster.ts';
import { RoutedClusters } from '../../../activities/mpc/clusters.ts';
import { mainCluster } from '../../../domain/clusters.ts';

export const onlyMain = (cluster: Cluster): Clusters =>
  new RoutedClusters(new Map([[mainCluster, cluster]]), {
    clusterOf: async () => mainCluster,
    witnessOf: async () => undefined,
  });
