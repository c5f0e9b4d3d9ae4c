// From the query of a request to which transactions it means, within what the key reaches.
import type { FastifyRequest } from 'fastify';
import type { TransactionFilter } from '../../drizzle/transactions/transactions.ts';
import { assertWalletAllowed } from '../authentication/authenticate.ts';
import type { FilterQuery } from './transactions.schema.ts';

export function readFilter({ caller: { key } }: FastifyRequest, query: FilterQuery): TransactionFilter {
  for (const walletId of query.wallet_id ?? []) assertWalletAllowed(key, walletId);
  const bound = key.walletIds.length > 0 ? key.walletIds : undefined;
  return {
    workspaceId: key.workspaceId,
    walletIds: query.wallet_id ?? bound,
    assetIds: query.asset_id,
    networkIds: query.network_id,
    directions: query.direction,
    methods: query.method,
    statuses: query.status,
    txHashes: query.tx_hash,
    addresses: query.address,
  };
}
