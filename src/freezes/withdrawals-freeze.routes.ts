// Routes that hold every withdrawal and signature of a workspace back, which anybody may at once, and let them go
// again, which needs another user where changes do.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { findWorkspace, lockWorkspace } from '../../drizzle/workspaces/workspaces.ts';
import { assertDecidesForWorkspace } from '../authentication/decides-for-workspace.ts';
import type { ShownChange } from '../authority-changes/authority-changes.response.ts';
import { authorityChangeSchema } from '../authority-changes/authority-changes.schema.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { reasonBody, reasonOf } from '../http/reason-body.ts';
import { toWithdrawalsFreeze } from '../workspaces/workspaces.response.ts';
import { withdrawalsFreeze, workspaceParams } from '../workspaces/workspaces.schema.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { askToUnfreeze, freezeWithdrawals } from './withdrawals-freeze.ts';

const writeErrors = errors(400, 401, 403, 404, 409, 413, 415, 503);

const shared = { tags: ['withdrawals'], params: workspaceParams, headers: idempotencyHeaders, body: reasonBody };

export const withdrawalsFreezeRoutes =
  (dependencies: WriteDependencies & { production: boolean }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/workspaces/:workspace_id/withdrawals/freeze',
      schema: {
        ...shared,
        operationId: 'freezeWithdrawals',
        summary: 'Freeze withdrawals',
        description:
          'From now on withdrawals and signatures of the workspace are refused with 423. Harmless to repeat, and the first reason stays.',
        response: { 200: envelopeOf(withdrawalsFreeze), ...writeErrors },
      },
      handler: async (request) => {
        const { key } = request.caller;
        const { workspaceId } = key;
        assertDecidesForWorkspace(key);
        const { result } = await acceptWrite(dependencies, request, {
          id: workspaceId,
          target: '',
          make: async (tx, _start, note) => {
            await lockWorkspace(tx, workspaceId);
            const before = await findWorkspace(tx, workspaceId);
            if (before !== undefined) note({ before: toWithdrawalsFreeze(before) });
            const { row, sealed } = await freezeWithdrawals(
              tx,
              dependencies.seals,
              workspaceId,
              reasonOf(request.body),
            );
            note({ sealed });
            return toWithdrawalsFreeze(row);
          },
        });
        return success(result);
      },
    });

    app.route({
      method: 'POST',
      url: '/workspaces/:workspace_id/withdrawals/unfreeze',
      schema: {
        ...shared,
        operationId: 'unfreezeWithdrawals',
        summary: 'Unfreeze withdrawals',
        description:
          'Withdrawals and signatures of the workspace are taken again. In production, and where the policy in force has `changes`, it waits for the approval of another user, whoever froze them: ' +
          '202 with what waits. Harmless to repeat.',
        response: { 200: envelopeOf(withdrawalsFreeze), 202: envelopeOf(authorityChangeSchema), ...writeErrors },
      },
      handler: async (request, reply) => {
        const { key } = request.caller;
        const { workspaceId, userId } = key;
        assertDecidesForWorkspace(key);
        const { result } = await acceptWrite<ReturnType<typeof toWithdrawalsFreeze> | ShownChange>(
          dependencies,
          request,
          {
            id: workspaceId,
            target: '',
            make: async (tx, _start, note) =>
              askToUnfreeze(tx, dependencies, { workspaceId, userId, reason: reasonOf(request.body) }, note),
          },
        );
        return 'kind' in result ? reply.code(202).send(success(result)) : reply.code(200).send(success(result));
      },
    });
  };
