// What the worker must know of a withdrawal to carry it out: the row with its network, its asset, and whether it may go
// on now.
import { eq, sql } from 'drizzle-orm';
import { assetSeed } from '../../domain/catalog/assets.ts';
import { networkSeed } from '../../domain/catalog/networks.ts';
import type { WalletStatus } from '../../domain/statuses.ts';
import { sealedEntriesOf } from '../audit/inactive-rows.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { type NetworkRow, networks } from '../networks/networks.ts';
import { BrokenSealError } from '../seals/seals.ts';
import { wallets } from '../wallets/wallets.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import { type WithdrawalRow, withdrawals } from './withdrawals.ts';

export interface WithdrawalContext {
  withdrawal: WithdrawalRow;
  network: NetworkRow;
  /** Null for the native currency. */
  contract: string | null;
  walletStatus: WalletStatus;
  workspaceFrozen: boolean;
  /** What the audit log records of the withdrawal and its wallet (inactive-rows.ts). */
  sealedEntries: string[];
}

export async function findWithdrawalContext(
  db: Database | Transaction,
  id: string,
): Promise<WithdrawalContext | undefined> {
  const [found] = await db
    .select({
      withdrawal: withdrawals,
      network: networks,
      walletStatus: wallets.status,
      workspaceFrozen: sql<boolean>`${workspaces.withdrawalsFrozenAt} is not null`,
      sealedEntries: sealedEntriesOf(withdrawals.id, withdrawals.walletId),
    })
    .from(withdrawals)
    .innerJoin(networks, eq(networks.id, withdrawals.networkId))
    .innerJoin(wallets, eq(wallets.id, withdrawals.walletId))
    .innerJoin(workspaces, eq(workspaces.id, withdrawals.workspaceId))
    .where(eq(withdrawals.id, id));
  return found && { ...found, ...catalogued(found.withdrawal, found.network) };
}

/**
 * By this version's catalogue, not by the database's copy of it: whoever writes there names no contract, no chain and
 * no decimals.
 */
function catalogued({ id, assetId, networkId, decimals }: WithdrawalRow, network: NetworkRow) {
  const asset = assetSeed.find((known) => known.id === assetId);
  const known = networkSeed.find((one) => one.id === networkId);
  if (asset === undefined || known === undefined || asset.networkId !== networkId || asset.decimals !== decimals)
    throw new BrokenSealError('withdrawal', id);
  const { internalCode, curve, addressType, chainId } = known;
  return {
    network: { ...network, internalCode, curve, addressType, chainId: chainId ?? null },
    contract: asset.contractAddress,
  };
}
