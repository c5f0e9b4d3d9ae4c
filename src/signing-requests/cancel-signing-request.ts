// Withdraws a signing operation that nothing has been done for yet. Its workflow finds the row closed and ends.
import type { FastifyRequest } from 'fastify';
import type { Database, Transaction } from '../../drizzle/database.ts';
import { advanceSigningRequest, findSigningRequest, type SigningRequestRow } from '../../drizzle/signing-requests.ts';
import type { UsableKey } from '../api-keys/key-ring.ts';
import { acceptWrite, type WriteDependencies } from '../http/accept-write.ts';
import { assertWalletAllowed } from '../http/authenticate.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { toSigningRequest } from './signing-requests.response.ts';

const cancelled = {
  statusReason: 'cancelled',
  errorCode: 'cancelled',
  errorReason: 'a caller cancelled it before anything was signed',
} as const;

export async function cancelSigningRequest(
  dependencies: WriteDependencies,
  request: FastifyRequest,
  id: string,
): Promise<ReturnType<typeof toSigningRequest>> {
  const { key } = request.caller;
  // Before everything, so that a repeat is answered to nobody who may not see the operation.
  await requireReachable(dependencies.db, key, id);
  const { result } = await acceptWrite(dependencies, request, {
    id,
    target: id,
    insert: async (tx) => {
      await advanceSigningRequest(tx, id, 'pending', 'failed', cancelled);
      const row = await requireReachable(tx, key, id);
      if (row.statusReason === cancelled.statusReason) return toSigningRequest(row);
      throw new ApiError('invalid_state', `The operation is ${row.status}: only one that is pending can be cancelled.`);
    },
  });
  return result;
}

async function requireReachable(tx: Database | Transaction, key: UsableKey, id: string): Promise<SigningRequestRow> {
  const row = await findSigningRequest(tx, key.workspaceId, id);
  if (row === undefined) throw notFound('signing request');
  assertWalletAllowed(key, row.walletId);
  return row;
}
