// How many short attempts are side by side in a worker. Those who wait for a place stand in lines that take turns: a
// thousand of one workspace stand before nobody else's one.

export class AttemptPlaces {
  #free: number;
  /** By name, in the order of their next turns. A line that has become empty is gone. */
  readonly #lines = new Map<string, Set<() => void>>();

  constructor(places: number) {
    this.#free = places;
  }

  /** False when none is free. Whoever took one leaves it. */
  take(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Waits for one, at the end of the line of that name. False when it was given up first. */
  wait(name: string, abort: AbortSignal): Promise<boolean> {
    if (abort.aborted) return Promise.resolve(false);
    if (this.take()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const come = () => {
        abort.removeEventListener('abort', stopWaiting);
        resolve(true);
      };
      const stopWaiting = () => {
        this.#drop(name, come);
        resolve(false);
      };
      const line = this.#lines.get(name) ?? new Set();
      this.#lines.set(name, line.add(come));
      abort.addEventListener('abort', stopWaiting, { once: true });
    });
  }

  leave(): void {
    const [next] = this.#lines;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    const [name, line] = next;
    const [come] = line;
    if (come === undefined) throw new Error('an empty line of waiting attempts is there');
    this.#drop(name, come);
    if (line.size > 0) {
      this.#lines.delete(name);
      this.#lines.set(name, line);
    }
    come();
  }

  #drop(name: string, come: () => void): void {
    const line = this.#lines.get(name);
    line?.delete(come);
    if (line?.size === 0) this.#lines.delete(name);
  }
}
