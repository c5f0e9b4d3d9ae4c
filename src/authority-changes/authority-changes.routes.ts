// Routes that show changes of users, keys and freezes which wait for approval, or did. Who approves them is in
// src/votes.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listApprovals } from '../../drizzle/approvals/approvals.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { findAuthorityChange, listAuthorityChanges } from '../../drizzle/users/authority-changes.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { notFound } from '../http/errors.ts';
import { pageOf, readPage, sendPage } from '../http/paging.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import { toChange } from './authority-changes.response.ts';
import { authorityChangeSchema, authorityChangesQuery, changeParams } from './authority-changes.schema.ts';

const tags = ['users'];

/** Undefined for whom every change is shown: others name wallets that a bound key does not reach. */
const seenBy = ({ walletIds, userId }: UsableKey) => (walletIds.length === 0 ? undefined : userId);

export const authorityChangeRoutes =
  ({ db }: { db: Database }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/changes',
      schema: {
        tags,
        operationId: 'listChanges',
        summary: 'List changes of users, keys and freezes',
        description:
          'Those that wait for approval, and those that did. Never with a secret. A key that is bound to wallets sees those of its own user.',
        params: workspaceParams,
        querystring: authorityChangesQuery,
        response: { 200: pageOf(authorityChangeSchema), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const { key } = request.caller;
        const { workspaceId } = key;
        const page = readPage(request.query);
        const rows = await listAuthorityChanges(
          db,
          { workspaceId, statuses: request.query.status, userId: seenBy(key) },
          page,
        );
        const approvals = await listApprovals(
          db,
          rows.map(({ id }) => id),
        );
        return sendPage(request, reply, { page, rows, show: (row) => toChange(row, approvals.get(row.id)) });
      },
    });

    app.route({
      method: 'GET',
      url: '/changes/:change_id',
      schema: {
        tags,
        operationId: 'readChange',
        summary: 'Read a change of users, keys or freezes',
        params: changeParams,
        response: { 200: envelopeOf(authorityChangeSchema), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const { key } = request.caller;
        const row = await findAuthorityChange(db, key.workspaceId, request.params.change_id);
        if (row === undefined || (seenBy(key) ?? row.userId) !== row.userId) throw notFound('change');
        return success(toChange(row, (await listApprovals(db, [row.id])).get(row.id)));
      },
    });
  };
