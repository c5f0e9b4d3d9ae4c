// Whether a wallet may sign now, for whoever accepts an operation of it or an approval.
import type { Transaction } from '../../drizzle/database/connection.ts';
import { findSigner } from '../../drizzle/signing-requests/signing-queries.ts';
import { ApiError, notFound } from '../http/errors.ts';

/**
 * A freeze that commits between this look and our own commit is met by the worker, which looks again before anything is
 * signed.
 */
export async function assertWalletMaySign(tx: Transaction, workspaceId: string, walletId: string): Promise<void> {
  const signer = await findSigner(tx, workspaceId, walletId);
  if (signer === undefined) throw notFound('wallet');
  const { walletStatus, withdrawalsFrozenAt } = signer;
  if (withdrawalsFrozenAt !== null)
    throw new ApiError('withdrawals_frozen', 'Withdrawals and signatures of this workspace are frozen: unfreeze them.');
  if (walletStatus === 'frozen') throw new ApiError('wallet_frozen', 'The wallet is frozen: unfreeze it to sign.');
  if (walletStatus !== 'active')
    throw new ApiError('invalid_state', `The wallet is ${walletStatus}, and only an active wallet signs.`);
}
