// From a row to what the wire shows of it.
import type { EventData } from '../../domain/events/event-data.ts';
import { aliasStatusOf } from '../../domain/signing/alias-status.ts';
import { workflowIdOfRow } from '../../domain/workflow-ids.ts';
import type { SigningRequestView } from '../../drizzle/signing-requests/signing-approvals.ts';
import type { SigningRequestRow } from '../../drizzle/signing-requests/signing-requests.ts';
import type { RecordedSigning } from '../../drizzle/signing-requests/signing-steps.ts';
import { toApproval, toVotes } from '../approvals/approvals.response.ts';
import { SHOWN_BYTES_MAX } from '../decoding/shown-bytes.ts';
import { present } from '../http/envelope.ts';
import type { SignedPayload } from './payload.schema.ts';
import type { ItemResult } from './request-batch.ts';
import { type PayloadSources, payloadOfRow } from './shown-payload.ts';

/** What the record and events say of it. */
const fieldsOf = (row: RecordedSigning) => ({
  id: row.id,
  signing_id: row.id,
  operation_type: row.operationType,
  wallet_id: row.walletId,
  network_internal_code: row.networkInternalCode,
  key_type: row.keyType,
  payload_kind: row.payloadKind,
  ...present('external_id', row.externalId),
  signing_hash: row.signingHash,
  derivation_path: row.derivationPath,
  status: row.status,
  ...present('status_reason', row.statusReason),
  ...present('mpc_correlation_id', row.mpcCorrelationId),
  ...present('error_code', row.errorCode),
  ...present('error_reason', row.errorReason),
  ...present('reason', row.reason),
  ...present('signature', row.signature),
  ...present('public_key', row.publicKey),
  ...present('address', row.address),
  ...present('signed_by_nodes', row.signedByNodes),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  ...present('completed_at', row.completedAt?.toISOString() ?? null),
});

/** `payload`: of one that is to be approved, as it was shown when that was asked for (shown-payload.ts). */
export const toSigningEventData = (row: RecordedSigning & { payload: EventData | null }) => ({
  ...fieldsOf(row),
  ...present('withdrawal_id', row.withdrawalId),
  ...present('payload', row.payload as SignedPayload | null),
  workspace_id: row.workspaceId,
});

export function toSigningRequest(row: SigningRequestView, payload?: SignedPayload) {
  return {
    ...fieldsOf(row),
    withdrawal_id: row.withdrawalId,
    ...present('workflow_id', workflowIdOf(row)),
    ...present('payload', payload ?? null),
    ...present('may_be_signed', row.status === 'failed' ? mayBeSigned(row) : null),
    ...present('approval', row.approval === undefined ? null : toApproval(row.approval)),
  };
}

/**
 * A group ends its members by a signature alone, and what has failed had a workflow of its own. The signature for a
 * withdrawal may be made by the withdrawal's workflow, and otherwise nothing is said.
 */
function workflowIdOf(row: SigningRequestRow): string | null {
  if (row.withdrawalId !== null) return row.groupWorkflowId;
  const own = workflowIdOfRow(row);
  return row.status === 'failed' ? own : (row.groupWorkflowId ?? own);
}

/**
 * As drizzle/signing-requests/signing-attempts.ts has it: who never says how an attempt ended is taken for one that may
 * have.
 */
const mayBeSigned = (row: SigningRequestRow) => row.mayBeSigned || row.attemptsOpen.length > 0;

export function toSignAnswer(sources: PayloadSources, row: SigningRequestView, created: boolean) {
  const payload = payloadOfRow(sources, row, SHOWN_BYTES_MAX);
  return { created, transaction_id: row.id, signing_request: toSigningRequest(row, payload) };
}

export function toBatchAnswer(sources: PayloadSources, results: readonly ItemResult[], created: boolean) {
  return {
    results: results.map((result) => ('id' in result ? toSignAnswer(sources, result, created) : { error: result })),
  };
}

export function toAliasView(row: SigningRequestView) {
  return {
    transaction_id: row.id,
    status: aliasStatusOf(row),
    signature: row.signature,
    approvals: toVotes(row.approval),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
