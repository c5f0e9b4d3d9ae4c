// How many whole files (exports and the like) are read at once: few in a process, fewer of one workspace, so that no
// caller keeps the others from theirs.
const FILES_MAX = 4;
const FILES_OF_A_WORKSPACE_MAX = 2;
/** Further ones are refused at once, as if they did not want to wait. */
const WAITING_MAX = 20;

export class FileSlots {
  readonly #running = new Map<string, number>();
  #total = 0;
  readonly #waiting = new Set<() => void>();

  /** Takes a slot, and returns how to give it back; undefined when there is none. */
  enter(workspaceId: string): (() => void) | undefined {
    const ofWorkspace = this.#running.get(workspaceId) ?? 0;
    if (this.#total >= FILES_MAX || ofWorkspace >= FILES_OF_A_WORKSPACE_MAX) return undefined;
    this.#total += 1;
    this.#running.set(workspaceId, ofWorkspace + 1);
    return () => this.#leave(workspaceId);
  }

  /** The same, within this time, or until the signal fires. */
  async enterWithin(workspaceId: string, ms: number, signal: AbortSignal): Promise<(() => void) | undefined> {
    const untilMs = performance.now() + ms;
    for (;;) {
      const leave = signal.aborted ? undefined : this.enter(workspaceId);
      const leftMs = untilMs - performance.now();
      if (leave !== undefined || leftMs <= 0 || signal.aborted || this.#waiting.size >= WAITING_MAX) return leave;
      await this.#untilOneLeaves(leftMs, signal);
    }
  }

  #untilOneLeaves(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end, { once: true });
      this.#waiting.add(end);
    });
  }

  #leave(workspaceId: string): void {
    const left = (this.#running.get(workspaceId) ?? 1) - 1;
    if (left === 0) this.#running.delete(workspaceId);
    else this.#running.set(workspaceId, left);
    this.#total -= 1;
    for (const end of this.#waiting) end();
  }
}
