// What a signing operation is called where SDK callers follow it: beside transactions, in their words.
import type { aliasStatuses, SigningStatus, SigningStatusReason } from '../statuses.ts';

type AliasStatus = (typeof aliasStatuses)[number];

export function aliasStatusOf({
  status,
  statusReason,
}: {
  status: SigningStatus;
  statusReason: SigningStatusReason | null;
}): AliasStatus {
  if (status === 'success') return 'confirmed';
  if (status === 'failed') return statusReason === 'approval_rejected' ? 'rejected' : 'failed';
  return statusReason === 'awaiting_approval' ? 'pending_approval' : 'pending';
}
