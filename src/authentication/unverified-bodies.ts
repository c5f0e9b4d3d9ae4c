// Bounds what bodies whose signature is not verified yet may hold in this process. When they hold too much, the one
// that has been under way the longest ends: who means it has sent a body within milliseconds, so that a crowd would
// have to send everything anew within them. To refuse the newest would let the first crowd keep everybody out. What was
// read and let go is memory until it is collected, and so it is collected each time that there is as much of it.

import { collectGarbage } from '../http/collect-garbage.ts';
import { ApiError } from '../http/errors.ts';

/** What Node reads of a connection at once, and so what it may hold of a body that nobody has asked for. */
const FIRST_READ_MAX_BYTES = 64 * 1024;
/** Up to here a body is spared as long as a larger one can end in its place. */
const SMALL_MAX_BYTES = 16 * 1024;
const COLLECTED_EVERY_BYTES = 32 * 1024 * 1024;

export class BodyPlace {
  bytes = 0;
  /** Rejects when the body must end. */
  readonly evicted: Promise<never>;
  #end: (error: ApiError) => void = () => {};

  constructor() {
    this.evicted = new Promise<never>((_resolve, reject) => {
      this.#end = reject;
    });
    this.evicted.catch(() => {});
  }

  evict(): void {
    this.#end(
      new ApiError(
        'dependency_unavailable',
        'The service is overloaded: nothing was stored, try again in a second.',
        1,
      ),
    );
  }
}

export class BodiesUnderWay {
  readonly #maxBytes: number;
  /** In the order in which they came, or became large. */
  readonly #small = new Set<BodyPlace>();
  readonly #large = new Set<BodyPlace>();
  #bytes = 0;
  readonly #collect: () => void;
  #allocatedBytes = 0;

  /** Zero for no limit. */
  constructor(maxBytes: number, collect: () => void = collectGarbage) {
    this.#collect = collect;
    this.#maxBytes = maxBytes > 0 ? maxBytes : Number.POSITIVE_INFINITY;
  }

  /** `announced` is undefined for a body that says nothing of its length. */
  enter(announced: number | undefined): BodyPlace {
    const place = new BodyPlace();
    this.#small.add(place);
    this.hold(place, Math.min(announced ?? FIRST_READ_MAX_BYTES, FIRST_READ_MAX_BYTES));
    return place;
  }

  /** Says how much it holds now, before it does. Others may end for it, or itself. */
  hold(place: BodyPlace, bytes: number): void {
    if (bytes <= place.bytes || !(this.#small.has(place) || this.#large.has(place))) return;
    this.#bytes += bytes - place.bytes;
    place.bytes = bytes;
    if (bytes > SMALL_MAX_BYTES && this.#small.delete(place)) this.#large.add(place);
    while (this.#bytes > this.#maxBytes) this.#evictOne();
  }

  /** When its signature is verified, or its request has ended. Safe to repeat. */
  leave(place: BodyPlace): void {
    if (this.#small.delete(place) || this.#large.delete(place)) this.#bytes -= place.bytes;
  }

  /** For every body, whether it is kept or thrown away. */
  countAllocated(bytes: number): void {
    this.#allocatedBytes += bytes;
    if (this.#allocatedBytes < COLLECTED_EVERY_BYTES) return;
    this.#allocatedBytes = 0;
    this.#collect();
  }

  #evictOne(): void {
    const [oldest] = this.#large.size > 0 ? this.#large : this.#small;
    if (oldest === undefined) throw new Error('nothing is under way, and yet it holds bytes');
    this.leave(oldest);
    oldest.evict();
  }
}
