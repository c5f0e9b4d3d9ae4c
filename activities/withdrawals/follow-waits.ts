// How withdrawals that are out wait between two looks at their chain. Each answer of a look costs Temporal an activity,
// a timer and two workflow tasks: a few hundred withdrawals that were looked at twice a second would leave nothing to
// the one whose signature all of them wait for. So a short wait is passed in the activity itself, and of those that
// wait longer few come back in one second, however many there are. Knows no chain.

/** A block of a fast chain and its confirmations come within it, and one more look costs little after it. */
const HELD_FOR_MS = 5_000;
/** Of one workspace: half of what it may have under way at once in the queue of chains. */
const HELD_OF_WORKSPACE_MAX = 50;
/** Of all: half of that queue's slots (src/worker/activity-queues.ts). */
const HELD_MAX = 150;
/** Between two looks of a workspace at a network, where they go through Temporal. */
const APART_MS = 50;
/** Lines whose last look is over are forgotten when there are so many. */
const LINES_MAX = 1_000;

/** Those that look at the same chain for the same workspace. */
export interface Line {
  networkId: string;
  workspaceId: string;
}

interface FollowWaitsOptions {
  heldForMs?: number;
  now?: () => number;
}

/** Of one worker. */
export class FollowWaits {
  /** How long an activity goes on looking before it answers. */
  readonly heldForMs: number;
  readonly #now: () => number;
  /** By workspace. */
  readonly #held = new Map<string, number>();
  #heldOfAll = 0;
  /** Of each line: when the last of it looks again, in milliseconds. */
  readonly #lastPollAt = new Map<string, number>();

  constructor({ heldForMs = HELD_FOR_MS, now = () => performance.now() }: FollowWaitsOptions = {}) {
    this.heldForMs = heldForMs;
    this.#now = now;
  }

  /** Undefined when too many wait in their activities already; else what gives the place back. */
  enter(workspaceId: string): (() => void) | undefined {
    const held = this.#heldOf(workspaceId);
    if (held >= HELD_OF_WORKSPACE_MAX || this.#heldOfAll >= HELD_MAX) return undefined;
    this.#held.set(workspaceId, held + 1);
    this.#heldOfAll += 1;
    return () => this.#leave(workspaceId);
  }

  #heldOf(workspaceId: string): number {
    return this.#held.get(workspaceId) ?? 0;
  }

  #leave(workspaceId: string): void {
    const left = this.#heldOf(workspaceId) - 1;
    if (left > 0) this.#held.set(workspaceId, left);
    else this.#held.delete(workspaceId);
    this.#heldOfAll -= 1;
  }

  /** When a withdrawal looks again by its workflow: after `atLeastMs`, and apart from all others of its line. */
  untilNextLookMs(line: Line, atLeastMs: number): number {
    const now = this.#now();
    const key = `${line.networkId} ${line.workspaceId}`;
    const at = Math.max(now + atLeastMs, (this.#lastPollAt.get(key) ?? 0) + APART_MS);
    if (this.#lastPollAt.size >= LINES_MAX) this.#deletePast(now);
    this.#lastPollAt.set(key, at);
    return Math.round(at - now);
  }

  #deletePast(now: number): void {
    for (const [key, at] of this.#lastPollAt) if (at < now) this.#lastPollAt.delete(key);
  }
}
