// How many activities of one workspace a queue runs at once in this worker, and how long its places rest after each
// while other workspaces sign: the next one waits for its turn in its slot, and gives the slot back when too many wait
// already or its turn does not come soon. An activity without a workspace never waits.
import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { HEARTBEAT_EVERY_MS, TURN_WAIT_MAX_MS } from '../../domain/time-limits.ts';

/** Of one workspace. */
export interface Turns {
  atOnceMax: number;
  waitingMax: number;
  /**
   * While other workspaces sign. After each turn its place rests: for `factor` times as long as the turn took, so that
   * it rests longer while those who work are slow, and at least for `leastMs`, but no longer than the others sign.
   */
  besideSignatures?: { atOnceMax: number; rest: { factor: number; leastMs: number } };
}

/** Whether other workspaces than this one sign now. */
export type OthersSign = (workspaceId: string) => boolean;

const REST_CHECKED_EVERY_MS = 250;
/** Spread, so that what was sent away together does not come back together. */
const BACK_AFTER_MS = 4_000;

export function takeTurns(turns: Turns, othersSign: OthersSign): ActivityInterceptorsFactory {
  const line = new WorkspaceLine(turns, { othersSign });
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

interface LineOptions {
  othersSign?: OthersSign;
  waitMaxMs?: number;
}

type Waiter = Pick<Context, 'heartbeat' | 'cancellationSignal'>;

interface Place {
  running: number;
  waiting: (() => void)[];
}

export class WorkspaceLine {
  readonly #turns: Turns;
  readonly #othersSign: OthersSign;
  readonly #waitMaxMs: number;
  readonly #places = new Map<string, Place>();

  constructor(turns: Turns, { othersSign = () => false, waitMaxMs = TURN_WAIT_MAX_MS }: LineOptions = {}) {
    this.#turns = turns;
    this.#othersSign = othersSign;
    this.#waitMaxMs = waitMaxMs;
  }

  /** Resolves with what ends the turn; rejects with a failure that is tried again. */
  async enter(workspaceId: string, activity: Waiter): Promise<() => void> {
    const place = this.#places.get(workspaceId) ?? { running: 0, waiting: [] };
    this.#places.set(workspaceId, place);
    if (place.running < this.#atOnceMax(workspaceId)) place.running += 1;
    else if (place.waiting.length >= this.#turns.waitingMax) throw comeBackLater();
    else await this.#turnIn(place, activity);
    const startedMs = performance.now();
    return () => this.#rest(workspaceId, performance.now() - startedMs, () => this.#leave(workspaceId, place));
  }

  #atOnceMax(workspaceId: string): number {
    const { atOnceMax, besideSignatures } = this.#turns;
    return besideSignatures !== undefined && this.#othersSign(workspaceId) ? besideSignatures.atOnceMax : atOnceMax;
  }

  #rest(workspaceId: string, tookMs: number, leave: () => void): void {
    const { besideSignatures } = this.#turns;
    if (besideSignatures === undefined || !this.#othersSign(workspaceId)) return leave();
    const { factor, leastMs } = besideSignatures.rest;
    const until = performance.now() + Math.max(leastMs, factor * tookMs);
    const check = setInterval(() => {
      if (performance.now() < until && this.#othersSign(workspaceId)) return;
      clearInterval(check);
      leave();
    }, REST_CHECKED_EVERY_MS).unref();
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

  #leave(workspaceId: string, place: Place): void {
    place.running -= 1;
    while (place.running < this.#atOnceMax(workspaceId)) {
      const next = place.waiting.shift();
      if (next === undefined) break;
      place.running += 1;
      next();
    }
    if (place.running === 0) this.#places.delete(workspaceId);
  }
}

const comeBackLater = () =>
  ApplicationFailure.create({
    message: 'its workspace has many of the same kind under way',
    type: 'workspace_busy',
    nextRetryDelay: Math.round(BACK_AFTER_MS * (1 + Math.random())),
  });
