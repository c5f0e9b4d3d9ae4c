// Gives each write the second that it is signed with. The service accepts a signature once, and equal writes signed in
// the same second have equal signatures: the later one is dated one second ahead, well within the five minutes that
// clocks may differ.
const SECONDS_AHEAD_MAX = 240;
const REMEMBERED_MAX = 10_000;

export class WriteClock {
  readonly #lastSecond = new Map<string, number>();

  secondFor(write: string): number {
    const now = Math.floor(Date.now() / 1000);
    const second = Math.max(now, (this.#lastSecond.get(write) ?? 0) + 1);
    if (second > now + SECONDS_AHEAD_MAX) throw new Error('Too many equal writes at once: vary their bodies.');
    this.#deletePast(now);
    this.#lastSecond.set(write, second);
    return second;
  }

  #deletePast(now: number): void {
    if (this.#lastSecond.size < REMEMBERED_MAX) return;
    for (const [write, second] of this.#lastSecond) if (second < now) this.#lastSecond.delete(write);
  }
}
