// Withdraws a signing operation that nothing has been done for yet. Its workflow is told, finds the row closed and
// ends.
import type { FastifyRequest } from 'fastify';
import { failedSigning } from '../../domain/failures.ts';
import { closeApprovalRound } from '../../drizzle/approvals/approvals.ts';
import { nextSealedVersion } from '../../drizzle/audit/inactive-rows.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { type SigningRequestView, viewSigningRequest } from '../../drizzle/signing-requests/signing-approvals.ts';
import { advanceSigningRequest } from '../../drizzle/signing-requests/signing-steps.ts';
import { assertWalletAllowed } from '../authentication/authenticate.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { toSigningRequest } from './signing-requests.response.ts';
import { wakeSigning } from './signing-task.ts';

const cancelled = failedSigning('cancelled', 'a caller cancelled it before anything was signed');

export async function cancelSigningRequest(
  dependencies: WriteDependencies,
  request: FastifyRequest,
  id: string,
  reason: string | null,
): Promise<ReturnType<typeof toSigningRequest>> {
  const { key } = request.caller;
  const { result } = await acceptWrite(dependencies, request, {
    id,
    target: id,
    admit: (tx) => requireReachable(tx, key, id),
    make: async (tx, start, note) => {
      const before = await requireReachable(tx, key, id);
      note({ before: toSigningRequest(before), walletId: before.walletId });
      const fields = { ...cancelled, reason };
      const isCancelled = await advanceSigningRequest(tx, id, { from: 'pending', to: 'failed', fields });
      if (isCancelled)
        note({ sealed: [await nextSealedVersion(tx, dependencies.seals, { ...before, kind: 'signing_request' })] });
      if (isCancelled) await closeApprovalRound(tx, id, 'cancelled');
      const row = await requireReachable(tx, key, id);
      if (isCancelled) start(wakeSigning(row, { ended: true }));
      if (isCancelled || row.statusReason === cancelled.statusReason) return toSigningRequest(row);
      throw new ApiError('invalid_state', `The operation is ${row.status}: only one that is pending can be cancelled.`);
    },
  });
  return result;
}

async function requireReachable(tx: Transaction, key: UsableKey, id: string): Promise<SigningRequestView> {
  const row = await viewSigningRequest(tx, key.workspaceId, id);
  if (row === undefined) throw notFound('signing request');
  assertWalletAllowed(key, row.walletId);
  return row;
}
