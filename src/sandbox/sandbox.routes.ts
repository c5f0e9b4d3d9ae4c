// Routes that only the sandbox has: a faucet that pays with real transactions of its own chains, and blocks on request.
// Production has neither.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { v7 as uuidv7 } from 'uuid';
import { isSandboxCode } from '../../domain/catalog/sandbox.ts';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import { findNetworkState } from '../../drizzle/networks/network-states.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import { findWallet, lockWallet } from '../../drizzle/wallets/wallet-queries.ts';
import { assertWalletAllowed } from '../authentication/authenticate.ts';
import type { AssetCatalog } from '../catalog/assets.ts';
import type { NetworkCatalog } from '../catalog/networks.ts';
import { requireAsset, requireNetwork } from '../catalog/require-asset.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { receivingAddress } from '../wallets/receiving-address.ts';
import { requireFound } from '../wallets/require-wallet.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { readFaucetAmount } from './faucet-limits.ts';
import { faucetBody, faucetPayment, mineBody, mining } from './sandbox.schema.ts';

const tags = ['sandbox'];
/** Solana's slots pass by themselves. */
const mined = ['ETHEREUM_SANDBOX', 'BTC_SANDBOX'];

export const sandboxRoutes =
  (dependencies: WriteDependencies & { networks: NetworkCatalog; assets: AssetCatalog }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, seals, networks, assets } = dependencies;
    const assertReached = async ({ id, internalCode }: NetworkRow) => {
      if ((await findNetworkState(db, id)) === undefined)
        throw new ApiError(
          'dependency_unavailable',
          `No worker reaches a node of ${internalCode}: name one in RPC_URLS.`,
        );
    };
    const payable = async (assetId: string) => {
      const found = await requireAsset(assets, assetId);
      if (!isSandboxCode(found.network.internalCode))
        throw new ApiError('invalid_request', "asset_id is of a network that is not the sandbox's own.");
      await assertReached(found.network);
      return found;
    };
    const minable = async (networkId: string) => {
      const network = await requireNetwork(networks, networkId);
      if (!mined.includes(network.internalCode))
        throw new ApiError(
          'invalid_request',
          `network_id must be one of ${mined.join(', ')}: no other mines on request.`,
        );
      await assertReached(network);
      return network;
    };

    app.route({
      method: 'POST',
      url: '/sandbox/faucet',
      schema: {
        tags,
        operationId: 'faucet',
        summary: 'Pay a wallet from the faucet',
        description:
          'A real transaction of a sandbox chain, from its treasury. Only in the sandbox. It arrives as a deposit: follow the balance or the transactions of the wallet.',
        headers: idempotencyHeaders,
        body: faucetBody,
        response: { 202: envelopeOf(faucetPayment), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        const { key } = request.caller;
        const walletId = request.body.wallet_id.toLowerCase();
        assertWalletAllowed(key, walletId);
        const id = uuidv7();
        // Refused only in the transaction: a repeat is answered whatever has changed since.
        const [wanted] = await Promise.allSettled([payable(request.body.asset_id)]);
        const { result } = await acceptWrite(dependencies, request, {
          id,
          target: walletId,
          admit: async (tx) => requireFound(await findWallet(tx, key.workspaceId, walletId)),
          make: async (tx, start, note) => {
            if (wanted.status === 'rejected') throw wanted.reason;
            const { asset, network } = wanted.value;
            note({ walletId });
            const amount = readFaucetAmount(request.body.amount, asset);
            const wallet = requireFound(await lockWallet(tx, key.workspaceId, walletId, 'share'));
            const { address } = await receivingAddress(tx, seals, wallet, network);
            const { contractAddress: contract, decimals } = asset;
            const input = { faucetId: id, workspaceId: key.workspaceId, walletId, networkCode: network.internalCode };
            start({
              workflow: 'fundFromFaucet',
              workflowId: workflowIdOf('fundFromFaucet', id),
              input: { ...input, address, contract, decimals, amount: `${amount}` },
            });
            return { id, wallet_id: walletId, asset_id: asset.id, amount: request.body.amount, address };
          },
        });
        return reply.code(202).send(success(result));
      },
    });

    app.route({
      method: 'POST',
      url: '/sandbox/mine',
      schema: {
        tags,
        operationId: 'mine',
        summary: 'Mine blocks',
        description:
          'On the Ethereum and the Bitcoin of the sandbox, where blocks also come by themselves while transactions wait. Only in the sandbox. The slots of Solana pass by themselves.',
        headers: idempotencyHeaders,
        body: mineBody,
        response: { 202: envelopeOf(mining), ...errors(400, 401, 403, 409, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        const { workspaceId } = request.caller.key;
        const { network_id: networkId, blocks } = request.body;
        const id = uuidv7();
        const [wanted] = await Promise.allSettled([minable(networkId)]);
        const { result } = await acceptWrite(dependencies, request, {
          id,
          target: networkId.toLowerCase(),
          make: async (_tx, start) => {
            if (wanted.status === 'rejected') throw wanted.reason;
            const { id: minedId, internalCode: networkCode } = wanted.value;
            const workflowId = workflowIdOf('mineBlocks', id);
            start({ workflow: 'mineBlocks', workflowId, input: { workspaceId, networkCode, blocks } });
            return { id, network_id: minedId, blocks };
          },
        });
        return reply.code(202).send(success(result));
      },
    });
  };
