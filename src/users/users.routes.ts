// Routes of users: list, make, rename, disable and enable them. Whoever makes or enables one waits for another user's
// approval, where the policy asks for it.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { sealingOf } from '../../drizzle/seals/sealing.ts';
import { findAuthorityChange } from '../../drizzle/users/authority-changes.ts';
import { changeUser, findUser, insertUser, listUsers } from '../../drizzle/users/users.ts';
import { lockWorkspace } from '../../drizzle/workspaces/workspaces.ts';
import { assertDecidesForWorkspace } from '../authentication/decides-for-workspace.ts';
import type { KeyRing } from '../authentication/key-ring.ts';
import { type ShownChange, showChange } from '../authority-changes/authority-changes.response.ts';
import { authorityChangeSchema } from '../authority-changes/authority-changes.schema.ts';
import { findNeededApprovals, requestChange } from '../authority-changes/request-change.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { listQuery, pageOf, readPage, sendPage } from '../http/paging.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { disableUser } from './disable-user.ts';
import { requireUser } from './require-user.ts';
import { toUser } from './users.response.ts';
import { changeUserBody, createUserBody, userParams, userRecord } from './users.schema.ts';

const tags = ['users'];
const writeErrors = errors(400, 401, 403, 404, 409, 413, 415, 503);

export interface UserDependencies extends WriteDependencies {
  keyRing: KeyRing;
  production: boolean;
}

type Changed = ReturnType<typeof toUser> | ShownChange;

export const userRoutes =
  (dependencies: UserDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/users',
      schema: {
        tags,
        operationId: 'listUsers',
        summary: 'List users',
        description: 'Disabled ones too.',
        params: workspaceParams,
        querystring: listQuery({}),
        response: { 200: pageOf(userRecord), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const page = readPage(request.query);
        const rows = await listUsers(dependencies.db, request.caller.key.workspaceId, page);
        return sendPage(request, reply, { page, rows, show: toUser });
      },
    });

    app.route({
      method: 'POST',
      url: '/workspaces/:workspace_id/users',
      schema: {
        tags,
        operationId: 'createUser',
        summary: 'Create a user',
        description:
          'Without a key. In production, and where the policy in force has `changes`, it waits for the approval of another user: 202 with what waits.',
        params: workspaceParams,
        headers: idempotencyHeaders,
        body: createUserBody,
        response: { 201: envelopeOf(userRecord), 202: envelopeOf(authorityChangeSchema), ...writeErrors },
      },
      handler: async (request, reply) => {
        const made = await createUser(dependencies, request, request.body);
        return 'kind' in made ? reply.code(202).send(success(made)) : reply.code(201).send(success(made));
      },
    });

    app.route({
      method: 'PATCH',
      url: '/users/:user_id',
      schema: {
        tags,
        operationId: 'changeUser',
        summary: 'Change a user',
        description:
          'Who is disabled has every key revoked, on every process within a second, and no vote of theirs counts; the calling key must have every scope and wallet of these keys, but for the ' +
          'scopes to approve. To enable one again waits for approvals as creating one does.',
        params: userParams,
        headers: idempotencyHeaders,
        body: changeUserBody,
        response: { 200: envelopeOf(userRecord), 202: envelopeOf(authorityChangeSchema), ...writeErrors },
      },
      handler: async (request, reply) => {
        const changed = await patchUser(dependencies, request, request.params.user_id.toLowerCase(), request.body);
        return 'kind' in changed ? reply.code(202).send(success(changed)) : reply.code(200).send(success(changed));
      },
    });
  };

async function createUser(
  dependencies: UserDependencies,
  request: FastifyRequest,
  { name, ...body }: Static<typeof createUserBody>,
): Promise<Changed> {
  const { key: caller } = request.caller;
  const { workspaceId, userId: createdBy } = caller;
  const email = body.email ?? null;
  assertDecidesForWorkspace(caller);
  const id = uuidv7();
  const { result } = await acceptWrite<Changed>(dependencies, request, {
    id,
    target: '',
    make: async (tx, _start, note) => {
      const sealing = sealingOf(dependencies.seals, note);
      await lockWorkspace(tx, workspaceId);
      const needed = await findNeededApprovals(tx, dependencies, workspaceId);
      if (needed === undefined)
        return toUser(await insertUser(tx, sealing, { id, workspaceId, name, email, createdBy }));
      const targetId = uuidv7();
      const about = { id, workspaceId, kind: 'create_user', targetId, userId: targetId } as const;
      return showChange(
        tx,
        await requestChange(tx, dependencies.seals, needed, { ...about, details: { name, email }, createdBy }),
      );
    },
    find: async (tx, earlierId) => {
      const row = await findUser(tx, workspaceId, earlierId);
      if (row !== undefined) return toUser(row);
      const change = await findAuthorityChange(tx, workspaceId, earlierId);
      return change && showChange(tx, change);
    },
  });
  return result;
}

async function patchUser(
  dependencies: UserDependencies,
  request: FastifyRequest,
  id: string,
  { name, status }: Static<typeof changeUserBody>,
): Promise<Changed> {
  const { key: caller } = request.caller;
  const { workspaceId } = caller;
  const ended: string[] = [];
  const { result } = await acceptWrite<Changed>(dependencies, request, {
    id,
    target: id,
    admit: async (tx) => {
      await requireUser(tx, workspaceId, id);
      assertDecidesForWorkspace(caller);
    },
    make: async (tx, _start, note) => {
      await lockWorkspace(tx, workspaceId);
      const sealing = sealingOf(dependencies.seals, note);
      const before = await requireUser(tx, workspaceId, id);
      note({ before: toUser(before) });
      const renamed = name === undefined ? before : await changeUser(tx, sealing, id, { name });
      if (status === undefined || status === before.status) return toUser(renamed);
      if (status === 'disabled') {
        const { row, revoked } = await disableUser(tx, sealing, caller, renamed);
        ended.push(...revoked.map(({ apiKey }) => apiKey));
        return toUser(row);
      }
      const needed = await findNeededApprovals(tx, dependencies, workspaceId);
      if (needed === undefined) return toUser(await changeUser(tx, sealing, id, { status }));
      const about = { id: uuidv7(), workspaceId, kind: 'enable_user', targetId: id, userId: id } as const;
      return showChange(
        tx,
        await requestChange(tx, dependencies.seals, needed, { ...about, details: {}, createdBy: caller.userId }),
      );
    },
  });
  for (const apiKey of ended) dependencies.keyRing.invalidate(apiKey);
  return result;
}
