// Routes of a wallet's assets: attach one, list them. Disabling one is in wallet-asset-status.routes.ts.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { walletAssetStatuses } from '../../domain/statuses.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import {
  findWalletAsset,
  insertWalletAsset,
  listWalletAssets,
  type WalletAssetRow,
} from '../../drizzle/wallets/wallet-assets.ts';
import { lockWallet } from '../../drizzle/wallets/wallet-queries.ts';
import type { CatalogAsset } from '../catalog/assets.ts';
import { assetId, networkId } from '../catalog/catalog.schema.ts';
import { receivingIds } from '../catalog/receiving-networks.ts';
import { requireAsset } from '../catalog/require-asset.ts';
import { assertHasAdapter } from '../catalog/require-node.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { commaList, listQuery, pageOf, readPage, sendPage } from '../http/paging.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { assertOwnAddresses, receivingAddress } from './receiving-address.ts';
import { requireFound, requireWallet } from './require-wallet.ts';
import { type ShownAssets, showAssets } from './show-assets.ts';
import { toAttachedAsset } from './wallets.response.ts';
import { attachAssetBody, walletAsset, walletParams } from './wallets.schema.ts';

const tags = ['wallets'];

export const walletAssetRoutes =
  (dependencies: WriteDependencies & ShownAssets): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, seals, assets, networks } = dependencies;

    app.route({
      method: 'POST',
      url: '/wallets/:wallet_id/assets',
      schema: {
        tags,
        operationId: 'attachAsset',
        summary: 'Attach an asset to a wallet',
        description:
          'Answers where the wallet receives it. An asset that is attached already is answered as it is, with 200. Where this deployment has no node of the network it is `pending`, without an address.',
        params: walletParams,
        headers: idempotencyHeaders,
        body: attachAssetBody,
        response: {
          200: envelopeOf(walletAsset),
          201: envelopeOf(walletAsset),
          ...errors(400, 401, 403, 404, 409, 413, 415, 503),
        },
      },
      handler: async (request, reply) => {
        const { workspaceId } = request.caller.key;
        const walletId = request.params.wallet_id.toLowerCase();
        const attachedId = request.body.asset_id.toLowerCase();
        // Refused only in the transaction: a repeat is answered also when the network was disabled since.
        const [asset] = await Promise.allSettled([requireAsset(assets, attachedId)]);
        const { created, result } = await acceptWrite(dependencies, request, {
          // Not the row's: a row may be there already, from another key, when this one makes nothing.
          id: attachedId,
          target: walletId,
          make: async (tx, _start, note) => {
            if (asset.status === 'rejected') throw asset.reason;
            assertHasAdapter(asset.value.network);
            const attached = await attach(tx, seals, { workspaceId, walletId }, asset.value);
            note({ after: toAttachedAsset(attached.row) });
            return attached;
          },
          find: async (tx) => {
            const row = await findWalletAsset(tx, walletId, attachedId);
            if (row !== undefined) await assertOwnAddresses(tx, seals, { workspaceId, id: walletId }, [row]);
            return row && { row, attached: false };
          },
        });
        const show = await showAssets(dependencies, workspaceId, [result.row]);
        return reply.code(created && result.attached ? 201 : 200).send(success(show(result.row)));
      },
    });

    app.route({
      method: 'GET',
      url: '/wallets/:wallet_id/assets',
      schema: {
        tags,
        operationId: 'listWalletAssets',
        summary: 'List the assets attached to a wallet',
        params: walletParams,
        querystring: listQuery({
          status: commaList(Type.Enum([...walletAssetStatuses]), 'Only assets with these statuses.'),
          asset_id: commaList(assetId, 'Only these assets.'),
          network_id: commaList(networkId, 'Only assets of these networks.'),
        }),
        response: { 200: pageOf(walletAsset), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const page = readPage(request.query);
        const wallet = await requireWallet(db, request.caller.key.workspaceId, request.params.wallet_id);
        const { status: statuses, asset_id: assetIds, network_id: networkIds } = request.query;
        const readIds = await receivingIds(db, networks);
        const filter = { walletId: wallet.id, statuses, assetIds, networkIds, readIds };
        const rows = await listWalletAssets(db, filter, page);
        await assertOwnAddresses(db, seals, wallet, rows);
        return sendPage(request, reply, { page, rows, show: await showAssets(dependencies, wallet.workspaceId, rows) });
      },
    });
  };

/** The hold on the wallet keeps it from being archived meanwhile. */
async function attach(
  tx: Transaction,
  seals: Seals,
  { workspaceId, walletId }: { workspaceId: string; walletId: string },
  { asset, network }: CatalogAsset,
): Promise<{ row: WalletAssetRow; attached: boolean }> {
  const wallet = requireFound(await lockWallet(tx, workspaceId, walletId, 'share'));
  const { addressType, address, derivationPath } = await receivingAddress(tx, seals, wallet, network);
  const attached = await insertWalletAsset(tx, {
    id: uuidv7(),
    walletId,
    assetId: asset.id,
    addressType,
    address,
    derivationPath,
    status: 'active',
  });
  const row = await findWalletAsset(tx, walletId, asset.id);
  if (row === undefined) throw new Error('an asset that was attached is not there');
  await assertOwnAddresses(tx, seals, wallet, [row]);
  return { row, attached };
}
