// Has those who need the same thing go one after the other, in the order in which they came. What they would wait for
// in the database they wait for here instead: a transaction that waits for a lock keeps its connection, and a crowd
// that did so would leave none to anybody else. Only within this process; between processes the lock decides.

export class OneAtATime {
  /** The end of the last one of each line; it never rejects. A line that has become empty is gone. */
  readonly #last = new Map<string, Promise<void>>();

  async run<Result>(key: string, act: () => Promise<Result>): Promise<Result> {
    const acting = (this.#last.get(key) ?? Promise.resolve()).then(act);
    const end = acting.then(ignored, ignored);
    this.#last.set(key, end);
    try {
      return await acting;
    } finally {
      if (this.#last.get(key) === end) this.#last.delete(key);
    }
  }
}

const ignored = () => {};
