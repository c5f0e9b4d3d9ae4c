// Every type of event that callers hear of, by webhook or in the feed. Imports nothing, so that any layer may read it.
export const eventTypes = [
  ...(['wallet.created', 'wallet.creation_failed', 'wallet.frozen', 'wallet.unfrozen'] as const),
  ...(['deposit.pending', 'deposit.confirmed', 'deposit.reorged'] as const),
  ...(['withdrawal.created', 'withdrawal.pending_approval', 'withdrawal.approved', 'withdrawal.rejected'] as const),
  ...(['withdrawal.processing', 'withdrawal.broadcast', 'withdrawal.replaced'] as const),
  ...(['withdrawal.completed', 'withdrawal.failed', 'withdrawal.cancelled'] as const),
  ...(['signing.pending_approval', 'signing.submitted', 'signing.success', 'signing.failed'] as const),
  ...(['workspace.withdrawals_frozen', 'workspace.withdrawals_unfrozen'] as const),
  ...(['api_key.created', 'api_key.revoked', 'webhook.ping', 'webhook.disabled'] as const),
] as const;

export type EventType = (typeof eventTypes)[number];
