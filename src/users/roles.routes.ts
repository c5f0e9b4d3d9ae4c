// The route that gives a user roles, and takes them: what the user may do at the console. What is more than before
// waits for another user's approval where the policy asks for it; what is less holds at once.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { type Role, scopesOfRoles } from '../../domain/users/roles.ts';
import { approvingScopes } from '../../domain/votes/vote-rules.ts';
import { findConsoleKey } from '../../drizzle/api-keys/api-key-queries.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { sealingOf } from '../../drizzle/seals/sealing.ts';
import { lockWorkspace } from '../../drizzle/workspaces/workspaces.ts';
import { rolesOf, setRoles } from '../api-keys/console-key.ts';
import { requireActiveUser } from '../api-keys/create-api-key.ts';
import { assertGrants, assertReaches } from '../api-keys/grants.ts';
import { assertDecidesForWorkspace } from '../authentication/decides-for-workspace.ts';
import { type ShownChange, showChange } from '../authority-changes/authority-changes.response.ts';
import { authorityChangeSchema } from '../authority-changes/authority-changes.schema.ts';
import { findNeededApprovals, requestChange } from '../authority-changes/request-change.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { acceptWrite } from '../writes/accept-write.ts';
import { requireUser } from './require-user.ts';
import type { UserDependencies } from './users.routes.ts';
import { givenRoles, rolesBody, userParams } from './users.schema.ts';

type Given = { user_id: string; roles: Role[]; scopes: string[] } | ShownChange;

export const roleRoutes =
  (dependencies: UserDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'PUT',
      url: '/users/:user_id/roles',
      schema: {
        tags: ['users'],
        operationId: 'setRoles',
        summary: 'Give a user roles',
        description:
          'In place of all that the user has. A session at the console has the scopes of the roles of its user, and loses what is taken on every process within a second. The calling key must have every scope ' +
          'that is given or taken, but for the scopes to approve. To give another user more waits for approvals, where the policy in force has `changes`, and always in production: 202 with what waits.',
        params: userParams,
        headers: idempotencyHeaders,
        body: rolesBody,
        response: {
          200: envelopeOf(givenRoles),
          202: envelopeOf(authorityChangeSchema),
          ...errors(400, 401, 403, 404, 409, 413, 415, 503),
        },
      },
      handler: async (request, reply) => {
        const userId = request.params.user_id.toLowerCase();
        const given = await giveRoles(dependencies, request, userId, request.body.roles);
        return 'kind' in given ? reply.code(202).send(success(given)) : reply.code(200).send(success(given));
      },
    });
  };

async function giveRoles(
  dependencies: UserDependencies,
  request: FastifyRequest,
  userId: string,
  asked: readonly Role[],
): Promise<Given> {
  const { key: caller } = request.caller;
  const { workspaceId, userId: createdBy } = caller;
  const after = scopesOfRoles(asked);
  let changed: string | undefined;
  const { result } = await acceptWrite<Given>(dependencies, request, {
    id: userId,
    target: userId,
    admit: async (tx) => {
      await requireUser(tx, workspaceId, userId);
      assertDecidesForWorkspace(caller);
    },
    make: async (tx, _start, note) => {
      await lockWorkspace(tx, workspaceId);
      const before = await findConsoleKey(tx, workspaceId, userId);
      note({ before: { user_id: userId, roles: rolesOf(before) } });
      if (before !== undefined) assertReaches(caller, before);
      const more = after.filter((scope) => before?.scopes.includes(scope) !== true);
      const needed = await neededFor(tx, dependencies, { workspaceId, isWider: more.length > 0, userId, createdBy });
      if (more.length > 0) {
        await requireActiveUser(tx, workspaceId, userId);
        const power = { scopes: more, walletIds: [], ipAllowlist: [], expiresAt: null };
        assertGrants(caller, power, { except: needed === undefined ? [] : approvingScopes });
      }
      if (needed === undefined) {
        const given = { workspaceId, userId, roles: asked, createdBy };
        changed = (await setRoles(tx, sealingOf(dependencies.seals, note), given))?.apiKey;
        return { user_id: userId, roles: [...asked], scopes: after };
      }
      const about = { id: uuidv7(), workspaceId, kind: 'give_roles', targetId: userId, userId, createdBy } as const;
      const details = { roles: [...asked], scopes: after, roles_before: [...rolesOf(before)] };
      return showChange(tx, await requestChange(tx, dependencies.seals, needed, { ...about, details }));
    },
  });
  if (changed !== undefined) dependencies.keyRing.invalidate(changed);
  return result;
}

/** What is given to one's own user is no more than the calling key has: as with keys, nobody else is asked. */
async function neededFor(
  tx: Transaction,
  dependencies: UserDependencies,
  {
    workspaceId,
    isWider,
    userId,
    createdBy,
  }: Record<'workspaceId' | 'userId' | 'createdBy', string> & { isWider: boolean },
) {
  if (!isWider || userId === createdBy) return undefined;
  return findNeededApprovals(tx, dependencies, workspaceId);
}
