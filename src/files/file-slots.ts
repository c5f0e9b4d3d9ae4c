// How many whole files (exports and the like) are read at once: few in a process, fewer of one workspace, so that no
// caller keeps the others from theirs.
const FILES_MAX = 4;
const FILES_OF_A_WORKSPACE_MAX = 2;

export class FileSlots {
  readonly #running = new Map<string, number>();
  #total = 0;

  /** Takes a slot, and returns how to give it back; undefined when there is none. */
  enter(workspaceId: string): (() => void) | undefined {
    const ofWorkspace = this.#running.get(workspaceId) ?? 0;
    if (this.#total >= FILES_MAX || ofWorkspace >= FILES_OF_A_WORKSPACE_MAX) return undefined;
    this.#total += 1;
    this.#running.set(workspaceId, ofWorkspace + 1);
    return () => this.#leave(workspaceId);
  }

  #leave(workspaceId: string): void {
    const left = (this.#running.get(workspaceId) ?? 1) - 1;
    if (left === 0) this.#running.delete(workspaceId);
    else this.#running.set(workspaceId, left);
    this.#total -= 1;
  }
}
