// Starts one part, waits until it serves, and from then on starts it again whenever it ends. Knows no part by name.
import { keepRunning } from './keep-running.ts';
import { type Part, waitUntilReady } from './part.ts';
import type { Reporting } from './run-build.ts';

const READY_WITHIN_MS = 30_000;

/** Where a supervised part keeps its things, and to whom it reports. */
export type Placement = {
  directory: string;
  logFile: string;
  /** Else the one that is known for it, or a round number above. */
  port?: number;
  reporting: Reporting;
  /** Called for every process that is started, first or again: the caller stops it. */
  onStart: (name: string, part: Part) => void;
};
export type Supervised = {
  name: string;
  reporting: Reporting;
  /** Called again for each restart: the part comes back at the same address. */
  start: () => Promise<Part>;
  isReady: (part: Part) => true | undefined | Promise<true | undefined>;
  /** What a part that has just started needs before others use it. */
  prepare?: () => Promise<void>;
};

export async function supervise(supervised: Supervised): Promise<void> {
  const { name, reporting, start } = supervised;
  const part = await start();
  await untilServing(supervised, part);
  void keepRunning(name, part, reporting, async () => {
    const again = await start();
    untilServing(supervised, again).catch((error: Error) => reporting.report(error.message));
    return again;
  });
}

async function untilServing({ name, isReady, prepare }: Supervised, part: Part): Promise<void> {
  try {
    await waitUntilReady(part, READY_WITHIN_MS, () => isReady(part));
    await prepare?.();
  } catch (error) {
    throw new Error(`${name} did not start, ${(error as Error).message} (log: ${part.logFile})`, { cause: error });
  }
}
