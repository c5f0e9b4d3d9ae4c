// Sweeps, which existing callers ask for and this service does not make yet: every request for one is told so, and
// nothing is stored. Not in the document of the API, since a client cannot use it.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { ApiError } from '../http/errors.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';

const SWEEP_FIELDS = ['sweep_task_params', 'sweep_task_id'];
const NOT_YET = 'this service does not sweep wallets yet';

/** Of a wallet that is asked for. */
export async function refuseSweep({ body }: FastifyRequest): Promise<void> {
  if (typeof body !== 'object' || body === null) return;
  const field = SWEEP_FIELDS.find((name) => Object.hasOwn(body, name));
  if (field !== undefined)
    throw new ApiError(
      'invalid_request',
      `body has ${field}, and ${NOT_YET}: create the wallet without it, and move its money by withdrawals.`,
    );
}

export const sweepRoutes = (): FastifyPluginAsyncTypebox => async (app) => {
  app.route({
    method: 'POST',
    url: '/workspaces/:workspace_id/automation/sweep-task',
    schema: { hide: true, params: workspaceParams, body: Type.Unknown() },
    handler: async () => {
      throw new ApiError(
        'invalid_request',
        `No sweep task was made, since ${NOT_YET}: move the money of its wallets by withdrawals.`,
      );
    },
  });
};
