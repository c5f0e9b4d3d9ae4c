// Unsigned routes for probes and clocks. They show nothing of any workspace.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Client } from '@temporalio/client';
import Type from 'typebox';
import { type Database, pingDatabase } from '../../drizzle/database/connection.ts';
import { isQuorumUp } from '../../drizzle/observability/node-health.ts';
import type { Draining } from '../http/draining.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { within } from '../process/within.ts';
import { partStatus } from './status.schema.ts';

const CHECK_TIMEOUT_MS = 2_000;
const tags = ['observability'];
const state = Type.Enum(['up', 'down']);
const readiness = Type.Object({
  postgres: state,
  temporal: Type.Optional(state),
  mpc: Type.Optional(
    Type.Enum(['up', 'down'], {
      description: 'Whether enough nodes to sign were up a moment ago, as a worker found them.',
    }),
  ),
});
const readinessQuery = Type.Object({
  deep: Type.Optional(
    Type.String({
      pattern: '^(true|false)?$',
      description:
        'A switch: `?deep` or `?deep=true` asks for the whole service. An alert reads this, not a balancer: it says the ' +
        'same in every process.',
    }),
  ),
});

interface ObservabilityDependencies {
  db: Database;
  client: Client;
  draining: Draining;
}

export const observabilityRoutes =
  ({ db, client, draining }: ObservabilityDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const readOwn = async () => ({ postgres: await check(() => pingDatabase(db)) });
    const readDeep = async () => {
      const [{ postgres }, temporal, mpc] = await Promise.all([
        readOwn(),
        check(() => client.workflowService.getSystemInfo({})),
        check(() => assertQuorum(db)),
      ]);
      return { postgres, temporal, mpc };
    };

    app.route({
      method: 'GET',
      url: '/health',
      config: { public: true },
      schema: {
        tags,
        operationId: 'readHealth',
        summary: 'Whether the process lives',
        response: { 200: envelopeOf(partStatus) },
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
        summary: 'Whether this process can serve, or with `deep` whether the whole service can',
        description:
          'This process can serve while it reaches PostgreSQL and is not about to stop: what it accepts is a row, which ' +
          'waits for Temporal, workers and nodes. Meant for a balancer.',
        querystring: readinessQuery,
        response: { 200: envelopeOf(readiness), ...errors(400, 503) },
      },
      handler: async ({ query }, reply) => {
        if (draining.hasBegun) return reply.code(503).send(notReady('the process is about to stop'));
        const data = await (isDeep(query.deep) ? readDeep() : readOwn());
        const down = Object.entries(data).flatMap(([name, value]) => (value === 'down' ? [name] : []));
        if (down.length === 0) return success(data);
        const code = down.join() === 'mpc' ? 'mpc_unavailable' : 'dependency_unavailable';
        return reply.code(503).send(notReady(`${down.join(' and ')} cannot be reached`, code));
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

const isDeep = (text: string | undefined): boolean => text !== undefined && text !== 'false';

const notReady = (why: string, code: 'mpc_unavailable' | 'dependency_unavailable' = 'dependency_unavailable') => ({
  success: false as const,
  message: `Not ready: ${why}.`,
  code,
  data: null,
});

async function assertQuorum(db: Database): Promise<void> {
  if (!(await isQuorumUp(db))) throw new Error('too few nodes were up a moment ago');
}

const check = (probe: () => Promise<unknown>): Promise<'up' | 'down'> =>
  within(CHECK_TIMEOUT_MS, probe).then(
    () => 'up',
    () => 'down',
  );
