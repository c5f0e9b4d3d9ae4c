// How the service is, for who runs it: what it depends on, what waits, and who works. Answers also while something is
// down, and names no workspace.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Client } from '@temporalio/client';
import type { Database } from '../../drizzle/database/connection.ts';
import {
  type Backlog,
  GAUGES_WITHIN_MS,
  type Gauges,
  type NodeGauge,
  readGauges,
} from '../../drizzle/observability/gauges.ts';
import { envelopeOf, errors, present, success } from '../http/envelope.ts';
import { within } from '../process/within.ts';
import { type StatusReport, statusReport } from './status.schema.ts';
import { describeTaskQueue } from './task-queue.ts';

interface StatusDependencies {
  db: Database;
  client: Client;
  taskQueue: string;
  workflowsUrl?: string | undefined;
}

export const statusRoutes =
  ({ db, client, taskQueue, workflowsUrl }: StatusDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/observability/status',
      schema: {
        tags: ['observability'],
        operationId: 'readServiceStatus',
        summary: 'How the service is',
        description:
          'Of the whole service, not of a workspace. Without PostgreSQL the lists are empty and the counts 0.',
        response: { 200: envelopeOf(statusReport), ...errors(401, 403) },
      },
      handler: async () => {
        const [gauges, queues] = await Promise.all([
          within(GAUGES_WITHIN_MS, () => readGauges(db)).catch(() => undefined),
          within(GAUGES_WITHIN_MS, () => describeTaskQueue(client, taskQueue)).catch(() => undefined),
        ]);
        return success({ ...ofTemporal(queues, workflowsUrl), ...ofDatabase(gauges) });
      },
    });
  };

type Queues = Awaited<ReturnType<typeof describeTaskQueue>>;

function ofTemporal(
  queues: Queues | undefined,
  workflowsUrl: string | undefined,
): Pick<StatusReport, 'temporal' | 'workers'> {
  const shownAt = present('workflows_url', workflowsUrl);
  if (queues === undefined) return { temporal: { status: 'down', task_queues: null, ...shownAt }, workers: 0 };
  const { workers, ...task_queues } = queues;
  return { temporal: { status: 'up', task_queues, ...shownAt }, workers };
}

function ofDatabase(gauges: Gauges | undefined): Omit<StatusReport, 'temporal' | 'workers'> {
  if (gauges === undefined) return ofNoDatabase;
  const { outbox, unsequencedEvents, webhooksOverdue, unsealedAudit, nodes } = gauges;
  return {
    postgres: { status: 'up' },
    mpc_nodes: nodes.map(toNode),
    chains: gauges.chains.map(({ network, headBlock, lagBlocks, headAgeSeconds, haltedReason, readingFailure }) => ({
      network,
      status: haltedReason !== null ? 'halted' : readingFailure !== null ? 'failing' : 'watched',
      halted_reason: haltedReason,
      last_error: readingFailure,
      head_block: headBlock,
      lag_blocks: lagBlocks,
      head_age_seconds: headAgeSeconds,
    })),
    queues: {
      outbox: shown(outbox),
      events: shown(unsequencedEvents),
      webhooks: shown(webhooksOverdue),
      audit: shown(unsealedAudit),
    },
    open_operations: gauges.operations.map(({ kind, status, ...backlog }) => ({ kind, status, ...shown(backlog) })),
    signers: { total: nodes.length, up: nodes.filter(({ status }) => status === 'up').length },
  };
}

const toNode = ({ cluster, node, status, bans, version, error, ...gauge }: NodeGauge) => ({
  cluster,
  node,
  status,
  bans,
  banned_nodes: gauge.bannedNodes,
  version,
  policy_sha256: gauge.policySha256,
  answer_ms: gauge.answerMs,
  signing_ms: gauge.signingMs,
  error,
  checked_age_seconds: gauge.checkedAgeSeconds,
});

const shown = ({ count, oldestSeconds }: Backlog) => ({ count, oldest_age_seconds: oldestSeconds });

const nothing: Backlog = { count: 0, oldestSeconds: 0 };

const ofNoDatabase: Omit<StatusReport, 'temporal' | 'workers'> = {
  postgres: { status: 'down' },
  mpc_nodes: [],
  chains: [],
  queues: { outbox: shown(nothing), events: shown(nothing), webhooks: shown(nothing), audit: shown(nothing) },
  open_operations: [],
  signers: { total: 0, up: 0 },
};
