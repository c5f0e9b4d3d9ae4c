// A queue in which everybody takes turns: whoever has a thousand items waiting stands before nobody else's one.
// Bounded: what is too much is dropped from the longest line, at its end.

/** What may leave the queue together: up to `most` items of one owner. */
export interface GroupingRules<Item> {
  most: number;
  /** `waiting`: how many of this owner there are. */
  mayCome: (owner: string, waiting: number) => boolean;
  /** An item goes with itself. */
  goesWith: (first: Item, other: Item) => boolean;
}

export class FairQueue<Item> {
  readonly #max: number;
  /** In the order of their next turns. A line that has become empty is gone. */
  readonly #lines = new Map<string, Item[]>();
  #length = 0;

  constructor(max: number) {
    this.#max = max;
  }

  push(owner: string, item: Item): void {
    const line = this.#lines.get(owner) ?? [];
    this.#lines.set(owner, line);
    line.push(item);
    this.#length += 1;
    if (this.#length > this.#max) this.#dropFromLongest();
  }

  shift(): Item | undefined {
    for (const [owner, line] of this.#lines) {
      const item = line.shift();
      this.#lines.delete(owner);
      if (line.length > 0) this.#lines.set(owner, line);
      this.#length -= 1;
      return item;
    }
    return undefined;
  }

  /** Whoever's turn it is and who may come: his first item, and what of his line goes with it. */
  shiftTogether({ most, mayCome, goesWith }: GroupingRules<Item>): Item[] {
    for (const [owner, line] of this.#lines) {
      const [first] = line;
      if (first === undefined || !mayCome(owner, line.length)) continue;
      const together: Item[] = [];
      const left: Item[] = [];
      for (const item of line) (together.length < most && goesWith(first, item) ? together : left).push(item);
      this.#lines.delete(owner);
      if (left.length > 0) this.#lines.set(owner, left);
      this.#length -= together.length;
      return together;
    }
    return [];
  }

  clear(): void {
    this.#lines.clear();
    this.#length = 0;
  }

  #dropFromLongest(): void {
    let [longest, most] = ['', 0];
    // Of equal ones the last in turn.
    for (const [owner, { length }] of this.#lines) if (length >= most) [longest, most] = [owner, length];
    this.#lines.get(longest)?.pop();
    if (most === 1) this.#lines.delete(longest);
    this.#length -= 1;
  }
}
