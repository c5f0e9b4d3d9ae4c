// What a policy must know of the past: sums and counts within a window of time, known destinations, the asset that a
// contract stands for. Decides nothing.
import { and, count, eq, gt, inArray, notInArray, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { movedNothing } from '../../domain/statuses.ts';
import type { Transaction } from '../database/connection.ts';
import { anyOf } from '../database/page.ts';
import { type AssetRow, assets } from '../networks/assets.ts';
import type { Seals } from '../seals/seals.ts';
import { sumSignings } from '../signing-requests/signing-movements.ts';
import { signingRequests } from '../signing-requests/signing-requests.ts';
import { chainTransactions } from '../withdrawals/chain-transactions.ts';
import { withdrawals } from '../withdrawals/withdrawals.ts';
import { addressBook, sealedAddresses } from './address-book.ts';
import { hasUnknownMovement } from './unknown-movements.ts';

/** Whose operations of the last seconds are summed or counted; of all wallets of the workspace when none is named. */
export interface PolicyWindow {
  workspaceId: string;
  walletId: string | undefined;
  seconds: number;
}

/**
 * Until the transaction ends, whoever locks one of these names waits. Taken in one order, so that two never wait for
 * each other.
 */
export async function lockTotals(tx: Transaction, names: readonly string[]): Promise<void> {
  for (const name of names.toSorted())
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`policy ${name}`}, 0))`);
}

/**
 * Undefined when nobody knows it: something of an unknown amount was accepted within the window, which may have moved
 * any amount of the asset.
 */
export async function sumKnown(tx: Transaction, window: PolicyWindow, assetId: string): Promise<bigint | undefined> {
  if (await hasUnknownMovement(tx, { ...window, since: ago(window.seconds) }, assetId)) return undefined;
  return sumMoved(tx, window, assetId);
}

/**
 * Base units of an asset that operations have moved or may yet move, as far as it is known: withdrawals, their fees
 * where they are paid in it, and signatures.
 */
export async function sumMoved(tx: Transaction, window: PolicyWindow, assetId: string): Promise<bigint> {
  const amounts = await sumOf(tx, withdrawals.amountBaseUnits, [
    eq(withdrawals.assetId, assetId),
    ...withdrawalsWithin(window),
  ]);
  const fees = await sumFees(tx, window, assetId);
  return amounts + fees + (await sumSignings(tx, { ...window, since: ago(window.seconds) }, assetId));
}

/** The dearest of the transactions that were built for a withdrawal: one of them lands at most. */
const dearest = sql`(select max(${chainTransactions.maxFeeBaseUnits}) from ${chainTransactions} where ${chainTransactions.withdrawalId} = ${withdrawals.id})`;

/** What was paid, also by one that moved nothing; of those that are under way the most that it may be. */
async function sumFees(tx: Transaction, window: PolicyWindow, assetId: string): Promise<bigint> {
  const [asset] = await tx
    .select({ networkId: assets.networkId })
    .from(assets)
    .where(and(eq(assets.id, assetId), eq(assets.isNative, true)));
  if (asset === undefined) return 0n;
  const { status, feePaidBaseUnits, feeBoundBaseUnits, judgedFeeBaseUnits } = withdrawals;
  const fee = sql`case when ${feePaidBaseUnits} is not null then ${feePaidBaseUnits}
    when ${inArray(status, movedNothing)} then 0 else greatest(${feeBoundBaseUnits}, ${judgedFeeBaseUnits}, ${dearest}, 0) end`;
  return sumOf(tx, fee, [eq(withdrawals.networkId, asset.networkId), ...askedWithin(window)]);
}

async function sumOf(tx: Transaction, what: SQLWrapper, where: (SQL | undefined)[]): Promise<bigint> {
  const [row] = await tx
    .select({ sum: sql<string>`coalesce(sum(${what}), 0)::text` })
    .from(withdrawals)
    .where(and(...where));
  return BigInt(row?.sum ?? 0);
}

export async function countWithdrawalsWithin(tx: Transaction, window: PolicyWindow): Promise<bigint> {
  const [row] = await tx
    .select({ rows: count() })
    .from(withdrawals)
    .where(and(...withdrawalsWithin(window)));
  return BigInt(row?.rows ?? 0);
}

/** Without those that withdrawals made themselves. */
export async function countSignings(
  tx: Transaction,
  { workspaceId, walletId, seconds }: PolicyWindow,
): Promise<bigint> {
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

const withdrawalsWithin = (window: PolicyWindow): (SQL | undefined)[] => [
  ...askedWithin(window),
  notInArray(withdrawals.status, movedNothing),
];

function askedWithin({ workspaceId, walletId, seconds }: PolicyWindow): (SQL | undefined)[] {
  return [
    eq(withdrawals.workspaceId, workspaceId),
    walletId === undefined ? undefined : eq(withdrawals.walletId, walletId),
    gt(withdrawals.createdAt, ago(seconds)),
  ];
}

const ago = (seconds: number) => sql`now() - ${seconds} * interval '1 second'`;

/**
 * Of these addresses, in their canonical form, those that the book has for these networks. What somebody else has
 * written is not in the book.
 */
export async function findBookEntries(
  tx: Transaction,
  seals: Seals,
  workspaceId: string,
  { networkIds, addresses }: { networkIds: readonly string[]; addresses: readonly string[] },
): Promise<{ networkId: string; address: string }[]> {
  const rows = await tx
    .select()
    .from(addressBook)
    .where(
      and(
        eq(addressBook.workspaceId, workspaceId),
        anyOf(addressBook.networkId, networkIds),
        anyOf(addressBook.address, addresses),
        eq(addressBook.status, 'active'),
      ),
    );
  return rows.filter((row) => sealedAddresses.counts(seals, row));
}

export type MovedAssetRow = Pick<AssetRow, 'id' | 'networkId' | 'isNative' | 'contractAddress' | 'decimals'>;

/**
 * Of these networks: their native assets, those with these ids and those that these contracts (as the catalogue has
 * them) stand for.
 */
export async function findMovedAssets(
  tx: Transaction,
  networkIds: readonly string[],
  { ids, contracts }: { ids: readonly string[]; contracts: readonly string[] },
): Promise<MovedAssetRow[]> {
  const { id, networkId, isNative, contractAddress, decimals } = assets;
  return tx
    .select({ id, networkId, isNative, contractAddress, decimals })
    .from(assets)
    .where(
      and(anyOf(networkId, networkIds), or(eq(isNative, true), anyOf(id, ids), anyOf(contractAddress, contracts))),
    );
}
