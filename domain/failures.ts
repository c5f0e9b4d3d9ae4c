// Every code by which the service says that something failed, once: the errors of the API, and the failures that
// operations end with. docs/failures.md is made of it. A sentence has no capital and no full stop, so that it can go
// on after "Not signed: "; where more is known, the row says that in its place.
import type { SigningStatusReason } from './statuses.ts';

/** What a request is refused with, by code. */
export const apiErrors = {
  invalid_request: { status: 400, sentence: 'the request is wrong, whatever is stored' },
  invalid_signing_hash: { status: 400, sentence: 'the hash is not 32 bytes in hex' },
  conflicting_aliases: { status: 400, sentence: 'two names of one field have different values' },
  hardened_derivation: { status: 400, sentence: 'a step of the path is hardened, which no cluster can derive' },
  invalid_address: { status: 400, sentence: 'the address is none of that network' },
  invalid_cursor: {
    status: 400,
    sentence: 'the cursor is none of this list, or what comes after `after_seq` is no longer kept',
  },
  unauthorized: { status: 401, sentence: 'the request is not authenticated: one answer for every cause' },
  insufficient_scope: { status: 403, sentence: 'the key does not have the scope' },
  wallet_not_allowed: { status: 403, sentence: 'the key is bound to other wallets' },
  ip_not_allowed: { status: 403, sentence: 'the key is not used from this address' },
  policy_denied: { status: 403, sentence: 'the policy of the workspace denies it' },
  not_found: { status: 404, sentence: 'there is no such thing in this workspace' },
  method_not_allowed: { status: 405, sentence: 'the path has no such method' },
  idempotency_key_reused: { status: 409, sentence: 'the idempotency key belongs to another request' },
  request_replayed: { status: 409, sentence: 'an equal request was accepted with the same signature' },
  external_id_taken: { status: 409, sentence: 'another operation of the workspace has this `external_id`' },
  invalid_state: { status: 409, sentence: 'it collides with what is stored' },
  insufficient_funds: { status: 409, sentence: 'less is available than is asked for' },
  payload_too_large: { status: 413, sentence: 'the body is larger than 1 MiB' },
  unsupported_media_type: { status: 415, sentence: 'the body is not JSON' },
  wallet_frozen: { status: 423, sentence: 'the wallet is frozen' },
  withdrawals_frozen: { status: 423, sentence: 'the workspace is frozen' },
  rate_limited: { status: 429, sentence: 'the key, or its workspace, has as much as it may have for now' },
  internal_error: { status: 500, sentence: 'an unexpected error' },
  route_disabled: { status: 503, sentence: 'an operator has switched the route off' },
  mpc_unavailable: { status: 503, sentence: 'too few nodes to sign are up' },
  dependency_unavailable: { status: 503, sentence: 'what it needs cannot be reached now' },
} as const;

export type ApiErrorCode = keyof typeof apiErrors;

interface Failure {
  /** What a failed signing operation says of it in `status_reason`; a cluster's failure when absent. */
  statusReason?: SigningStatusReason;
  /** Whether the same may go well later although nobody has changed what is asked. */
  retryHelps: boolean;
  sentence: string;
}

/** What the cluster fails with, and by that whether an activity tries again. */
export const clusterFailures = {
  cluster_not_ready: { retryHelps: true, sentence: 'too few nodes are reachable or able to serve the key' },
  cluster_busy: { retryHelps: true, sentence: 'the nodes or the worker are at a limit that has room again later' },
  mpc_error: {
    retryHelps: true,
    sentence: 'the nodes ended without a result, or answered what the protocol does not allow',
  },
  aborted: { retryHelps: true, sentence: 'the worker withdrew the call; a signature may have been made nevertheless' },
  invalid_request: {
    retryHelps: false,
    sentence: 'it breaks a rule that is checked before anything is sent to a node',
  },
  mpc_refused: { retryHelps: false, sentence: 'the nodes refuse the command' },
  policy_refused: {
    statusReason: 'policy_denied',
    retryHelps: false,
    sentence: 'the own policy of the nodes forbids it',
  },
  approver_refused: {
    statusReason: 'policy_denied',
    retryHelps: false,
    sentence: 'who signs each command besides the worker does not sign this one',
  },
  counterparty_banned: {
    retryHelps: false,
    sentence: 'every quorum of the key has a pair of nodes that never sign together again: an operator has to act',
  },
  signature_invalid: {
    statusReason: 'signature_invalid',
    retryHelps: true,
    sentence: 'the signature does not verify against the key of the wallet',
  },
} as const satisfies Record<string, Failure>;

