// The route by which an administrator makes a link for a user to enrol a passkey. Whoever holds the link can become
// that user at the console, so that it is a change in the sense of the policy: in production another user approves it
// first.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { ENROLMENT_LINK_DEFAULT_SECONDS } from '../../domain/time-limits.ts';
import { approvingScopes } from '../../domain/votes/vote-rules.ts';
import { findConsoleKey } from '../../drizzle/api-keys/api-key-queries.ts';
import { insertEnrolmentLink } from '../../drizzle/passkeys/enrolment-links.ts';
import { sealingOf } from '../../drizzle/seals/sealing.ts';
import { lockWorkspace } from '../../drizzle/workspaces/workspaces.ts';
import { requireActiveUser } from '../api-keys/create-api-key.ts';
import { assertGrants } from '../api-keys/grants.ts';
import { assertDecidesForWorkspace } from '../authentication/decides-for-workspace.ts';
import type { ConsoleOrigin } from '../authentication/own-page.ts';
import { hashToken } from '../authentication/session-ring.ts';
import { findNeededApprovals, requestChange } from '../authority-changes/request-change.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { requireUser } from '../users/require-user.ts';
import { userParams } from '../users/users.schema.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { enrolmentUrl, generateEnrolmentToken } from './enrolment-tokens.ts';
import { toEnrolmentLink } from './passkeys.response.ts';
import { enrolmentLinkBody, enrolmentLinkRecord } from './passkeys.schema.ts';

export interface EnrolmentLinkDependencies extends WriteDependencies {
  production: boolean;
  /** Undefined where nobody signs in at the console. */
  console: ConsoleOrigin | undefined;
}

export const enrolmentLinkRoutes =
  (dependencies: EnrolmentLinkDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/users/:user_id/enrolment-links',
      schema: {
        tags: ['users'],
        operationId: 'createEnrolmentLink',
        summary: 'Make a link to enrol a passkey',
        description:
          'The answer shows the link, once, and it is good once. Where the policy in force has `changes`, and always in production, also for one’s own user, it waits for the approval of another user: 202, and the ' +
          'link opens nothing until then. The calling key must have every scope of the roles of that user, but for the scopes to approve where another user approves.',
        params: userParams,
        headers: idempotencyHeaders,
        body: enrolmentLinkBody,
        response: {
          201: envelopeOf(enrolmentLinkRecord),
          202: envelopeOf(enrolmentLinkRecord),
          ...errors(400, 401, 403, 404, 409, 413, 415, 503),
        },
      },
      handler: async (request, reply) => {
        const { expires_in_seconds: lifeSeconds = ENROLMENT_LINK_DEFAULT_SECONDS } = request.body;
        const link = await createLink(dependencies, request, request.params.user_id.toLowerCase(), lifeSeconds);
        return reply.code(link.status === 'pending' ? 202 : 201).send(success(link));
      },
    });
  };

async function createLink(
  dependencies: EnrolmentLinkDependencies,
  request: FastifyRequest,
  userId: string,
  lifeSeconds: number,
) {
  const { key: caller } = request.caller;
  const { workspaceId, userId: createdBy } = caller;
  const [id, token] = [uuidv7(), generateEnrolmentToken()];
  const { created, result } = await acceptWrite(dependencies, request, {
    id,
    target: userId,
    admit: async (tx) => {
      await requireUser(tx, workspaceId, userId);
      assertDecidesForWorkspace(caller);
    },
    make: async (tx, _start, note) => {
      if (dependencies.console === undefined)
        throw new ApiError('route_disabled', 'Nobody signs in at this console: CONSOLE_ORIGIN is not set.');
      await lockWorkspace(tx, workspaceId);
      const user = await requireActiveUser(tx, workspaceId, userId);
      const needed = await findNeededApprovals(tx, dependencies, workspaceId);
      const key = await findConsoleKey(tx, workspaceId, userId);
      if (key !== undefined) assertGrants(caller, key, { except: needed === undefined ? [] : approvingScopes });
      const status = needed === undefined ? ('open' as const) : ('pending' as const);
      const link = { id, workspaceId, userId, tokenHash: hashToken(token), status, lifeSeconds, createdBy };
      const shown = toEnrolmentLink(await insertEnrolmentLink(tx, sealingOf(dependencies.seals, note), link));
      if (needed === undefined) return shown;
      const about = { id: uuidv7(), workspaceId, kind: 'enrol_passkey', targetId: id, userId, createdBy } as const;
      const details = { name: user.name, email: user.email, expires_in_seconds: lifeSeconds };
      await requestChange(tx, dependencies.seals, needed, { ...about, details });
      return { ...shown, change_id: about.id };
    },
  });
  // A repeat under its idempotency key is answered without it.
  return created && dependencies.console !== undefined
    ? { ...result, url: enrolmentUrl(dependencies.console.origin, token) }
    : result;
}
