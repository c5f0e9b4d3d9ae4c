// Routes of wallets: ask for one, follow its creation, list, read and rename.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { v7 as uuidv7 } from 'uuid';
import { isFinal, walletArrows } from '../../domain/statuses.ts';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import { listWallets } from '../../drizzle/wallets/list-wallets.ts';
import { findWallet, findWalletNamed, lockWallet } from '../../drizzle/wallets/wallet-queries.ts';
import { insertWallet, updateWallet } from '../../drizzle/wallets/wallet-steps.ts';
import type { WalletRow } from '../../drizzle/wallets/wallets.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { namesIn } from '../http/external-id.schema.ts';
import { externalIdTaken } from '../http/external-id-taken.ts';
import { idempotencyHeaders, preferHeaders, waitedHeaders } from '../http/headers.schema.ts';
import { pageOf, readPage, sendPage } from '../http/paging.ts';
import { shareAnswers } from '../http/waiting/coalesced-reads.ts';
import type { LongPoll } from '../http/waiting/long-poll.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import type { WorkspaceQuotas } from '../writes/workspace-quotas.ts';
import { storedAddressForms } from './address-spellings.ts';
import { requireFound, requireWallet } from './require-wallet.ts';
import { showWallet, showWallets } from './show-wallets.ts';
import { refuseSweep } from './sweeps.routes.ts';
import { toCreationStatus, toWalletFields } from './wallets.response.ts';
import {
  changeWalletBody,
  createWalletBody,
  walletCreation,
  walletParams,
  walletRecord,
  walletsQuery,
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
        response: { 202: envelopeOf(walletCreation), ...errors(400, 401, 403, 409, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        const { name, wallet_type, wallet_purpose, external_id: externalId = null, metadata = {} } = request.body;
        const { key } = request.caller;
        const { workspaceId, walletIds } = key;
        if (walletIds.length > 0)
          throw new ApiError('wallet_not_allowed', 'This key is bound to wallets and cannot create another.');
        const id = uuidv7();
        const { result } = await acceptWrite(dependencies, request, {
          id,
          target: '',
          make: async (tx, start, note) => {
            await quotas.admitWallet(tx, workspaceId);
            note({ walletId: id });
            const workflowId = workflowIdOf('createWallet', id);
            start({ workflow: 'createWallet', workflowId, input: { walletId: id, workspaceId } });
            const named = {
              name,
              walletType: wallet_type,
              walletPurpose: wallet_purpose ?? null,
              externalId,
              metadata,
            };
            if (await insertWallet(tx, seals, { id, workflowId, workspaceId, ...named })) return id;
            const holder = await findWalletNamed(tx, workspaceId, externalId ?? '');
            throw externalIdTaken(key, 'wallet', externalId ?? '', holder);
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
          200: { ...envelopeOf(walletCreation), headers: waitedHeaders },
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
        querystring: walletsQuery,
        response: { 200: pageOf(walletRecord), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const page = readPage(request.query);
        const { workspaceId, walletIds } = request.caller.key;
        const { query } = request;
        const filter = {
          workspaceId,
          walletIds,
          statuses: query.status,
          walletTypes: query.wallet_type,
          externalIds: namesIn(query.external_id),
          name: query.name,
          metadata: query.metadata === undefined ? undefined : readPair(query.metadata),
          addresses: query.address?.flatMap(storedAddressForms),
        };
        const rows = await listWallets(db, filter, page);
        return sendPage(request, reply, { page, rows, show: await showWallets(db, seals, rows) });
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
        success(
          await showWallet(
            db,
            seals,
            await requireWallet(db, request.caller.key.workspaceId, request.params.wallet_id),
          ),
        ),
    });

    app.route({
      method: 'PATCH',
      url: '/wallets/:wallet_id',
      schema: {
        tags,
        operationId: 'changeWallet',
        summary: 'Change the name, the purpose or the metadata of a wallet',
        description:
          'Only what is sent changes; metadata that is sent takes the place of what there was. A wallet that failed or is archived stays as it is.',
        params: walletParams,
        headers: idempotencyHeaders,
        body: changeWalletBody,
        response: { 200: envelopeOf(walletRecord), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const { name, wallet_purpose, metadata } = request.body;
        const { workspaceId } = request.caller.key;
        const id = request.params.wallet_id.toLowerCase();
        const { result } = await acceptWrite(dependencies, request, {
          id,
          target: id,
          make: async (tx, _start, note) => {
            const wallet = requireFound(await lockWallet(tx, workspaceId, id, 'no key update'));
            const { status } = wallet;
            note({ before: toWalletFields(wallet) });
            if (isFinal(walletArrows, status))
              throw new ApiError('invalid_state', `The wallet is ${status} and can no longer be changed.`);
            const changed = await updateWallet(tx, wallet, {
              ...(name === undefined ? {} : { name }),
              ...(wallet_purpose === undefined ? {} : { walletPurpose: wallet_purpose }),
              ...(metadata === undefined ? {} : { metadata }),
            });
            return showWallet(tx, seals, changed);
          },
        });
        return success(result);
      },
    });
  };

/** A name has no colon, and a value may have several. */
function readPair(pair: string): { name: string; value: string } {
  const colon = pair.indexOf(':');
  return { name: pair.slice(0, colon), value: pair.slice(colon + 1) };
}
