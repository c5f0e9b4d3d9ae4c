// How often one address may begin or answer a ceremony before it has a session, counted in this process: enough for
// people, also behind one address, and too little to try anything out.
import type { FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { sourceOf } from '../authentication/failed-authentications.ts';
import { ApiError } from '../http/errors.ts';

const WINDOW_SECONDS = 60;

export class CeremonyLimit {
  readonly #counter: RateLimiterMemory;

  constructor(requestsPerMinute: number) {
    this.#counter = new RateLimiterMemory({ points: requestsPerMinute, duration: WINDOW_SECONDS });
  }

  async count(request: FastifyRequest): Promise<void> {
    try {
      await this.#counter.consume(sourceOf(request));
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) throw reason;
      const seconds = Math.ceil(reason.msBeforeNext / 1000);
      throw new ApiError('rate_limited', `Too many have tried from this address: wait ${seconds} seconds.`, seconds);
    }
  }
}
