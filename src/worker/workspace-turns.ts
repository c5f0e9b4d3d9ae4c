// How many activities of one workspace a queue runs at once in this worker, and how long its places rest after each: the next one waits for its turn in its slot, and gives the slot back when
// too many wait already or its turn does not come soon. An activity without a workspace never waits.
import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';

/** Of one workspace. */
export interface Turns {
  atOnceMax: number;
  waitingMax: number;
  /** After each turn its place rests: for this part of the time that the turn took, so that it rests longer while those who work are slow, and at least for so long. */
  rest?: { factor: number; leastMs: number };
}

/** Well within every time-out of workflows/activity-options.ts, with the work that comes after it. */
const WAIT_MAX_MS = 20_000;
const HEARTBEAT_EVERY_MS = 2_000;
/** Spread, so that what was sent away together does not come back together. */
const BACK_AFTER_MS = 4_000;

export function takeTurns(turns: Turns): ActivityInterceptorsFactory {
  const line = new WorkspaceLine(turns);
  return (context: Context) => ({
    inbound: {
      async execute(input, next) {
        // The starter names the workspace of a workflow so, and its activities inherit it.
        const workspaceId = context.info.priority?.fairnessKey;
        if (!workspaceId) return next(input);
        const leave = await line.enter(workspaceId, context);
        try {
          return await next(input);
        } finally {
          leave();
        }
      },
    },
  });
}

type Waiter = Pick<Context, 'heartbeat' | 'cancellationSignal'>;

interface Place {
  running: number;
  waiting: (() => void)[];
}

export class WorkspaceLine {
  readonly #turns: Turns;
  readonly #waitMaxMs: number;
  readonly #places = new Map<string, Place>();

  constructor(turns: Turns, waitMaxMs = WAIT_MAX_MS) {
    this.#turns = turns;
    this.#waitMaxMs = waitMaxMs;
  }

  /** Resolves with what ends the turn; rejects with a failure that is tried again. */
  async enter(workspaceId: string, activity: Waiter): Promise<() => void> {
    const place = this.#places.get(workspaceId) ?? { running: 0, waiting: [] };
    this.#places.set(workspaceId, place);
    if (place.running < this.#turns.atOnceMax) place.running += 1;
    else if (place.waiting.length >= this.#turns.waitingMax) throw comeBackLater();
    else await this.#turnIn(place, activity);
    const startedMs = performance.now();
    return () => {
      const { rest } = this.#turns;
      if (rest === undefined) return this.#leave(workspaceId, place);
      const restMs = Math.max(rest.leastMs, rest.factor * (performance.now() - startedMs));
      setTimeout(() => this.#leave(workspaceId, place), restMs).unref();
    };
  }

  async #turnIn(place: Place, activity: Waiter): Promise<void> {
    let stopWaiting = () => {};
    const turn = new Promise<void>((resolve, reject) => {
      place.waiting.push(resolve);
      stopWaiting = () => {
        const index = place.waiting.indexOf(resolve);
        // Who was given a turn meanwhile keeps it.
        if (index < 0) return;
        place.waiting.splice(index, 1);
        reject(comeBackLater());
      };
    });
    const stillHere = setInterval(() => activity.heartbeat(), HEARTBEAT_EVERY_MS);
    const patience = setTimeout(stopWaiting, this.#waitMaxMs);
    activity.cancellationSignal.addEventListener('abort', stopWaiting, { once: true });
    try {
      await turn;
    } finally {
      clearInterval(stillHere);
      clearTimeout(patience);
      activity.cancellationSignal.removeEventListener('abort', stopWaiting);
    }
  }

  /** Whoever ends passes the turn on, so `running` changes only when nobody waits. */
  #leave(workspaceId: string, place: Place): void {
    const next = place.waiting.shift();
    if (next !== undefined) return next();
    place.running -= 1;
    if (place.running === 0) this.#places.delete(workspaceId);
  }
}

const comeBackLater = () =>
  ApplicationFailure.create({
    message: 'its workspace has many of the same kind under way',
    type: 'workspace_busy',
    nextRetryDelay: Math.round(BACK_AFTER_MS * (1 + Math.random())),
  });
