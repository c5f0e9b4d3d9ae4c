// Slows an address that keeps failing to authenticate. The answer stays the same 401 for all: only it comes later, and
// no sooner for a better guess. A request that is rightly signed is never slowed, so nobody behind a shared address is
// shut out by a neighbour.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { clientAddress } from '../http/client-address.ts';

const WINDOW_SECONDS = 60;
const DELAY_MS = 1_000;
/** More are answered at once: holding requests must not become an attack of its own. */
const HELD_MAX = 200;
/** One subscriber has at least a /64 of IPv6. */
const IPV6_PREFIX_BYTES = 8;

export class FailedAuthentications {
  readonly #counter: RateLimiterMemory | undefined;
  #held = 0;

  /** Zero to slow nobody. */
  constructor(failuresPerMinute: number) {
    if (failuresPerMinute > 0)
      this.#counter = new RateLimiterMemory({ points: failuresPerMinute, duration: WINDOW_SECONDS });
  }

  /** To be awaited before a failure is answered. */
  async slow(request: FastifyRequest): Promise<void> {
    if (this.#counter === undefined || (await this.#isWithinLimit(request)) || this.#held >= HELD_MAX) return;
    this.#held += 1;
    await sleep(DELAY_MS);
    this.#held -= 1;
  }

  async #isWithinLimit(request: FastifyRequest): Promise<boolean> {
    try {
      await this.#counter?.consume(sourceOf(request));
      return true;
    } catch (reason) {
      if (reason instanceof RateLimiterRes) return false;
      throw reason;
    }
  }
}

/** One name for all that one subscriber may call from. */
export function sourceOf(request: FastifyRequest): string {
  const address = clientAddress(request);
  if (address === undefined) return 'unknown';
  const octets = address.toByteArray();
  return (address.kind() === 'ipv4' ? octets : octets.slice(0, IPV6_PREFIX_BYTES)).join('.');
}
