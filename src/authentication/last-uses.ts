// Remembers when and from where each key was last used, and writes it in batches: one statement for all keys, never one
// a request.
import type { Logger } from '../../domain/logger.ts';
import { type ApiKeyUse, noteApiKeyUses } from '../../drizzle/api-keys/api-key-steps.ts';
import type { Database } from '../../drizzle/database/connection.ts';

const WRITE_EVERY_MS = 3_000;

export class LastUses {
  readonly #db: Database;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #timer: NodeJS.Timeout;
  #unwritten = new Map<string, ApiKeyUse>();
  #writing: Promise<void> = Promise.resolve();

  constructor(db: Database, log: Pick<Logger, 'warn'>) {
    this.#db = db;
    this.#log = log;
    this.#timer = setInterval(() => void this.write(), WRITE_EVERY_MS).unref();
  }

  /** `ip` is undefined when a proxy names no address. */
  note(keyId: string, ip: string | undefined): void {
    this.#unwritten.set(keyId, { id: keyId, at: new Date(), ip });
  }

  /** Never rejects: what could not be written goes with the next batch, unless the key was used again. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeBatch());
    return this.#writing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
  }

  async #writeBatch(): Promise<void> {
    const batch = this.#unwritten;
    if (batch.size === 0) return;
    this.#unwritten = new Map();
    try {
      await noteApiKeyUses(this.#db, [...batch.values()]);
    } catch (error) {
      this.#log.warn({ err: error, keys: batch.size }, 'last uses of API keys not written yet');
      this.#unwritten = new Map([...batch, ...this.#unwritten]);
    }
  }
}
