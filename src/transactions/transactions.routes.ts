// Routes of transactions: what came in and went out, as a list, as a file, one by one and counted. Changes nothing.
import type { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { isFinal, signingArrows, withdrawalArrows } from '../../domain/statuses.ts';
import { listApprovals } from '../../drizzle/approvals/approvals.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { type SigningRequestView, viewSigningRequest } from '../../drizzle/signing-requests/signing-approvals.ts';
import { findTransaction, listTransactions } from '../../drizzle/transactions/transactions.ts';
import { countWithdrawals, findWithdrawal, type WithdrawalRow } from '../../drizzle/withdrawals/withdrawals.ts';
import { assertWalletAllowed } from '../authentication/authenticate.ts';
import type { AssetCatalog } from '../catalog/assets.ts';
import { FileSlots } from '../files/file-slots.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { preferHeaders, waitedHeaders } from '../http/headers.schema.ts';
import { pageOf, readCreated, readPage, sendPage } from '../http/paging.ts';
import type { LongPoll } from '../http/waiting/long-poll.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import { readUnits } from './asset-units.ts';
import { exportCsv } from './export-csv.ts';
import { readFilter } from './read-filter.ts';
import { toSignatureStatus, toTransactionRecord, toTransactionStatus } from './transactions.response.ts';
import {
  countQuery,
  exportQuery,
  transactionRecord,
  transactionStatus,
  transactionsQuery,
  walletTransactionParams,
  workspaceTransactionParams,
} from './transactions.schema.ts';

const tags = ['transactions'];

export const transactionRoutes =
  ({ db, assets, waiting }: { db: Database; assets: AssetCatalog; waiting: LongPoll }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const slots = new FileSlots();
    const readWhenFinal = waiting.readerOf<Followed>({
      find: (workspaceId, id) => findFollowed(db, workspaceId, id),
      isFinal: ({ ended }) => ended,
    });

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/transactions',
      schema: {
        tags,
        operationId: 'listTransactions',
        summary: 'List transactions',
        description:
          'Withdrawals, deposits, and what left by transactions that callers broadcast themselves, newest first unless asked otherwise.',
        params: workspaceParams,
        querystring: transactionsQuery,
        response: { 200: pageOf(transactionRecord), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const page = readPage(request.query);
        const rows = await listTransactions(db, await readFilter(db, request, request.query), page);
        const units = await readUnits(assets);
        return sendPage(request, reply, {
          page,
          rows,
          show: (row) => toTransactionRecord(row, units.get(row.assetId)),
        });
      },
    });

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/transactions/export',
      // Its answer would be the whole export, made and thrown away.
      exposeHeadRoute: false,
      schema: {
        tags,
        operationId: 'exportTransactions',
        summary: 'Export transactions as CSV',
        description:
          'The same activity as the list, whole and as of one moment, as a CSV file (RFC 4180) with a header row. A cell that a spreadsheet would run as ' +
          'a formula begins with an apostrophe. `columns=all` adds what it takes to reconcile, fees and the names and notes of callers among it. A connection ' +
          'that breaks off means that the file is not whole: ask again.',
        params: workspaceParams,
        querystring: exportQuery,
        headers: preferHeaders,
        response: {
          200: {
            description: 'The file.',
            headers: waitedHeaders,
            content: { 'text/csv': { schema: Type.Unsafe<Readable>(Type.String()) } },
          },
          ...errors(400, 401, 403, 404, 503),
        },
      },
      handler: async (request, reply) => {
        const { sort, sort_order, columns = 'specified' } = request.query;
        if (sort !== undefined && sort_order !== undefined && sort !== sort_order)
          throw new ApiError('conflicting_aliases', 'sort and sort_order differ: send one of them.');
        const filter = { ...(await readFilter(db, request, request.query)), ...readCreated(request.query) };
        const sortOrder = sort_order ?? sort ?? 'desc';
        const file = await exportCsv({ db, assets, slots }, reply, { filter, sortOrder, columns });
        const name = `transactions-${new Date().toISOString().slice(0, 10)}.csv`;
        reply.header('content-disposition', `attachment; filename="${name}"`);
        return reply.type('text/csv; charset=utf-8').send(file);
      },
    });

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/transactions/:transaction_id',
      schema: {
        tags,
        operationId: 'readTransaction',
        summary: 'Read a transaction',
        params: workspaceTransactionParams,
        response: { 200: envelopeOf(transactionRecord), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const { key } = request.caller;
        const row = await findTransaction(db, key.workspaceId, request.params.transaction_id);
        if (row === undefined) throw notFound('transaction');
        assertWalletAllowed(key, row.walletId);
        return success(toTransactionRecord(row, (await readUnits(assets)).get(row.assetId)));
      },
    });

    app.route({
      method: 'GET',
      url: '/web3/transaction/:wallet_id/:transaction_id',
      schema: {
        tags,
        operationId: 'readTransactionStatus',
        summary: 'Follow a withdrawal or a signature (SDK alias)',
        description:
          'By its id; `transaction_id` of the activity is the same. What was cancelled shows as `failed`. A signing operation of the sign routes is followed here as well, by a key that has `signing:read` too.',
        params: walletTransactionParams,
        headers: preferHeaders,
        response: {
          200: { ...envelopeOf(transactionStatus), headers: waitedHeaders },
          ...errors(400, 401, 403, 404, 503),
        },
      },
      handler: async (request, reply) => {
        const { wallet_id, transaction_id } = request.params;
        const { scopes } = request.caller.key;
        const followed = await readWhenFinal(request, reply, transaction_id, (found) => {
          if (found === undefined || found.walletId !== wallet_id.toLowerCase()) throw notFound('transaction');
          if ('signing' in found && !scopes.includes('signing:read'))
            throw new ApiError('insufficient_scope', 'This key lacks the scope signing:read, which a signature takes.');
          return found;
        });
        if ('signing' in followed) return success(toSignatureStatus(followed.signing));
        const approvals = await listApprovals(db, [followed.id]);
        return success(toTransactionStatus(followed.withdrawal, approvals.get(followed.id)));
      },
    });

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/withdrawals/count',
      schema: {
        tags: ['withdrawals'],
        operationId: 'countWithdrawals',
        summary: 'Count withdrawals',
        params: workspaceParams,
        querystring: countQuery,
        response: {
          200: { ...envelopeOf(Type.Integer({ minimum: 0 })), title: 'CountAnswer' },
          ...errors(400, 401, 403, 404, 503),
        },
      },
      handler: async (request) => {
        const { workspaceId, walletIds } = await readFilter(db, request, {});
        const filter = { workspaceId, walletIds, statuses: request.query.status, ...readCreated(request.query) };
        return success(await countWithdrawals(db, filter));
      },
    });
  };

/** What SDK callers follow: a withdrawal, or a signing operation that somebody asked for. */
type Followed = { id: string; walletId: string; ended: boolean } & (
  | { withdrawal: WithdrawalRow }
  | { signing: SigningRequestView }
);

async function findFollowed(db: Database, workspaceId: string, id: string): Promise<Followed | undefined> {
  const withdrawal = await findWithdrawal(db, workspaceId, id);
  if (withdrawal !== undefined) {
    const ended = isFinal(withdrawalArrows, withdrawal.status);
    return { id: withdrawal.id, walletId: withdrawal.walletId, ended, withdrawal };
  }
  const signing = await viewSigningRequest(db, workspaceId, id);
  if (signing === undefined || signing.operationType !== 'generic') return undefined;
  return { id: signing.id, walletId: signing.walletId, ended: isFinal(signingArrows, signing.status), signing };
}
