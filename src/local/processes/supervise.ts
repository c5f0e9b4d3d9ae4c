// Starts one part, waits until it serves, and from then on starts it again whenever it ends. Knows no part by name.
import { keepRunning, type Supervision } from './keep-running.ts';
import { type Part, waitUntilReady } from './part.ts';

const READY_WITHIN_MS = 30_000;

/** Where a supervised part keeps its things, and to whom it reports. */
export type Placement = {
  directory: string;
  logFile: string;
  /** Else the one that is known for it, or a round number above. */
  port?: number;
  supervision: Supervision;
  /** Called for every process that is started, first or again: the caller stops it. */
  onStart: (name: string, part: Part) => void;
};
export type Supervised = {
  name: string;
  supervision: Supervision;
  /** Called again for each restart: the part comes back at the same address. */
  start: () => Promise<Part>;
  isReady: (part: Part) => true | undefined | Promise<true | undefined>;
  /** What a part that has just started needs before others use it. */
  prepare?: () => Promise<void>;
  /** See keep-running.ts. */
  lost?: string;
};

export async function supervise(supervised: Supervised): Promise<void> {
  const { name, lost, supervision } = supervised;
  const start = () => startServing(supervised);
  void keepRunning(await start(), { name, start, ...(lost !== undefined && { lost }) }, supervision);
}

async function startServing({ name, start, isReady, prepare }: Supervised): Promise<Part> {
  const part = await start();
  try {
    await waitUntilReady(part, READY_WITHIN_MS, () => isReady(part));
    await prepare?.();
    return part;
  } catch (error) {
    await part.stop();
    throw new Error(`${name} did not start, ${(error as Error).message} (log: ${part.logFile})`, { cause: error });
  }
}
