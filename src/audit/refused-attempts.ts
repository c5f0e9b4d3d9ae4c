// Writes refused attempts into the audit log. Of a proven key before the caller is answered, those that come at once
// together; of a named one in batches later. A flood cannot pile up: beyond its bounds, refusals are counted, and an
// entry a minute says how many of each key and code there were.
import type { Logger } from '../../domain/logger.ts';
import { type AuditFacts, insertRefusals, toKeptText } from '../../drizzle/audit/audit-entries.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { within } from '../process/within.ts';
import { RefusalTally } from './refusal-tally.ts';

const WAITING_MAX = 500;
const NAMED_MAX = 1_000;
/** Of one named key, one by one. */
const NAMED_A_MINUTE_MAX = 60;
const NAMES_MAX = 10_000;
const NAMED_EVERY_MS = 500;
const COUNTED_EVERY_MS = 60_000;
/** A database that is slow holds up no answer for longer. */
const ANSWER_WAITS_AT_MOST_MS = 2_000;
/** Our identifiers have 35. */
const IDENTIFIER_MAX_LENGTH = 64;
/** The action of an entry that stands for many requests. */
export const MANY_REQUESTS = 'many requests';

/** `count`: for how many it stands; one when absent. */
export type Refusal = AuditFacts & { apiKey: string; count?: number };

export class RefusedAttempts {
  readonly #db: Database;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #timers: NodeJS.Timeout[];
  readonly #tally = new RefusalTally();
  #waiting: Refusal[] = [];
  #next: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #named: Refusal[] = [];
  #namedOfKey = new Map<string, number>();

  constructor(db: Database, log: Pick<Logger, 'warn'>) {
    this.#db = db;
    this.#log = log;
    this.#timers = [
      setInterval(() => this.#writeNamed(), NAMED_EVERY_MS).unref(),
      setInterval(() => this.#writeCounted(), COUNTED_EVERY_MS).unref(),
    ];
  }

  /** Resolves when it is written, or has waited long enough. Never rejects. */
  async record(refusal: Refusal): Promise<void> {
    if (this.#waiting.length >= WAITING_MAX) return this.count(refusal.apiKey, refusal.code ?? '');
    await within(ANSWER_WAITS_AT_MOST_MS, () => this.#write([refusal])).catch(() => {});
  }

  /** Does the same for every name, and nothing that takes long. */
  note(refusal: Refusal): void {
    const { apiKey } = refusal;
    if (apiKey.length > IDENTIFIER_MAX_LENGTH) return;
    const ofKey = (this.#namedOfKey.get(apiKey) ?? 0) + 1;
    if (this.#namedOfKey.size < NAMES_MAX || ofKey > 1) this.#namedOfKey.set(apiKey, ofKey);
    if (ofKey <= NAMED_A_MINUTE_MAX && this.#named.length < NAMED_MAX) this.#named.push(refusal);
    else this.count(apiKey, refusal.code ?? '');
  }

  count(apiKey: string, code: string): void {
    this.#tally.add(apiKey, code);
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#writeNamed();
    this.#writeCounted();
    await this.#writing;
  }

  #writeNamed(): void {
    const named = this.#named;
    this.#named = [];
    if (named.length > 0) void this.#write(named);
  }

  #writeCounted(): void {
    this.#namedOfKey.clear();
    const to = new Date().toISOString();
    const counted = this.#tally.take().map(({ apiKey, code, count, from }) => ({
      apiKey,
      code,
      count,
      actor: 'api_key' as const,
      action: MANY_REQUESTS,
      outcome: 'refused' as const,
      after: toKeptText({ count, from: from.toISOString(), to }),
    }));
    if (counted.length > 0) void this.#write(counted);
  }

  /** Those that come while a batch is being written go together with the next one. */
  #write(refusals: readonly Refusal[]): Promise<void> {
    this.#waiting.push(...refusals);
    this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      return this.#writeBatch();
    });
    this.#writing = this.#next;
    return this.#next;
  }

  async #writeBatch(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      await insertRefusals(this.#db, batch);
    } catch (error) {
      this.#log.warn(
        { err: error, refusals: batch.length },
        'refused attempts are only counted: they could not be written',
      );
      for (const { apiKey, code, count } of batch) this.#tally.add(apiKey, code ?? '', count);
    }
  }
}
