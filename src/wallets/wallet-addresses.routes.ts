// Routes that show where a wallet receives: by chain family, network or asset, and the SDK's aliases of the same.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import QRCode from 'qrcode';
import { bitcoinNetworkOf } from '../../domain/catalog/bitcoin-networks.ts';
import { hasAdapter } from '../../domain/catalog/capabilities.ts';
import { type AddressType } from '../../domain/wallets/address-types.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import type { AssetRow } from '../../drizzle/networks/assets.ts';
import { findNetworkState } from '../../drizzle/networks/network-states.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { findWalletAsset } from '../../drizzle/wallets/wallet-assets.ts';
import { findSealedAddress } from '../../drizzle/wallets/wallet-keys.ts';
import type { WalletRow } from '../../drizzle/wallets/wallets.ts';
import type { AssetCatalog } from '../catalog/assets.ts';
import type { NetworkCatalog } from '../catalog/networks.ts';
import { receivingNetworks } from '../catalog/receiving-networks.ts';
import { requireAsset, requireNetwork } from '../catalog/require-asset.ts';
import { assertHasNode } from '../catalog/require-node.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { assertAssetEnabled } from './assert-asset-enabled.ts';
import { onBitcoinNetwork } from './bitcoin-address.ts';
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
      'By chain family; with `network_id`, on that network; with `asset_id`, for an asset that is attached to the wallet. What is sent together must agree. None is shown of a network on which this deployment does not see deposits, of an asset that is disabled, and of an archived wallet.',
    querystring: depositAddressQuery,
    always: {},
  },
  {
    path: 'address',
    operationId: 'readAddress',
    summary: 'Read the deposit address of a chain family (SDK alias)',
    description: 'The same deposit address, asked for by its chain family only.',
    querystring: addressTypeQuery,
    // The interface has it in the answer of this route.
    always: { qr_code: true },
  },
];

export const walletAddressRoutes =
  (dependencies: AddressDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db } = dependencies;

    for (const { path, operationId, summary, description, querystring, always } of depositAddressRoutes) {
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
          return success(await depositAddress(dependencies, wallet, { ...always, ...request.query }));
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
  // As everywhere: nothing more should be sent to an archived wallet.
  const found = wallet.status === 'archived' ? undefined : await findSealedAddress(db, seals, wallet, addressType);
  return toWalletDetail(wallet, addressType, found?.address ?? '');
}

async function depositAddress(
  { db, seals, networks, assets }: AddressDependencies,
  wallet: WalletRow,
  { qr_code: withQrCode = false, ...query }: AddressQuery,
) {
  const asset = query.asset_id === undefined ? undefined : await requireAsset(assets, query.asset_id);
  const asked = query.network_id === undefined ? undefined : await requireNetwork(networks, query.network_id);
  if (asset !== undefined && asked !== undefined && asked.id !== asset.network.id)
    throw new ApiError('invalid_request', `asset_id is an asset of ${asset.network.internalCode}, not of network_id.`);
  const network = asset?.network ?? asked;
  if (network !== undefined && query.address_type !== undefined && query.address_type !== network.addressType)
    throw new ApiError('invalid_request', `Addresses on ${network.internalCode} are of type ${network.addressType}.`);
  if (network !== undefined) assertHasNode(network, await findNetworkState(db, network.id));
  const family = network?.addressType ?? query.address_type ?? DEFAULT_ADDRESS_TYPE;
  assertSeesDeposits(family);
  const { address } = await receivingAddress(db, seals, wallet, network ?? family);
  if (asset !== undefined) await assertAttached(db, wallet, asset.asset);
  const on = network ?? (await networkOfFamily(db, networks, family, address));
  const native = on && (await assets.list({ networkId: on.id, isNative: true }))[0];
  return {
    wallet_id: wallet.id,
    asset_id: asset?.asset.id ?? native?.asset.id ?? '',
    network_id: on?.id ?? '',
    address,
    memo: '',
    qr_code: withQrCode ? await QRCode.toDataURL(address, { type: 'image/png' }) : '',
  };
}

/** An address of a family that nobody reads is for signatures: `wallet-detail` and the record of the wallet have it. */
function assertSeesDeposits(family: AddressType): void {
  if (!hasAdapter(family))
    throw new ApiError(
      'invalid_request',
      `There are no deposits on ${family} networks yet: this service signs for them, and does not see what arrives. The wallet's address there is in its record.`,
    );
}

async function assertAttached(db: Database, wallet: WalletRow, asset: AssetRow): Promise<void> {
  if ((await findWalletAsset(db, wallet.id, asset.id)) === undefined)
    throw new ApiError('invalid_state', 'The asset is not attached to the wallet: attach it first.');
  await assertAssetEnabled(db, wallet.id, asset);
}

/** That an address of a family is good for: a Bitcoin address is of one network. */
async function networkOfFamily(db: Database, networks: NetworkCatalog, family: AddressType, address: string) {
  const fitting = (await receivingNetworks(db, networks)).filter(
    ({ addressType, internalCode }) =>
      addressType === family &&
      (family !== 'btc' || onBitcoinNetwork(address, bitcoinNetworkOf(internalCode)) === address),
  );
  return fitting.find(({ isTestnet }) => !isTestnet) ?? fitting[0];
}
