// A signing operation as what is approved: approved its workflow goes on, rejected it ends.

import { failedSigning } from '../../domain/failures.ts';
import { nextSealedVersion } from '../../drizzle/audit/inactive-rows.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import {
  lockSigningRequest,
  releaseSigningRequest,
  type SigningRequestView,
  viewSigningRequest,
} from '../../drizzle/signing-requests/signing-approvals.ts';
import { findSigningRequest } from '../../drizzle/signing-requests/signing-queries.ts';
import type { SigningRequestRow } from '../../drizzle/signing-requests/signing-requests.ts';
import { advanceSigningRequest } from '../../drizzle/signing-requests/signing-steps.ts';
import { signingDigest } from '../../drizzle/votes/approved-content.ts';
import { assertWalletAllowed } from '../authentication/authenticate.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import { notFound } from '../http/errors.ts';
import { toSigningRequest } from '../signing-requests/signing-requests.response.ts';
import { wakeSigning } from '../signing-requests/signing-task.ts';
import { assertWalletMaySign } from '../wallets/assert-can-sign.ts';
import type { ApprovalSubject } from './record-vote.ts';

type Shown = ReturnType<typeof toSigningRequest>;

const rejected = failedSigning('approval_rejected');

export function signingSubject(key: UsableKey, id: string): ApprovalSubject<SigningRequestRow, Shown> {
  return {
    find: async (tx) => requireReachable(key, await findSigningRequest(tx, key.workspaceId, id)),
    lock: async (tx) => requireReachable(key, await lockSigningRequest(tx, id)),
    idOf: (row) => row.id,
    digestOf: signingDigest,
    assertMayGo: (tx, row) => assertWalletMaySign(tx, row.workspaceId, row.walletId),
    approve: async (tx, row, { start }) => {
      if (!(await releaseSigningRequest(tx, id))) throw new Error('an operation that waits for approval has moved');
      start(wakeSigning(await view(tx, row)));
    },
    reject: async (tx, row, { start, sealing }, reason) => {
      const fields = { ...rejected, reason };
      if (await advanceSigningRequest(tx, id, { from: 'pending', to: 'failed', fields }))
        sealing.note(await nextSealedVersion(tx, sealing.seals, { ...row, kind: 'signing_request' }));
      start(wakeSigning(await view(tx, row), { ended: true }));
    },
    show: async (tx, row) => toSigningRequest(await view(tx, row)),
  };
}

function requireReachable(key: UsableKey, row: SigningRequestRow | undefined): SigningRequestRow {
  if (row === undefined || row.workspaceId !== key.workspaceId) throw notFound('signing request');
  assertWalletAllowed(key, row.walletId);
  return row;
}

async function view(tx: Transaction, { workspaceId, id }: SigningRequestRow): Promise<SigningRequestView> {
  const found = await viewSigningRequest(tx, workspaceId, id);
  if (found === undefined) throw new Error('an operation that is locked is not there');
  return found;
}
