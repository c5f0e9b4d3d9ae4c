// One cluster, to which every wallet belongs: what most tests need.

import { RoutedClusters } from '../../../activities/mpc/client/clusters.ts';
import type { Cluster, Clusters } from '../../../activities/mpc/port.ts';
import { mainCluster } from '../../../domain/clusters.ts';

export const onlyMain = (cluster: Cluster): Clusters =>
  new RoutedClusters(new Map([[mainCluster, cluster]]), {
    clusterOf: async () => mainCluster,
    witnessOf: async () => undefined,
  });
