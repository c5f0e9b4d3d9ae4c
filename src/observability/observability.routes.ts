// Unsigned routes for probes and clocks. They show nothing of any workspace.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Client } from '@temporalio/client';
import Type from 'typebox';
import { type Database, pingDatabase } from '../../drizzle/database/connection.ts';
import { isQuorumUp } from '../../drizzle/observability/node-health.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { within } from '../process/within.ts';

const CHECK_TIMEOUT_MS = 2_000;
const tags = ['observability'];
const state = Type.Enum(['up', 'down']);
const readiness = Type.Object({
  postgres: state,
  temporal: state,
  mpc: Type.Enum(['up', 'down'], {
    description: 'Whether enough nodes to sign were up a moment ago, as a worker found them.',
  }),
});

export const observabilityRoutes =
  ({ db, client }: { db: Database; client: Client }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/health',
      config: { public: true },
      schema: {
        tags,
        operationId: 'readHealth',
        summary: 'Whether the process lives',
        response: { 200: envelopeOf(Type.Object({ status: Type.Literal('up') })) },
      },
      handler: async () => success({ status: 'up' as const }),
    });

    app.route({
      method: 'GET',
      url: '/ready',
      config: { public: true },
      schema: {
        tags,
        operationId: 'readReadiness',
        summary: 'Whether what the API needs can be reached',
        response: { 200: envelopeOf(readiness), ...errors(503) },
      },
      handler: async (_request, reply) => {
        const [postgres, temporal, mpc] = await Promise.all([
          check(() => pingDatabase(db)),
          check(() => client.workflowService.getSystemInfo({})),
          check(() => assertQuorum(db)),
        ]);
        const data = { postgres, temporal, mpc };
        const down = Object.entries(data).flatMap(([name, value]) => (value === 'down' ? [name] : []));
        if (down.length === 0) return success(data);
        return reply.code(503).send({
          success: false as const,
          message: `Not ready: ${down.join(' and ')} cannot be reached.`,
          code: 'dependency_unavailable',
          data: null,
        });
      },
    });

    app.route({
      method: 'GET',
      url: '/time',
      config: { public: true },
      schema: {
        tags,
        operationId: 'readTime',
        summary: "The server's clock",
        response: {
          200: envelopeOf(
            Type.Object({
              unix_seconds: Type.Integer({ description: 'What ACCESS-TIMESTAMP is compared with.' }),
              time: Type.String({ format: 'date-time' }),
            }),
          ),
        },
      },
      handler: async () => {
        const now = new Date();
        return success({ unix_seconds: Math.floor(now.getTime() / 1000), time: now.toISOString() });
      },
    });
  };

async function assertQuorum(db: Database): Promise<void> {
  if (!(await isQuorumUp(db))) throw new Error('too few nodes were up a moment ago');
}

const check = (probe: () => Promise<unknown>): Promise<'up' | 'down'> =>
  within(CHECK_TIMEOUT_MS, probe).then(
    () => 'up',
    () => 'down',
  );
