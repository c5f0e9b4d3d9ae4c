// The other sides of (c): the least that a durable operation costs here, one workflow with one activity under the
// options of a signature, and one with a local activity under those of a first attempt.
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import { atOnceOptions, signOptions } from '../workflows/activity-options.ts';

export interface NoopActivities {
  doNothing(input: string): Promise<string>;
}

const { doNothing } = proxyActivities<NoopActivities>(signOptions);
const { doNothing: doNothingLocally } = proxyLocalActivities<NoopActivities>(atOnceOptions);

export async function noopOperation(input: string): Promise<string> {
  return doNothing(input);
}

export async function noopLocally(input: string): Promise<string> {
  return doNothingLocally(input);
}
