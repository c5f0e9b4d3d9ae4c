// How many short attempts are side by side in a worker. One that is made alone holds the place of its workflow's task:
// nodes that hang must not take them all. Those who wait take turns: a thousand of one workspace stand before nobody
// else's one.

export class AttemptPlaces {
  #free: number;
  /** Each workspace's line, in the order of their next turns. A line that has become empty is gone. */
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

  /** Waits for one, in turn with other workspaces. False when it was given up first. */
  wait(workspaceId: string, abort: AbortSignal): Promise<boolean> {
    if (abort.aborted) return Promise.resolve(false);
    if (this.take()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const come = () => {
        abort.removeEventListener('abort', giveUp);
        resolve(true);
      };
      const giveUp = () => {
        this.#drop(workspaceId, come);
        resolve(false);
      };
      const line = this.#lines.get(workspaceId) ?? new Set();
      this.#lines.set(workspaceId, line.add(come));
      abort.addEventListener('abort', giveUp, { once: true });
    });
  }

  leave(): void {
    const [next] = this.#lines;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    const [workspaceId, line] = next;
    const [come] = line;
    if (come === undefined) throw new Error('an empty line of waiting attempts is there');
    this.#drop(workspaceId, come);
    if (line.size > 0) {
      this.#lines.delete(workspaceId);
      this.#lines.set(workspaceId, line);
    }
    come();
  }

  #drop(workspaceId: string, come: () => void): void {
    const line = this.#lines.get(workspaceId);
    line?.delete(come);
    if (line?.size === 0) this.#lines.delete(workspaceId);
  }
}
