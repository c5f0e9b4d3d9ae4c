// Routes of exports: start one, follow it, list them, cancel one, and download what one has written. Writes no file
// itself.
import type { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { isOfAMoment } from '../../domain/exports/export-contents.ts';
import { exportArrows, isFinal } from '../../domain/statuses.ts';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import { insertExport } from '../../drizzle/exports/export-steps.ts';
import { type ExportRow, findExport, listExports } from '../../drizzle/exports/exports.ts';
import { FileSlots } from '../files/file-slots.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { idempotencyHeaders, preferHeaders, waitedHeaders } from '../http/headers.schema.ts';
import { pageOf, readCreated, readPage, sendPage } from '../http/paging.ts';
import { reasonBody, reasonOf } from '../http/reason-body.ts';
import type { LongPoll } from '../http/waiting/long-poll.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import type { WorkspaceQuotas } from '../writes/workspace-quotas.ts';
import { cancelExport } from './cancel-export.ts';
import { openContent } from './export-content.ts';
import { toExport } from './exports.response.ts';
import {
  contentHeaders,
  exportParams,
  exportRecord,
  exportsQuery,
  rangeHeaders,
  type StartExport,
  startExportBody,
} from './exports.schema.ts';
import { assertMayReadExport, readableBy, requireReadable } from './may-read-export.ts';
import { requireFiles, type StoredFiles } from './stored-files.ts';

const tags = ['exports'];

export interface ExportRouteDependencies extends WriteDependencies {
  waiting: LongPoll;
  quotas: WorkspaceQuotas;
  /** Absent where there are none. */
  files: StoredFiles | undefined;
}

export const exportRoutes =
  (dependencies: ExportRouteDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, waiting, quotas, files } = dependencies;
    const slots = new FileSlots();
    const readWhenFinal = waiting.readerOf<ExportRow>({
      find: (workspaceId, id) => findExport(db, workspaceId, id),
      isFinal: ({ status }) => isFinal(exportArrows, status),
    });

    app.route({
      method: 'POST',
      url: '/workspaces/:workspace_id/exports',
      schema: {
        tags,
        operationId: 'startExport',
        summary: 'Start an export',
        description:
          'Has everything of a kind written into a file, as of one moment, however long it takes. Poll it until it is `completed`, then download its content. It goes on when ' +
          'processes of the service die; it begins anew then, with a later moment. `export.completed`, `export.failed` and `export.cancelled` tell of its end.',
        params: workspaceParams,
        headers: idempotencyHeaders,
        body: startExportBody,
        response: { 202: envelopeOf(exportRecord), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        const asked = readAsked(request, request.body);
        const { key } = request.caller;
        assertMayReadExport(key, asked);
        requireFiles(files);
        const id = uuidv7();
        const { workspaceId } = key;
        const { result } = await acceptWrite(dependencies, request, {
          id,
          target: '',
          make: async (tx, start) => {
            await quotas.admitExport(tx, workspaceId);
            const workflowId = workflowIdOf('writeExport', id);
            start({ workflow: 'writeExport', workflowId, input: { exportId: id, workspaceId } });
            return toExport(await insertExport(tx, { id, workflowId, workspaceId, requestedBy: key.id, ...asked }));
          },
        });
        return reply.code(202).send(success(result));
      },
    });

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/exports',
      schema: {
        tags,
        operationId: 'listExports',
        summary: 'List exports',
        description: 'Those that the key may read. They are kept for a time only, with their files.',
        params: workspaceParams,
        querystring: exportsQuery,
        response: { 200: pageOf(exportRecord), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const page = readPage(request.query);
        const { content, status: statuses, schedule_id: scheduleIds } = request.query;
        const readable = readableBy(request.caller.key);
        const contents = readable.contents.filter((each) => content?.includes(each) ?? true);
        const rows = await listExports(db, { ...readable, contents, statuses, scheduleIds }, page);
        return sendPage(request, reply, { page, rows, show: toExport });
      },
    });

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/exports/:export_id',
      schema: {
        tags,
        operationId: 'readExport',
        summary: 'Read an export',
        params: exportParams,
        headers: preferHeaders,
        response: {
          200: { ...envelopeOf(exportRecord), headers: waitedHeaders },
          ...errors(400, 401, 403, 404, 503),
        },
      },
      handler: async (request, reply) => {
        const { export_id } = request.params;
        return success(
          toExport(
            await readWhenFinal(request, reply, export_id, (found) => requireReadable(request.caller.key, found)),
          ),
        );
      },
    });

    app.route({
      method: 'POST',
      url: '/workspaces/:workspace_id/exports/:export_id/cancel',
      schema: {
        tags,
        operationId: 'cancelExport',
        summary: 'Cancel an export',
        description:
          'While it is `pending` or `running`: it becomes `cancelled` at once, and a worker that writes it stops within seconds and erases what it has written.',
        params: exportParams,
        headers: idempotencyHeaders,
        body: reasonBody,
        response: { 200: envelopeOf(exportRecord), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const id = request.params.export_id.toLowerCase();
        return success(await cancelExport(dependencies, request, id, reasonOf(request.body)));
      },
    });

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/exports/:export_id/content',
      // Its answer would be the whole file, read and thrown away.
      exposeHeadRoute: false,
      schema: {
        tags,
        operationId: 'downloadExport',
        summary: 'Download an export',
        description:
          'The file of a completed export. A connection that breaks off goes on with `Range`; what came is whole when it has the `sha256` of the record.',
        params: exportParams,
        headers: rangeHeaders,
        response: {
          200: fileAnswer('The file.'),
          206: fileAnswer('A part of the file.'),
          ...errors(400, 401, 403, 404, 409, 503),
        },
      },
      handler: async (request, reply) => {
        const { key } = request.caller;
        const row = requireReadable(key, await findExport(db, key.workspaceId, request.params.export_id));
        return reply.send(await openContent(request, reply, row, { files: requireFiles(files), slots }));
      },
    });
  };

const fileAnswer = (description: string) => ({
  description,
  headers: contentHeaders,
  content: {
    'text/csv': { schema: Type.Unsafe<Readable>(Type.String()) },
    'application/x-ndjson': { schema: Type.Unsafe<Readable>(Type.String()) },
    'application/vnd.apache.parquet': { schema: Type.Unsafe<Readable>(Type.String({ format: 'binary' })) },
  },
});

type Asked = Pick<ExportRow, 'content' | 'format' | 'walletIds' | 'fromAt' | 'toAt'>;

/** Throws for what contradicts itself. */
function readAsked({ caller: { key } }: FastifyRequest, { content, format, ...body }: StartExport): Asked {
  const { from: fromAt = null, to: toAt = null } = readCreated(body);
  if (isOfAMoment(content) && fromAt !== null)
    throw new ApiError('invalid_request', `An export of ${content} is of one moment: send to, and no from.`);
  if (isOfAMoment(content) && toAt !== null && toAt.getTime() > Date.now())
    throw new ApiError('invalid_request', `to is in the future, and ${content} of then are not known.`);
  if (fromAt !== null && toAt !== null && fromAt >= toAt)
    throw new ApiError('invalid_request', 'from is not before to, so that nothing is between them.');
  const own = key.walletIds.length > 0 ? [...key.walletIds] : null;
  const walletIds = body.wallet_ids?.map((id) => id.toLowerCase()) ?? own;
  return { content, format, walletIds, fromAt, toAt };
}
