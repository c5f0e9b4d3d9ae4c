// Unfreezes a wallet: at once, or as a change that another user approves. What left it by no operation of ours is for
// an operator to explain first.
import { v7 as uuidv7 } from 'uuid';
import type { NeededApprovals } from '../../domain/policies/policy-document.ts';
import { nextSealedVersion, recordActiveAgain } from '../../drizzle/audit/inactive-rows.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { hasUnresolvedOutflow } from '../../drizzle/outflows/outflows.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import type { AuthorityChangeRow } from '../../drizzle/users/authority-changes.ts';
import { findWallet, lockWallet } from '../../drizzle/wallets/wallet-queries.ts';
import { advanceWallet } from '../../drizzle/wallets/wallet-steps.ts';
import type { WalletRow } from '../../drizzle/wallets/wallets.ts';
import { type ShownChange, showChange } from '../authority-changes/authority-changes.response.ts';
import { requestChange } from '../authority-changes/request-change.ts';
import { ApiError } from '../http/errors.ts';
import { requireFound } from './require-wallet.ts';
import { toWalletFields } from './wallets.response.ts';

export async function assertMayUnfreeze(tx: Transaction, walletId: string): Promise<void> {
  if (await hasUnresolvedOutflow(tx, walletId))
    throw new ApiError(
      'invalid_state',
      'Something left the wallet that this service did not send: an operator resolves it with `npm run outflows` before the wallet can be unfrozen.',
    );
}

/** Which freeze it is: the next one has another number. */
const versionOf = async (tx: Transaction, seals: Seals, wallet: WalletRow): Promise<number> =>
  (await nextSealedVersion(tx, seals, { ...wallet, kind: 'wallet' })).version;

/** Of a wallet that is frozen and locked, as its workspace is. */
export async function askToUnfreezeWallet(
  tx: Transaction,
  { seals, needed }: { seals: Seals; needed: NeededApprovals },
  wallet: WalletRow,
  { userId, reason }: { userId: string; reason: string | null },
): Promise<ShownChange> {
  const { id: targetId, workspaceId } = wallet;
  await assertMayUnfreeze(tx, targetId);
  const details = { freeze_version: await versionOf(tx, seals, wallet), ...(reason === null ? {} : { reason }) };
  const about = { id: uuidv7(), workspaceId, kind: 'unfreeze_wallet', targetId, userId } as const;
  return showChange(tx, await requestChange(tx, seals, needed, { ...about, details, createdBy: userId }));
}

/** Does what was approved, to the freeze of which it was asked, with an entry in the audit log that is the wallet's. */
export async function unfreezeWallet(
  tx: Transaction,
  seals: Seals,
  { workspaceId, targetId, details }: Pick<AuthorityChangeRow, 'workspaceId' | 'targetId' | 'details'>,
): Promise<WalletRow> {
  const wallet = requireFound(await lockWallet(tx, workspaceId, targetId, 'no key update'));
  const isAsked = (await versionOf(tx, seals, wallet)) === details.freeze_version;
  if (wallet.status !== 'frozen' || !isAsked)
    throw new ApiError(
      'invalid_state',
      'The wallet is not frozen as it was when this was asked for: reject it, and ask for it again.',
    );
  await assertMayUnfreeze(tx, targetId);
  const fields = { reason: details.reason ?? null };
  if (!(await advanceWallet(tx, targetId, { from: 'frozen', to: 'active', fields })))
    throw new Error('a wallet that was locked has moved');
  const after = requireFound(await findWallet(tx, workspaceId, targetId));
  const reference = { kind: 'wallet', workspaceId, walletId: targetId, id: targetId } as const;
  await recordActiveAgain(tx, seals, reference, { before: toWalletFields(wallet), after: toWalletFields(after) });
  return after;
}
