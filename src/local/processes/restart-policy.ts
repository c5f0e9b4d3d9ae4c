// When a part that ended starts again: after a pause that grows with each end of the last minute, and not at all when
// there were too many of them. Reads no clock and starts nothing.

const WINDOW_MS = 60_000;
/** The fifth end within the window is the last one, unless the caller says otherwise. */
const ENDS_MAX = 5;
const PAUSE_FIRST_MS = 250;
const PAUSE_GROWTH = 4;

export type RestartLimits = {
  /** So many ends within a minute are too many. */
  endsMax?: number;
  pauseMaxMs?: number;
};

export class RestartPolicy {
  readonly #endsMax: number;
  readonly #pauseMaxMs: number;
  #endedMs: number[] = [];

  constructor({ endsMax = ENDS_MAX, pauseMaxMs = Number.POSITIVE_INFINITY }: RestartLimits = {}) {
    this.#endsMax = endsMax;
    this.#pauseMaxMs = pauseMaxMs;
  }

  /**
   * The pause before the next start, in milliseconds; undefined when the part has ended too often to be started again.
   */
  pauseAfterEnd(nowMs: number): number | undefined {
    this.#endedMs = [...this.#endedMs.filter((endedMs) => nowMs - endedMs < WINDOW_MS), nowMs];
    const ends = this.#endedMs.length;
    if (ends >= this.#endsMax) return undefined;
    return Math.min(PAUSE_FIRST_MS * PAUSE_GROWTH ** (ends - 1), this.#pauseMaxMs);
  }
}
