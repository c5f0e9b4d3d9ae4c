// Writes what came of attempts: one statement for all that were made while the last one ran. Nobody waits for it but
// whoever has made too many that are not written yet.
import type { Database } from '../../drizzle/database/connection.ts';
import { type Attempt, recordAttempts } from '../../drizzle/webhooks/webhook-deliveries.ts';

/** What was sent and not written when the process dies is sent again. */
export const UNWRITTEN_MAX = 64;

export class AttemptLog {
  readonly #db: Database;
  #waiting: Attempt[] = [];
  #unwritten = 0;
  #writing: Promise<void> | undefined;
  #failure: { error: unknown } | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns when another attempt may be made. Throws what writing one before it has thrown. */
  async record(attempt: Attempt): Promise<void> {
    this.#waiting.push(attempt);
    this.#unwritten += 1;
    this.#writing ??= this.#write();
    if (this.#unwritten >= UNWRITTEN_MAX) await this.#writing;
    this.#assertWritten();
  }

  /** Returns when all is written; throws when it could not be. */
  async flush(): Promise<void> {
    await this.#writing;
    this.#assertWritten();
  }

  async #write(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const attempts = this.#waiting;
        this.#waiting = [];
        await recordAttempts(this.#db, attempts);
        this.#unwritten -= attempts.length;
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#writing = undefined;
  }

  #assertWritten(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
