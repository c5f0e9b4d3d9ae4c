// Routes of balances: of one wallet, of a workspace. From the ledger alone: no node is asked.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../drizzle/database/connection.ts';
import { assertWalletAllowed } from '../authentication/authenticate.ts';
import { errors, success } from '../http/envelope.ts';
import { pageOf, readPage } from '../http/paging.ts';
import { requireWallet } from '../wallets/require-wallet.ts';
import { walletParams } from '../wallets/wallets.schema.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import {
  type BalancePage,
  readBalanceCursor,
  readWalletBalances,
  readWorkspaceBalances,
  writeBalanceCursor,
} from './balance-pages.ts';
import { toBalance } from './balances.response.ts';
import { balance, balancesQuery, walletBalancesQuery } from './balances.schema.ts';

const tags = ['balances'];
const response = { 200: pageOf(balance), ...errors(400, 401, 403, 404, 503) };

export const balanceRoutes =
  ({ db }: { db: Database }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/wallets/:wallet_id/balances',
      schema: {
        tags,
        operationId: 'listWalletBalances',
        summary: 'List the balances of a wallet',
        description: 'Of every asset that the wallet ever held.',
        params: walletParams,
        querystring: walletBalancesQuery,
        response,
      },
      handler: async (request, reply) => {
        const { query } = request;
        const after = readBalanceCursor(request);
        const { id, createdAt } = await requireWallet(db, request.caller.key.workspaceId, request.params.wallet_id);
        const filter = { assetIds: query.asset_id, networkIds: query.network_id };
        const page = await readWalletBalances(db, { walletId: id, createdAt }, filter, {
          after,
          limit: limitOf(query),
        });
        return sendBalances(request, reply, page);
      },
    });

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/balances',
      schema: {
        tags,
        operationId: 'listBalances',
        summary: 'List the balances of a workspace',
        description:
          'Wallet by wallet, the oldest first. A page may be shorter than `limit`, or empty, with another one after it: go on while there is an `X-Next-Cursor`.',
        params: workspaceParams,
        querystring: balancesQuery,
        response,
      },
      handler: async (request, reply) => {
        const { query } = request;
        const { key } = request.caller;
        const after = readBalanceCursor(request);
        for (const walletId of query.wallet_id ?? []) assertWalletAllowed(key, walletId);
        const walletIds = query.wallet_id ?? (key.walletIds.length > 0 ? key.walletIds : undefined);
        const filter = {
          workspaceId: key.workspaceId,
          walletIds,
          assetIds: query.asset_id,
          networkIds: query.network_id,
        };
        return sendBalances(request, reply, await readWorkspaceBalances(db, filter, { after, limit: limitOf(query) }));
      },
    });
  };

const limitOf = ({ limit }: { limit?: number }) => readPage(limit === undefined ? {} : { limit }).limit;

function sendBalances(request: FastifyRequest, reply: FastifyReply, { rows, next }: BalancePage) {
  if (next !== undefined) {
    const cursor = writeBalanceCursor(request, next);
    const url = new URL(request.raw.url ?? '', 'http://service');
    url.searchParams.set('cursor', cursor);
    reply.header('x-next-cursor', cursor).header('link', `<${url.pathname}${url.search}>; rel="next"`);
  }
  return success(rows.map(toBalance));
}
