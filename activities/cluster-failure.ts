// Turns what the cluster says went wrong into a failure that Temporal retries or not. Its `type` is the cluster's code, its message one plain sentence.
import { ApplicationFailure } from '@temporalio/common';
import { type Cluster, ClusterError, type Clusters } from './mpc/cluster.ts';

export function asFailure(error: unknown): unknown {
  if (!(error instanceof ClusterError)) return error;
  return ApplicationFailure.create({ message: error.message, type: error.code, nonRetryable: !error.retryable });
}

/** The one that an operator named, who sits before the answer: not retried when it is not known, since a wrong name must not wait for ever. */
export function namedCluster({ named }: Clusters, name: string): Cluster {
  const cluster = named.get(name);
  if (cluster !== undefined) return cluster;
  const message = `the worker knows no cluster ${name}, but ${[...named.keys()].join(', ')}`;
  throw ApplicationFailure.nonRetryable(message, 'invalid_request');
}
