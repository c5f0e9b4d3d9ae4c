// Follows the blocks of one network for as long as a worker has a node of it, so that what arrives at our addresses is
// seen. Workers start it again when one has.
//
// 1. readBlocks from where the cursor in the database stands, up to the head and for a while after it; each block is
//   one commit, so that a repeat, a crash or a day's pause skips none and counts none twice; retried until the node is
//   back
// 2. a timer      none while there is more to be read; else about as long as the network takes for a block
//   Continues as new, so that its history stays short. Nothing to compensate: what was committed stands.
import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { Pace } from '../activities/deposits/read-network.ts';
import type { Activities } from '../activities/index.ts';
import { readBlocksOptions } from './activity-options.ts';
import { report } from './report.ts';

const { readBlocks } = proxyActivities<Activities>(readBlocksOptions);

export interface WatchNetworkInput {
  networkCode: string;
  pace: Pace;
  /** As the run before this one reported it. */
  status?: string;
}

const ROUNDS_MAX = 500;

export async function watchNetwork({ networkCode, pace, status }: WatchNetworkInput): Promise<void> {
  let { delayMs } = pace;
  let reported = status;
  for (let round = 0; round < ROUNDS_MAX && !workflowInfo().continueAsNewSuggested; round += 1) {
    const reading = await readBlocks(networkCode, { ...pace, delayMs });
    const { state, nextBlock, behind } = reading;
    if (state === 'unwatched') return report(state, 'Ended: the worker that was asked has no node of this network.');
    const details = state === 'halted' ? 'Halted: see its log, then resume it.' : `Block ${nextBlock} is read next.`;
    // Each attribute that is set is an event of the history.
    if (state === reported) setCurrentDetails(details);
    else report(state, details);
    reported = state;
    delayMs = reading.delayMs;
    if (!behind) await sleep(delayMs);
  }
  const next = { networkCode, pace: { ...pace, delayMs } };
  await continueAsNew<typeof watchNetwork>(reported === undefined ? next : { ...next, status: reported });
}
