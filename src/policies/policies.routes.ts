// Routes of the policy: read it, what it was before, and set it. Who approves a change of it is in src/votes.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listPolicies } from '../../drizzle/policies/policy-history.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { pageOf, readPage, sendPage } from '../http/paging.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import { readPolicyHistory, readPolicyRecord } from './policies.response.ts';
import { policyDocument, policyHistoryQuery, policyRecord, policyVersion } from './policies.schema.ts';
import { type PolicyDependencies, setPolicy } from './set-policy.ts';

const tags = ['policy'];

export const policyRoutes =
  (dependencies: PolicyDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db } = dependencies;

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/policy',
      schema: {
        tags,
        operationId: 'readPolicy',
        summary: 'Read the policy',
        description:
          'The one in force, and the change that waits for approvals, if there is one. A workspace that has set none has the one that is built in: the sandbox allows ' +
          'everything; production asks for one approval, also of its changes, and denies dangerous and unknown calls. What nobody can read (raw digests, typed data of no ' +
          'known standard) waits for its approval, too.',
        params: workspaceParams,
        response: { 200: envelopeOf(policyRecord), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => success(await readPolicyRecord(db, dependencies, request.caller.key.workspaceId)),
    });

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/policy/history',
      schema: {
        tags,
        operationId: 'listPolicyVersions',
        summary: 'List every version of the policy',
        description:
          'Also those that wait, were rejected, or gave way to a newer change before they were approved; each with what it changes of the one that was in force when it was asked for.',
        params: workspaceParams,
        querystring: policyHistoryQuery,
        response: { 200: pageOf(policyVersion), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const page = readPage(request.query);
        const rows = await listPolicies(db, request.caller.key.workspaceId, page);
        const show = await readPolicyHistory(db, dependencies, rows.slice(0, page.limit));
        return sendPage(request, reply, { page, rows, show });
      },
    });

    app.route({
      method: 'PUT',
      url: '/workspaces/:workspace_id/policy',
      schema: {
        tags,
        operationId: 'setPolicy',
        summary: 'Set the policy',
        description:
          'In force at once, unless the policy in force has `changes`: then it waits for these approvals, in place of an earlier change that waits. In production it waits for one approval also ' +
          'without them. What is under way keeps what was decided about it.',
        params: workspaceParams,
        headers: idempotencyHeaders,
        body: policyDocument,
        response: { 200: envelopeOf(policyRecord), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => success(await setPolicy(dependencies, request, request.body)),
    });
  };
