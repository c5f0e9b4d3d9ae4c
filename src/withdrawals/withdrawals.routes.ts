// Routes of withdrawals that exist: list them, follow one, cancel it, speed it up, drop it. Asking for one is in
// request-withdrawal.routes.ts.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { isFinal, withdrawalArrows } from '../../domain/statuses.ts';
import { listWithdrawalEvents } from '../../drizzle/withdrawals/withdrawal-history.ts';
import { viewWithdrawal, viewWithdrawals, type WithdrawalView } from '../../drizzle/withdrawals/withdrawal-views.ts';
import { findWithdrawal, listWithdrawals, type WithdrawalRow } from '../../drizzle/withdrawals/withdrawals.ts';
import { assertWalletAllowed } from '../authentication/authenticate.ts';
import { SHOWN_BYTES_MAX } from '../decoding/shown-bytes.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { notFound } from '../http/errors.ts';
import { namesIn } from '../http/external-id.schema.ts';
import { idempotencyHeaders, preferHeaders, waitedHeaders } from '../http/headers.schema.ts';
import { pageOf, readPage, sendPage } from '../http/paging.ts';
import { reasonBody, reasonOf } from '../http/reason-body.ts';
import type { LongPoll } from '../http/waiting/long-poll.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import type { WriteDependencies } from '../writes/accept-write.ts';
import { changeWithdrawal } from './change-withdrawal.ts';
import { decodedOfRow } from './decoded-call.ts';
import { toWithdrawal, toWithdrawalEvent } from './withdrawals.response.ts';
import {
  speedUpBody,
  withdrawalEvent,
  withdrawalParams,
  withdrawalRecord,
  withdrawalsQuery,
} from './withdrawals.schema.ts';

const tags = ['withdrawals'];
const changed = { 200: envelopeOf(withdrawalRecord), ...errors(400, 401, 403, 404, 409, 413, 415, 423, 503) };

/** Those that take no body. */
const plainChanges = [
  {
    verb: 'cancel',
    operationId: 'cancelWithdrawal',
    summary: 'Cancel a withdrawal',
    description:
      'While nothing is signed: before its approval, and as long as it waits for a worker or for its fee. What was held is available again. One that is ' +
      'cancelled already is answered as it is.',
  },
  {
    verb: 'drop',
    operationId: 'dropWithdrawal',
    summary: 'Drop a withdrawal',
    description:
      'Where its transaction is out and waits for a block (EVM, Bitcoin): another one that moves nothing is sent in its place, and pays a fee. Whichever of the ' +
      'two the chain takes decides: the withdrawal fails with the code `dropped`, or completes.',
  },
] as const;

export const withdrawalRoutes =
  (dependencies: WriteDependencies & { waiting: LongPoll }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, seals, waiting } = dependencies;
    const readWhenFinal = waiting.readerOf<WithdrawalRow>({
      find: (workspaceId, id) => findWithdrawal(db, workspaceId, id),
      isFinal: ({ status }) => isFinal(withdrawalArrows, status),
    });

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/withdrawals',
      schema: {
        tags,
        operationId: 'listWithdrawals',
        summary: 'List withdrawals',
        params: workspaceParams,
        querystring: withdrawalsQuery,
        response: { 200: pageOf(withdrawalRecord), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const { key } = request.caller;
        const { query } = request;
        for (const walletId of query.wallet_id ?? []) assertWalletAllowed(key, walletId);
        const page = readPage(query);
        const filter = {
          workspaceId: key.workspaceId,
          walletIds: query.wallet_id ?? (key.walletIds.length > 0 ? key.walletIds : undefined),
          assetIds: query.asset_id,
          networkIds: query.network_id,
          statuses: query.status,
          subStatuses: query.sub_status,
          methods: query.method,
          externalIds: namesIn(query.external_id),
          txHashes: query.tx_hash,
          addresses: query.address,
        };
        const views = await viewWithdrawals(db, await listWithdrawals(db, filter, page));
        const rows = views.map((view) => ({ ...view.row, view }));
        const show = ({ view }: { view: WithdrawalView }) =>
          toWithdrawal(view, decodedOfRow(seals, view.row, SHOWN_BYTES_MAX));
        return sendPage(request, reply, { page, rows, show });
      },
    });

    app.route({
      method: 'GET',
      url: '/withdrawals/:withdrawal_id',
      schema: {
        tags,
        operationId: 'readWithdrawal',
        summary: 'Read a withdrawal',
        params: withdrawalParams,
        headers: preferHeaders,
        response: {
          200: { ...envelopeOf(withdrawalRecord), headers: waitedHeaders },
          ...errors(400, 401, 403, 404, 503),
        },
      },
      handler: async (request, reply) => {
        const row = await readWhenFinal(request, reply, request.params.withdrawal_id, (found) => seen(request, found));
        return success(toWithdrawal(await viewWithdrawal(db, row), decodedOfRow(seals, row)));
      },
    });

    app.route({
      method: 'GET',
      url: '/withdrawals/:withdrawal_id/history',
      schema: {
        tags,
        operationId: 'readWithdrawalHistory',
        summary: 'Read the history of a withdrawal',
        description: 'Every step with its time and the transaction that stood for it then, oldest first.',
        params: withdrawalParams,
        response: { 200: envelopeOf(Type.Array(withdrawalEvent)), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const { withdrawal_id: id } = request.params;
        const row = seen(request, await findWithdrawal(db, request.caller.key.workspaceId, id));
        return success((await listWithdrawalEvents(db, row.id)).map(toWithdrawalEvent));
      },
    });

    for (const { verb, operationId, summary, description } of plainChanges) {
      app.route({
        method: 'POST',
        url: `/withdrawals/:withdrawal_id/${verb}`,
        schema: {
          tags,
          operationId,
          summary,
          description,
          params: withdrawalParams,
          headers: idempotencyHeaders,
          body: reasonBody,
          response: changed,
        },
        handler: async (request) => {
          const id = request.params.withdrawal_id.toLowerCase();
          return success(await changeWithdrawal(dependencies, request, id, { verb, reason: reasonOf(request.body) }));
        },
      });
    }

    app.route({
      method: 'POST',
      url: '/withdrawals/:withdrawal_id/speed-up',
      schema: {
        tags,
        operationId: 'speedUpWithdrawal',
        summary: 'Speed up a withdrawal',
        description:
          'Where its transaction is out and waits for a block (EVM, Bitcoin): the same transfer is sent again in its place with a higher fee, never above ' +
          '`max_fee`. Which one the chain took shows in `tx_hash`.',
        params: withdrawalParams,
        headers: idempotencyHeaders,
        body: speedUpBody,
        response: changed,
      },
      handler: async (request) => {
        const id = request.params.withdrawal_id.toLowerCase();
        const feeLevel = request.body?.fee_level;
        const change = { verb: 'speed_up' as const, ...(feeLevel === undefined ? {} : { feeLevel }) };
        return success(await changeWithdrawal(dependencies, request, id, change));
      },
    });
  };

function seen({ caller }: FastifyRequest, row: WithdrawalRow | undefined): WithdrawalRow {
  if (row === undefined) throw notFound('withdrawal');
  assertWalletAllowed(caller.key, row.walletId);
  return row;
}
