// Refuses work that this process could not do in time: while its event loop is late, and beyond a number of requests
// under way. Probes are always answered. Only who has shown a key takes up a place, else connections that never say who
// they are would take them all: of these connections.ts bounds the number, and bodies-under-way.ts what they hold.
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ApiError } from './errors.ts';
import type { HttpSettings } from './http-settings.ts';

const RETRY_AFTER_SECONDS = 1;
const SAMPLED_EVERY_MS = 1_000;

/** The delay is a mean over one second. */
export async function installOverload(
  app: FastifyInstance,
  { eventLoopDelayMaxMs }: Pick<HttpSettings, 'eventLoopDelayMaxMs'>,
): Promise<void> {
  if (eventLoopDelayMaxMs > 0) await watchEventLoop(app, eventLoopDelayMaxMs);
}

/** Those who only wait (`Prefer: wait`) do not count as under way. */
export class RequestsUnderWay {
  readonly #max: number;
  readonly #room: { readonly waiting: number };
  #count = 0;

  /** Zero for no limit. */
  constructor(max: number, room: { readonly waiting: number }) {
    this.#max = max;
    this.#room = room;
  }

  /** Until the answer is sent or the caller hangs up. Throws when there is no place. */
  enter(reply: FastifyReply): void {
    if (this.#max > 0 && this.#count - this.#room.waiting >= this.#max) refuse(reply);
    // Who hung up before closes no more.
    if (reply.raw.destroyed) return;
    this.#count += 1;
    // Not `onResponse`, which a caller who hangs up keeps from running.
    reply.raw.once('close', () => {
      this.#count -= 1;
    });
  }
}

async function watchEventLoop(app: FastifyInstance, eventLoopDelayMaxMs: number): Promise<void> {
  let readyAtMs = Number.POSITIVE_INFINITY;
  app.addHook('onReady', async () => {
    readyAtMs = performance.now();
  });
  await app.register(underPressure, {
    maxEventLoopDelay: eventLoopDelayMaxMs,
    sampleInterval: SAMPLED_EVERY_MS,
    pressureHandler: async (request, reply) => {
      // The first sample saw the process start, which is one long delay.
      if (performance.now() - readyAtMs > 2 * SAMPLED_EVERY_MS && !request.routeOptions.config.public) refuse(reply);
    },
  });
}

function refuse(reply: FastifyReply): never {
  reply.header('retry-after', RETRY_AFTER_SECONDS);
  throw new ApiError('dependency_unavailable', 'The service is overloaded: nothing was stored, try again in a second.');
}
