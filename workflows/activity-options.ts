// Every time-out and retry policy, in one place. Failures that an activity marks non-retryable are never retried.
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';

/** Moves of a row: short, in the worker itself, retried until the database is back. */
export const rowOptions: LocalActivityOptions = {
  startToCloseTimeout: '10s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '10s' },
};

/** One signature: about 10 ms of work. A worker that dies is noticed by its missing heartbeat; a cluster that is not ready is waited for. */
export const signOptions: ActivityOptions = {
  startToCloseTimeout: '60s',
  heartbeatTimeout: '6s',
  scheduleToCloseTimeout: '15m',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '5s' },
};

/** Key generation needs every node. A wallet may wait for one as long as an operator may take to bring it back. */
export const generateKeyOptions: ActivityOptions = {
  startToCloseTimeout: '90s',
  scheduleToCloseTimeout: '7d',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '5s' },
};
