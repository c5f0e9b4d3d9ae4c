// Routes that show where a wallet receives: by chain family, network or asset, and the SDK's aliases of the same.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import QRCode from 'qrcode';
import { type AddressType } from '../../domain/wallets/address-types.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { findWalletAsset } from '../../drizzle/wallets/wallet-assets.ts';
import { findSealedAddress, type WalletRow } from '../../drizzle/wallets/wallets.ts';
import type { AssetCatalog } from '../catalog/assets.ts';
import type { NetworkCatalog } from '../catalog/networks.ts';
import { requireAsset, requireNetwork } from '../catalog/require-asset.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { receivingAddress } from './receiving-address.ts';
import { requireWallet } from './require-wallet.ts';
import { toWalletDetail } from './wallets.response.ts';
import {
  type AddressQuery,
  addressTypeQuery,
  depositAddressQuery,
  walletAddress,
  walletDetail,
  walletParams,
} from './wallets.schema.ts';

const tags = ['wallets'];
const DEFAULT_ADDRESS_TYPE: AddressType = 'evm';

export interface AddressDependencies {
  db: Database;
  seals: Seals;
  networks: NetworkCatalog;
  assets: AssetCatalog;
}

/** The alias knows only the chain family; what it answers is the same. */
const depositAddressRoutes = [
  {
    path: 'deposit-address',
    operationId: 'readDepositAddress',
    summary: 'Read where a wallet receives',
    description:
      'By chain family; with `network_id`, on that network; with `asset_id`, for an asset that is attached to the wallet. What is sent together must agree.',
    querystring: depositAddressQuery,
  },
  {
    path: 'address',
    operationId: 'readAddress',
    summary: 'Read the deposit address of a chain family (SDK alias)',
    description: 'The same deposit address, asked for by its chain family only.',
    querystring: addressTypeQuery,
  },
];

export const walletAddressRoutes =
  (dependencies: AddressDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db } = dependencies;

    for (const { path, operationId, summary, description, querystring } of depositAddressRoutes) {
      app.route({
        method: 'GET',
        url: `/wallets/:wallet_id/${path}`,
        schema: {
          tags,
          operationId,
          summary,
          description,
          params: walletParams,
          querystring,
          response: { 200: envelopeOf(walletAddress), ...errors(400, 401, 403, 404, 409, 503) },
        },
        handler: async (request) => {
          const wallet = await requireWallet(db, request.caller.key.workspaceId, request.params.wallet_id);
          return success(await depositAddress(dependencies, wallet, request.query));
        },
      });
    }

    app.route({
      method: 'GET',
      url: '/web3/wallet-detail/:wallet_id',
      schema: {
        tags,
        operationId: 'readWalletDetail',
        summary: 'Read a wallet (SDK alias)',
        params: walletParams,
        querystring: addressTypeQuery,
        response: { 200: envelopeOf(walletDetail), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const wallet = await requireWallet(db, request.caller.key.workspaceId, request.params.wallet_id);
        return success(await detail(dependencies, wallet, request.query.address_type));
      },
    });

    app.route({
      method: 'GET',
      url: '/web3/wallet-detail',
      schema: {
        tags,
        operationId: 'readOwnWalletDetail',
        summary: 'Read the wallet of the key (SDK alias)',
        description: 'For a key that is bound to one wallet.',
        querystring: addressTypeQuery,
        response: { 200: envelopeOf(walletDetail), ...errors(400, 401, 403, 409, 503) },
      },
      handler: async (request) => {
        const { workspaceId, walletIds } = request.caller.key;
        const [walletId] = walletIds;
        if (walletId === undefined || walletIds.length > 1)
          throw new ApiError('invalid_state', 'This key is not bound to one wallet: name the wallet in the path.');
        return success(
          await detail(dependencies, await requireWallet(db, workspaceId, walletId), request.query.address_type),
        );
      },
    });
  };

async function detail(
  { db, seals }: AddressDependencies,
  wallet: WalletRow,
  addressType: AddressType = DEFAULT_ADDRESS_TYPE,
) {
  const found = await findSealedAddress(db, seals, wallet, addressType);
  return toWalletDetail(wallet, addressType, found?.address ?? '');
}

async function depositAddress(
  { db, seals, networks, assets }: AddressDependencies,
  wallet: WalletRow,
  query: AddressQuery,
) {
  const asset = query.asset_id === undefined ? undefined : await requireAsset(assets, query.asset_id);
  const asked = query.network_id === undefined ? undefined : await requireNetwork(networks, query.network_id);
  if (asset !== undefined && asked !== undefined && asked.id !== asset.network.id)
    throw new ApiError('invalid_request', `asset_id is an asset of ${asset.network.internalCode}, not of network_id.`);
  const network = asset?.network ?? asked;
  if (network !== undefined && query.address_type !== undefined && query.address_type !== network.addressType)
    throw new ApiError('invalid_request', `Addresses on ${network.internalCode} are of type ${network.addressType}.`);
  const { address } = await receivingAddress(db, seals, wallet, network ?? query.address_type ?? DEFAULT_ADDRESS_TYPE);
  if (asset !== undefined && (await findWalletAsset(db, wallet.id, asset.asset.id)) === undefined)
    throw new ApiError('invalid_state', 'The asset is not attached to the wallet: attach it first.');
  return {
    wallet_id: wallet.id,
    asset_id: asset?.asset.id ?? '',
    network_id: network?.id ?? '',
    address,
    memo: '',
    qr_code: await QRCode.toDataURL(address, { type: 'image/png' }),
  };
}
