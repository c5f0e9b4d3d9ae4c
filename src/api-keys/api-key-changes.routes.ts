// Routes that change, rotate and revoke API keys: those that can do no more than the calling key. What gives another
// user's key more, or another secret, waits for approvals where the policy asks for them, and shows no secret.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiKeyRow } from '../../drizzle/api-keys/api-keys.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import { authorityChangeSchema } from '../authority-changes/authority-changes.schema.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { noBody } from '../http/no-body.ts';
import { type ApiKeyChangeDependencies, acceptKeyChange, type KeyChange } from './accept-key-change.ts';
import {
  apiKeyParams,
  apiKeyRecord,
  apiKeyWithSecret,
  type ChangeApiKeyBody,
  changeApiKeyBody,
  OVERLAP_DEFAULT_SECONDS,
  secretOverlapBody,
} from './api-keys.schema.ts';
import { assertNoConsoleKey } from './console-key.ts';
import { toPower } from './create-api-key.ts';
import {
  assertAdministratorRemains,
  assertGrants,
  assertGrantsLimits,
  assertRanges,
  assertReaches,
  assertWalletsExist,
  assertWithinOwnGrants,
  readFutureMoment,
  widened,
} from './grants.ts';
import { renewSecret } from './key-secrets.ts';

const tags = ['api-keys'];
const writeErrors = errors(400, 401, 403, 404, 409, 413, 415, 503);

export const apiKeyChangeRoutes =
  (dependencies: ApiKeyChangeDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'PATCH',
      url: '/api-keys/:api_key_id',
      schema: {
        tags,
        operationId: 'changeApiKey',
        summary: 'Change an API key',
        description:
          'Holds on every process within a second. The calling key must have every scope and wallet of the other one, but for the scopes to approve, and all that it gives it. To give a key of another user ' +
          'more, and to lift an expiry or an address list, waits for approvals, where the policy in force has `changes`, and always in production: 202 with what waits. The last key with `api_keys:admin` that never ends and reaches every wallet keeps what makes it so.',
        params: apiKeyParams,
        headers: idempotencyHeaders,
        body: changeApiKeyBody,
        response: { 200: envelopeOf(apiKeyRecord), 202: envelopeOf(authorityChangeSchema), ...writeErrors },
      },
      handler: async (request, reply) => {
        const { key: caller } = request.caller;
        const { body } = request;
        const result = await acceptKeyChange(dependencies, request, {
          id: request.params.api_key_id,
          assertMay: assertMayChange,
          decide: (tx, key) => readChange(tx, caller, key, body),
        });
        return 'kind' in result ? reply.code(202).send(success(result)) : reply.code(200).send(success(result));
      },
    });

    app.route({
      method: 'POST',
      url: '/api-keys/:api_key_id/rotate',
      schema: {
        tags,
        operationId: 'rotateApiKey',
        summary: 'Give an API key a new secret',
        description:
          'The answer shows the new secret, once. The calling key must have all that the rotated one has, since who knows a secret can do all that its key can. To rotate the key of another user waits ' +
          'for approvals, where the policy in force has `changes`, and always in production: 202 with what waits, and no secret. Once that is approved its own user takes the new secret ' +
          '(`take-secret`); until then the old one signs, unless `overlap_seconds` ends it.',
        params: apiKeyParams,
        headers: idempotencyHeaders,
        body: secretOverlapBody,
        response: { 200: envelopeOf(apiKeyWithSecret), 202: envelopeOf(authorityChangeSchema), ...writeErrors },
      },
      handler: async (request, reply) => {
        const { overlap_seconds } = request.body;
        let shown: { api_secret?: string } = {};
        const { key: caller } = request.caller;
        const result = await acceptKeyChange(dependencies, request, {
          id: request.params.api_key_id,
          assertMay: assertMayChange,
          decide: async (_tx, key) => {
            assertGrants(caller, key, { except: [] });
            const isOwn = key.userId === caller.userId;
            const overlapSeconds = overlap_seconds ?? OVERLAP_DEFAULT_SECONDS;
            const { secret, change } = renewSecret(dependencies.keyEncryptionKey, key, overlapSeconds);
            const made = () => {
              shown = { api_secret: secret };
            };
            return { change, made, ...(isOwn ? {} : { waiting: waitingRotation(key, overlap_seconds) }) };
          },
        });
        return 'kind' in result
          ? reply.code(202).send(success(result))
          : reply.code(200).send(success({ ...result, ...shown }));
      },
    });

    app.route({
      method: 'DELETE',
      url: '/api-keys/:api_key_id',
      schema: {
        tags,
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description:
          'For ever, and on every process within a second. The calling key must have every scope and wallet of the other one, but for the scopes to approve. A key that is revoked already is answered as it is. The last key with `api_keys:admin` that never ends and reaches every wallet cannot be revoked.',
        params: apiKeyParams,
        headers: idempotencyHeaders,
        body: noBody,
        response: { 200: envelopeOf(apiKeyRecord), ...writeErrors },
      },
      handler: async (request) => {
        const result = await acceptKeyChange(dependencies, request, {
          id: request.params.api_key_id,
          assertMay: assertReaches,
          decide: async (tx, key) => {
            if (key.revokedAt !== null) return undefined;
            await assertAdministratorRemains(tx, key);
            return { change: { revokedAt: new Date(), previousSecretEncrypted: null, previousSecretExpiresAt: null } };
          },
        });
        if ('kind' in result) throw new Error('a revocation waits for nobody');
        return success(result);
      },
    });
  };

