// Which workspaces have signatures under way in this worker: what takes long, and for which nobody waits as for a
// signature, stands back while another workspace signs.

/** Who signs in a row has another one under way within this time. */
const RECENT_MS = 10_000;

export class RecentSignatures {
  readonly #now: () => number;
  /**
   * When the nodes were last asked for a signature of each workspace, in milliseconds; the oldest first. Those that are
   * no longer recent go with the next one.
   */
  readonly #begunAt = new Map<string, number>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  note(workspaceId: string): void {
    this.#begunAt.delete(workspaceId);
    this.#begunAt.set(workspaceId, this.#now());
    for (const [oldest, begunAt] of this.#begunAt) {
      if (this.#isRecent(begunAt)) return;
      this.#begunAt.delete(oldest);
    }
  }

  /** Whether another workspace than this one has signed a moment ago. */
  ofOthers(workspaceId: string): boolean {
    return [...this.#begunAt].some(([other, begunAt]) => other !== workspaceId && this.#isRecent(begunAt));
  }

  #isRecent(begunAt: number): boolean {
    return this.#now() - begunAt < RECENT_MS;
  }
}
