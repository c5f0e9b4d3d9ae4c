// Routes that change, rotate and revoke API keys: those that can do no more than the calling key. This process forgets a changed key at once, the others within
// a second.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type ApiKeyChange, type ApiKeyRow, changeApiKey, findApiKey } from '../../drizzle/api-keys.ts';
import type { Transaction } from '../../drizzle/database.ts';
import { encryptSecret } from '../../drizzle/encrypted-secret.ts';
import { lockWorkspace } from '../../drizzle/workspaces.ts';
import { acceptWrite } from '../http/accept-write.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { noBody } from '../http/no-body.ts';
import { toApiKeyRecord } from './api-keys.response.ts';
import type { ApiKeyDependencies } from './api-keys.routes.ts';
import {
  apiKeyParams,
  apiKeyRecord,
  apiKeyWithSecret,
  type ChangeApiKeyBody,
  changeApiKeyBody,
  OVERLAP_DEFAULT_SECONDS,
  rotateApiKeyBody,
} from './api-keys.schema.ts';
import {
  assertAdministratorRemains,
  assertRanges,
  assertReaches,
  assertWalletsExist,
  readFutureMoment,
} from './grants.ts';
import type { KeyRing, UsableKey } from './key-ring.ts';
import { generateApiSecret } from './secrets.ts';

const tags = ['api-keys'];

export interface ApiKeyChangeDependencies extends ApiKeyDependencies {
  keyRing: KeyRing;
}

export const apiKeyChangeRoutes =
  (dependencies: ApiKeyChangeDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'PATCH',
      url: '/api-keys/:api_key_id',
      schema: {
        tags,
        summary: 'Change an API key',
        description:
          'Holds on every process within a second. The calling key must have every scope and wallet of the other one, before and after. The last key with `api_keys:admin` that never ends and reaches every wallet keeps what makes it so.',
        params: apiKeyParams,
        headers: idempotencyHeaders,
        body: changeApiKeyBody,
        response: { 200: envelopeOf(apiKeyRecord), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const { key: caller } = request.caller;
        const record = await acceptChange(dependencies, request, request.params.api_key_id, (tx, key) =>
          readChange(tx, caller, key, request.body),
        );
        return success(record);
      },
    });

    app.route({
      method: 'POST',
      url: '/api-keys/:api_key_id/rotate',
      schema: {
        tags,
        summary: 'Give an API key a new secret',
        description:
          'The answer shows the new secret, once. The calling key must have every scope and wallet of the rotated one, since who knows a secret can do all that its key can.',
        params: apiKeyParams,
        headers: idempotencyHeaders,
        body: rotateApiKeyBody,
        response: { 200: envelopeOf(apiKeyWithSecret), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const overlapMs = (request.body.overlap_seconds ?? OVERLAP_DEFAULT_SECONDS) * 1000;
        let shown: { api_secret?: string } = {};
        const record = await acceptChange(dependencies, request, request.params.api_key_id, async (_tx, key) => {
          const secret = generateApiSecret();
          shown = { api_secret: secret };
          return {
            secretEncrypted: encryptSecret(dependencies.keyEncryptionKey, key.id, secret),
            previousSecretEncrypted: overlapMs === 0 ? null : key.secretEncrypted,
            previousSecretExpiresAt: overlapMs === 0 ? null : new Date(Date.now() + overlapMs),
          };
        });
        return success({ ...record, ...shown });
      },
    });

    app.route({
      method: 'DELETE',
      url: '/api-keys/:api_key_id',
      schema: {
        tags,
        summary: 'Revoke an API key',
        description:
          'For ever, and on every process within a second. The calling key must have every scope and wallet of the other one. A key that is revoked already is answered as it is. The last key with `api_keys:admin` that never ends and reaches every wallet cannot be revoked.',
        params: apiKeyParams,
        headers: idempotencyHeaders,
        body: noBody,
        response: { 200: envelopeOf(apiKeyRecord), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const record = await acceptChange(dependencies, request, request.params.api_key_id, async (tx, key) => {
          if (key.revokedAt !== null) return undefined;
          await assertAdministratorRemains(tx, key);
          return { revokedAt: new Date(), previousSecretEncrypted: null, previousSecretExpiresAt: null };
        });
        return success(record);
      },
    });
  };

/**
 * The one way in which a key changes: by a key that reaches it, alone in its workspace, then forgotten by the ring. `decide` answers undefined when there
 * is nothing to change.
 */
async function acceptChange(
  dependencies: ApiKeyChangeDependencies,
  request: FastifyRequest,
  id: string,
  decide: (tx: Transaction, key: ApiKeyRow) => Promise<ApiKeyChange | undefined>,
): Promise<ApiKeyRecord> {
  const { key: caller } = request.caller;
  const requireReached = async (tx: Transaction) => {
    const key = await findApiKey(tx, caller.workspaceId, id);
    if (key === undefined) throw notFound('API key');
    assertReaches(caller, key);
    return key;
  };
  const { result } = await acceptWrite(dependencies, request, {
    id: id.toLowerCase(),
    target: '',
    admit: requireReached,
    make: async (tx, _start, note) => {
      await lockWorkspace(tx, caller.workspaceId);
      const key = await requireReached(tx);
      note({ before: toApiKeyRecord(key) });
      const change = await decide(tx, key);
      if (change === undefined) return toApiKeyRecord(key);
      const changed = await changeApiKey(tx, id, change);
      if (changed === undefined) throw new ApiError('invalid_state', 'This key is revoked: create another one.');
      return toApiKeyRecord(changed);
    },
  });
  dependencies.keyRing.forget(result.api_key);
  return result;
}

type ApiKeyRecord = ReturnType<typeof toApiKeyRecord>;

async function readChange(
  tx: Transaction,
  caller: UsableKey,
  key: ApiKeyRow,
  body: ChangeApiKeyBody,
): Promise<ApiKeyChange> {
  const walletIds = body.wallet_ids?.map((walletId) => walletId.toLowerCase());
  const reach = { scopes: body.scopes ?? key.scopes, walletIds: walletIds ?? key.walletIds };
  assertReaches(caller, reach);
  assertRanges(body.ip_allowlist ?? []);
  const expiresAt = typeof body.expires_at === 'string' ? readFutureMoment(body.expires_at) : body.expires_at;
  await assertWalletsExist(tx, key.workspaceId, walletIds ?? []);
  const { name, ...power } = body;
  const change = {
    ...reach,
    ...(name === undefined ? {} : { name }),
    ...(body.ip_allowlist === undefined ? {} : { ipAllowlist: body.ip_allowlist ?? [] }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  if (Object.keys(power).length > 0) await assertAdministratorRemains(tx, key, { ...key, ...change });
  return change;
}
