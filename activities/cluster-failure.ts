// Turns what the cluster says went wrong into a failure that Temporal retries or not. Its `type` is the cluster's code, its message one plain sentence.
import { ApplicationFailure } from '@temporalio/common';
import { ClusterError } from './mpc/cluster.ts';

export function asFailure(error: unknown): unknown {
  if (!(error instanceof ClusterError)) return error;
  return ApplicationFailure.create({ message: error.message, type: error.code, nonRetryable: !error.retryable });
}
