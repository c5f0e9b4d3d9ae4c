// A value that is loaded when it is asked for and remembered for a while. Those who ask meanwhile share one load; a
// load that failed is not remembered.

export class Remembered<Value> {
  readonly #rememberedMs: number;
  readonly #load: () => Promise<Value>;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #value: Promise<Value> | undefined;

  constructor(rememberedMs: number, load: () => Promise<Value>) {
    this.#rememberedMs = rememberedMs;
    this.#load = load;
  }

  get(): Promise<Value> {
    const now = performance.now();
    if (this.#value !== undefined && now - this.#loadedAt <= this.#rememberedMs) return this.#value;
    const value = this.#load();
    this.#loadedAt = now;
    this.#value = value;
    value.catch(() => {
      if (this.#value === value) this.#value = undefined;
    });
    return value;
  }
}
