// Routes of schedules of exports: make, list and read them, pause, resume and delete one, and have it export now.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { findExportSchedule, listExportSchedules } from '../../drizzle/exports/export-schedules.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { noBody } from '../http/no-body.ts';
import { pageOf, readPage, sendPage } from '../http/paging.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import type { WriteDependencies } from '../writes/accept-write.ts';
import type { WorkspaceQuotas } from '../writes/workspace-quotas.ts';
import {
  changeSchedule,
  createExportSchedule,
  requireSchedule,
  runSchedule,
  type ScheduleChange,
} from './change-export-schedule.ts';
import { toExportSchedule } from './export-schedules.response.ts';
import { createScheduleBody, scheduleParams, scheduleRecord, schedulesQuery } from './export-schedules.schema.ts';
import { exportRecord } from './exports.schema.ts';
import { readableBy } from './may-read-export.ts';
import { requireFiles, type StoredFiles } from './stored-files.ts';

const tags = ['exports'];
const LIST = '/workspaces/:workspace_id/export-schedules';
const ONE = `${LIST}/:schedule_id`;

interface Change {
  change: ScheduleChange;
  method: 'POST' | 'DELETE';
  url: string;
  summary: string;
  description: string;
}

const changes: readonly Change[] = [
  {
    change: 'delete',
    method: 'DELETE',
    url: ONE,
    summary: 'Delete an export schedule',
    description: 'For ever. Exports that it made stay.',
  },
  {
    change: 'pause',
    method: 'POST',
    url: `${ONE}/pause`,
    summary: 'Pause an export schedule',
    description: 'It makes no exports until it is resumed.',
  },
  {
    change: 'resume',
    method: 'POST',
    url: `${ONE}/resume`,
    summary: 'Resume an export schedule',
    description:
      'It exports from now on by the rights of the key that resumes it. What was due meanwhile is not made up for.',
  },
];

export interface ExportScheduleRouteDependencies extends WriteDependencies {
  quotas: WorkspaceQuotas;
  /** Absent where exports are not made. */
  files: StoredFiles | undefined;
}

export const exportScheduleRoutes =
  (dependencies: ExportScheduleRouteDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, files } = dependencies;

    app.route({
      method: 'POST',
      url: LIST,
      schema: {
        tags,
        operationId: 'createExportSchedule',
        summary: 'Create an export schedule',
        description:
          'Has an export made again and again, by the rights of the key that makes it: once that is revoked or may not read this any more, it is paused. While an export of it is under way, the next one is left out.',
        params: workspaceParams,
        headers: idempotencyHeaders,
        body: createScheduleBody,
        response: { 201: envelopeOf(scheduleRecord), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        requireFiles(files);
        return reply.code(201).send(success(await createExportSchedule(dependencies, request, request.body)));
      },
    });

    app.route({
      method: 'GET',
      url: LIST,
      schema: {
        tags,
        operationId: 'listExportSchedules',
        summary: 'List export schedules',
        description: 'Those of which the key may read what they export.',
        params: workspaceParams,
        querystring: schedulesQuery,
        response: { 200: pageOf(scheduleRecord), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const page = readPage(request.query);
        const rows = await listExportSchedules(db, readableBy(request.caller.key), page);
        return sendPage(request, reply, { page, rows, show: toExportSchedule });
      },
    });

    app.route({
      method: 'GET',
      url: ONE,
      schema: {
        tags,
        operationId: 'readExportSchedule',
        summary: 'Read an export schedule',
        params: scheduleParams,
        response: { 200: envelopeOf(scheduleRecord), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const { key } = request.caller;
        const row = await findExportSchedule(db, key.workspaceId, request.params.schedule_id);
        return success(toExportSchedule(requireSchedule(key, row)));
      },
    });

    for (const { change, method, url, summary, description } of changes)
      app.route({
        method,
        url,
        schema: {
          tags,
          operationId: `${change}ExportSchedule`,
          summary,
          description,
          params: scheduleParams,
          headers: idempotencyHeaders,
          body: noBody,
          response: { 200: envelopeOf(scheduleRecord), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
        },
        handler: async (request) => {
          const id = request.params.schedule_id.toLowerCase();
          return success(await changeSchedule(dependencies, request, { id, change }));
        },
      });

    app.route({
      method: 'POST',
      url: `${ONE}/run`,
      schema: {
        tags,
        operationId: 'runExportSchedule',
        summary: 'Run an export schedule now',
        description: 'As if it were due now, also while it is paused; by the rights of the key that asks.',
        params: scheduleParams,
        headers: idempotencyHeaders,
        body: noBody,
        response: { 202: envelopeOf(exportRecord), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        const id = request.params.schedule_id.toLowerCase();
        return reply.code(202).send(success(await runSchedule(dependencies, request, id)));
      },
    });
  };
