// Remembers how long each node takes in sessions, so that a quorum of fast ones is chosen. A preference only: a slow
// node is chosen when there is no other, and tried again after a while, by one signature at a time.

/** A node that was slow or silent is avoided for so long, and twice as long each time that it is so again. */
const memoryMs = 10_000;
const longestMemoryMs = 160_000;
/** While one signature tries whether it is fast again, others go on without it. */
const trialMs = 5_000;
/** Slower than the fastest node by this factor and these milliseconds: what a busy moment does is not meant. */
const slowFactor = 3;
const slowMs = 250;
/** What was measured last counts for so much. */
const weight = 0.5;

interface Known {
  /** Of a session, in the mean; infinite for a node that did not answer. */
  sessionMs: number;
  /** Avoided until then. */
  untilMs: number;
  memoryMs: number;
}

export class NodeTimes {
  readonly #known = new Map<number, Known>();

  /** How long each node of a session took in all its rounds. */
  note(times: ReadonlyMap<number, number>): void {
    for (const [node, ms] of times) {
      const before = this.#known.get(node)?.sessionMs;
      const sessionMs = before === undefined || before === Infinity ? ms : before + weight * (ms - before);
      this.#keep(node, sessionMs, sessionMs > slowFactor * this.#fastestMs(ms) + slowMs);
    }
  }

  /** It answers, but kept the others waiting for longer than a session waits. */
  noteSlow(node: number): void {
    this.#keep(node, slowFactor * this.#fastestMs(longestMemoryMs) + slowMs, true);
  }

  noteSilence(node: number): void {
    this.#keep(node, Infinity, true);
  }

  /** Undefined before its first session, and after one in which it did not answer. */
  usualMs(node: number): number | undefined {
    const ms = this.#known.get(node)?.sessionMs;
    return ms === Infinity ? undefined : ms;
  }

  stateOf(node: number): 'fine' | 'slow' | 'silent' {
    const known = this.#known.get(node);
    if (known === undefined || known.untilMs <= Date.now()) return 'fine';
    return known.sessionMs === Infinity ? 'silent' : 'slow';
  }

  /** A signature takes a chance with it if its time has come. */
  noteChosen(node: number): void {
    const known = this.#known.get(node);
    const nowMs = Date.now();
    if (known !== undefined && known.memoryMs > 0 && known.untilMs <= nowMs) known.untilMs = nowMs + trialMs;
  }

  #keep(node: number, sessionMs: number, isAvoided: boolean): void {
    const before = this.#known.get(node);
    if (!isAvoided) {
      this.#known.set(node, { sessionMs, untilMs: 0, memoryMs: 0 });
      return;
    }
    const nowMs = Date.now();
    // What several sessions find at once is one finding.
    const isTrial = before === undefined || before.memoryMs === 0 || before.untilMs <= nowMs + trialMs;
    const next = Math.min(Math.max(2 * (before?.memoryMs ?? 0), memoryMs), longestMemoryMs);
    const forMs = isTrial ? next : (before?.memoryMs ?? next);
    this.#known.set(node, { sessionMs, untilMs: nowMs + forMs, memoryMs: forMs });
  }

  #fastestMs(ms: number): number {
    return Math.min(ms, ...[...this.#known.values()].map(({ sessionMs }) => sessionMs));
  }
}
