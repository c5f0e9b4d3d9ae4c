// Every status of every resource and the arrows between them. Imports nothing, so that any layer may read it. A status
// changes only along these arrows, by compare-and-set (see `advance` beside each table); a final status never changes
// again.

export const signingStatuses = ['pending', 'submitted', 'failed', 'success'] as const;
export type SigningStatus = (typeof signingStatuses)[number];

/** Of a signing operation, as callers of SDKs poll it. */
export const aliasStatuses = ['pending', 'pending_approval', 'confirmed', 'failed', 'rejected'] as const;

export const walletStatuses = ['creating', 'active', 'failed', 'frozen', 'archived'] as const;
export type WalletStatus = (typeof walletStatuses)[number];

/** What the health of an MPC node says whose disk was set back; a metric goes by it. */
export const diskSetBack = 'its disk was set back to an earlier state: it signs nothing until it is restored';

/**
 * What a caller may read in `status_reason` of a signing operation: the first line while it is open, the second once it
 * failed.
 */
export const signingStatusReasons = [
  'awaiting_approval',
  'queued',
  'cluster_not_ready',
  'policy_denied',
  'approval_rejected',
  'approval_expired',
  'cancelled',
  'frozen',
  'mpc_timeout',
  'mpc_error',
  'signature_invalid',
] as const;
export type SigningStatusReason = (typeof signingStatusReasons)[number];

export const transactionStatuses = [
  'pending',
  'pending_approval',
  'confirmed',
  'completed',
  'failed',
  'rejected',
] as const;
export const withdrawalStatuses = [
  'pending',
  'pending_approval',
  'approved',
  'processing',
  'completed',
  'failed',
  'rejected',
  'cancelled',
] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];
/** Withdrawals that moved nothing and will not. */
export const movedNothing: WithdrawalStatus[] = ['failed', 'rejected', 'cancelled'];

/** Where a withdrawal stands within its status, or what kind of end it had. */
export const withdrawalSubStatuses = [
  'policy_check',
  'queued',
  'awaiting_signature',
  'broadcasting',
  'confirming',
  'stuck',
  'replaced',
  'reorged',
  'insufficient_funds',
  'reverted',
] as const;
export type WithdrawalSubStatus = (typeof withdrawalSubStatuses)[number];

/** What a caller may ask of a withdrawal under way. */
export const replacementKinds = ['speed_up', 'drop'] as const;

/** A transaction of a withdrawal: journaled before it is signed, its bytes stored before they are broadcast. */
export const chainTransactionStatuses = ['built', 'signed', 'broadcast', 'included', 'abandoned'] as const;
export type ChainTransactionStatus = (typeof chainTransactionStatuses)[number];
export const chainTransactionKinds = ['transfer', 'speed_up', 'drop', 'renewal', 'fill'] as const;

export const depositStatuses = ['pending', 'confirmed', 'reorged'] as const;
export type DepositStatus = (typeof depositStatuses)[number];

/**
 * What left a wallet by a transaction that its caller broadcast. `seen`: in a block, and not booked until every node
 * that is asked tells the same. `booked`: gone from the ledger, in a block that may still be taken back.
 */
export const departureStatuses = ['seen', 'booked', 'final', 'reorged'] as const;
export type DepartureStatus = (typeof departureStatuses)[number];

/**
 * Of a signed transaction that its caller broadcasts. `open`: it may land. `landed`: what it moved is booked.
 * `released`: it can land no more.
 */
export const landingStatuses = ['open', 'landed', 'released'] as const;

export const approvalSubjects = ['withdrawal', 'signing_request', 'policy', 'address', 'authority_change'] as const;
export const approvalRoundStatuses = ['pending', 'approved', 'rejected', 'expired', 'cancelled'] as const;
export type ApprovalRoundStatus = (typeof approvalRoundStatuses)[number];
export const approvalStatuses = ['pending', 'approved', 'rejected'] as const;
export const policyStatuses = ['pending', 'active', 'superseded', 'rejected'] as const;
export const addressStatuses = ['pending', 'active'] as const;
export const userStatuses = ['active', 'disabled'] as const;
export const authorityChangeKinds = [
  'create_user',
  'enable_user',
  'create_api_key',
  'rotate_api_key',
  'change_api_key',
  'give_roles',
  'enrol_passkey',
  'unfreeze_withdrawals',
  'unfreeze_wallet',
] as const;
export const authorityChangeStatuses = ['pending', 'approved', 'rejected'] as const;

/**
 * `signed_elsewhere`: with a key of ours, by no operation of ours. The others need no signature of the wallet: by whom
 * it approved, or by code that it runs.
 */
export const outflowKinds = ['signed_elsewhere', 'token_moved_by_other', 'native_moved_by_other'] as const;
export type OutflowKind = (typeof outflowKinds)[number];

