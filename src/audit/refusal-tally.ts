// Counts refusals that are not written one by one: of each key and code how many, since when. What it may hold is
// bounded.
const KINDS_MAX = 10_000;

export interface Counted {
  /** As the caller named it. */
  apiKey: string;
  code: string;
  count: number;
  from: Date;
}

export class RefusalTally {
  #counts = new Map<string, Counted>();

  add(apiKey: string, code: string, count = 1): void {
    const kind = `${code} ${apiKey}`;
    const known = this.#counts.get(kind);
    if (known !== undefined) known.count += count;
    else if (this.#counts.size < KINDS_MAX) this.#counts.set(kind, { apiKey, code, count, from: new Date() });
  }

  /** Everything since the last time. */
  take(): Counted[] {
    const counted = [...this.#counts.values()];
    this.#counts = new Map();
    return counted;
  }
}
