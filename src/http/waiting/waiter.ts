// One caller who waits: for news, for the end of its time, or until it has left. Knows nothing of what it waits for.
import type { ServerResponse } from 'node:http';

export class Waiter {
  readonly id: string;
  readonly #response: ServerResponse;
  readonly #timer: NodeJS.Timeout;
  readonly #onClose = () => {
    this.#gone = true;
    this.end();
  };
  #hasNews = false;
  #over = false;
  #gone = false;
  #resume: (() => void) | undefined;

  constructor(id: string, forMs: number, response: ServerResponse) {
    this.id = id;
    this.#response = response;
    this.#timer = setTimeout(() => this.end(), forMs);
    response.once('close', this.#onClose);
  }

  /** No more waiting: the time is up, the caller has left or the process stops. */
  get isOver(): boolean {
    return this.#over;
  }

  /** The caller has left before its answer. */
  get isGone(): boolean {
    return this.#gone;
  }

  /** Resolves at once when something happened since the last time. */
  async news(): Promise<void> {
    if (!this.#hasNews && !this.#over) await new Promise<void>((resolve) => (this.#resume = resolve));
    this.#hasNews = false;
  }

  wake(): void {
    this.#hasNews = true;
    this.#resume?.();
  }

  end(): void {
    this.#over = true;
    this.#resume?.();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#response.off('close', this.#onClose);
  }
}
