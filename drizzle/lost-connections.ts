// What postgres.js 3.4.9 leaves undone when a connection is lost, done around it (porsager/postgres #1208, #1215). Goes when a release mends it;
// test/hazards/connection-lost.test.ts shows whether it is still needed.
import postgres, { type Sql } from 'postgres';

const DRAIN_SECONDS = 10;

export type Unsafe = Parameters<Sql['unsafe']>;

/**
 * Drizzle sends every query through `unsafe`, which postgres.js does not prepare unless asked: each would be parsed and planned again, in
 * two round trips. Queries here have fixed texts, so a prepared statement a connection is safe and cheap.
 */
export const prepared = ([query, parameters, options]: Unsafe): Unsafe => [
  query,
  parameters,
  { ...options, prepare: true },
];

/**
 * A pool that is replaced once it has lost a connection. The driver would use such a connection again as it was left: the next query on it fails with
 * the error of the last one, or waits for a write that was cancelled, for ever. What runs on the others may finish.
 */
export class ReplaceablePool {
  readonly #options: Sql['options'];
  #closing = false;
  current: Sql;

  constructor(options: Sql['options']) {
    this.#options = options;
    this.current = this.#open();
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.current.end({ timeout: 5 });
  }

  #open(): Sql {
    const onclose = () => {
      if (this.#closing || this.current !== pool) return;
      this.current = this.#open();
      void pool.end({ timeout: DRAIN_SECONDS });
    };
    // Options that were parsed once are taken as they are, with the parsers that Drizzle has put there.
    const pool = postgres({ ...this.#options, onclose } as unknown as postgres.Options<Record<string, never>>);
    return pool as Sql;
  }
}

export type Begin = (...args: unknown[]) => Promise<unknown>;

/**
 * When a connection is lost within a transaction, postgres.js 3.4.9 sends its rollback, or the next statement, to a socket that is no more: an uncaught
 * TypeError, or a statement in the transaction of whoever has the connection next (porsager/postgres #1208, #1215). So a lost transaction
 * ends here: its function is never settled, which would make the driver roll back, and sends nothing more.
 */
export function endingWhenLost(begin: Begin): Begin {
  return (...args) => {
    const run = args.pop() as (transaction: Sql) => unknown;
    let over = false;
    return new Promise((resolve, reject) => {
      const end = (settle: (value: never) => void) => (value: unknown) => {
        over = true;
        settle(value as never);
      };
      const guardedRun = async (transaction: Sql) => {
        try {
          return await run(guardedTransaction(transaction, () => over));
        } catch (error) {
          if (!isLoss(error)) throw error;
          end(reject)(error);
          return new Promise(() => {});
        }
      };
      begin(...args, guardedRun).then(end(resolve), end(reject));
    });
  };
}

function guardedTransaction(transaction: Sql, isOver: () => boolean): Sql {
  const unsafe = transaction.unsafe.bind(transaction);
  transaction.unsafe = ((...args: Unsafe) => {
    if (isOver()) throw Object.assign(new Error('the transaction is over'), { code: 'CONNECTION_CLOSED' });
    return unsafe(...prepared(args));
  }) as typeof transaction.unsafe;
  return transaction;
}

/** The driver's and the operating system's codes, and PostgreSQL's FATAL, after which it closes the connection. */
function isLoss(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code, severity } = at as { code?: string; severity?: string };
    if (severity === 'FATAL' || /^(CONNECTION_|ECONNRESET$|EPIPE$|ETIMEDOUT$)/.test(code ?? '')) return true;
  }
  return false;
}
