// The route that tries a policy on an operation without asking for it.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import { toSimulation } from './simulate.response.ts';
import { simulateBody, simulation } from './simulate.schema.ts';
import { type SimulateDependencies, simulate } from './simulate.ts';

const tags = ['policy'];

export const simulateRoutes =
  (dependencies: SimulateDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/workspaces/:workspace_id/policy/simulate',
      schema: {
        tags,
        operationId: 'simulatePolicy',
        summary: 'Try the policy',
        description:
          'What would be decided about an operation, and why, rule by rule. Changes nothing, and looks at no balance but for `max` and `subtract_fee`.',
        params: workspaceParams,
        body: simulateBody,
        response: { 200: envelopeOf(simulation), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => success(toSimulation(await simulate(dependencies, request.caller.key, request.body))),
    });
  };
