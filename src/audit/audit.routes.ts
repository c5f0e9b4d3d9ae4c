// Routes of the audit log: list it, export it, verify it, read its signed head. Nothing here changes an entry; an
// export is itself written down.
import type { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import {
  type AuditFilter,
  insertAuditEntry,
  listAuditLogs,
  type SealedRow,
  toAuditEntry,
} from '../../drizzle/audit/audit-entries.ts';
import { findNewestHead } from '../../drizzle/audit/audit-heads.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { findServiceKey } from '../../drizzle/secrets/service-keys.ts';
import { assertDecidesForWorkspace } from '../authentication/decides-for-workspace.ts';
import { FileSlots } from '../files/file-slots.ts';
import { takeSlot } from '../files/stream-file.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { preferHeaders, waitedHeaders } from '../http/headers.schema.ts';
import { pageOf, readCreated, readPage, sendPage } from '../http/paging.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import { acceptedEntry } from '../writes/audited-request.ts';
import { auditExportQuery, auditHead, auditLog, auditLogsQuery, auditVerification } from './audit.schema.ts';
import { exportAuditChain, exportCsv } from './export-audit.ts';
import { verifyChain } from './verify-chain.ts';

const tags = ['audit'];

export interface AuditDependencies {
  db: Database;
  /** The one of today, then those that still decrypt: the key that signs lies under one of them. */
  keyEncryptionKeys: readonly Buffer[];
}

export const auditRoutes =
  ({ db, keyEncryptionKeys }: AuditDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const slots = new FileSlots();
    const readKey = async () => {
      const key = await findServiceKey(db, 'audit', keyEncryptionKeys);
      if (key === undefined) throw notFound('key of the audit log: a worker makes it when it starts,');
      return key;
    };

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/audit-logs',
      schema: {
        tags,
        operationId: 'listAuditLogs',
        summary: 'List the audit log',
        description:
          'Every write and every refused attempt: who, from where, what, and what there was before. A key that is bound to wallets does not see it.',
        params: workspaceParams,
        querystring: auditLogsQuery,
        response: { 200: pageOf(auditLog), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        assertSeesWorkspace(request);
        const page = readPage(request.query);
        const rows = await listAuditLogs(db, readFilter(request, request.query), page);
        const dated = rows.map((row) => ({ ...row, updatedAt: row.createdAt }));
        return sendPage(request, reply, { page, rows: dated, show: toAuditLog });
      },
    });

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/audit-logs/export',
      // Its answer would be the whole export, made and thrown away.
      exposeHeadRoute: false,
      schema: {
        tags,
        operationId: 'exportAuditLogs',
        summary: 'Export the audit log',
        description:
          'As CSV with the filters of the list, or as JSONL: the whole chain with its hashes and signed heads, for `npm run verify-audit`, which needs only the file ' +
          'and the public key. A connection that breaks off means that the file is not whole: ask again.',
        params: workspaceParams,
        querystring: auditExportQuery,
        headers: preferHeaders,
        response: {
          200: {
            description: 'The file.',
            headers: waitedHeaders,
            content: {
              'text/csv': { schema: Type.Unsafe<Readable>(Type.String()) },
              'application/x-ndjson': { schema: Type.Unsafe<Readable>(Type.String()) },
            },
          },
          ...errors(400, 401, 403, 404, 503),
        },
      },
      handler: async (request, reply) => {
        assertSeesWorkspace(request);
        const { format = 'csv', after_seq: afterSeq = 0, sort_order: sortOrder = 'desc' } = request.query;
        assertCombination(request.query);
        const filter = { ...readFilter(request, request.query), ...readCreated(request.query) };
        const part = { workspaceId: filter.workspaceId, afterSeq };
        await db.transaction((tx) => insertAuditEntry(tx, acceptedEntry(request, request.caller.key.workspaceId, {})));
        const stream =
          format === 'csv'
            ? await exportCsv({ db, slots }, reply, filter, sortOrder)
            : await exportAuditChain({ db, slots }, reply, part, await readKey());
        const name = `audit-logs-${new Date().toISOString().slice(0, 10)}.${format}`;
        reply.header('content-disposition', `attachment; filename="${name}"`);
        return reply
          .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8')
          .send(stream);
      },
    });

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/audit-logs/verify',
      schema: {
        tags,
        operationId: 'verifyAuditLogs',
        summary: 'Verify the audit log',
        description:
          'Computes every hash of the chain anew and checks every signed head. An entry that is older than ten seconds must have its place. Takes about a second for each ' +
          '25,000 entries.',
        params: workspaceParams,
        response: { 200: envelopeOf(auditVerification), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        assertSeesWorkspace(request);
        const { publicKey } = await readKey();
        const { signal, end } = takeSlot(reply, slots);
        try {
          return success(await verifyChain(db, { workspaceId: request.caller.key.workspaceId, publicKey }, signal));
        } finally {
          end();
        }
      },
    });

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/audit-logs/head',
      schema: {
        tags,
        operationId: 'readAuditHead',
        summary: 'Read the signed head of the audit log',
        description:
          'What the chain was when it was signed last, at most about a minute ago. Keep it elsewhere: an export that contradicts it was cut or written anew.',
        params: workspaceParams,
        response: { 200: envelopeOf(auditHead), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        assertSeesWorkspace(request);
        const head = await findNewestHead(db, request.caller.key.workspaceId);
        if (head === undefined) throw notFound('signed head: the first one comes within seconds,');
        const { workspaceId, signedAt, publicKey, ...rest } = head;
        return success({ workspace_id: workspaceId, signed_at: signedAt, public_key: publicKey, ...rest });
      },
    });
  };

type Filters = Pick<Static<typeof auditLogsQuery>, 'actor_id' | 'action' | 'outcome' | 'resource_id' | 'wallet_id'>;

function readFilter({ caller }: FastifyRequest, query: Filters): AuditFilter {
  return {
    workspaceId: caller.key.workspaceId,
    actorIds: query.actor_id,
    actions: query.action,
    outcomes: query.outcome,
    resourceIds: query.resource_id,
    walletIds: query.wallet_id,
  };
}

/** Of a chain that has gaps nothing can be verified. */
function assertCombination({ format, after_seq, ...filters }: Static<typeof auditExportQuery>): void {
  if (format !== 'jsonl' && after_seq !== undefined)
    throw new ApiError('invalid_request', 'after_seq is only for format=jsonl.');
  if (format === 'jsonl' && Object.keys(filters).length > 0)
    throw new ApiError('invalid_request', 'format=jsonl takes no filter but after_seq: it exports the whole chain.');
}

function toAuditLog(row: SealedRow) {
  return { ...toAuditEntry(row), seq: row.seq, hash: row.hash } as unknown as Static<typeof auditLog>;
}

/** The log shows what every wallet does. */
const assertSeesWorkspace = ({ caller }: FastifyRequest) => assertDecidesForWorkspace(caller.key);
