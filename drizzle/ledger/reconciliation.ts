// What the ledger says that wallets own, for the comparison with the chains: one position for each wallet and asset.
// Posts nothing (see ledger.ts).
import { and, asc, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { LedgerAccountKind } from '../../domain/statuses.ts';
import type { Database } from '../database/connection.ts';
import { anyOf } from '../database/page.ts';
import { assets } from '../networks/assets.ts';
import { networks } from '../networks/networks.ts';
import { walletAddresses } from '../wallets/wallets.ts';
import { ledgerAccounts } from './ledger.ts';

export interface PositionPlace {
  walletId: string;
  assetId: string;
}

/** Amounts are base units. */
export interface LedgerPosition extends PositionPlace {
  networkCode: string;
  symbol: string;
  decimals: number;
  /** Null for the native currency. */
  contract: string | null;
  /** As it is stored: a Bitcoin key has another one on other Bitcoin networks. */
  address: string;
  available: bigint;
  held: bigint;
  pendingIn: bigint;
}

/** Of these networks, in the order of their places, after a place. */
export async function listLedgerPositions(
  db: Database,
  networkCodes: readonly string[],
  after: PositionPlace | undefined,
  limit: number,
): Promise<LedgerPosition[]> {
  const { walletId, assetId } = ledgerAccounts;
  const isBehind = after && sql`(${walletId}, ${assetId}) > (${after.walletId}::uuid, ${after.assetId}::uuid)`;
  return select(db, and(anyOf(networks.internalCode, networkCodes), isBehind), limit);
}

/** As it is now. */
export async function findLedgerPosition(db: Database, place: PositionPlace): Promise<LedgerPosition | undefined> {
  const { walletId, assetId } = ledgerAccounts;
  const [position] = await select(db, and(eq(walletId, place.walletId), eq(assetId, place.assetId)), 1);
  return position;
}

function select(db: Database, condition: SQL | undefined, limit: number): Promise<LedgerPosition[]> {
  const { walletId, assetId, kind } = ledgerAccounts;
  return db
    .select({
      walletId,
      assetId,
      networkCode: networks.internalCode,
      symbol: assets.symbol,
      decimals: assets.decimals,
      contract: assets.contractAddress,
      address: walletAddresses.address,
      available: sumOf('available'),
      held: sumOf('held'),
      pendingIn: sumOf('pending_in'),
    })
    .from(ledgerAccounts)
    .innerJoin(assets, eq(assets.id, assetId))
    .innerJoin(networks, eq(networks.id, assets.networkId))
    .innerJoin(
      walletAddresses,
      and(eq(walletAddresses.walletId, walletId), eq(walletAddresses.addressType, networks.addressType)),
    )
    .where(and(ne(kind, 'outside'), condition))
    .groupBy(walletId, assetId, networks.id, assets.id, walletAddresses.address)
    .orderBy(asc(walletId), asc(assetId))
    .limit(limit);
}

const sumOf = (kind: LedgerAccountKind): SQL<bigint> =>
  sql<bigint>`coalesce(sum(${ledgerAccounts.balance}) filter (where ${ledgerAccounts.kind} = ${kind}), 0)`.mapWith(
    ledgerAccounts.balance,
  );
