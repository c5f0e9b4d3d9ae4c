// Every time-out and retry policy, in one place; those that something else goes by are in domain/time-limits.ts.
// Failures that an activity marks non-retryable are never retried.
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';
import {
  ALONE_BEGINS_WITHIN_MS,
  AT_ONCE_MAX_MS,
  ATTEMPT_MAX_MS,
  DEAR_SILENCE_MAX_MS,
  DELIVERY_ATTEMPT_MAX_MS,
  DELIVERY_ROUND_MS,
  EXPORT_ATTEMPT_MAX_MS,
  EXPORT_MAX_MS,
  GROUP_BEGINS_WITHIN_MS,
  PREPARATION_MAX_MS,
  ROW_STEP_MAX_MS,
  SIGNING_MAX_MS,
  SILENCE_MAX_MS,
} from '../domain/time-limits.ts';

/** Moves of a row: short, in the worker itself, retried until the database is back. */
export const rowOptions: LocalActivityOptions = {
  startToCloseTimeout: ROW_STEP_MAX_MS,
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '10s' },
};

/**
 * The first attempt at a signature, in the worker itself. It ends by itself in time; nobody waits here for one that
 * does not, and what comes next tries again.
 */
export const atOnceOptions: LocalActivityOptions = {
  startToCloseTimeout: ALONE_BEGINS_WITHIN_MS + AT_ONCE_MAX_MS + ROW_STEP_MAX_MS,
  retry: { maximumAttempts: 1 },
};

/** The same for a group, of which each member begins in time and has as long from then on. */
export const groupOptions: LocalActivityOptions = {
  startToCloseTimeout: GROUP_BEGINS_WITHIN_MS + AT_ONCE_MAX_MS + ROW_STEP_MAX_MS,
  retry: { maximumAttempts: 1 },
};

/**
 * One signature: about 10 ms of work. A worker that dies is noticed by its missing heartbeat; a cluster that is not
 * ready is waited for.
 */
export const signOptions: ActivityOptions = {
  startToCloseTimeout: ATTEMPT_MAX_MS,
  heartbeatTimeout: SILENCE_MAX_MS,
  scheduleToCloseTimeout: SIGNING_MAX_MS,
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '5s' },
};

/**
 * Key generation needs every node. A wallet may wait for one as long as an operator may take to bring it back; a worker
 * that dies is noticed by its missing heartbeat.
 */
export const generateKeyOptions: ActivityOptions = {
  startToCloseTimeout: '90s',
  heartbeatTimeout: DEAR_SILENCE_MAX_MS,
  scheduleToCloseTimeout: '7d',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '5s' },
};

/**
 * A page of keys, each about a second of all nodes' work. A node that is away is waited for; a worker that dies is
 * noticed by its missing heartbeat.
 */
export const refreshOptions: ActivityOptions = {
  startToCloseTimeout: '15m',
  heartbeatTimeout: DEAR_SILENCE_MAX_MS,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
};

/**
 * Waits for the fee of a transaction as long as an operator or a deposit may take to bring it. A worker that dies is
 * noticed by its missing heartbeat, however long the scan of a Bitcoin node takes.
 */
export const prepareOptions: ActivityOptions = {
  startToCloseTimeout: PREPARATION_MAX_MS,
  heartbeatTimeout: SILENCE_MAX_MS,
  scheduleToCloseTimeout: '7d',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '15s' },
};

/** What is signed goes out, however long its node is away. */
export const broadcastOptions: ActivityOptions = {
  startToCloseTimeout: ATTEMPT_MAX_MS,
  heartbeatTimeout: SILENCE_MAX_MS,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '15s' },
};

export const followOptions: ActivityOptions = {
  startToCloseTimeout: ATTEMPT_MAX_MS,
  heartbeatTimeout: SILENCE_MAX_MS,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
};

/** A batch of balances, or a pass over the ledger's entries. A worker that dies is noticed by its silence. */
export const reconciliationOptions: ActivityOptions = {
  startToCloseTimeout: '15m',
  heartbeatTimeout: '2m',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
};

/** Pages of checkpoints, or heads that are sent. The next run is a minute away. */
export const checkpointOptions: ActivityOptions = {
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  scheduleToCloseTimeout: '10m',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
};

/**
 * How long a withdrawal that must go on, and is hindered by a freeze or by a cluster that is away, waits until it looks
 * again.
 */
export const PAUSE_WHILE_HINDERED = '1m';

/** When it is asked again whether a withdrawal that is given up may have been signed. */
export const PAUSE_WHILE_UNCLEAR = '5s';

/** A sandbox chain that is away for longer is left alone. */
export const sandboxOptions: ActivityOptions = {
  startToCloseTimeout: ATTEMPT_MAX_MS,
  scheduleToCloseTimeout: '5m',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '5s' },
};

/**
 * A round of webhooks: half a minute, and what is under way then to its end. A worker that dies is noticed by its
 * missing heartbeat.
 */
export const deliverOptions: ActivityOptions = {
  startToCloseTimeout: 4 * (DELIVERY_ROUND_MS + DELIVERY_ATTEMPT_MAX_MS),
  heartbeatTimeout: DEAR_SILENCE_MAX_MS,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
};

/**
 * Less than a minute, however many blocks wait. A worker that dies is noticed by its missing heartbeat; a node that is
 * away is waited for.
 */
export const readBlocksOptions: ActivityOptions = {
  startToCloseTimeout: '5m',
  heartbeatTimeout: SILENCE_MAX_MS,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '15s' },
};

export const rescanOptions: ActivityOptions = {
  startToCloseTimeout: '5m',
  heartbeatTimeout: SILENCE_MAX_MS,
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '1m' },
};

/**
 * One file, however large. A worker that dies is noticed by its missing heartbeat, and another one begins anew; what
 * cannot be written within the time is given up.
 */
export const exportOptions: ActivityOptions = {
  startToCloseTimeout: EXPORT_ATTEMPT_MAX_MS,
  heartbeatTimeout: DEAR_SILENCE_MAX_MS,
  scheduleToCloseTimeout: EXPORT_MAX_MS,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
};
