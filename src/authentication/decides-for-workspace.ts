// What is decided for a whole workspace is not for a key that is bound to some of its wallets.
import { ApiError } from '../http/errors.ts';
import type { UsableKey } from './key-ring.ts';

export function assertDecidesForWorkspace({ walletIds }: UsableKey): void {
  if (walletIds.length > 0)
    throw new ApiError('wallet_not_allowed', 'This key is bound to wallets and cannot decide for the workspace.');
}
