// The route that takes an asset of a wallet out of use and puts it back. What arrives of it is booked all the same.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { findWalletAsset, setWalletAssetStatus, type WalletAssetRow } from '../../drizzle/wallets/wallet-assets.ts';
import { lockWallet } from '../../drizzle/wallets/wallet-queries.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { assertOwnAddresses } from './receiving-address.ts';
import { requireFound } from './require-wallet.ts';
import { type ShownAssets, showAssets } from './show-assets.ts';
import { toAttachedAsset } from './wallets.response.ts';
import { changeAssetBody, walletAsset, walletAssetParams } from './wallets.schema.ts';

export const walletAssetStatusRoutes =
  (dependencies: WriteDependencies & ShownAssets): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { seals } = dependencies;

    app.route({
      method: 'PATCH',
      url: '/wallets/:wallet_id/assets/:asset_id',
      schema: {
        tags: ['wallets'],
        operationId: 'changeWalletAsset',
        summary: 'Disable an asset of a wallet, or enable it again',
        description:
          'What is disabled shows no address, and withdrawals of it are refused with 409 `invalid_state`. What arrives of it is booked all the same, since a chain asks nobody, and fees are paid in it. This keeps a wallet tidy; what must not be spent a policy forbids.',
        params: walletAssetParams,
        headers: idempotencyHeaders,
        body: changeAssetBody,
        response: { 200: envelopeOf(walletAsset), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const { workspaceId } = request.caller.key;
        const [walletId, assetId] = [request.params.wallet_id.toLowerCase(), request.params.asset_id.toLowerCase()];
        const { status } = request.body;
        const { result } = await acceptWrite(dependencies, request, {
          id: assetId,
          target: `${walletId}/${assetId}`,
          make: async (tx, _start, note) => {
            const wallet = requireFound(await lockWallet(tx, workspaceId, walletId, 'no key update'));
            const before = requireAttached(await findWalletAsset(tx, walletId, assetId));
            note({ before: toAttachedAsset(before) });
            if (wallet.status === 'archived')
              throw new ApiError('invalid_state', 'The wallet is archived and can no longer be changed.');
            await setWalletAssetStatus(tx, before, status);
            const row = requireAttached(await findWalletAsset(tx, walletId, assetId));
            await assertOwnAddresses(tx, seals, wallet, [row]);
            note({ after: toAttachedAsset(row) });
            return row;
          },
          find: (tx) => findWalletAsset(tx, walletId, assetId),
        });
        const show = await showAssets(dependencies, workspaceId, [result]);
        return success(show(result));
      },
    });
  };

function requireAttached(row: WalletAssetRow | undefined): WalletAssetRow {
  if (row === undefined) throw notFound('asset of this wallet');
  return row;
}
