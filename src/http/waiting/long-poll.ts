// Lets the read of an operation wait until the operation has reached its end (`Prefer: wait`). One LISTEN a process
// wakes those who wait, and nothing is asked of the database while they do.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../../drizzle/database/connection.ts';
import { listenForFinals } from '../../../drizzle/database/notifications.ts';
import { readTogether } from './coalesced-reads.ts';
import { preferredWaitSeconds } from './prefer.ts';
import { Waiter } from './waiter.ts';

/** Further callers are answered at once, without `Preference-Applied`. */
const WAITERS_MAX = 10_000;

/**
 * A kind of operation that a caller may wait for. Its moves to a final state are announced
 * (drizzle/database/notifications.ts).
 */
export interface Operations<Row> {
  find: (workspaceId: string, id: string) => Promise<Row | undefined>;
  /** The same for many in one query, in any order. Absent for operations that never end in numbers. */
  findAll?: (workspaceId: string, ids: readonly string[]) => Promise<readonly (Row | undefined)[]>;
  isFinal: (row: Row) => boolean;
}

export type ReadWhenFinal<Row> = (
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  /** Throws when there is no row, or none that this caller may see. Decides before any waiting. */
  check: (row: Row | undefined) => Row,
) => Promise<Row>;

/** How what is waited for is read: `first`, and `again` after each news. Both throw what the caller may not see. */
export interface Reading<Found> {
  first: () => Promise<Found>;
  again: () => Promise<Found>;
  /** There is nothing more to wait for. */
  isEnough: (found: Found) => boolean;
}

export class LongPoll {
  readonly #db: Database;
  readonly #waitersMax: number;
  readonly #waiters = new Map<string, Set<Waiter>>();
  #waiting = 0;
  #listening = false;
  #closed = false;

  constructor(db: Database, waitersMax = WAITERS_MAX) {
    this.#db = db;
    this.#waitersMax = waitersMax;
  }

  /** Those who wait ask nothing of this process: `overload.ts` does not count them. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Makes the reader of one kind of operation. Those who are woken together are read together. */
  readerOf<Row extends { id: string }>({ find, findAll, isFinal }: Operations<Row>): ReadWhenFinal<Row> {
    const findEach = (workspaceId: string, ids: readonly string[]) =>
      Promise.all(ids.map((id) => find(workspaceId, id)));
    const readAgain = readTogether(findAll ?? findEach);
    return async (request, reply, id, check) => {
      const { workspaceId } = request.caller.key;
      return this.read(request, reply, id.toLowerCase(), {
        first: async () => check(await find(workspaceId, id)),
        again: async () => check(await readAgain(workspaceId, id.toLowerCase())),
        isEnough: isFinal,
      });
    };
  }

  /** Reads, and again whenever `id` is announced, until it is enough or the caller's time is up. */
  async read<Found>(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    { first, again, isEnough }: Reading<Found>,
  ): Promise<Found> {
    reply.header('vary', 'Prefer');
    // Before the first read: what changes after it is heard.
    const waiter = this.#enter(id, preferredWaitSeconds(request.headers['prefer']), reply);
    if (waiter === undefined) return first();
    try {
      let found = await first();
      while (!isEnough(found) && !waiter.isOver) {
        await waiter.news();
        if (waiter.isGone) return found;
        // Control K4: the key may have been revoked meanwhile.
        await request.caller.assertStillAdmitted();
        found = await again();
      }
      reply.header('preference-applied', 'wait');
      return found;
    } finally {
      // Kept alive, the connection would hold up the end of the process.
      if (this.#closed) reply.header('connection', 'close');
      this.#leave(waiter);
    }
  }

  /** Answers everyone now, and nobody waits from here on. */
  close(): void {
    this.#closed = true;
    for (const waiter of this.#everyone()) waiter.end();
  }

  #enter(id: string, seconds: number | undefined, reply: FastifyReply): Waiter | undefined {
    if (seconds === undefined || this.#closed || this.#waiting >= this.#waitersMax) return undefined;
    this.#listen();
    const waiter = new Waiter(id, seconds * 1000, reply.raw);
    const others = this.#waiters.get(id);
    if (others === undefined) this.#waiters.set(id, new Set([waiter]));
    else others.add(waiter);
    this.#waiting += 1;
    return waiter;
  }

  #leave(waiter: Waiter): void {
    waiter.dispose();
    const others = this.#waiters.get(waiter.id);
    others?.delete(waiter);
    if (others?.size === 0) this.#waiters.delete(waiter.id);
    this.#waiting -= 1;
  }

  /**
   * From the first waiter on. Whoever came before the connection stood, or while it was lost, is woken once it stands.
   */
  #listen(): void {
    if (this.#listening) return;
    this.#listening = true;
    listenForFinals(this.#db, {
      onFinal: (id) => this.#wake(this.#waiters.get(id) ?? []),
      onListening: () => this.#wake(this.#everyone()),
    });
  }

  #wake(waiters: Iterable<Waiter>): void {
    for (const waiter of waiters) waiter.wake();
  }

  *#everyone(): Iterable<Waiter> {
    for (const waiters of this.#waiters.values()) yield* waiters;
  }
}

export function installLongPoll(app: FastifyInstance, db: Database): LongPoll {
  const room = new LongPoll(db);
  app.addHook('preClose', async () => room.close());
  return room;
}