/** What the chains and their nodes fail with, and how a transaction ends that was not carried out. */
const chainFailures = {
  insufficient_funds: { retryHelps: true, sentence: 'the wallet lacks the amount or the fee' },
  dependency_unavailable: { retryHelps: true, sentence: 'the node of the network did not answer in time' },
  impossible_transfer: { retryHelps: false, sentence: 'no transaction can do this' },
  fee_above_limit: { retryHelps: true, sentence: 'the fee is above what may be paid for it' },
  coins_taken: { retryHelps: true, sentence: 'another withdrawal has taken the coins' },
  nonce_taken: { retryHelps: false, sentence: 'the nonce that was asked for is not the next one' },
  nonce_unreachable: { retryHelps: true, sentence: 'an operator has given back a nonce that nothing could use' },
  abandoned: { retryHelps: true, sentence: 'the transaction was given up before it was sent' },
  not_due: { retryHelps: false, sentence: 'neither its rows nor its own workflow ask for it' },
  reverted: { retryHelps: false, sentence: 'the chain executed it and it failed: only the fee was paid' },
  replaced_elsewhere: { retryHelps: true, sentence: 'another transaction has its nonce or its coins' },
  dropped: { retryHelps: true, sentence: 'a transaction that moves nothing took its place, as was asked' },
} as const satisfies Record<string, Failure>;

/** What keeps an export from being written. */
const exportFailures = {
  export_store_unavailable: {
    retryHelps: true,
    sentence: 'the place where the files of exports are kept is not there now, or cannot be written to',
  },
  export_store_refused: {
    retryHelps: false,
    sentence: 'the store of the files of exports refuses what is asked of it: its operator has to see to the bucket',
  },
  export_store_full: { retryHelps: true, sentence: 'there is no room left where the files of exports are kept' },
  export_too_large: {
    retryHelps: false,
    sentence: 'there are more rows than a file of this format can have: ask for a shorter time, or for another format',
  },
  export_too_slow: { retryHelps: true, sentence: 'the file was not written within the time that it may take' },
} as const satisfies Record<string, Failure>;

/** What people and their rules end, and what the service itself does. */
const ownFailures = {
  policy_denied: { statusReason: 'policy_denied', retryHelps: false, sentence: 'a policy forbids it' },
  approval_void: {
    statusReason: 'policy_denied',
    retryHelps: false,
    sentence: 'what is stored is not what was approved',
  },
  approval_rejected: { statusReason: 'approval_rejected', retryHelps: false, sentence: 'an approver rejected it' },
  approval_expired: { statusReason: 'approval_expired', retryHelps: true, sentence: 'it was not approved in time' },
  cancelled: { statusReason: 'cancelled', retryHelps: true, sentence: 'an operator cancelled it' },
  frozen: { statusReason: 'frozen', retryHelps: true, sentence: 'the wallet or the workspace is frozen' },
  row_not_sealed: { retryHelps: false, sentence: 'a row was not written by this service, or was changed since' },
  not_found: { retryHelps: false, sentence: 'what it is about does not exist' },
  invalid_state: { retryHelps: false, sentence: 'what it is about does not allow it' },
  started_too_late: {
    retryHelps: true,
    sentence: 'it was not started within 23 hours of being accepted, and nothing is done about what is that old',
  },
  workspace_busy: { retryHelps: true, sentence: 'its workspace has many of the same kind under way' },
  mpc_timeout: { statusReason: 'mpc_timeout', retryHelps: true, sentence: 'the cluster did not answer in time' },
  internal_error: { retryHelps: true, sentence: 'an unexpected error ended it; the log of the worker says which' },
} as const satisfies Record<string, Failure>;

/** What an operation ends with whose workflow can no longer end it. */
export const lostWorkflowFailures = {
  workflow_terminated: {
    statusReason: 'cancelled',
    retryHelps: true,
    sentence: 'an operator terminated its workflow',
  },
  workflow_cancelled: { statusReason: 'cancelled', retryHelps: true, sentence: 'an operator cancelled its workflow' },
  workflow_failed: { retryHelps: true, sentence: 'its workflow failed' },
  workflow_timed_out: { retryHelps: true, sentence: 'its workflow timed out' },
  workflow_completed: { retryHelps: true, sentence: 'its workflow ended without a result' },
  workflow_not_found: { retryHelps: true, sentence: 'its workflow is gone' },
} as const satisfies Record<string, Failure>;

/** What `error_code` of an operation may be. */
export const failures = {
  ...clusterFailures,
  ...chainFailures,
  ...exportFailures,
  ...ownFailures,
  ...lostWorkflowFailures,
};

export type FailureCode = keyof typeof failures;

export const isFailureCode = (code: string | null | undefined): code is FailureCode =>
  typeof code === 'string' && Object.hasOwn(failures, code);

/** As a failed signing operation says it. `timedOut`: it could have been tried again, and its time ran out. */
export function statusReasonOf(code: FailureCode, timedOut = false): SigningStatusReason {
  const { statusReason }: Failure = failures[code];
  return statusReason ?? (timedOut ? 'mpc_timeout' : 'mpc_error');
}

export interface FailedSigning {
  statusReason: SigningStatusReason;
  errorCode: FailureCode;
  errorReason: string;
}

/** What the row of a signing operation says of its end. */
export const failedSigning = (code: FailureCode, errorReason: string = failures[code].sentence): FailedSigning => ({
  statusReason: statusReasonOf(code),
  errorCode: code,
  errorReason,
});
