// Routes that change, rotate and revoke API keys: those that can do no more than the calling key. What gives another user's key more, or shows its secret, waits for approvals
// where the policy asks for them. This process forgets a changed key at once, the others within a second.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { type ApiKeyChange, type ApiKeyRow, changeApiKey, findApiKey } from '../../drizzle/api-keys.ts';
import type { NewAuthorityChange } from '../../drizzle/authority-changes.ts';
import type { Transaction } from '../../drizzle/database.ts';
import { encryptSecret } from '../../drizzle/encrypted-secret.ts';
import { sealingOf } from '../../drizzle/sealing.ts';
import { lockWorkspace } from '../../drizzle/workspaces.ts';
import { type ShownChange, showChange } from '../authority-changes/authority-changes.response.ts';
import { changeRecord, changeWithSecret } from '../authority-changes/authority-changes.schema.ts';
import { findNeededApprovals, requestChange } from '../authority-changes/request-change.ts';
import { acceptWrite } from '../http/accept-write.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { noBody } from '../http/no-body.ts';
import { toApiKeyRecord } from './api-keys.response.ts';
import {
  apiKeyParams,
  apiKeyRecord,
  apiKeyWithSecret,
  type ChangeApiKeyBody,
  changeApiKeyBody,
  OVERLAP_DEFAULT_SECONDS,
  rotateApiKeyBody,
} from './api-keys.schema.ts';
import { type ApiKeyDependencies, toPower } from './create-api-key.ts';
import {
  assertAdministratorRemains,
  assertGrants,
  assertGrantsLimits,
  assertGrantsReach,
  assertRanges,
  assertReaches,
  assertWalletsExist,
  readFutureMoment,
  widened,
} from './grants.ts';
import type { KeyRing, UsableKey } from './key-ring.ts';
import { generateApiSecret } from './secrets.ts';

const tags = ['api-keys'];
const writeErrors = errors(400, 401, 403, 404, 409, 413, 415, 503);

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
          'Holds on every process within a second. The calling key must have every scope and wallet of the other one, but for the scopes to approve, and all that it gives it. To give a key of another user ' +
          'more, and to lift an expiry or an address list, waits for approvals, where the policy in force has `changes`, and always in production: 202 with what waits. The last key with `api_keys:admin` that never ends and reaches every wallet keeps what makes it so.',
        params: apiKeyParams,
        headers: idempotencyHeaders,
        body: changeApiKeyBody,
        response: { 200: envelopeOf(apiKeyRecord), 202: envelopeOf(changeRecord), ...writeErrors },
      },
      handler: async (request, reply) => {
        const { key: caller } = request.caller;
        const { body } = request;
        const { result } = await acceptChange(dependencies, request, request.params.api_key_id, (tx, key) =>
          readChange(tx, caller, key, body),
        );
        return 'kind' in result ? reply.code(202).send(success(result)) : reply.code(200).send(success(result));
      },
    });

    app.route({
      method: 'POST',
      url: '/api-keys/:api_key_id/rotate',
      schema: {
        tags,
        summary: 'Give an API key a new secret',
        description:
          'The answer shows the new secret, once. The calling key must have all that the rotated one has, since who knows a secret can do all that its key can. To rotate the key of another user waits ' +
          'for approvals, where the policy in force has `changes`, and always in production: 202 with what waits and the secret, which signs nothing before.',
        params: apiKeyParams,
        headers: idempotencyHeaders,
        body: rotateApiKeyBody,
        response: { 200: envelopeOf(apiKeyWithSecret), 202: envelopeOf(changeWithSecret), ...writeErrors },
      },
      handler: async (request, reply) => {
        const overlapSeconds = request.body.overlap_seconds ?? OVERLAP_DEFAULT_SECONDS;
        let shown: { api_secret?: string } = {};
        const { key: caller } = request.caller;
        const { result } = await acceptChange(dependencies, request, request.params.api_key_id, async (_tx, key) => {
          assertGrants(caller, key, { except: [] });
          const secret = generateApiSecret();
          shown = { api_secret: secret };
          const secretEncrypted = encryptSecret(dependencies.keyEncryptionKey, key.id, secret);
          return rotation(key, secretEncrypted, overlapSeconds, key.userId === caller.userId);
        });
        return 'kind' in result
          ? reply.code(202).send(success({ ...result, ...shown }))
          : reply.code(200).send(success({ ...result, ...shown }));
      },
    });

    app.route({
      method: 'DELETE',
      url: '/api-keys/:api_key_id',
      schema: {
        tags,
        summary: 'Revoke an API key',
        description:
          'For ever, and on every process within a second. The calling key must have every scope and wallet of the other one, but for the scopes to approve. A key that is revoked already is answered as it is. The last key with `api_keys:admin` that never ends and reaches every wallet cannot be revoked.',
        params: apiKeyParams,
        headers: idempotencyHeaders,
        body: noBody,
        response: { 200: envelopeOf(apiKeyRecord), ...writeErrors },
      },
      handler: async (request) => {
        const { result } = await acceptChange(dependencies, request, request.params.api_key_id, async (tx, key) => {
          if (key.revokedAt !== null) return undefined;
          await assertAdministratorRemains(tx, key);
          return { change: { revokedAt: new Date(), previousSecretEncrypted: null, previousSecretExpiresAt: null } };
        });
        if ('kind' in result) throw new Error('a revocation waits for nobody');
        return success(result);
      },
    });
  };

