// What a caller is told whose name for an operation is taken: by which one, so that he who lost an answer finds it.
import { ApiError } from './errors.ts';

/**
 * That the name is taken is told to every key of the workspace, since nothing is stored. By what, only to one that
 * reaches the wallet.
 */
export function externalIdTaken(
  { walletIds }: { walletIds: readonly string[] },
  what: 'withdrawal' | 'signing request' | 'wallet',
  externalId: string,
  holder: { id: string; walletId: string } | undefined,
): ApiError {
  const isShown = holder !== undefined && (walletIds.length === 0 || walletIds.includes(holder.walletId));
  return new ApiError(
    'external_id_taken',
    isShown
      ? `external_id ${externalId} is taken by the ${what} ${holder.id}: read that one, or send another external_id.`
      : `external_id ${externalId} is taken in this workspace: send another external_id.`,
  );
}
