// How many short attempts are side by side in a worker. One that is made alone holds the place of its workflow's task:
// nodes that hang must not take them all.

export class AttemptPlaces {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(places: number) {
    this.#free = places;
  }

  /** False when none is free. Whoever took one leaves it. */
  take(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Waits for one, in the order of coming. False when it was given up first. */
  wait(abort: AbortSignal): Promise<boolean> {
    if (abort.aborted) return Promise.resolve(false);
    if (this.take()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (taken: boolean) => {
        this.#waiting.delete(come);
        abort.removeEventListener('abort', giveUp);
        resolve(taken);
      };
      const come = () => end(true);
      const giveUp = () => end(false);
      this.#waiting.add(come);
      abort.addEventListener('abort', giveUp, { once: true });
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else next();
  }
}
