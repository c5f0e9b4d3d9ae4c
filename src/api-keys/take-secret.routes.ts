// The route by which a user takes the secret of a key of his own that another user made or rotated: nobody else is ever
// shown it. It gives a key nothing that the calling key has not.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type ApiKeyRow, awaitsSecret } from '../../drizzle/api-keys/api-keys.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { type ApiKeyChangeDependencies, acceptKeyChange } from './accept-key-change.ts';
import { apiKeyParams, apiKeyWithSecret, OVERLAP_DEFAULT_SECONDS, secretOverlapBody } from './api-keys.schema.ts';
import { assertNoConsoleKey } from './console-key.ts';
import { assertGrants } from './grants.ts';
import { renewSecret } from './key-secrets.ts';

export const takeSecretRoutes =
  (dependencies: ApiKeyChangeDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api-keys/:api_key_id/take-secret',
      schema: {
        tags: ['api-keys'],
        operationId: 'takeSecret',
        summary: 'Take the secret of a key of your own',
        description:
          'Of a key with `awaiting_secret`, which another user made or rotated for the user of the calling key: the answer shows its secret, once. With any key of the same user that has all that the ' +
          'other one has, also with the rotated key itself and the secret that it had until now. Who has none of them gets the secret from the operator (`npm run workspace -- create-secret`).',
        params: apiKeyParams,
        headers: idempotencyHeaders,
        body: secretOverlapBody,
        response: { 200: envelopeOf(apiKeyWithSecret), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const overlapSeconds = request.body.overlap_seconds ?? OVERLAP_DEFAULT_SECONDS;
        let shown: { api_secret?: string } = {};
        const result = await acceptKeyChange(dependencies, request, {
          id: request.params.api_key_id,
          assertMay: assertMayTake,
          decide: async (_tx, key) => {
            if (!awaitsSecret(key)) throw new ApiError('invalid_state', 'The secret of this key is taken: rotate it.');
            const { secret, change } = renewSecret(dependencies.keyEncryptionKey, key, overlapSeconds);
            return { change, made: () => (shown = { api_secret: secret }) };
          },
        });
        if ('kind' in result) throw new Error('who takes a secret of his own waits for nobody');
        return success({ ...result, ...shown });
      },
    });
  };

/** Another user's key is not there: who may not administer keys learns nothing of them. */
function assertMayTake(caller: UsableKey, key: ApiKeyRow): void {
  if (key.userId !== caller.userId) throw notFound('API key');
  assertNoConsoleKey(key);
  assertGrants(caller, key, { except: [] });
}
