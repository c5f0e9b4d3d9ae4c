// The metrics of an API process, unsigned, as Prometheus reads them. They count; they name no workspace, wallet or key.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { errors } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import type { Scrape } from './scrape.ts';

const description = "In Prometheus' text format. Where METRICS_TOKEN is set: with `Authorization: Bearer <token>`.";

export const metricsRoutes =
  (scrape: Scrape): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/metrics',
      config: { public: true },
      schema: {
        tags: ['observability'],
        operationId: 'readMetrics',
        summary: 'The metrics of this process',
        description,
        response: {
          200: { description: 'The metrics.', content: { 'text/plain': { schema: Type.String() } } },
          ...errors(401),
        },
      },
      handler: async (request, reply) => {
        if (!scrape.mayRead(request.headers.authorization))
          throw new ApiError('unauthorized', 'Send the token of METRICS_TOKEN as Authorization: Bearer <token>.');
        return reply.type(scrape.contentType).send(await scrape.read());
      },
    });
  };
