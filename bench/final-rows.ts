// Notices when operations become final: one SELECT by primary key for all that are waited for, every few
// milliseconds, straight from the database, so that waiting costs the API nothing and the same at every concurrency.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';

const LOOK_EVERY_MS = 2;
const FINAL_WITHIN_MS = 60_000;

/** By table: the good end of its rows. */
const ends = { signing_requests: 'success', wallets: 'active' } as const;

interface Waiting {
  sinceMs: number;
  resolve: () => void;
  reject: (error: Error) => void;
}

export class FinalRows {
  readonly #sql: Sql;
  readonly #kind: keyof typeof ends;
  readonly #waiting = new Map<string, Waiting>();
  #looking = false;

  constructor(sql: Sql, kind: keyof typeof ends = 'signing_requests') {
    this.#sql = sql;
    this.#kind = kind;
  }

  /** Resolves when the row is at its good end. */
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
    const [sql, table, good] = [this.#sql, this.#kind, ends[this.#kind]];
    const rows = await sql<{ id: string; status: string }[]>`
      select id, status from ${sql(table)}
      where id = any(${[...this.#waiting.keys()]}::uuid[]) and status in (${good}, 'failed')`;
    for (const { id, status } of rows) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (status === good) waiting?.resolve();
      else waiting?.reject(new Error(`${id} of ${table} failed`));
    }
    for (const [id, { sinceMs }] of this.#waiting)
      if (performance.now() - sinceMs > FINAL_WITHIN_MS) throw new Error(`${id} of ${table} is not final in time`);
  }
}
