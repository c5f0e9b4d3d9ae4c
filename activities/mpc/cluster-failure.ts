// Turns what the cluster says went wrong into a failure that Temporal retries or not. Its `type` is the cluster's code,
// its message one plain sentence.
import { ApplicationFailure, type Duration } from '@temporalio/common';
import { BrokenSealError } from '../../drizzle/seals/seals.ts';
import { type Cluster, ClusterError, type Clusters } from './port.ts';

/** `nextRetryDelay` in the place of the delay that the activity's options give. */
export function asFailure(error: unknown, nextRetryDelay?: Duration): unknown {
  if (error instanceof BrokenSealError) return asSealFailure(error);
  if (!(error instanceof ClusterError)) return error;
  const failure = { message: error.message, type: error.code, nonRetryable: !error.retryable };
  return ApplicationFailure.create({ ...failure, ...(nextRetryDelay === undefined ? {} : { nextRetryDelay }) });
}

/** A row that this service did not write, or that was changed since, is good for nothing. */
export const asSealFailure = ({ message }: BrokenSealError) =>
  ApplicationFailure.nonRetryable(message, 'row_not_sealed');

/**
 * The one that an operator named, who sits before the answer: not retried when it is not known, since a wrong name must
 * not wait for ever.
 */
export function namedCluster({ named }: Clusters, name: string): Cluster {
  const cluster = named.get(name);
  if (cluster !== undefined) return cluster;
  const message = `the worker knows no cluster ${name}, but ${[...named.keys()].join(', ')}`;
  throw ApplicationFailure.nonRetryable(message, 'invalid_request');
}
