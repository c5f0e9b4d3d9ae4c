// Routes that list, read and create API keys.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { findApiKey, listApiKeys } from '../../drizzle/api-keys/api-key-queries.ts';
import { authorityChangeSchema } from '../authority-changes/authority-changes.schema.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { notFound } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { listQuery, pageOf, readPage, sendPage } from '../http/paging.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import { toApiKeyRecord } from './api-keys.response.ts';
import { apiKeyRecord, apiKeyWithSecret, createApiKeyBody } from './api-keys.schema.ts';
import { type ApiKeyDependencies, createApiKey } from './create-api-key.ts';

const tags = ['api-keys'];

export const apiKeyRoutes =
  (dependencies: ApiKeyDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db } = dependencies;

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/api-keys',
      schema: {
        tags,
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description:
          'Revoked ones too. Never with a secret. A key that is bound to wallets sees itself and the keys that reach none but these.',
        params: workspaceParams,
        querystring: listQuery({}),
        response: { 200: pageOf(apiKeyRecord), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const page = readPage(request.query);
        const { key: caller } = request.caller;
        const rows = await listApiKeys(db, caller.workspaceId, page, caller);
        return sendPage(request, reply, { page, rows, show: toApiKeyRecord });
      },
    });

    app.route({
      method: 'GET',
      url: '/api-keys/self',
      schema: {
        tags,
        operationId: 'readOwnApiKey',
        summary: 'Read the key that signs this request',
        response: { 200: envelopeOf(apiKeyRecord), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const { workspaceId, id } = request.caller.key;
        const row = await findApiKey(db, workspaceId, id);
        if (row === undefined) throw notFound('API key');
        return success(toApiKeyRecord(row));
      },
    });

    app.route({
      method: 'POST',
      url: '/workspaces/:workspace_id/api-keys',
      schema: {
        tags,
        operationId: 'createApiKey',
        summary: 'Create an API key',
        description:
          'The answer shows the secret, once. A key grants only what it has itself: scopes, wallets, addresses, and no later end. A key for another user is a change that waits for approvals, where the ' +
          'policy in force has `changes`, and always in production: 202 with what waits, and no secret, which only its own user takes once it is approved (`take-secret`). Such a key may get the scopes to approve from ' +
          'one that lacks them.',
        params: workspaceParams,
        headers: idempotencyHeaders,
        body: createApiKeyBody,
        response: {
          201: envelopeOf(apiKeyWithSecret),
          202: envelopeOf(authorityChangeSchema),
          ...errors(400, 401, 403, 404, 409, 413, 415, 503),
        },
      },
      handler: async (request, reply) => {
        const made = await createApiKey(dependencies, request, request.body);
        if ('change' in made) return reply.code(202).send(success(made.change));
        const shown = made.secret === undefined ? {} : { api_secret: made.secret };
        return reply.code(201).send(success({ ...toApiKeyRecord(made.row), ...shown }));
      },
    });
  };
