// Routes of wallets: ask for one, follow its creation, list, read and rename.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { isFinal, walletArrows, walletStatuses } from '../../domain/statuses.ts';
import {
  findWallet,
  insertWallet,
  listWallets,
  lockWallet,
  updateWallet,
  type WalletRow,
} from '../../drizzle/wallets/wallets.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { idempotencyHeaders, preferHeaders, waitedHeaders } from '../http/headers.schema.ts';
import { commaList, listQuery, pageOf, readPage, sendPage } from '../http/paging.ts';
import { shareAnswers } from '../http/waiting/coalesced-reads.ts';
import type { LongPoll } from '../http/waiting/long-poll.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import type { WorkspaceQuotas } from '../writes/workspace-quotas.ts';
import { requireFound, requireWallet } from './require-wallet.ts';
import { refuseSweep } from './sweeps.routes.ts';
import { toCreationStatus, toWalletRecord } from './wallets.response.ts';
import {
  changeWalletBody,
  createWalletBody,
  creationStatus,
  walletAccepted,
  walletParams,
  walletRecord,
} from './wallets.schema.ts';

const tags = ['wallets'];

export const walletRoutes =
  (dependencies: WriteDependencies & { waiting: LongPoll; quotas: WorkspaceQuotas }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, seals, waiting, quotas } = dependencies;
    const readWhenCreated = waiting.readerOf<WalletRow>({
      find: (workspaceId, id) => findWallet(db, workspaceId, id),
      isFinal: ({ status }) => status !== 'creating',
    });
    const answerCreated = shareAnswers((wallet: WalletRow) => success(toCreationStatus(wallet)));

    app.route({
      method: 'POST',
      url: '/wallets',
      preValidation: refuseSweep,
      schema: {
        tags,
        operationId: 'createWallet',
        summary: 'Create a wallet',
        description:
          'Accepts the wallet and has its keys generated. Poll the creation status until it is `success`. Sweeps are not there yet: a body that asks for one is refused.',
        headers: idempotencyHeaders,
        body: createWalletBody,
        response: { 202: envelopeOf(walletAccepted), ...errors(400, 401, 403, 409, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        const { name, wallet_type, wallet_purpose } = request.body;
        const { workspaceId, walletIds } = request.caller.key;
        if (walletIds.length > 0)
          throw new ApiError('wallet_not_allowed', 'This key is bound to wallets and cannot create another.');
        const id = uuidv7();
        const { result } = await acceptWrite(dependencies, request, {
          id,
          target: '',
          make: async (tx, start, note) => {
            await quotas.admitWallet(tx, workspaceId);
            note({ walletId: id });
            start({ workflow: 'createWallet', workflowId: id, input: { walletId: id, workspaceId } });
            const walletPurpose = wallet_purpose ?? null;
            await insertWallet(tx, seals, { id, workspaceId, name, walletType: wallet_type, walletPurpose });
            return id;
          },
          find: async (_tx, earlierId) => earlierId,
        });
        return reply.code(202).send(success({ wallet_id: result, status: 'pending' as const }));
      },
    });

    app.route({
      method: 'GET',
      url: '/wallets/creation-status/:wallet_id',
      schema: {
        tags,
        operationId: 'readWalletCreation',
        summary: 'Follow the creation of a wallet',
        params: walletParams,
        headers: preferHeaders,
        response: {
          200: { ...envelopeOf(creationStatus), headers: waitedHeaders },
          ...errors(400, 401, 403, 404, 503),
        },
      },
      handler: async (request, reply) => {
        const wallet = await readWhenCreated(request, reply, request.params.wallet_id, requireFound);
        return answerCreated(reply, wallet);
      },
    });

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/wallets',
      schema: {
        tags,
        operationId: 'listWallets',
        summary: 'List wallets',
        params: workspaceParams,
        querystring: listQuery({
          status: commaList(Type.Enum([...walletStatuses]), 'Only wallets with these statuses.'),
        }),
        response: { 200: pageOf(walletRecord), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const page = readPage(request.query);
        const { workspaceId, walletIds } = request.caller.key;
        const rows = await listWallets(db, { workspaceId, walletIds, statuses: request.query.status }, page);
        return sendPage(request, reply, { page, rows, show: toWalletRecord });
      },
    });

    app.route({
      method: 'GET',
      url: '/wallets/:wallet_id',
      schema: {
        tags,
        operationId: 'readWallet',
        summary: 'Read a wallet',
        params: walletParams,
        response: { 200: envelopeOf(walletRecord), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) =>
        success(toWalletRecord(await requireWallet(db, request.caller.key.workspaceId, request.params.wallet_id))),
    });

    app.route({
      method: 'PATCH',
      url: '/wallets/:wallet_id',
      schema: {
        tags,
        operationId: 'changeWallet',
        summary: 'Change the name or the purpose of a wallet',
        description: 'Only what is sent changes. A wallet that failed or is archived stays as it is.',
        params: walletParams,
        headers: idempotencyHeaders,
        body: changeWalletBody,
        response: { 200: envelopeOf(walletRecord), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const { name, wallet_purpose } = request.body;
        const { workspaceId } = request.caller.key;
        const id = request.params.wallet_id.toLowerCase();
        const { result } = await acceptWrite(dependencies, request, {
          id,
          target: id,
          make: async (tx, _start, note) => {
            const wallet = requireFound(await lockWallet(tx, workspaceId, id, 'no key update'));
            const { status } = wallet;
            note({ before: toWalletRecord(wallet) });
            if (isFinal(walletArrows, status))
              throw new ApiError('invalid_state', `The wallet is ${status} and can no longer be changed.`);
            const changed = await updateWallet(tx, id, {
              ...(name === undefined ? {} : { name }),
              ...(wallet_purpose === undefined ? {} : { walletPurpose: wallet_purpose }),
            });
            return toWalletRecord(changed);
          },
        });
        return success(result);
      },
    });
  };
