// Stands in the place of workflows/activity-options.ts in the bundle of fast-retries.ts: the same policies, with short
// pauses.
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';
import type * as product from '../../../workflows/activity-options.ts';

const retry = { initialInterval: '20ms', backoffCoefficient: 2, maximumInterval: '300ms' };
const patient: ActivityOptions = { startToCloseTimeout: '60s', heartbeatTimeout: '6s', retry };

export const rowOptions: LocalActivityOptions = { startToCloseTimeout: '5s', retry };
export const atOnceOptions: LocalActivityOptions = { startToCloseTimeout: '5s', retry: { maximumAttempts: 1 } };
export const groupOptions = atOnceOptions;
export const signOptions: ActivityOptions = { ...patient, scheduleToCloseTimeout: '30s' };
export const generateKeyOptions = patient;
export const refreshOptions = patient;
export const prepareOptions = patient;
export const broadcastOptions = patient;
export const followOptions = patient;
export const reconciliationOptions = patient;
export const sandboxOptions = patient;
export const readBlocksOptions = patient;
export const rescanOptions = patient;
export const checkpointOptions = patient;
export const deliverOptions = patient;
export const exportOptions = patient;
export const PAUSE_WHILE_HINDERED = '300ms';
export const PAUSE_WHILE_UNCLEAR = '300ms';

/** What is missing here would be undefined in every workflow of the bundle. */
export const all = {
  rowOptions,
  atOnceOptions,
  groupOptions,
  signOptions,
  generateKeyOptions,
  refreshOptions,
  prepareOptions,
  broadcastOptions,
  followOptions,
  reconciliationOptions,
  sandboxOptions,
  readBlocksOptions,
  rescanOptions,
  checkpointOptions,
  deliverOptions,
  exportOptions,
  PAUSE_WHILE_HINDERED,
  PAUSE_WHILE_UNCLEAR,
} satisfies Record<keyof typeof product, unknown>;
