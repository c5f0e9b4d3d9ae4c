// What the worker must know of a withdrawal to carry it out: the row with its network, its asset, and whether it may go on now.
import { eq, sql } from 'drizzle-orm';
import { assets } from './assets.ts';
import type { Database, Transaction } from './database.ts';
import { type NetworkRow, networks } from './networks.ts';
import type { WalletStatus } from './status.ts';
import { wallets } from './wallets.ts';
import { type WithdrawalRow, withdrawals } from './withdrawals.ts';
import { workspaces } from './workspaces.ts';

export interface WithdrawalContext {
  withdrawal: WithdrawalRow;
  network: NetworkRow;
  /** Null for the native currency. */
  contract: string | null;
  walletStatus: WalletStatus;
  workspaceFrozen: boolean;
}

export async function findWithdrawalContext(
  db: Database | Transaction,
  id: string,
): Promise<WithdrawalContext | undefined> {
  const [row] = await db
    .select({
      withdrawal: withdrawals,
      network: networks,
      contract: assets.contractAddress,
      walletStatus: wallets.status,
      workspaceFrozen: sql<boolean>`${workspaces.withdrawalsFrozenAt} is not null`,
    })
    .from(withdrawals)
    .innerJoin(networks, eq(networks.id, withdrawals.networkId))
    .innerJoin(assets, eq(assets.id, withdrawals.assetId))
    .innerJoin(wallets, eq(wallets.id, withdrawals.walletId))
    .innerJoin(workspaces, eq(workspaces.id, withdrawals.workspaceId))
    .where(eq(withdrawals.id, id));
  return row;
}
