// What a node lost is made again by the others: one workflow finds which shares are gone, the other has them made by commands that the enrolment key has signed.
//
// 1. findLostShares   one page of keys each run; the caller asks for the next one, since a list of all would not fit into a history
// 2. repairShares     ten commands at a time; retried for as long as a node is away
// A repaired share signs after `refreshKeys`. What the nodes refuse is in the result. Nothing to compensate.
import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { RepairCommand } from '../activities/mpc/cluster.ts';
import type { LostShares, RefusedRepair, RepairActivities } from '../activities/repair-keys.ts';
import { refreshOptions } from './activity-options.ts';

export type { LostShare } from '../activities/repair-keys.ts';
export type { RepairCommand };

const activities = proxyActivities<RepairActivities>(refreshOptions);

const AT_A_TIME = 10;

export async function findLostShares(node: number, after?: LostShares['next']): Promise<LostShares> {
  return activities.findLostShares(node, after);
}

export interface Repairs {
  repaired: number;
  refused: RefusedRepair[];
}

/** `commands`: a few hundred at most. */
export async function repairKeys(commands: RepairCommand[]): Promise<Repairs> {
  const result: Repairs = { repaired: 0, refused: [] };
  for (let from = 0; from < commands.length; from += AT_A_TIME) {
    const batch = commands.slice(from, from + AT_A_TIME);
    const refused = await activities.repairShares(batch);
    result.repaired += batch.length - refused.length;
    result.refused.push(...refused.map((one) => ({ ...one, position: from + one.position })));
    setCurrentDetails(
      `${result.repaired} of ${commands.length} shares are made, ${result.refused.length} were refused.`,
    );
  }
  return result;
}
