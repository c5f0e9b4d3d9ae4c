// Routes of passkeys that are there: list and remove them, and end the sessions that they began. A user does it for
// himself; for others whoever administers them. All of it takes something away, so nobody is waited for.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { findConsoleKey } from '../../drizzle/api-keys/api-key-queries.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { findPasskey, listPasskeys, type PasskeyRow, removePasskey } from '../../drizzle/passkeys/passkeys.ts';
import { endSessions } from '../../drizzle/passkeys/sessions.ts';
import { sealingOf } from '../../drizzle/seals/sealing.ts';
import { assertReaches } from '../api-keys/grants.ts';
import { assertDecidesForWorkspace } from '../authentication/decides-for-workspace.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import type { SessionRing } from '../authentication/session-ring.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { noBody } from '../http/no-body.ts';
import { requireUser } from '../users/require-user.ts';
import { userParams } from '../users/users.schema.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { toPasskey } from './passkeys.response.ts';
import { passkeyParams, passkeyRecord } from './passkeys.schema.ts';

const tags = ['users'];
const writeErrors = errors(400, 401, 403, 404, 409, 413, 415, 503);

export interface PasskeyDependencies extends WriteDependencies {
  /** Undefined where nobody signs in at the console. */
  ring: SessionRing | undefined;
}

/** One's own, or, for who administers users, those of users who can do no more. */
async function assertMayManage(tx: Transaction, caller: UsableKey, userId: string): Promise<void> {
  if (userId === caller.userId) return;
  if (!caller.scopes.includes('api_keys:admin'))
    throw new ApiError('insufficient_scope', 'This key lacks the scope api_keys:admin, which other users take.');
  assertDecidesForWorkspace(caller);
  const key = await findConsoleKey(tx, caller.workspaceId, userId);
  if (key !== undefined) assertReaches(caller, key);
}

export const passkeyRoutes =
  (dependencies: PasskeyDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db } = dependencies;

    app.route({
      method: 'GET',
      url: '/users/:user_id/passkeys',
      schema: {
        tags,
        operationId: 'listPasskeys',
        summary: 'List the passkeys of a user',
        description: 'Those that are not removed. One’s own, or, with `api_keys:admin`, those of others.',
        params: userParams,
        response: { 200: envelopeOf(Type.Array(passkeyRecord)), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const { key } = request.caller;
        const userId = request.params.user_id.toLowerCase();
        await requireUser(db, key.workspaceId, userId);
        if (userId !== key.userId && !key.scopes.includes('api_keys:admin'))
          throw new ApiError('insufficient_scope', 'This key lacks the scope api_keys:admin, which other users take.');
        return success((await listPasskeys(db, key.workspaceId, userId)).map(toPasskey));
      },
    });

    app.route({
      method: 'DELETE',
      url: '/passkeys/:passkey_id',
      schema: {
        tags,
        operationId: 'removePasskey',
        summary: 'Remove a passkey',
        description:
          'For ever: its sessions end on every process within a second, and none of its votes counts any more. Of one’s own the last one stays; that of another user, who has lost it, may be the last.',
        params: passkeyParams,
        headers: idempotencyHeaders,
        body: noBody,
        response: { 200: envelopeOf(passkeyRecord), ...writeErrors },
      },
      handler: async (request) => success(await remove(dependencies, request, request.params.passkey_id.toLowerCase())),
    });

    app.route({
      method: 'POST',
      url: '/users/:user_id/sign-out',
      schema: {
        tags,
        operationId: 'signOutUser',
        summary: 'End every session of a user',
        description: 'On every process within a second. One’s own, or, with `api_keys:admin`, those of others.',
        params: userParams,
        headers: idempotencyHeaders,
        body: noBody,
        response: {
          200: envelopeOf(
            Type.Object({ user_id: Type.String(), sessions_ended: Type.Integer() }, { title: 'EndedSessions' }),
          ),
          ...writeErrors,
        },
      },
      handler: async (request) => success(await signOut(dependencies, request, request.params.user_id.toLowerCase())),
    });
  };

async function remove(dependencies: PasskeyDependencies, request: FastifyRequest, id: string) {
  const { key: caller } = request.caller;
  const requirePasskey = async (tx: Transaction): Promise<PasskeyRow> => {
    const passkey = await findPasskey(tx, caller.workspaceId, id);
    if (passkey === undefined) throw notFound('passkey');
    await assertMayManage(tx, caller, passkey.userId);
    return passkey;
  };
  const { result } = await acceptWrite(dependencies, request, {
    id,
    target: id,
    admit: requirePasskey,
    make: async (tx, _start, note) => {
      const before = await requirePasskey(tx);
      note({ before: toPasskey(before) });
      const lastIsKept = before.userId === caller.userId;
      const removed = await removePasskey(tx, sealingOf(dependencies.seals, note), id, { lastIsKept });
      if (removed === 'last')
        throw new ApiError('invalid_state', 'This is your last passkey: add another one before you remove it.');
      await endSessions(tx, { passkeyId: id });
      return toPasskey(removed ?? before);
    },
  });
  dependencies.ring?.invalidate();
  return result;
}

async function signOut(dependencies: PasskeyDependencies, request: FastifyRequest, userId: string) {
  const { key: caller } = request.caller;
  const { result } = await acceptWrite(dependencies, request, {
    id: userId,
    target: userId,
    admit: async (tx) => {
      await requireUser(tx, caller.workspaceId, userId);
      await assertMayManage(tx, caller, userId);
    },
    make: async (tx) => ({ user_id: userId, sessions_ended: await endSessions(tx, { userId }) }),
  });
  dependencies.ring?.invalidate();
  return result;
}
