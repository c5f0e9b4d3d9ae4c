// The product's workflows in haste: what is tried again is tried again within fractions of a second, and looked at as often. For tests in which much fails; how long the
// product waits is not their matter.
import type { Activities } from '../../activities/index.ts';
import { bundleWorkflows } from './worker.ts';

const LOOK_AGAIN_MS = 150;

let made: Promise<string> | undefined;

/** Once for each test file. */
export function bundleHasty(): Promise<string> {
  made ??= bundleWorkflows(new URL('../../workflows/index.ts', import.meta.url), {
    module: 'workflows/activity-options.ts',
    by: new URL('hasty-options.ts', import.meta.url),
  });
  return made;
}

/** The follower's answers, with a shorter pause until it looks again. */
export function lookingHastily(activities: Activities): Activities {
  const followWithdrawal: Activities['followWithdrawal'] = async (id) => {
    const look = await activities.followWithdrawal(id);
    return look.next === 'look' ? { ...look, afterMs: Math.min(look.afterMs, LOOK_AGAIN_MS) } : look;
  };
  return { ...activities, followWithdrawal };
}
