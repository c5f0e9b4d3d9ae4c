// Routes that create, list, read, change and delete webhooks, and the key that verifies what they send. Deliveries are
// in webhook-deliveries.routes.ts.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import { encryptSecret } from '../../drizzle/secrets/encrypted-secret.ts';
import { ensureServiceKeys, findServicePublicKey } from '../../drizzle/secrets/service-keys.ts';
import { failPendingDeliveries } from '../../drizzle/webhooks/webhook-deliveries.ts';
import {
  changeWebhook,
  countWebhooks,
  findWebhook,
  insertWebhook,
  listWebhooks,
  type WebhookChange,
  type WebhookRow,
} from '../../drizzle/webhooks/webhooks.ts';
import { lockWorkspace } from '../../drizzle/workspaces/workspaces.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { noBody } from '../http/no-body.ts';
import { listQuery, pageOf, readPage, sendPage } from '../http/paging.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { acceptChange, assertReachesAll, requireThere } from './accept-change.ts';
import { requireTarget, type Targets } from './check-target.ts';
import { generateWebhookSecret, OVERLAP_MS } from './secrets.ts';
import { toWebhookRecord } from './webhooks.response.ts';
import {
  type ChangeWebhookBody,
  type CreateWebhookBody,
  changeWebhookBody,
  createWebhookBody,
  verificationKey,
  webhookParams,
  webhookRecord,
  webhookWithSecret,
} from './webhooks.schema.ts';

const tags = ['webhooks'];
const WEBHOOKS_MAX = 100;

export interface WebhookDependencies extends WriteDependencies {
  /** The one of today, under which new secrets are encrypted, then those that still decrypt. */
  keyEncryptionKeys: readonly [Buffer, ...Buffer[]];
  targets: Targets;
}

