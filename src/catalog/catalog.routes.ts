// Routes of the catalogue: which networks and assets this deployment knows.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { pageOf, sendSlice } from '../http/paging.ts';
import type { AssetCatalog } from './assets.ts';
import { toAsset, toNetwork } from './catalog.response.ts';
import { asset, assetId, assetQuery, network, networkId, networkQuery } from './catalog.schema.ts';
import type { NetworkCatalog } from './networks.ts';
import type { PriceSource } from './prices.ts';

const tags = ['catalog'];

export interface CatalogDependencies {
  networks: NetworkCatalog;
  assets: AssetCatalog;
  prices: PriceSource;
}

export const catalogRoutes =
  ({ networks, assets, prices }: CatalogDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/assets',
      schema: {
        tags,
        operationId: 'listAssets',
        summary: 'List supported assets',
        description: 'All assets of the networks that are not disabled, native currencies first. Filters add up.',
        querystring: assetQuery,
        response: { 200: pageOf(asset), ...errors(400, 401, 403, 503) },
      },
      handler: async (request, reply) => {
        const { symbol, network_id, is_native, q } = request.query;
        const [listed, current] = await Promise.all([
          assets.list({ symbol, networkId: network_id, isNative: is_native, text: q }),
          prices.current(),
        ]);
        return sendSlice(request, reply, { rows: listed.map((one) => toAsset(one, current)), show: (shown) => shown });
      },
    });

    app.route({
      method: 'GET',
      url: '/assets/:asset_id',
      schema: {
        tags,
        operationId: 'readAsset',
        summary: 'Read an asset',
        params: Type.Object({ asset_id: assetId }),
        response: { 200: envelopeOf(asset), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const [found, current] = await Promise.all([assets.find(request.params.asset_id), prices.current()]);
        if (found === undefined) throw new ApiError('not_found', 'The catalogue has no asset with this id.');
        return success(toAsset(found, current));
      },
    });

    app.route({
      method: 'GET',
      url: '/networks',
      schema: {
        tags,
        operationId: 'listNetworks',
        summary: 'List networks',
        description: 'Every network that the service knows; those that the deployment does not use are `disabled`.',
        querystring: networkQuery,
        response: { 200: pageOf(network), ...errors(400, 401, 403, 503) },
      },
      handler: async (request, reply) => {
        const { is_testnet } = request.query;
        const all = await networks.list();
        const rows = all.filter((row) => is_testnet === undefined || row.isTestnet === is_testnet);
        return sendSlice(request, reply, { rows, show: toNetwork });
      },
    });

    app.route({
      method: 'GET',
      url: '/networks/:network_id',
      schema: {
        tags,
        operationId: 'readNetwork',
        summary: 'Read a network',
        params: Type.Object({ network_id: networkId }),
        response: { 200: envelopeOf(network), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const row = await networks.findById(request.params.network_id);
        if (row === undefined) throw new ApiError('not_found', 'The catalogue has no network with this id.');
        return success(toNetwork(row));
      },
    });
  };
