// Stands in the place of workflows/activity-options.ts in one test bundle, with the same shape in seconds: the product's own run for minutes and days.
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';

export const rowOptions: LocalActivityOptions = { startToCloseTimeout: '1s', retry: { initialInterval: '50ms' } };

/**
 * One retry after 0.2 s (the server's timers are a second late at times), and none after that: the next would be due when the time is over, so the
 * server gives up at once with the last failure. Only a retry that is due just before the end makes it forget that.
 */
const brief: ActivityOptions = {
  startToCloseTimeout: '400ms',
  scheduleToCloseTimeout: '3s',
  retry: { initialInterval: '200ms', backoffCoefficient: 20 },
};

export const signOptions = brief;
export const generateKeyOptions = brief;
