// Routes that list, read and create API keys.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { findApiKey, insertApiKey, listApiKeys } from '../../drizzle/api-keys.ts';
import { encryptSecret } from '../../drizzle/encrypted-secret.ts';
import { acceptWrite, type WriteDependencies } from '../http/accept-write.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { notFound } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { listQuery, pageOf, readPage, sendPage } from '../http/paging.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import { toApiKeyRecord } from './api-keys.response.ts';
import { apiKeyRecord, apiKeyWithSecret, type CreateApiKeyBody, createApiKeyBody } from './api-keys.schema.ts';
import { assertRanges, assertReaches, assertWalletsExist, readFutureMoment } from './grants.ts';
import { generateApiKey, generateApiSecret } from './secrets.ts';

const tags = ['api-keys'];

export interface ApiKeyDependencies extends WriteDependencies {
  /** New secrets are encrypted under it. */
  keyEncryptionKey: Buffer;
}

export const apiKeyRoutes =
  (dependencies: ApiKeyDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db } = dependencies;

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/api-keys',
      schema: {
        tags,
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
        return sendPage(request, reply, page, rows, toApiKeyRecord);
      },
    });

    app.route({
      method: 'GET',
      url: '/api-keys/self',
      schema: {
        tags,
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
        summary: 'Create an API key',
        description:
          'The answer shows the secret, once. A key grants only scopes that it has itself and, when it is bound to wallets, only some of these.',
        params: workspaceParams,
        headers: idempotencyHeaders,
        body: createApiKeyBody,
        response: { 201: envelopeOf(apiKeyWithSecret), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        const { row, secret } = await createApiKey(dependencies, request, request.body);
        reply.code(201);
        return success({ ...toApiKeyRecord(row), ...(secret === undefined ? {} : { api_secret: secret }) });
      },
    });
  };

async function createApiKey(dependencies: ApiKeyDependencies, request: FastifyRequest, body: CreateApiKeyBody) {
  const { key: caller } = request.caller;
  const { workspaceId } = caller;
  const [id, newSecret] = [uuidv7(), generateApiSecret()];
  const walletIds = (body.wallet_ids ?? []).map((walletId) => walletId.toLowerCase());
  const { result } = await acceptWrite<{ row: Awaited<ReturnType<typeof insertApiKey>>; secret?: string }>(
    dependencies,
    request,
    {
      id,
      target: '',
      make: async (tx, _start, note) => {
        assertReaches(caller, { scopes: body.scopes, walletIds });
        assertRanges(body.ip_allowlist ?? []);
        const expiresAt = body.expires_at === undefined ? null : readFutureMoment(body.expires_at);
        await assertWalletsExist(tx, workspaceId, walletIds);
        const row = await insertApiKey(tx, {
          id,
          workspaceId,
          userId: caller.userId,
          apiKey: generateApiKey(),
          secretEncrypted: encryptSecret(dependencies.keyEncryptionKey, id, newSecret),
          name: body.name,
          scopes: body.scopes,
          walletIds,
          ipAllowlist: body.ip_allowlist ?? [],
          expiresAt,
          legacyPathSigning: body.legacy_path_signing ?? false,
          createdBy: caller.userId,
        });
        note({ after: toApiKeyRecord(row) });
        return { row, secret: newSecret };
      },
      find: async (tx, earlierId) => {
        const row = await findApiKey(tx, workspaceId, earlierId);
        return row && { row };
      },
    },
  );
  return result;
}
