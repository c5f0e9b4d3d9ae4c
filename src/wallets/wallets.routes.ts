// Routes of wallets: ask for one, follow its creation, read what it is and where it receives.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import QRCode from 'qrcode';
import Type from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../../drizzle/database.ts';
import { walletStatuses } from '../../drizzle/status.ts';
import {
  type AddressType,
  findWallet,
  findWalletAddress,
  insertWallet,
  listWallets,
  type WalletRow,
} from '../../drizzle/wallets.ts';
import { acceptWrite, type WriteDependencies } from '../http/accept-write.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { commaList, listQuery, pageOf, readPage, sendPage } from '../http/paging.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import {
  addressTypeQuery,
  createWalletBody,
  creationStatus,
  walletAccepted,
  walletAddress,
  walletDetail,
  walletParams,
  walletRecord,
} from './wallets.schema.ts';

const tags = ['wallets'];

export const walletRoutes =
  (dependencies: WriteDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db } = dependencies;

    app.route({
      method: 'POST',
      url: '/wallets',

      schema: {
        tags,
        summary: 'Create a wallet',
        description: 'Accepts the wallet and has its keys generated. Poll the creation status until it is `success`.',
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
          start: { workflow: 'createWallet', workflowId: id, input: { walletId: id, workspaceId } },
          insert: async (tx) => {
            const walletPurpose = wallet_purpose ?? null;
            await insertWallet(tx, { id, workspaceId, name, walletType: wallet_type, walletPurpose });
            return id;
          },
          find: async (_tx, earlierId) => earlierId,
        });
        return reply.code(202).send(success({ wallet_id: result, status: 'creating' as const }));
      },
    });

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/wallets',
      schema: {
        tags,
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
        return sendPage(request, reply, page, rows, toWalletRecord);
      },
    });

    app.route({
      method: 'GET',
      url: '/wallets/creation-status/:wallet_id',

      schema: {
        tags,
        summary: 'Follow the creation of a wallet',
        params: walletParams,
        response: { 200: envelopeOf(creationStatus), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const wallet = await requireWallet(db, request.caller.key.workspaceId, request.params.wallet_id);
        return success(toCreationStatus(wallet));
      },
    });

    app.route({
      method: 'GET',
      url: '/web3/wallet-detail/:wallet_id',

      schema: {
        tags,
        summary: 'Read a wallet (SDK alias)',
        params: walletParams,
        querystring: addressTypeQuery,
        response: { 200: envelopeOf(walletDetail), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const wallet = await requireWallet(db, request.caller.key.workspaceId, request.params.wallet_id);
        const found = await findWalletAddress(db, wallet.id, request.query.address_type ?? 'evm');
        return success(toWalletDetail(wallet, found?.address ?? ''));
      },
    });

    app.route({
      method: 'GET',
      url: '/wallets/:wallet_id/address',

      schema: {
        tags,
        summary: 'Read the deposit address of a chain family (SDK alias)',
        params: walletParams,
        querystring: addressTypeQuery,
        response: { 200: envelopeOf(walletAddress), ...errors(400, 401, 403, 404, 409, 503) },
      },
      handler: async (request) => {
        const wallet = await requireWallet(db, request.caller.key.workspaceId, request.params.wallet_id);
        return success(await addressState(db, wallet, request.query.address_type ?? 'evm'));
      },
    });
  };

async function requireWallet(db: Database, workspaceId: string, walletId: string): Promise<WalletRow> {
  const wallet = await findWallet(db, workspaceId, walletId);
  if (wallet === undefined) throw notFound('wallet');
  return wallet;
}

function toCreationStatus(wallet: WalletRow) {
  const creating = wallet.status === 'creating';
  return {
    wallet_id: wallet.id,
    status: creating ? ('pending' as const) : wallet.status === 'failed' ? ('error' as const) : ('success' as const),
    ...(creating && wallet.statusReason !== null ? { status_reason: wallet.statusReason } : {}),
    ...(wallet.errorCode !== null ? { error_code: wallet.errorCode } : {}),
    ...(wallet.errorReason !== null ? { error_reason: wallet.errorReason } : {}),
  };
}

function toWalletRecord(wallet: WalletRow) {
  return {
    id: wallet.id,
    wallet_id: wallet.id,
    workspace_id: wallet.workspaceId,
    name: wallet.name,
    wallet_type: wallet.walletType,
    ...(wallet.walletPurpose === null ? {} : { wallet_purpose: wallet.walletPurpose }),
    status: wallet.status,
    created_at: wallet.createdAt.toISOString(),
    updated_at: wallet.updatedAt.toISOString(),
  };
}

function toWalletDetail(wallet: WalletRow, address: string) {
  return {
    id: wallet.id,
    wallet_id: wallet.id,
    workspace_id: wallet.workspaceId,
    name: wallet.name,
    wallet_type: wallet.walletType,
    status: wallet.status,
    address,
  };
}

async function addressState(db: Database, wallet: WalletRow, addressType: AddressType) {
  const found = await findWalletAddress(db, wallet.id, addressType);
  if (found === undefined)
    throw new ApiError('invalid_state', `The wallet is ${wallet.status} and has no address: wait until it is active.`);
  return {
    wallet_id: wallet.id,
    asset_id: '',
    network_id: '',
    address: found.address,
    memo: '',
    qr_code: await QRCode.toDataURL(found.address, { type: 'image/png' }),
  };
}
