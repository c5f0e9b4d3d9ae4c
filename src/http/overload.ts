// Refuses work that this process could not do in time: while its event loop is late, and beyond a number of requests under way. Probes are always answered.
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';
import type { HttpSettings } from './http-settings.ts';

const RETRY_AFTER_SECONDS = 1;
const SAMPLED_EVERY_MS = 1_000;

/** The delay is a mean over one second. Those who only wait (`Prefer: wait`) do not count as under way. */
export async function installOverload(
  app: FastifyInstance,
  { eventLoopDelayMaxMs, requestsUnderWayMax }: Pick<HttpSettings, 'eventLoopDelayMaxMs' | 'requestsUnderWayMax'>,
  room: { readonly waiting: number },
): Promise<void> {
  if (eventLoopDelayMaxMs > 0) await watchEventLoop(app, eventLoopDelayMaxMs);
  if (requestsUnderWayMax === 0) return;
  let underWay = 0;
  app.addHook('onRequest', async (request, reply) => {
    if (underWay - room.waiting >= requestsUnderWayMax) refuse(request, reply);
    underWay += 1;
    // Not `onResponse`, which a caller who hangs up keeps from running.
    reply.raw.once('close', () => {
      underWay -= 1;
    });
  });
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
      if (performance.now() - readyAtMs > 2 * SAMPLED_EVERY_MS) refuse(request, reply);
    },
  });
}

function refuse(request: FastifyRequest, reply: FastifyReply): void {
  if (request.routeOptions.config.public) return;
  reply.header('retry-after', RETRY_AFTER_SECONDS);
  throw new ApiError('dependency_unavailable', 'The service is overloaded: nothing was stored, try again in a second.');
}
