// Routes about what a webhook is sent: the log of deliveries, a test, and what is delivered again.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { listAttempts, listDeliveries } from '../../drizzle/webhooks/webhook-deliveries.ts';
import { findDelivery, redeliver, replay } from '../../drizzle/webhooks/webhook-replays.ts';
import { findWebhook, recordPing, type WebhookRow } from '../../drizzle/webhooks/webhooks.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { noBody } from '../http/no-body.ts';
import { pageOf, readPage, sendPage } from '../http/paging.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { acceptChange, assertActive, assertReachesAll, requireThere, startDelivery } from './accept-change.ts';
import { toDeliveryRecord } from './webhooks.response.ts';
import {
  deliveryParams,
  deliveryQuery,
  deliveryRecord,
  pingAnswer,
  type ReplayBody,
  replayAnswer,
  replayBody,
  webhookParams,
} from './webhooks.schema.ts';

const tags = ['webhooks'];
const REPLAY_MAX = 10_000;

export const webhookDeliveryRoutes =
  (dependencies: WriteDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db } = dependencies;

    app.route({
      method: 'GET',
      url: '/webhooks/:webhook_id/deliveries',
      schema: {
        tags,
        operationId: 'listDeliveries',
        summary: 'List deliveries',
        description:
          'With every attempt: what was answered, how long it took, and why it failed. One that has ended is kept for a time that the operator sets, at least seven days.',
        params: webhookParams,
        querystring: deliveryQuery,
        response: { 200: pageOf(deliveryRecord), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const { key } = request.caller;
        const { id: webhookId } = requireThere(await findWebhook(db, key.workspaceId, request.params.webhook_id));
        assertReachesAll(key);
        const page = readPage(request.query);
        const { status: statuses, event_type: eventTypes } = request.query;
        const rows = await listDeliveries(db, { webhookId, statuses, eventTypes }, page);
        const attempts = await listAttempts(
          db,
          rows.map(({ id }) => id),
        );
        return sendPage(request, reply, { page, rows, show: (row) => toDeliveryRecord(row, attempts.get(row.id)) });
      },
    });

    app.route({
      method: 'POST',
      url: '/webhooks/:webhook_id/ping',
      schema: {
        tags,
        operationId: 'pingWebhook',
        summary: 'Test a webhook',
        description:
          'Sends it an event `webhook.ping`, whatever types it takes; no other webhook hears of it. The log of deliveries says what came of it.',
        params: webhookParams,
        headers: idempotencyHeaders,
        body: noBody,
        response: { 202: envelopeOf(pingAnswer), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        const id = request.params.webhook_id.toLowerCase();
        const answer = await acceptChange(dependencies, request, id, async (tx, webhook) => {
          assertActive(webhook);
          return { event_id: await recordPing(tx, webhook) };
        });
        return reply.code(202).send(success(answer));
      },
    });

    app.route({
      method: 'POST',
      url: '/webhooks/:webhook_id/replay',
      schema: {
        tags,
        operationId: 'replayWebhook',
        summary: 'Deliver the events of a time again',
        description: `At most ${REPLAY_MAX} in one request, in the order of the feed; also those of a time when the webhook was disabled or was not there yet, as far as they are kept.`,
        params: webhookParams,
        headers: idempotencyHeaders,
        body: replayBody,
        response: { 202: envelopeOf(replayAnswer), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        const { body } = request;
        const id = request.params.webhook_id.toLowerCase();
        const answer = await acceptChange(dependencies, request, id, async (tx, webhook, start) => {
          assertActive(webhook);
          const deliveries = await replayEvents(tx, webhook, body);
          if (deliveries > 0) startDelivery(start, webhook);
          return { deliveries };
        });
        return reply.code(202).send(success(answer));
      },
    });

    app.route({
      method: 'POST',
      url: '/webhooks/deliveries/:delivery_id/redeliver',
      schema: {
        tags,
        operationId: 'redeliver',
        summary: 'Deliver one event again',
        description:
          'A delivery beside the first, with its own ten attempts. While one of the event is pending, this one is tried at once.',
        params: deliveryParams,
        headers: idempotencyHeaders,
        body: noBody,
        response: { 202: envelopeOf(deliveryRecord), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        const record = await acceptRedelivery(dependencies, request, request.params.delivery_id.toLowerCase());
        return reply.code(202).send(success(record));
      },
    });
  };

async function replayEvents(tx: Transaction, webhook: WebhookRow, body: ReplayBody): Promise<number> {
  const [from, to] = [new Date(body.from), new Date(body.to)];
  if (from >= to) throw new ApiError('invalid_request', 'body.to must be after body.from.');
  const made = await replay(tx, webhook, { from, to, types: body.types ?? webhook.events }, REPLAY_MAX);
  if (made === undefined)
    throw new ApiError('invalid_state', `More than ${REPLAY_MAX} events match: ask for a shorter time or fewer types.`);
  return made;
}

async function acceptRedelivery(dependencies: WriteDependencies, request: FastifyRequest, id: string) {
  const { key } = request.caller;
  const { result } = await acceptWrite(dependencies, request, {
    id,
    target: id,
    admit: async (tx) => {
      await requireDelivery(tx, key.workspaceId, id);
      assertReachesAll(key);
    },
    make: async (tx, start) => {
      const { delivery, webhook } = await requireDelivery(tx, key.workspaceId, id);
      assertActive(webhook);
      const again = await redeliver(tx, delivery);
      startDelivery(start, webhook);
      return toDeliveryRecord(again, (await listAttempts(tx, [again.id])).get(again.id));
    },
  });
  return result;
}

async function requireDelivery(tx: Transaction, workspaceId: string, id: string) {
  const found = await findDelivery(tx, workspaceId, id);
  if (found === undefined || found.webhook.status === 'deleted') throw notFound('delivery');
  return found;
}
