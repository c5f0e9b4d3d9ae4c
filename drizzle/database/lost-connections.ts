// What postgres.js 3.4.9 leaves undone when a connection is lost, done around it (porsager/postgres #1208, #1215). Goes
// when a release mends it; test/hazards/connections/connection-lost.test.ts shows whether it is still needed.
import postgres, { type Sql } from 'postgres';

const DRAIN_MS = 10_000;
const CLOSE_SECONDS = 5;
/** The driver notices the end of a connection within milliseconds. */
const LOSS_NOTICED_WITHIN_MS = 1_000;

export type Unsafe = Parameters<Sql['unsafe']>;

/**
 * Drizzle sends every query through `unsafe`, which postgres.js does not prepare unless asked: each would be parsed and
 * planned again, in two round trips. Queries here have fixed texts, so a prepared statement a connection is safe and
 * cheap.
 */
export const prepared = ([query, parameters, options]: Unsafe): Unsafe => [
  query,
  parameters,
  { ...options, prepare: true },
];

/**
 * Another client of the same database. Options that were parsed once are taken as they are, with the parsers that
 * Drizzle has put there.
 */
export function openLike(
  options: Sql['options'],
  own: { max?: number; onclose: () => void; onnotify?: (channel: string, payload: string) => void },
): Sql {
  return postgres({ ...options, ...own } as unknown as postgres.Options<Record<string, never>>) as Sql;
}

/** `close` ends each connection once it is free and, unlike `end`, may be repeated; the driver's types leave it out. */
type Closable = Sql & { close(): Promise<void> };

/**
 * A pool that is replaced once it has lost a connection. The driver would use such a connection again as it was left:
 * the next query on it fails with the error of the last one, or waits for a write that was cancelled, for ever. What
 * the replaced pool has taken may finish within the drain time and is cut then. Nothing but a loss may end a
 * connection, so the pool's options set no life time and no idle time.
 */
export class ReplaceablePool {
  readonly #options: Sql['options'];
  readonly #draining = new Set<Sql>();
  #closing = false;
  current: Sql;

  constructor(options: Sql['options']) {
    this.#options = options;
    this.current = this.#open();
  }

  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all([this.current, ...this.#draining].map((pool) => pool.end({ timeout: CLOSE_SECONDS })));
  }

  #open(): Sql {
    let ending: Promise<void> | undefined;
    let isDueAgain = false;
    // Each call listens on every socket that is still closing, so that a pool which loses all of its connections at
    // once calls it once, and once more at the end.
    const endAll = async () => {
      isDueAgain = false;
      await pool.close();
      ending = undefined;
      if (isDueAgain) ending = endAll();
    };
    const onclose = () => {
      if (!this.#closing && this.current === pool) this.#replace();
      isDueAgain = true;
      // Right after this the driver connects again for a query that waits, also in a pool that ends: that connection
      // must end in turn.
      queueMicrotask(() => {
        ending ??= endAll();
      });
    };
    const pool = openLike(this.#options, { onclose }) as Closable;
    return pool;
  }

  #replace(): void {
    const lost = this.current;
    this.current = this.#open();
    this.#draining.add(lost);
    const cut = () => lost.end({ timeout: 0 }).then(() => this.#draining.delete(lost));
    setTimeout(() => void cut(), DRAIN_MS).unref();
  }
}

export type Begin = (...args: unknown[]) => Promise<unknown>;

/**
 * When a connection is lost within a transaction, postgres.js 3.4.9 sends its rollback, or the next statement, to a
 * socket that is no more: an uncaught TypeError, or a statement in the transaction of whoever has the connection next
 * (porsager/postgres #1208, #1215). So a lost transaction ends here: its function is never settled, which would make
 * the driver roll back or commit, and sends nothing more. An error that only looks like such a loss, from another
 * connection than this one, does settle it, so that nothing stays locked.
 */
export function endingWhenLost(begin: Begin): Begin {
  return (...args) => {
    const run = args.pop() as (transaction: Sql) => unknown;
    let over = false;
    let hasDriverEnded = false;
    return new Promise((resolve, reject) => {
      const end = (settle: (value: never) => void) => (value: unknown) => {
        over = true;
        settle(value as never);
      };
      const guardedRun = async (transaction: Sql) => {
        try {
          const result = await run(guardedTransaction(transaction, () => over));
          if (!hasDriverEnded) return result;
        } catch (error) {
          if (!hasDriverEnded && !isLoss(error)) throw asFirstFailure(error);
          end(reject)(error);
          await new Promise((resume) => setTimeout(resume, LOSS_NOTICED_WITHIN_MS).unref());
          if (!hasDriverEnded) throw error;
        }
        return new Promise(() => {});
      };
      begin(...args, guardedRun)
        .finally(() => (hasDriverEnded = true))
        .then(end(resolve), end(reject));
    });
  };
}

function guardedTransaction(transaction: Sql, isOver: () => boolean): Sql {
  const unsafe = transaction.unsafe.bind(transaction);
  transaction.unsafe = ((...args: Unsafe) => {
    if (isOver()) throw Object.assign(new Error('the transaction is over'), { code: 'CONNECTION_CLOSED' });
    return unsafe(...prepared(args));
  }) as typeof transaction.unsafe;
  // The driver would send `rollback to savepoint` to a socket that is no more, which ends the process.
  (transaction as unknown as { savepoint: () => never }).savepoint = () => {
    throw new Error('a savepoint does not survive a lost connection: read before the transaction, or after it');
  };
  return transaction;
}

/**
 * Statements that were sent together fail together, the later ones because the transaction is aborted already. The
 * driver throws the first failure instead, when it recognises the later one: without Drizzle's wrapping.
 */
function asFirstFailure(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof postgres.PostgresError && cause.code === '25P02' ? cause : error;
}

/** The driver's and the operating system's codes, and PostgreSQL's FATAL, after which it closes the connection. */
function isLoss(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code, severity } = at as { code?: string; severity?: string };
    if (severity === 'FATAL' || /^(CONNECTION_|ECONNRESET$|EPIPE$|ETIMEDOUT$)/.test(code ?? '')) return true;
  }
  return false;
}
