// Which task queue an activity waits in. Work that takes long has a queue and slots of its own, so that none of it
// holds the slots in which others' signatures are made: the queue of the workflows themselves is left to signatures and
// to what operators start. The slots of each queue stand in src/worker/activity-queues.ts.
import type { Activities } from '../activities/index.ts';

/** Beside the queue of the workflows, by the end of its name. */
export const activityQueues = ['keys', 'chains', 'rescans', 'exports'] as const;
export type ActivityQueue = (typeof activityQueues)[number];

export const activityQueueOf = (taskQueue: string, queue: ActivityQueue): string => `${taskQueue}-${queue}`;

/** Of what sends webhooks: endpoints take their time. */
export const webhookQueueOf = (taskQueue: string): string => `${taskQueue}-webhooks`;

/** What is not named here waits in the queue of its workflow. */
const queueByActivity: Readonly<Partial<Record<keyof Activities, ActivityQueue>>> = {
  generateKey: 'keys',
  refreshKeys: 'keys',
  findLostShares: 'keys',
  repairShares: 'keys',
  prepareTransaction: 'chains',
  broadcastTransaction: 'chains',
  followWithdrawal: 'chains',
  readBlocks: 'chains',
  compareBalances: 'chains',
  signFaucetPayment: 'chains',
  sendFaucetPayment: 'chains',
  readSandboxHeight: 'chains',
  mineToHeight: 'chains',
  recordTransaction: 'rescans',
  writeExport: 'exports',
};

export function queueOfActivity(activityType: string): ActivityQueue | undefined {
  return Object.hasOwn(queueByActivity, activityType) ? queueByActivity[activityType as keyof Activities] : undefined;
}
