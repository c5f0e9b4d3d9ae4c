// Balances as they are shown: what the ledger's accounts hold, one line for each wallet and asset. Posts nothing (see
// ledger.ts).
import { and, asc, eq, gt, gte, ne, type SQL, sql } from 'drizzle-orm';
import type { LedgerAccountKind } from '../../domain/statuses.ts';
import type { Database } from '../database/connection.ts';
import { anyOf, arrayOf } from '../database/page.ts';
import { assets } from '../networks/assets.ts';
import { networkStates } from '../networks/network-states.ts';
import { wallets } from '../wallets/wallets.ts';
import { ledgerAccounts } from './ledger.ts';

/** A wallet's place in the order of the list: the oldest first. */
export interface WalletPlace {
  createdAt: Date;
  walletId: string;
}

/** A balance's place: within its wallet by asset. */
export type BalancePlace = WalletPlace & { assetId: string };

/** Amounts are base units. */
export interface Balance extends BalancePlace {
  networkId: string;
  symbol: string;
  decimals: number;
  /** Below zero only where a reorg took back what was spent already. */
  available: bigint;
  held: bigint;
  pendingIn: bigint;
  /** The first block that is not read yet; null where no node is read. */
  nextBlock: number | null;
  updatedAt: Date;
}

/**
 * The wallets of a workspace from a place on, that one included, whether they hold anything or not. Absent `walletIds`
 * for all.
 */
export async function listWalletPlaces(
  db: Database,
  { workspaceId, walletIds }: { workspaceId: string; walletIds: readonly string[] | undefined },
  from: WalletPlace | undefined,
  limit: number,
): Promise<WalletPlace[]> {
  return db
    .select({ createdAt: wallets.createdAt, walletId: wallets.id })
    .from(wallets)
    .where(
      and(
        eq(wallets.workspaceId, workspaceId),
        walletIds === undefined ? undefined : anyOf(wallets.id, walletIds),
        from === undefined ? undefined : gte(orderOfWallets, placeOf(from)),
      ),
    )
    .orderBy(asc(wallets.createdAt), asc(wallets.id))
    .limit(limit);
}

export interface BalanceFilter {
  assetIds?: readonly string[] | undefined;
  networkIds?: readonly string[] | undefined;
}

export interface BalanceBounds {
  after: BalancePlace | undefined;
  limit: number;
}

/**
 * Of these wallets, in their order; one row more than `limit`, when there is one. Reads every account of each: name
 * few. `after` is in the first of them, or in none.
 */
export async function listBalances(
  db: Database,
  places: readonly WalletPlace[],
  { assetIds, networkIds }: BalanceFilter,
  { after, limit }: BalanceBounds,
): Promise<Balance[]> {
  // Driven by the wallets: joined as equals, a planner that does not know how few they are reads the whole table.
  const asked = sql`unnest(${arrayOf(
    'uuid',
    places.map(({ walletId }) => walletId),
  )}) with ordinality as asked(wallet_id, place)`;
  const sums = db
    .select({
      assetId: ledgerAccounts.assetId,
      available: sumOf('available').as('available'),
      held: sumOf('held').as('held'),
      pendingIn: sumOf('pending_in').as('pending_in'),
      updatedAt: sql<Date>`max(${ledgerAccounts.updatedAt})`.mapWith(ledgerAccounts.updatedAt).as('changed_at'),
    })
    .from(ledgerAccounts)
    .where(
      and(
        sql`${ledgerAccounts.walletId} = asked.wallet_id`,
        ne(ledgerAccounts.kind, 'outside'),
        assetIds === undefined ? undefined : anyOf(ledgerAccounts.assetId, assetIds),
        after === undefined
          ? undefined
          : sql`(asked.wallet_id <> ${after.walletId} or ${gt(ledgerAccounts.assetId, after.assetId)})`,
      ),
    )
    .groupBy(ledgerAccounts.assetId)
    .as('sums');
  const rows = await db
    .select({
      place: sql<number>`asked.place`.mapWith(Number),
      assetId: sums.assetId,
      networkId: assets.networkId,
      symbol: assets.symbol,
      decimals: assets.decimals,
      available: sums.available,
      held: sums.held,
      pendingIn: sums.pendingIn,
      nextBlock: networkStates.nextBlock,
      updatedAt: sums.updatedAt,
    })
    .from(asked)
    .crossJoinLateral(sums)
    .innerJoin(assets, eq(assets.id, sums.assetId))
    .leftJoin(networkStates, eq(networkStates.networkId, assets.networkId))
    .where(networkIds === undefined ? undefined : anyOf(assets.networkId, networkIds))
    .orderBy(sql`asked.place`, asc(sums.assetId))
    .limit(limit + 1);
  return rows.map(({ place, ...row }) => ({ ...row, ...(places[place - 1] as WalletPlace) }));
}

const orderOfWallets = sql`(${wallets.createdAt}, ${wallets.id})`;

const placeOf = ({ createdAt, walletId }: WalletPlace): SQL =>
  sql`(${sql.param(createdAt, wallets.createdAt)}, ${sql.param(walletId, wallets.id)})`;

const sumOf = (kind: LedgerAccountKind): SQL<bigint> =>
  sql<bigint>`coalesce(sum(${ledgerAccounts.balance}) filter (where ${ledgerAccounts.kind} = ${kind}), 0)`.mapWith(
    ledgerAccounts.balance,
  );
