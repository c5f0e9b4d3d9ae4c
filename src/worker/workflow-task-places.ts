// How many workflow tasks this worker holds at once. A first attempt at a signature keeps the place of its workflow's
// task while nodes answer, so there are many places. But a worker that gets little processor time must take few tasks:
// what it cannot finish before Temporal's time-out is given out again, so that of two hundred tasks none might be
// finished. When tasks take long it halves what it takes, and takes more again little by little when they are quick.
import type {
  CustomSlotSupplier,
  SlotMarkUsedContext,
  SlotPermit,
  SlotReleaseContext,
  SlotReserveContext,
  WorkerTuner,
  WorkflowSlotInfo,
} from '@temporalio/worker';
import { AT_ONCE_MAX_MS } from '../../domain/time-limits.ts';

const PLACES_MAX = 200;
/** Ten of them are polls that wait for a task. */
const PLACES_MIN = 16;
/** Temporal gives a task out again after ten seconds (src/writes/start-workflow.ts: some of them after six). */
const TASK_LONG_MS = 3_000;
/** What is under way when the number is halved may still take long. */
const HALVED_EVERY_MS = 2_000;
/** After each task that was quick: from the fewest to the most in some two thousand. */
const MORE_EACH_TIME = 0.1;
/** These wait for nodes in their task. */
const WAITING_FOR_NODES: ReadonlySet<string> = new Set(['sign', 'signGroup']);
const LOCAL_ACTIVITIES_MAX = 200;
/** The SDK's own default: most activities have task queues of their own. */
const ACTIVITIES_MAX = 100;

/** What a worker of workflows holds at once. */
export function tuneWorkflowWorker(): WorkerTuner {
  const fixed = (numSlots: number) => ({ type: 'fixed-size' as const, numSlots });
  return {
    workflowTaskSlotSupplier: new WorkflowTaskPlaces(),
    localActivityTaskSlotSupplier: fixed(LOCAL_ACTIVITIES_MAX),
    activityTaskSlotSupplier: fixed(ACTIVITIES_MAX),
    nexusTaskSlotSupplier: fixed(1),
  };
}

interface Place extends SlotPermit {
  taken?: { atMs: number; longMs: number };
}

export class WorkflowTaskPlaces implements CustomSlotSupplier<WorkflowSlotInfo> {
  readonly type = 'custom';
  readonly #now: () => number;
  readonly #waiting = new Set<() => void>();
  #places = PLACES_MAX;
  #held = 0;
  #halvedMs = Number.NEGATIVE_INFINITY;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get places(): number {
    return Math.floor(this.#places);
  }

  reserveSlot(_context: SlotReserveContext, abortSignal: AbortSignal): Promise<SlotPermit> {
    return new Promise((resolve, reject) => {
      const take = () => resolve({});
      this.#waiting.add(take);
      const stopWaiting = () => this.#waiting.delete(take) && reject(abortSignal.reason);
      abortSignal.addEventListener('abort', stopWaiting, { once: true });
      this.#giveOut();
    });
  }

  tryReserveSlot(): SlotPermit | null {
    if (this.#held >= this.places) return null;
    this.#held += 1;
    return {};
  }

  markSlotUsed({ permit, slotInfo }: SlotMarkUsedContext<WorkflowSlotInfo>): void {
    const longMs = WAITING_FOR_NODES.has(slotInfo.workflowType) ? TASK_LONG_MS + AT_ONCE_MAX_MS : TASK_LONG_MS;
    (permit as Place).taken = { atMs: this.#now(), longMs };
  }

  releaseSlot({ permit }: SlotReleaseContext<WorkflowSlotInfo>): void {
    this.#held -= 1;
    const { taken } = permit as Place;
    if (taken !== undefined) this.#learn(this.#now() - taken.atMs > taken.longMs);
    this.#giveOut();
  }

  #learn(tookLong: boolean): void {
    if (!tookLong) this.#places = Math.min(PLACES_MAX, this.#places + MORE_EACH_TIME);
    else if (this.#now() - this.#halvedMs >= HALVED_EVERY_MS) {
      this.#halvedMs = this.#now();
      this.#places = Math.max(PLACES_MIN, this.#places / 2);
    }
  }

  #giveOut(): void {
    for (const take of this.#waiting) {
      if (this.#held >= this.places) return;
      this.#waiting.delete(take);
      this.#held += 1;
      take();
    }
  }
}
