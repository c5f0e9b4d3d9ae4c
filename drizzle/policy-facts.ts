// What a policy must know of the past: sums and counts within a window of time, known destinations, the asset that a contract stands for. Decides nothing.
import { and, count, eq, gt, notInArray, type SQL, sql } from 'drizzle-orm';
import { type AssetRow, assets } from './assets.ts';
import type { Transaction } from './database.ts';
import { addressBook } from './policies.ts';
import { signingRequests } from './signing-requests.ts';
import type { WithdrawalStatus } from './status.ts';
import { withdrawals } from './withdrawals.ts';

/** Whose operations of the last seconds are summed or counted; of all wallets of the workspace when none is named. */
export interface Window {
  workspaceId: string;
  walletId: string | undefined;
  seconds: number;
}

/** They moved nothing and will not. */
const movedNothing: WithdrawalStatus[] = ['failed', 'rejected', 'cancelled'];

/** Until the transaction ends, whoever locks one of these names waits. Taken in one order, so that two never wait for each other. */
export async function lockTotals(tx: Transaction, names: readonly string[]): Promise<void> {
  for (const name of names.toSorted())
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`policy ${name}`}, 0))`);
}

/** Base units of an asset that withdrawals have moved or are about to move. */
export async function sumWithdrawals(tx: Transaction, window: Window, assetId: string): Promise<bigint> {
  const [row] = await tx
    .select({ sum: sql<string>`coalesce(sum(${withdrawals.amountBaseUnits}), 0)::text` })
    .from(withdrawals)
    .where(and(eq(withdrawals.assetId, assetId), ...withdrawalsWithin(window)));
  return BigInt(row?.sum ?? 0);
}

export async function countWithdrawalsWithin(tx: Transaction, window: Window): Promise<bigint> {
  const [row] = await tx
    .select({ rows: count() })
    .from(withdrawals)
    .where(and(...withdrawalsWithin(window)));
  return BigInt(row?.rows ?? 0);
}

/** Without those that withdrawals made themselves. */
export async function countSignings(tx: Transaction, { workspaceId, walletId, seconds }: Window): Promise<bigint> {
  const [row] = await tx
    .select({ rows: count() })
    .from(signingRequests)
    .where(
      and(
        eq(signingRequests.workspaceId, workspaceId),
        walletId === undefined ? undefined : eq(signingRequests.walletId, walletId),
        gt(signingRequests.createdAt, ago(seconds)),
        eq(signingRequests.operationType, 'generic'),
        sql`${signingRequests.status} <> 'failed'`,
      ),
    );
  return BigInt(row?.rows ?? 0);
}

function withdrawalsWithin({ workspaceId, walletId, seconds }: Window): (SQL | undefined)[] {
  return [
    eq(withdrawals.workspaceId, workspaceId),
    walletId === undefined ? undefined : eq(withdrawals.walletId, walletId),
    gt(withdrawals.createdAt, ago(seconds)),
    notInArray(withdrawals.status, movedNothing),
  ];
}

const ago = (seconds: number) => sql`now() - ${seconds} * interval '1 second'`;

/** `address` in its canonical form. */
export async function isInAddressBook(
  tx: Transaction,
  workspaceId: string,
  networkId: string,
  address: string,
): Promise<boolean> {
  const found = await tx
    .select({ id: addressBook.id })
    .from(addressBook)
    .where(
      and(
        eq(addressBook.workspaceId, workspaceId),
        eq(addressBook.networkId, networkId),
        eq(addressBook.address, address),
        eq(addressBook.status, 'active'),
      ),
    );
  return found.length > 0;
}

/** Of a network: the asset itself, or the one that a contract (as the catalogue has it; null for none) stands for. */
export async function findAssetOf(
  tx: Transaction,
  networkId: string,
  which: { assetId: string } | { contract: string | null },
): Promise<Pick<AssetRow, 'id' | 'decimals'> | undefined> {
  const [row] = await tx
    .select({ id: assets.id, decimals: assets.decimals })
    .from(assets)
    .where(and(eq(assets.networkId, networkId), isAsset(which)));
  return row;
}

function isAsset(which: { assetId: string } | { contract: string | null }): SQL {
  if ('assetId' in which) return eq(assets.id, which.assetId);
  return which.contract === null ? eq(assets.isNative, true) : eq(assets.contractAddress, which.contract);
}
