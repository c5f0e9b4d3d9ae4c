// The other side of (c): the least that a durable operation costs here, one workflow with one activity under the
// options of a signature.
import { proxyActivities } from '@temporalio/workflow';
import { signOptions } from '../workflows/activity-options.ts';

export interface NoopActivities {
  doNothing(input: string): Promise<string>;
}

const { doNothing } = proxyActivities<NoopActivities>(signOptions);

export async function noopOperation(input: string): Promise<string> {
  return doNothing(input);
}
