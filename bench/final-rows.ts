// Notices when signing requests become final: one SELECT by primary key for all that are waited for, every few
// milliseconds, straight from the database, so that waiting costs the API nothing and the same at every concurrency.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';

const LOOK_EVERY_MS = 2;
const FINAL_WITHIN_MS = 60_000;

interface Waiting {
  sinceMs: number;
  resolve: () => void;
  reject: (error: Error) => void;
}

export class FinalRows {
  readonly #sql: Sql;
  readonly #waiting = new Map<string, Waiting>();
  #looking = false;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Resolves when the row is `success`. */
  waitFor(id: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { sinceMs: performance.now(), resolve, reject });
      void this.#look();
    });
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      while (this.#waiting.size > 0) {
        await this.#lookOnce();
        await sleep(LOOK_EVERY_MS);
      }
    } catch (error) {
      for (const { reject } of this.#waiting.values()) reject(error as Error);
      this.#waiting.clear();
    } finally {
      this.#looking = false;
    }
  }

  async #lookOnce(): Promise<void> {
    const sql = this.#sql;
    const rows = await sql<{ id: string; status: string }[]>`
      select id, status from signing_requests
      where id = any(${[...this.#waiting.keys()]}::uuid[]) and status in ('success', 'failed')`;
    for (const { id, status } of rows) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (status === 'success') waiting?.resolve();
      else waiting?.reject(new Error(`signing request ${id} failed`));
    }
    for (const [id, { sinceMs }] of this.#waiting)
      if (performance.now() - sinceMs > FINAL_WITHIN_MS) throw new Error(`signing request ${id} is not final in time`);
  }
}