export const ledgerAccountKinds = ['available', 'held', 'pending_in', 'outside'] as const;
export type LedgerAccountKind = (typeof ledgerAccountKinds)[number];

export const transactionDirections = ['in', 'out'] as const;
export const transactionMethods = ['transfer', 'contract_call'] as const;
export const walletAssetStatuses = ['pending', 'active', 'disabled'] as const;

/**
 * What a signing operation signs: the content itself where there is one. Only a raw digest is signed blind, and marked
 * so.
 */
export const payloadKinds = [
  'raw_digest',
  'evm_transaction',
  'evm_message',
  'evm_typed_data',
  'solana_transaction',
  'bitcoin_input',
  'solana_message',
] as const;
export type PayloadKind = (typeof payloadKinds)[number];

/** What a transaction is found to do: `transfer` moves an amount and does nothing else. */
export const callKinds = ['transfer', 'dangerous', 'unknown'] as const;
export type CallKind = (typeof callKinds)[number];

/** Of an export: `running` from when a worker has a snapshot to write. */
export const exportStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type ExportStatus = (typeof exportStatuses)[number];

type Arrows<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

export const signingArrows: Arrows<SigningStatus> = {
  pending: ['submitted', 'failed'],
  submitted: ['success', 'failed'],
  failed: [],
  success: [],
};

export const walletArrows: Arrows<WalletStatus> = {
  creating: ['active', 'failed'],
  active: ['frozen', 'archived'],
  frozen: ['active', 'archived'],
  failed: [],
  archived: [],
};

export const withdrawalArrows: Arrows<WithdrawalStatus> = {
  pending: ['pending_approval', 'approved', 'failed', 'cancelled'],
  pending_approval: ['approved', 'rejected', 'cancelled', 'failed'],
  approved: ['processing', 'cancelled', 'failed'],
  processing: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  rejected: [],
  cancelled: [],
};

export const exportArrows: Arrows<ExportStatus> = {
  pending: ['running', 'failed', 'cancelled'],
  running: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
};

export const chainTransactionArrows: Arrows<ChainTransactionStatus> = {
  built: ['signed', 'abandoned'],
  signed: ['broadcast', 'included', 'abandoned'],
  broadcast: ['included', 'abandoned'],
  // A reorg takes it off the chain again.
  included: ['broadcast', 'abandoned'],
  abandoned: [],
};

/** A deposit whose transaction left the chain comes back when it is mined again. */
export const depositArrows: Arrows<DepositStatus> = {
  pending: ['confirmed', 'reorged'],
  confirmed: ['reorged'],
  reorged: ['pending'],
};

/** The ledger has what is `booked` or `final`. What a reorganisation took comes back when it is mined again. */
export const departureArrows: Arrows<DepartureStatus> = {
  seen: ['booked', 'reorged'],
  booked: ['final', 'reorged'],
  final: ['reorged'],
  reorged: ['seen'],
};

export const approvalRoundArrows: Arrows<ApprovalRoundStatus> = {
  pending: ['approved', 'rejected', 'expired', 'cancelled'],
  approved: [],
  rejected: [],
  expired: [],
  cancelled: [],
};

/** Nothing follows a final status. */
export const isFinal = <Status extends string>(arrows: Arrows<Status>, status: Status): boolean =>
  arrows[status].length === 0;

/** In the order of the arrows. */
const statusesThat = <Status extends string>(arrows: Arrows<Status>, holds: (status: Status) => boolean): Status[] =>
  (Object.keys(arrows) as Status[]).filter(holds);

const openOf = <Status extends string>(arrows: Arrows<Status>) =>
  statusesThat(arrows, (status) => !isFinal(arrows, status));

export const openSigningStatuses: readonly SigningStatus[] = openOf(signingArrows);
export const openWithdrawalStatuses: readonly WithdrawalStatus[] = openOf(withdrawalArrows);
export const openExportStatuses: readonly ExportStatus[] = openOf(exportArrows);
/** Of wallets that were not given up: their keys may be at the nodes. */
export const openWalletStatuses: readonly WalletStatus[] = openOf(walletArrows);

/** Of withdrawals of which nobody has decided yet whether they may be carried out. */
export const undecidedWithdrawalStatuses: readonly WithdrawalStatus[] = statusesThat(withdrawalArrows, (status) =>
  withdrawalArrows[status].includes('approved'),
);

/** Throws when no arrow leads from `from` to `to`: such a move is a programming error, never an outcome. */
export function assertArrow<Status extends string>(arrows: Arrows<Status>, from: Status, to: Status): void {
  if (!arrows[from].includes(to)) throw new Error(`no arrow from status ${from} to ${to}`);
}

export const curves = ['secp256k1', 'ed25519'] as const;
export type Curve = (typeof curves)[number];
