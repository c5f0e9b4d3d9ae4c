// The product's workflows with fast retries: what is tried again is tried again within fractions of a second, and
// looked at as often. For tests in which much fails, and which do not test how long the product waits.
import type { Activities } from '../../../activities/index.ts';
import { bundleWorkflows } from './worker.ts';

const LOOK_AGAIN_MS = 150;

let made: Promise<string> | undefined;

/** Once for each test file. */
export function bundleWithFastRetries(): Promise<string> {
  made ??= bundleWorkflows(new URL('../../../workflows/index.ts', import.meta.url), {
    module: 'workflows/activity-options.ts',
    by: new URL('fast-retries-options.ts', import.meta.url),
  });
  return made;
}

/** The follower's answers, with a shorter pause until it looks again. */
export function followingOften(activities: Activities): Activities {
  const followWithdrawal: Activities['followWithdrawal'] = async (id) => {
    const look = await activities.followWithdrawal(id);
    return look.next === 'look' ? { ...look, afterMs: Math.min(look.afterMs, LOOK_AGAIN_MS) } : look;
  };
  return { ...activities, followWithdrawal };
}
