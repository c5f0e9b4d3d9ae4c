// Routes that hold every withdrawal and signature of a workspace back, and let them go again.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { findWorkspace, lockWorkspace, setWithdrawalsFrozen } from '../../drizzle/workspaces/workspaces.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { reasonBody, reasonOf } from '../http/reason-body.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { toWithdrawalsFreeze } from './workspaces.response.ts';
import { withdrawalsFreeze, workspaceParams } from './workspaces.schema.ts';

const moves = [
  {
    verb: 'freeze',
    operationId: 'freezeWithdrawals',
    summary: 'Freeze withdrawals',
    description:
      'From now on withdrawals and signatures of the workspace are refused with 423. Harmless to repeat, and the first reason stays.',
  },
  {
    verb: 'unfreeze',
    operationId: 'unfreezeWithdrawals',
    summary: 'Unfreeze withdrawals',
    description: 'Withdrawals and signatures of the workspace are taken again. Harmless to repeat.',
  },
] as const;

export const workspaceRoutes =
  (dependencies: WriteDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const { verb, operationId, summary, description } of moves) {
      app.route({
        method: 'POST',
        url: `/workspaces/:workspace_id/withdrawals/${verb}`,
        schema: {
          tags: ['withdrawals'],
          operationId,
          summary,
          description,
          params: workspaceParams,
          headers: idempotencyHeaders,
          body: reasonBody,
          response: { 200: envelopeOf(withdrawalsFreeze), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
        },
        handler: async (request) => {
          const { workspaceId, walletIds } = request.caller.key;
          if (walletIds.length > 0)
            throw new ApiError(
              'wallet_not_allowed',
              'This key is bound to wallets and cannot decide for the workspace.',
            );
          const { result } = await acceptWrite(dependencies, request, {
            id: workspaceId,
            target: '',
            make: async (tx, _start, note) => {
              await lockWorkspace(tx, workspaceId);
              const before = await findWorkspace(tx, workspaceId);
              if (before !== undefined) note({ before: toWithdrawalsFreeze(before) });
              const { seals } = dependencies;
              const change = { frozen: verb === 'freeze', reason: reasonOf(request.body) };
              const { row, sealed } = await setWithdrawalsFrozen(tx, seals, workspaceId, change);
              note({ sealed });
              return toWithdrawalsFreeze(row);
            },
          });
          return success(result);
        },
      });
    }
  };