function assertMayChange(caller: UsableKey, key: ApiKeyRow): void {
  assertReaches(caller, key);
  assertNoConsoleKey(key);
}

/**
 * Who sees a new secret can do all that its key can, and vote as its user. So another user's key, where that needs
 * approvals, gets one that only its own user takes.
 */
function waitingRotation(key: ApiKeyRow, overlapSeconds: number | undefined): NonNullable<KeyChange['waiting']> {
  const asked = overlapSeconds === undefined ? {} : { overlap_seconds: overlapSeconds };
  return { kind: 'rotate_api_key', details: { ...asked, before: toPower(key) } };
}

async function readChange(
  tx: Transaction,
  caller: UsableKey,
  key: ApiKeyRow,
  body: ChangeApiKeyBody,
): Promise<KeyChange> {
  const { name, ...power } = body;
  assertRanges(body.ip_allowlist ?? []);
  const expiresAt = typeof body.expires_at === 'string' ? readFutureMoment(body.expires_at) : body.expires_at;
  const after = {
    scopes: body.scopes ?? key.scopes,
    walletIds: body.wallet_ids?.map((walletId) => walletId.toLowerCase()) ?? key.walletIds,
    ipAllowlist: body.ip_allowlist === undefined ? key.ipAllowlist : (body.ip_allowlist ?? []),
    expiresAt: expiresAt === undefined ? key.expiresAt : expiresAt,
  };
  const more = widened(key, after);
  // What is not given the caller need not have: a confined key may confine another one further.
  assertWithinOwnGrants(caller, { scopes: more.scopes, walletIds: after.walletIds }, { except: [] });
  if (more.limits) assertGrantsLimits(caller, after);
  await assertWalletsExist(tx, key.workspaceId, body.wallet_ids === undefined ? [] : after.walletIds);
  const change = { ...after, ...(name === undefined ? {} : { name }) };
  if (Object.keys(power).length > 0) await assertAdministratorRemains(tx, key, { ...key, ...change });
  const isWider = more.scopes.length > 0 || more.reach;
  if (!more.limits && !(isWider && key.userId !== caller.userId)) return { change };
  const details = { ...toPower(after), ...(name === undefined ? {} : { name }), before: toPower(key) };
  return { change, waiting: { kind: 'change_api_key', details } };
}