export const webhookRoutes =
  (dependencies: WebhookDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, keyEncryptionKeys, targets } = dependencies;
    const [keyEncryptionKey] = keyEncryptionKeys;

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/webhooks',
      schema: {
        tags,
        operationId: 'listWebhooks',
        summary: 'List webhooks',
        description: 'Disabled ones too, never with a secret.',
        params: workspaceParams,
        querystring: listQuery({}),
        response: { 200: pageOf(webhookRecord), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        assertReachesAll(request.caller.key);
        const page = readPage(request.query);
        const rows = await listWebhooks(db, request.caller.key.workspaceId, page);
        return sendPage(request, reply, { page, rows, show: toWebhookRecord });
      },
    });

    app.route({
      method: 'POST',
      url: '/workspaces/:workspace_id/webhooks',
      schema: {
        tags,
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description:
          'Events from now on are posted to the url as the Standard Webhooks specification says, until they are taken (2xx) or ten attempts have failed: at once, then 5 seconds, 5 minutes, 30 minutes, 2, 5, 10, 14, 20 and 24 hours after the one before, each up to a tenth later. While something waits for its third attempt, the endpoint is also probed with it, at most every ten seconds: a probe counts as an attempt only when it is taken, and then everything that waits so is sent. Events may come twice, with the same `webhook-id`, and out of order: `seq` orders them. The answer shows the secret, once.',
        params: workspaceParams,
        headers: idempotencyHeaders,
        body: createWebhookBody,
        response: { 201: envelopeOf(webhookWithSecret), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        assertReachesAll(request.caller.key);
        const url = await requireTarget(request.body.url, targets);
        await ensureServiceKeys(db, keyEncryptionKeys[0]);
        const { row, secret } = await createWebhook(dependencies, request, { ...request.body, url });
        reply.code(201);
        return success({ ...toWebhookRecord(row), ...(secret === undefined ? {} : { secret }) });
      },
    });

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/webhook-verification-key',
      schema: {
        tags,
        operationId: 'readWebhookKey',
        summary: 'Read the key that verifies `v1a` signatures',
        params: workspaceParams,
        response: { 200: envelopeOf(verificationKey), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        assertReachesAll(request.caller.key);
        const publicKey = await findServicePublicKey(db, 'webhooks');
        if (publicKey === undefined) throw notFound('verification key: it is made with the first webhook');
        return success({ public_key: publicKey });
      },
    });

    app.route({
      method: 'GET',
      url: '/webhooks/:webhook_id',
      schema: {
        tags,
        operationId: 'readWebhook',
        summary: 'Read a webhook',
        params: webhookParams,
        response: { 200: envelopeOf(webhookRecord), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const { key } = request.caller;
        const row = requireThere(await findWebhook(db, key.workspaceId, request.params.webhook_id));
        assertReachesAll(key);
        return success(toWebhookRecord(row));
      },
    });

    app.route({
      method: 'PATCH',
      url: '/webhooks/:webhook_id',
      schema: {
        tags,
        operationId: 'changeWebhook',
        summary: 'Change a webhook',
        description:
          'Only what is sent changes. What is under way goes to the url of before. A webhook that was disabled is active again by `status: active`.',
        params: webhookParams,
        headers: idempotencyHeaders,
        body: changeWebhookBody,
        response: { 200: envelopeOf(webhookRecord), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const { url, ...rest } = request.body;
        const body = url === undefined ? rest : { ...rest, url: await requireTarget(url, targets) };
        const record = await acceptChange(dependencies, request, webhookIdOf(request), async (tx, webhook) => {
          const change = readChange(body, webhook);
          if (change.status === 'disabled') await failPendingDeliveries(tx, webhook.id);
          return toWebhookRecord(await changeWebhook(tx, webhook.id, change));
        });
        return success(record);
      },
    });

    app.route({
      method: 'DELETE',
      url: '/webhooks/:webhook_id',
      schema: {
        tags,
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'For ever. What waits for it is sent no more.',
        params: webhookParams,
        headers: idempotencyHeaders,
        body: noBody,
        response: { 200: envelopeOf(webhookRecord), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const record = await acceptChange(dependencies, request, webhookIdOf(request), async (tx, { id }) => {
          await failPendingDeliveries(tx, id);
          return toWebhookRecord(await changeWebhook(tx, id, { status: 'deleted', statusReason: null, ...noSecrets }));
        });
        return success(record);
      },
    });

    app.route({
      method: 'POST',
      url: '/webhooks/:webhook_id/rotate-secret',
      schema: {
        tags,
        operationId: 'rotateWebhookSecret',
        summary: 'Give a webhook a new secret',
        description:
          'The answer shows the new secret, once. For 24 hours each delivery is signed by the former secret too; one from an earlier rotation ends at once.',
        params: webhookParams,
        headers: idempotencyHeaders,
        body: noBody,
        response: { 200: envelopeOf(webhookWithSecret), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        let shown: { secret?: string } = {};
        const record = await acceptChange(dependencies, request, webhookIdOf(request), async (tx, webhook) => {
          const secret = generateWebhookSecret();
          shown = { secret };
          const changed = await changeWebhook(tx, webhook.id, {
            encryptedSecret: encryptSecret(keyEncryptionKey, webhook.id, secret),
            encryptedFormerSecret: webhook.encryptedSecret,
            formerSecretUntil: new Date(Date.now() + OVERLAP_MS),
          });
          return toWebhookRecord(changed);
        });
        return success({ ...record, ...shown });
      },
    });
  };

const webhookIdOf = ({ params }: { params: { webhook_id: string } }) => params.webhook_id.toLowerCase();

const noSecrets = { encryptedSecret: new Uint8Array(), encryptedFormerSecret: null, formerSecretUntil: null };

async function createWebhook(dependencies: WebhookDependencies, request: FastifyRequest, body: CreateWebhookBody) {
  const { workspaceId } = request.caller.key;
  const [id, newSecret] = [uuidv7(), generateWebhookSecret()];
  const { url, events, description = null } = body;
  const encryptedSecret = encryptSecret(dependencies.keyEncryptionKeys[0], id, newSecret);
  const { result } = await acceptWrite<{ row: WebhookRow; secret?: string }>(dependencies, request, {
    id,
    target: '',
    make: async (tx, _start, note) => {
      await lockWorkspace(tx, workspaceId);
      if ((await countWebhooks(tx, workspaceId)) >= WEBHOOKS_MAX)
        throw new ApiError('invalid_state', `A workspace has at most ${WEBHOOKS_MAX} webhooks: delete one first.`);
      const workflowId = workflowIdOf('deliverWebhooks', id);
      const fields = { id, workspaceId, url, events, description, encryptedSecret, workflowId };
      const row = await insertWebhook(tx, fields);
      note({ after: toWebhookRecord(row) });
      return { row, secret: newSecret };
    },
    find: async (tx, earlierId) => {
      const row = await findWebhook(tx, workspaceId, earlierId);
      return row && { row };
    },
  });
  return result;
}

function readChange({ url, events, description, status }: ChangeWebhookBody, webhook: WebhookRow): WebhookChange {
  const enabled: WebhookChange = { status: 'active', statusReason: null, failingSince: null };
  const disabled: WebhookChange = { status: 'disabled', statusReason: 'requested' };
  const moved = status === undefined || status === webhook.status ? {} : status === 'active' ? enabled : disabled;
  return {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events }),
    ...(description === undefined ? {} : { description }),
    ...moved,
  };
}
