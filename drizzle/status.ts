// Every status of every resource and the arrows between them. Imports nothing, so that any layer may read it.
// A status changes only along these arrows, by compare-and-set (see `advance` beside each table); a final status never changes again.

export const signingStatuses = ['pending', 'submitted', 'failed', 'success'] as const;
export type SigningStatus = (typeof signingStatuses)[number];

export const walletStatuses = ['creating', 'active', 'failed', 'frozen', 'archived'] as const;
export type WalletStatus = (typeof walletStatuses)[number];

/** What a caller may read in `status_reason` of a signing operation: the first line while it is open, the second once it failed. */
export const signingStatusReasons = [
  ...(['awaiting_approval', 'queued', 'cluster_not_ready'] as const),
  ...(['policy_denied', 'approval_rejected', 'approval_expired', 'cancelled', 'frozen'] as const),
  ...(['mpc_timeout', 'mpc_error', 'signature_invalid'] as const),
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
export const transactionDirections = ['in', 'out'] as const;
export const transactionMethods = ['transfer', 'contract_call'] as const;
export const walletAssetStatuses = ['pending', 'active', 'disabled'] as const;

/** What a signing operation signs: the content itself where there is one. Only a raw digest is signed blind, and marked so. */
export const payloadKinds = [
  'raw_digest',
  'evm_transaction',
  'evm_message',
  'evm_typed_data',
  'solana_transaction',
] as const;
export type PayloadKind = (typeof payloadKinds)[number];

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

/** Throws when no arrow leads from `from` to `to`: such a move is a programming error, never an outcome. */
export function assertArrow<Status extends string>(arrows: Arrows<Status>, from: Status, to: Status): void {
  if (!arrows[from].includes(to)) throw new Error(`no arrow from status ${from} to ${to}`);
}

export const curves = ['secp256k1', 'ed25519'] as const;
export type Curve = (typeof curves)[number];
