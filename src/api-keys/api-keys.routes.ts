// Routes of API keys.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type ApiKeyRow, findUsableApiKey } from '../../drizzle/api-keys.ts';
import type { Database } from '../../drizzle/database.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { notFound } from '../http/errors.ts';
import { apiKeyRecord } from './api-keys.schema.ts';

export const apiKeyRoutes =
  ({ db }: { db: Database }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api-keys/self',

      schema: {
        tags: ['api-keys'],
        summary: 'Read the key that signs this request',
        response: { 200: envelopeOf(apiKeyRecord), ...errors(401, 404, 503) },
      },
      handler: async (request) => {
        const row = await findUsableApiKey(db, request.caller.key.apiKey);
        if (row === undefined) throw notFound('API key');
        return success(toApiKeyRecord(row));
      },
    });
  };

function toApiKeyRecord(row: ApiKeyRow) {
  return {
    id: row.id,
    api_key: row.apiKey,
    workspace_id: row.workspaceId,
    scopes: row.scopes,
    wallet_ids: row.walletIds,
    name: row.name,
    created_by: row.createdBy,
    ...(row.expiresAt === null ? {} : { expires_at: row.expiresAt.toISOString() }),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
