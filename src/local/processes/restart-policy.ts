// When a part that ended starts again: after a pause that grows with each end of the last minute, and not at all when
// there were too many of them. Reads no clock and starts nothing.

const WINDOW_MS = 60_000;
/** The fifth end within the window is the last one. */
const ENDS_MAX = 5;
const PAUSE_FIRST_MS = 250;
const PAUSE_GROWTH = 4;

export class RestartPolicy {
  #endedMs: number[] = [];

  /**
   * The pause before the next start, in milliseconds; undefined when the part has ended too often to be started again.
   */
  pauseAfterEnd(nowMs: number): number | undefined {
    this.#endedMs = [...this.#endedMs.filter((endedMs) => nowMs - endedMs < WINDOW_MS), nowMs];
    const ends = this.#endedMs.length;
    return ends < ENDS_MAX ? PAUSE_FIRST_MS * PAUSE_GROWTH ** (ends - 1) : undefined;
  }
}
