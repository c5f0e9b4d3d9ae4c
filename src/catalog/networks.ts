// The catalogue of networks as a request sees it: read from the database, remembered for a few seconds.
import type { Database } from '../../drizzle/database.ts';
import { listNetworks, type NetworkRow } from '../../drizzle/networks.ts';

const REMEMBERED_MS = 5_000;

export class NetworkCatalog {
  readonly #db: Database;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #byCode: Promise<Map<string, NetworkRow>> = Promise.resolve(new Map());

  constructor(db: Database) {
    this.#db = db;
  }

  /** The network with this internal code, also when an operator disabled it. */
  async find(internalCode: string): Promise<NetworkRow | undefined> {
    const now = performance.now();
    if (now - this.#loadedAt > REMEMBERED_MS) {
      this.#loadedAt = now;
      this.#byCode = listNetworks(this.#db).then((rows) => new Map(rows.map((row) => [row.internalCode, row])));
      this.#byCode.catch(() => {
        this.#loadedAt = Number.NEGATIVE_INFINITY;
      });
    }
    return (await this.#byCode).get(internalCode);
  }
}
