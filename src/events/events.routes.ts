// The feed of events: what happened in a workspace, in order, for whoever asks what came after a place. Changes
// nothing.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Database } from '../../drizzle/database/connection.ts';
import { lastRemovedSeq, listEvents } from '../../drizzle/events/event-feed.ts';
import type { EventRow } from '../../drizzle/events/events.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { preferHeaders, waitedHeaders } from '../http/headers.schema.ts';
import { LIMIT_DEFAULT } from '../http/paging.ts';
import type { LongPoll } from '../http/waiting/long-poll.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import { eventDataSchemas } from './event-data.ts';
import { toEvent } from './events.response.ts';
import { event, eventsQuery } from './events.schema.ts';

const description =
  'Every event of the workspace, oldest first, without a gap: nothing is lost when a receiver was down, and no event appears behind one that was read. Go on with ' +
  '`after_seq` as the `seq` of the last one; with `Prefer: wait` the answer comes as soon as there is one after it. A key that is bound to wallets sees those of its wallets. ' +
  'Events are kept for a time that the operator sets, at least 30 days: an `after_seq` before what is kept is a 400 `invalid_cursor`, and without one the feed begins with the oldest that is kept.';

export const eventRoutes =
  ({ db, waiting }: { db: Database; waiting: LongPoll }): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const schema of eventDataSchemas) app.addSchema(schema);
    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/events',
      schema: {
        tags: ['webhooks'],
        operationId: 'listEvents',
        summary: 'Follow the events',
        description,
        params: workspaceParams,
        querystring: eventsQuery,
        headers: preferHeaders,
        response: {
          200: {
            ...envelopeOf(Type.Array(event)),
            headers: {
              Link: Type.String({ description: 'The next page as `<…>; rel="next"`, when there are more already.' }),
              ...waitedHeaders,
            },
          },
          ...errors(400, 401, 403, 404, 503),
        },
      },
      // One of many shapes each: a serializer that tries them in turn would cost more than all the rest.
      serializerCompiler: () => (answer) => JSON.stringify(answer),
      handler: async (request, reply) => {
        const limit = request.query.limit ?? LIMIT_DEFAULT;
        const read = () => readEvents(db, request, request.query, limit);
        const isEnough = (rows: readonly EventRow[]) => rows.length > 0;
        const rows = await waiting.read(request, reply, request.caller.key.workspaceId, {
          first: read,
          again: read,
          isEnough,
        });
        const shown = rows.slice(0, limit).map(toEvent);
        const last = shown.at(-1);
        if (last !== undefined && rows.length > limit) linkNext(request, reply, last.seq);
        return success(shown);
      },
    });
  };

/** By the key as it is now: it may have been bound to other wallets while it waited. */
async function readEvents(
  db: Database,
  { caller }: FastifyRequest,
  { after_seq: afterSeq, type: types }: Static<typeof eventsQuery>,
  limit: number,
): Promise<EventRow[]> {
  const { workspaceId, walletIds } = caller.key;
  const rows = await listEvents(
    db,
    { workspaceId, afterSeq: afterSeq ?? 0, types, walletIds: walletIds.length > 0 ? walletIds : undefined },
    limit,
  );
  // What is removed is the beginning of the feed: nothing is missing before the next event.
  if (afterSeq !== undefined && rows[0]?.seq !== afterSeq + 1) await assertKept(db, workspaceId, afterSeq);
  return rows;
}

/** Asked after the events were read, so that one that is removed meanwhile is no silent gap. */
async function assertKept(db: Database, workspaceId: string, afterSeq: number): Promise<void> {
  const removed = await lastRemovedSeq(db, workspaceId);
  if (afterSeq >= removed) return;
  throw new ApiError(
    'invalid_cursor',
    `Events up to seq ${removed} are no longer kept, so those after ${afterSeq} are not all there: read without ` +
      'after_seq to go on with the oldest that is kept, and look up in the lists what has changed since.',
  );
}

function linkNext(request: FastifyRequest, reply: FastifyReply, seq: number): void {
  const next = new URL(request.raw.url ?? '', 'http://service');
  next.searchParams.set('after_seq', `${seq}`);
  reply.header('link', `<${next.pathname}${next.search}>; rel="next"`);
}
