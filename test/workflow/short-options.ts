// Stands in the place of workflows/activity-options.ts in one test bundle, with the same shape in seconds: the
// product's own run for minutes and days.

import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';
import type * as product from '../../workflows/activity-options.ts';

export const rowOptions: LocalActivityOptions = { startToCloseTimeout: '1s', retry: { initialInterval: '50ms' } };

export const atOnceOptions: LocalActivityOptions = { startToCloseTimeout: '400ms', retry: { maximumAttempts: 1 } };
export const groupOptions = atOnceOptions;

/**
 * An attempt that answers at once has two seconds for it on a busy machine. One retry after 0.2 s (the server's timers
 * are a second late at times), and none after that: the next would be due when the time is over, so the server gives up
 * at once with the last failure. Only a retry that is due just before the end makes it forget that.
 */
const brief: ActivityOptions = {
  startToCloseTimeout: '2s',
  scheduleToCloseTimeout: '8s',
  retry: { initialInterval: '200ms', backoffCoefficient: 40 },
};

export const signOptions = brief;
export const generateKeyOptions = brief;
export const refreshOptions = brief;
export const prepareOptions = brief;
export const reconciliationOptions = brief;
export const sandboxOptions = brief;
export const readBlocksOptions = brief;
export const rescanOptions = brief;
export const checkpointOptions = brief;
export const deliverOptions = brief;
export const exportOptions = brief;

/** No end, as the product's. */
const endless: ActivityOptions = {
  startToCloseTimeout: '400ms',
  retry: { initialInterval: '50ms', maximumInterval: '100ms' },
};

export const broadcastOptions = endless;
export const followOptions = endless;
export const PAUSE_WHILE_HINDERED = '300ms';
export const PAUSE_WHILE_UNCLEAR = '300ms';

type Product = typeof product;
/** What is missing here would be undefined in every workflow of the bundle. */
export const all = {
  rowOptions,
  atOnceOptions,
  groupOptions,
  signOptions,
  generateKeyOptions,
  refreshOptions,
  prepareOptions,
  reconciliationOptions,
  broadcastOptions,
  followOptions,
  PAUSE_WHILE_HINDERED,
  PAUSE_WHILE_UNCLEAR,
  sandboxOptions,
  readBlocksOptions,
  rescanOptions,
  checkpointOptions,
  deliverOptions,
  exportOptions,
} satisfies Record<keyof Product, unknown>;
