// Unfreezes the withdrawals of a workspace, or one of its wallets, at an operator's word: for who has nobody else to
// approve it. It says so in the audit log.

import { insertOperatorEntry, toKeptText } from '../../drizzle/audit/audit-entries.ts';
import { nextSealedVersion } from '../../drizzle/audit/inactive-rows.ts';
import { toSealedText } from '../../drizzle/audit/sealed-versions.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import { hasUnresolvedOutflow } from '../../drizzle/outflows/outflows.ts';
import type { SealedVersion, Seals } from '../../drizzle/seals/seals.ts';
import { lockWallet } from '../../drizzle/wallets/wallet-queries.ts';
import { advanceWallet } from '../../drizzle/wallets/wallet-steps.ts';
import { findWorkspace, lockWorkspace, setWithdrawalsFrozen } from '../../drizzle/workspaces/workspaces.ts';
import { ConfigError } from '../process/config.ts';

export interface UnfreezeRequest {
  workspaceId: string;
  /** Absent for all withdrawals and signatures of the workspace. */
  walletId: string | undefined;
  reason: string;
}

/** False when it was not frozen, undefined when there is no such workspace or wallet. */
export async function unfreeze(db: Database, seals: Seals, asked: UnfreezeRequest): Promise<boolean | undefined> {
  return db.transaction(async (tx) => {
    const { workspaceId, walletId, reason } = asked;
    await lockWorkspace(tx, workspaceId);
    if ((await findWorkspace(tx, workspaceId)) === undefined) return undefined;
    const sealed = await (walletId === undefined
      ? unfreezeWorkspace(tx, seals, asked)
      : unfreezeOne(tx, seals, walletId, asked));
    if (sealed === undefined || sealed.length === 0) return sealed && false;
    await insertOperatorEntry(tx, {
      workspaceId,
      action: 'workspace unfreeze',
      resourceId: walletId ?? workspaceId,
      ...(walletId === undefined ? {} : { walletId }),
      before: toKeptText({ frozen: true }),
      after: toKeptText({ frozen: false, reason }),
      sealed: toSealedText(seals, workspaceId, sealed),
    });
    return true;
  });
}

async function unfreezeWorkspace(
  tx: Transaction,
  seals: Seals,
  { workspaceId, reason }: UnfreezeRequest,
): Promise<readonly SealedVersion[]> {
  return (await setWithdrawalsFrozen(tx, seals, workspaceId, { frozen: false, reason })).sealed;
}

async function unfreezeOne(
  tx: Transaction,
  seals: Seals,
  walletId: string,
  { workspaceId, reason }: UnfreezeRequest,
): Promise<readonly SealedVersion[] | undefined> {
  const wallet = await lockWallet(tx, workspaceId, walletId, 'no key update');
  if (wallet === undefined) return undefined;
  if (wallet.status !== 'frozen') return [];
  if (await hasUnresolvedOutflow(tx, walletId))
    throw new ConfigError(
      'Something left the wallet that this service did not send: resolve it with `outflows` first.',
    );
  if (!(await advanceWallet(tx, walletId, { from: 'frozen', to: 'active', fields: { reason } })))
    throw new Error('a wallet that was locked has moved');
  return [await nextSealedVersion(tx, seals, { ...wallet, kind: 'wallet' }, false)];
}
