// Writes what came of attempts: one statement for all that were made while the last one ran.
import type { Database } from '../../drizzle/database/connection.ts';
import { type Attempt, recordAttempts } from '../../drizzle/webhooks/webhook-deliveries.ts';

export class DeliveryLog {
  readonly #db: Database;
  #waiting: Attempt[] = [];
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns when it is written. */
  record(attempt: Attempt): Promise<void> {
    this.#waiting.push(attempt);
    this.#next ??= this.#writeAfter(this.#last);
    return this.#next;
  }

  async #writeAfter(last: Promise<void>): Promise<void> {
    await last.catch(() => {});
    const attempts = this.#waiting;
    this.#waiting = [];
    if (this.#next !== undefined) this.#last = this.#next;
    this.#next = undefined;
    await recordAttempts(this.#db, attempts);
  }
}