type Changed = ReturnType<typeof toApiKeyRecord> | ShownChange;

interface Decided {
  change: ApiKeyChange;
  /** What waits instead, where changes need approvals. Absent for what needs none. */
  waiting?: Pick<NewAuthorityChange, 'kind' | 'details' | 'secretEncrypted'>;
}

/**
 * The one way in which a key changes: by a key that reaches it, alone in its workspace, then forgotten by the ring. `decide` answers undefined when there
 * is nothing to change.
 */
async function acceptChange(
  dependencies: ApiKeyChangeDependencies,
  request: FastifyRequest,
  id: string,
  decide: (tx: Transaction, key: ApiKeyRow) => Promise<Decided | undefined>,
): Promise<{ result: Changed }> {
  const { key: caller } = request.caller;
  const { workspaceId } = caller;
  const requireReached = async (tx: Transaction) => {
    const key = await findApiKey(tx, workspaceId, id);
    if (key === undefined) throw notFound('API key');
    assertReaches(caller, key);
    return key;
  };
  const { result } = await acceptWrite<Changed>(dependencies, request, {
    id: id.toLowerCase(),
    target: '',
    admit: requireReached,
    make: async (tx, _start, note) => {
      await lockWorkspace(tx, workspaceId);
      const key = await requireReached(tx);
      note({ before: toApiKeyRecord(key) });
      const decided = await decide(tx, key);
      if (decided === undefined) return toApiKeyRecord(key);
      if (key.revokedAt !== null) throw new ApiError('invalid_state', 'This key is revoked: create another one.');
      const { change, waiting } = decided;
      const needed = waiting === undefined ? undefined : await findNeededApprovals(tx, dependencies, workspaceId);
      if (needed !== undefined && waiting !== undefined) {
        const about = { id: uuidv7(), workspaceId, targetId: key.id, userId: key.userId, createdBy: caller.userId };
        return showChange(tx, await requestChange(tx, dependencies.seals, needed, { ...about, ...waiting }));
      }
      const changed = await changeApiKey(tx, sealingOf(dependencies.seals, note), id, change);
      if (changed === undefined) throw new Error('a key that was locked was revoked');
      return toApiKeyRecord(changed);
    },
  });
  if (!('kind' in result)) dependencies.keyRing.forget(result.api_key);
  return { result };
}

/** Who sees a new secret can do all that its key can, and vote as its user: of another user it waits. */
function rotation(key: ApiKeyRow, secretEncrypted: Uint8Array, overlapSeconds: number, isOwn: boolean): Decided {
  const change = {
    secretEncrypted,
    previousSecretEncrypted: overlapSeconds === 0 ? null : key.secretEncrypted,
    previousSecretExpiresAt: overlapSeconds === 0 ? null : new Date(Date.now() + overlapSeconds * 1000),
  };
  if (isOwn) return { change };
  const details = { overlap_seconds: overlapSeconds, before: toPower(key) };
  return { change, waiting: { kind: 'rotate_api_key', details, secretEncrypted } };
}

async function readChange(
  tx: Transaction,
  caller: UsableKey,
  key: ApiKeyRow,
  body: ChangeApiKeyBody,
): Promise<Decided> {
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
  assertGrantsReach(caller, { scopes: more.scopes, walletIds: after.walletIds }, { except: [] });
  if (more.limits) assertGrantsLimits(caller, after);
  await assertWalletsExist(tx, key.workspaceId, body.wallet_ids === undefined ? [] : after.walletIds);
  const change = { ...after, ...(name === undefined ? {} : { name }) };
  if (Object.keys(power).length > 0) await assertAdministratorRemains(tx, key, { ...key, ...change });
  const isWider = more.scopes.length > 0 || more.reach;
  if (!more.limits && !(isWider && key.userId !== caller.userId)) return { change };
  const details = { ...toPower(after), ...(name === undefined ? {} : { name }), before: toPower(key) };
  return { change, waiting: { kind: 'change_api_key', details } };
}
