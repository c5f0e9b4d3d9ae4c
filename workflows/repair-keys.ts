// What a node lost is made again by the others: one workflow finds which shares are gone, the other has them made by
// commands that the enrolment key has signed.
//
// 1. findLostShares one page of keys each run; the caller asks for the next one, since a list of all would not fit into
//   a history
// 2. repairShares     ten commands at a time; retried for as long as a node is away
//   A repaired share signs after `refreshKeys`. What the nodes refuse is in the result. Nothing to compensate.
import { proxyActivities } from '@temporalio/workflow';
import type { LostShares, RefusedRepair, RepairActivities } from '../activities/keys/repair-keys.ts';
import type { NodePlace, RepairCommand } from '../activities/mpc/port.ts';
import { refreshOptions } from './activity-options.ts';
import { report } from './report.ts';

export type { LostShare } from '../activities/keys/repair-keys.ts';
export type { NodePlace, RepairCommand };

const activities = proxyActivities<RepairActivities>(refreshOptions);

const AT_A_TIME = 10;

export interface FindLostSharesInput extends NodePlace {
  after?: LostShares['next'];
}

export async function findLostShares({ cluster, node, after }: FindLostSharesInput): Promise<LostShares> {
  report('looking', `Looks for keys of cluster ${cluster} of which node ${node} has no share.`);
  const found = await activities.findLostShares({ cluster, node }, after);
  report('found', `Of ${found.looked} keys, node ${node} of cluster ${cluster} has no share of ${found.lost.length}.`);
  return found;
}

export interface Repairs {
  repaired: number;
  refused: RefusedRepair[];
}

export interface RepairKeysInput {
  /** A few hundred at most. */
  commands: RepairCommand[];
}

export async function repairKeys({ commands }: RepairKeysInput): Promise<Repairs> {
  const result: Repairs = { repaired: 0, refused: [] };
  const describe = () =>
    `${result.repaired} of ${commands.length} shares are made, ${result.refused.length} were refused.`;
  report('repairing', describe());
  for (let from = 0; from < commands.length; from += AT_A_TIME) {
    const batch = commands.slice(from, from + AT_A_TIME);
    const refused = await activities.repairShares(batch);
    result.repaired += batch.length - refused.length;
    result.refused.push(...refused.map((one) => ({ ...one, position: from + one.position })));
    report('repairing', describe());
  }
  report(result.refused.length > 0 ? 'refused' : 'repaired', describe());
  return result;
}
