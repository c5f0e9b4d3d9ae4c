// Routes of what the workers know of a network: its fees now, and a second look at one of its transactions. Asks no
// node itself.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { formatAmount } from '../../domain/money.ts';
import type { LevelFee, NetworkFees } from '../../domain/networks/stored-fees.ts';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import { findNetworkState } from '../../drizzle/networks/network-states.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import type { WorkspaceQuotas } from '../writes/workspace-quotas.ts';
import type { AssetCatalog, CatalogAsset } from './assets.ts';
import { networkId } from './catalog.schema.ts';
import { networkFees, rescan } from './network-states.schema.ts';
import type { NetworkCatalog } from './networks.ts';
import { requireNetwork } from './require-asset.ts';
import { assertHasNode, requireFees } from './require-node.ts';
import { canonicalTransactionHash } from './transaction-hash.ts';

export interface RescanDependencies extends WriteDependencies {
  networks: NetworkCatalog;
  assets: AssetCatalog;
  quotas: WorkspaceQuotas;
}

export const networkStateRoutes =
  (dependencies: RescanDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, networks, assets, quotas } = dependencies;

    app.route({
      method: 'GET',
      url: '/networks/:network_id/fees',
      schema: {
        tags: ['catalog'],
        operationId: 'readFees',
        summary: 'Read the fees of a network',
        description:
          'What a plain transfer of the native currency costs at most at each `fee_level`, as the workers last asked the node.',
        params: Type.Object({ network_id: networkId }),
        response: { 200: envelopeOf(networkFees), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const network = await networks.findById(request.params.network_id);
        if (network === undefined) throw new ApiError('not_found', 'The catalogue has no network with this id.');
        const state = await findNetworkState(db, network.id);
        assertHasNode(network, state);
        const fees = requireFees(network, state);
        const [native] = await assets.list({ networkId: network.id, isNative: true });
        if (native === undefined)
          throw new ApiError('dependency_unavailable', `The network ${network.internalCode} is disabled here.`);
        return success(toFees(native, fees));
      },
    });

    app.route({
      method: 'POST',
      url: '/networks/rescan-transaction',
      schema: {
        tags: ['transactions'],
        operationId: 'rescanTransaction',
        summary: 'Look again at a transaction',
        description:
          'Finds the deposits of one transaction that were missed, and what left by it when a caller broadcast it himself. What is recorded already stays as it is; what is found appears among the transactions of its wallet. Of an old transaction the node may be asked what only an archive node still knows.',
        headers: idempotencyHeaders,
        body: rescan,
        response: { 202: envelopeOf(rescan), ...errors(400, 401, 403, 409, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        const { workspaceId } = request.caller.key;
        const { tx_hash: text, network_id: wantedId } = request.body;
        const id = uuidv7();
        // Refused only in the transaction: a repeat is answered whatever has changed since.
        const [wanted] = await Promise.allSettled([readRescan(wantedId, text)]);
        const { result } = await acceptWrite(dependencies, request, {
          id,
          target: wantedId.toLowerCase(),
          make: async (tx, start) => {
            if (wanted.status === 'rejected') throw wanted.reason;
            await quotas.admitRescan(tx, workspaceId);
            const { network, txHash } = wanted.value;
            const input = { workspaceId, networkCode: network.internalCode, txHash };
            start({ workflow: 'rescanTransaction', workflowId: workflowIdOf('rescanTransaction', id), input });
            return { tx_hash: txHash, network_id: network.id };
          },
        });
        return reply.code(202).send(success(result));
      },
    });

    async function readRescan(wantedId: string, text: string): Promise<{ network: NetworkRow; txHash: string }> {
      const network = await requireNetwork(networks, wantedId);
      const txHash = canonicalTransactionHash(network.addressType, text);
      if (txHash === undefined)
        throw new ApiError('invalid_request', `tx_hash is no transaction hash of ${network.internalCode}.`);
      assertHasNode(network, await findNetworkState(db, network.id));
      return { network, txHash };
    }
  };

function toFees({ asset: { id, decimals, networkId: network_id } }: CatalogAsset, fees: NetworkFees) {
  const atLevel = ({ maxFee, parameters }: LevelFee) => ({
    max_fee: formatAmount(BigInt(maxFee), decimals),
    parameters,
  });
  const levels = { low: atLevel(fees.low), medium: atLevel(fees.medium), high: atLevel(fees.high) };
  return { network_id, fee_asset_id: id, ...levels, quoted_at: fees.quotedAt };
}
