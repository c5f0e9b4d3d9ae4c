// How the worker ends an operation that pays and signs nothing: the move and its entry in the audit log in one
// transaction, so that nothing that has ended is taken up again. What people end has the entry of their request
// (src/writes/accept-write.ts).

import type { SigningStatus } from '../../domain/statuses.ts';
import { recordInactive } from '../audit/inactive-rows.ts';
import type { Transaction } from '../database/connection.ts';
import type { Seals } from '../seals/seals.ts';
import { readSigningRequest } from '../signing-requests/signing-queries.ts';
import { advanceSigningRequest, type SigningOutcomeFields } from '../signing-requests/signing-steps.ts';
import type { WithdrawalFields } from '../withdrawals/withdrawal-steps.ts';
import type { WithdrawalRow } from '../withdrawals/withdrawals.ts';

/** From `from` to failed, by compare-and-set. False when it no longer stood there. */
export async function endSigningRequest(
  tx: Transaction,
  seals: Seals,
  id: string,
  { from, fields }: { from: SigningStatus; fields: SigningOutcomeFields },
): Promise<boolean> {
  if (!(await advanceSigningRequest(tx, id, { from, to: 'failed', fields }))) return false;
  const row = await readSigningRequest(tx, id);
  if (row === undefined) throw new Error('an operation that was moved is not there');
  const { statusReason: status_reason, errorCode: error_code, errorReason: error_reason } = row;
  await recordInactive(
    tx,
    seals,
    { ...row, kind: 'signing_request' },
    { status: 'failed', status_reason, error_code, error_reason },
  );
  return true;
}

/** To be called once a withdrawal was moved to failed, in that transaction. */
export async function recordEnd(
  tx: Transaction,
  seals: Seals,
  row: WithdrawalRow,
  { errorCode = null, errorReason = null }: WithdrawalFields,
): Promise<void> {
  const after = { status: 'failed', error_code: errorCode, error_reason: errorReason };
  await recordInactive(tx, seals, { ...row, kind: 'withdrawal' }, after);
}
