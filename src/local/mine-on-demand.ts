// The miner of a sandbox chain: blocks come while transactions wait, and some more after them, so that they are
// confirmed. A chain at rest costs nothing and does not grow.
import { setTimeout as sleep } from 'node:timers/promises';

export type Mining = {
  signal: AbortSignal;
  everyMs: number;
  /** How many blocks follow the last one with a transaction. */
  confirmingBlocks: number;
  countWaiting: () => Promise<number>;
  mineBlock: () => Promise<unknown>;
  /** At the end of each round, also of one without a block. */
  save: () => Promise<void>;
};

/** Runs until the signal; while the node does not answer, because it is being started again, it waits. */
export async function mineOnDemand(mining: Mining): Promise<void> {
  const { signal, everyMs } = mining;
  // A chain that was stopped amid the confirming blocks gets the rest.
  let blocksLeft = mining.confirmingBlocks;
  while (!signal.aborted) {
    blocksLeft = await playRound(mining, blocksLeft).catch(() => blocksLeft);
    await sleep(everyMs, undefined, { signal }).catch(() => {});
  }
}

async function playRound(mining: Mining, blocksLeft: number): Promise<number> {
  const waiting = await mining.countWaiting();
  if (waiting > 0 || blocksLeft > 0) await mining.mineBlock();
  await mining.save();
  return waiting > 0 ? mining.confirmingBlocks : Math.max(0, blocksLeft - 1);
}
