// How often one API key may call, counted in this process. Every authenticated answer says what is left
// (draft-ietf-httpapi-ratelimit-headers).
import type { FastifyInstance, FastifyReply } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import Type from 'typebox';
import { errors } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';

const WINDOW_SECONDS = 60;

export class RateLimit {
  readonly #counter: RateLimiterMemory | undefined;
  readonly #policy: string;

  /** Zero for no limit. */
  constructor(requestsPerMinute: number) {
    if (requestsPerMinute > 0)
      this.#counter = new RateLimiterMemory({ points: requestsPerMinute, duration: WINDOW_SECONDS });
    this.#policy = `"default";q=${requestsPerMinute};w=${WINDOW_SECONDS}`;
  }

  async count(keyId: string, reply: FastifyReply): Promise<void> {
    if (this.#counter === undefined) return;
    const spent = await this.#counter.consume(keyId).catch(asRefusal);
    const resetSeconds = Math.ceil(spent.msBeforeNext / 1000);
    reply.header('ratelimit-policy', this.#policy);
    reply.header('ratelimit', `"default";r=${spent.remainingPoints};t=${resetSeconds}`);
    if (spent.consumedPoints <= this.#counter.points) return;
    reply.header('retry-after', resetSeconds);
    throw new ApiError('rate_limited', `This key has made too many requests: try again in ${resetSeconds} seconds.`);
  }
}

/** The library rejects with the count itself when the limit is reached. */
function asRefusal(reason: unknown): RateLimiterRes {
  if (reason instanceof RateLimiterRes) return reason;
  throw reason;
}

const tooManyRequests = {
  ...errors(429)[429],
  headers: {
    RateLimit: Type.String({ description: 'Requests left and seconds until the count starts anew.' }),
    'RateLimit-Policy': Type.String({ description: 'Requests in a window of seconds.' }),
    'Retry-After': Type.Integer({ description: 'Seconds.' }),
  },
};

/** Any signed route may answer 429: every one of them is documented so. */
export function describeRateLimit(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.scope === undefined || route.schema === undefined) return;
    route.schema = { ...route.schema, response: { 429: tooManyRequests, ...(route.schema.response as object) } };
  });
}
