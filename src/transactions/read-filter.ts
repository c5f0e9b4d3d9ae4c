// From the query of a request to which transactions it means, within what the key reaches.
import type { FastifyRequest } from 'fastify';
import type { Database } from '../../drizzle/database/connection.ts';
import { listOperationIds } from '../../drizzle/operations/named-operations.ts';
import type { TransactionFilter } from '../../drizzle/transactions/transactions.ts';
import { assertWalletAllowed } from '../authentication/authenticate.ts';
import { namesIn } from '../http/external-id.schema.ts';
import type { FilterQuery } from './transactions.schema.ts';

export async function readFilter(
  db: Database,
  { caller: { key } }: FastifyRequest,
  query: FilterQuery,
): Promise<TransactionFilter> {
  for (const walletId of query.wallet_id ?? []) assertWalletAllowed(key, walletId);
  const names = namesIn(query.external_id);
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
    transactionIds: names && (await listOperationIds(db, key.workspaceId, names)),
  };
}
