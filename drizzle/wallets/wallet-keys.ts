// The public keys and addresses of wallets, as they were sealed. Writes nothing.
import { and, eq, sql } from 'drizzle-orm';
import { type Curve } from '../../domain/statuses.ts';
import type { AddressType } from '../../domain/wallets/address-types.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf } from '../database/page.ts';
import type { Seals } from '../seals/seals.ts';
import {
  sealedWalletAddresses,
  sealedWalletKeys,
  type WalletAddressRow,
  type WalletKeyRow,
  type WalletRow,
  walletAddresses,
  walletKeys,
} from './wallets.ts';

export interface KeyOwner {
  workspaceId: string;
  walletId: string;
}

/** As it was sealed for this very workspace. Throws BrokenSealError. */
export async function findSealedKey(
  db: Database,
  seals: Seals,
  { workspaceId, walletId }: KeyOwner,
  curve: Curve,
): Promise<WalletKeyRow | undefined> {
  const row = await findWalletKey(db, walletId, curve);
  if (row !== undefined) sealedWalletKeys.assert(seals, { ...row, workspaceId });
  return row;
}

export async function findWalletKey(db: Database, walletId: string, curve: Curve): Promise<WalletKeyRow | undefined> {
  const [row] = await db
    .select()
    .from(walletKeys)
    .where(and(eq(walletKeys.walletId, walletId), eq(walletKeys.curve, curve)));
  return row;
}

export type KeyPlace = Pick<WalletKeyRow, 'walletId' | 'curve'>;

export interface KeyFilter {
  walletId?: string | undefined;
  cluster?: string | undefined;
  after?: KeyPlace | undefined;
  limit: number;
}

/** In the order of wallets and curves, behind `after`; of one wallet or of one cluster when it is named. */
export async function listWalletKeys(
  db: Database,
  { walletId, cluster, after, limit }: KeyFilter,
): Promise<WalletKeyRow[]> {
  const isBehind =
    after && sql`(${walletKeys.walletId}, ${walletKeys.curve}) > (${after.walletId}::uuid, ${after.curve})`;
  const isOfCluster =
    cluster === undefined
      ? undefined
      : sql`exists (select from wallets where wallets.id = ${walletKeys.walletId} and wallets.cluster = ${cluster})`;
  return db
    .select()
    .from(walletKeys)
    .where(and(walletId === undefined ? undefined : eq(walletKeys.walletId, walletId), isOfCluster, isBehind))
    .orderBy(walletKeys.walletId, walletKeys.curve)
    .limit(limit);
}

/** What may be shown as the wallet's own, and taken from. Throws BrokenSealError. */
export async function findSealedAddress(
  db: Database | Transaction,
  seals: Seals,
  { workspaceId, id }: Pick<WalletRow, 'workspaceId' | 'id'>,
  addressType: AddressType,
): Promise<WalletAddressRow | undefined> {
  const row = await findWalletAddress(db, id, addressType);
  if (row !== undefined) sealedWalletAddresses.assert(seals, { ...row, workspaceId });
  return row;
}

export async function findWalletAddress(
  db: Database | Transaction,
  walletId: string,
  addressType: AddressType,
): Promise<WalletAddressRow | undefined> {
  const [row] = await db
    .select()
    .from(walletAddresses)
    .where(and(eq(walletAddresses.walletId, walletId), eq(walletAddresses.addressType, addressType)));
  return row;
}

/**
 * What may be shown as the wallets' own, of several at once. One whose seal does not hold is left out, and reported.
 */
export async function listSealedAddresses(
  db: Database | Transaction,
  seals: Seals,
  owners: readonly Pick<WalletRow, 'workspaceId' | 'id'>[],
): Promise<WalletAddressRow[]> {
  if (owners.length === 0) return [];
  const workspaceOf = new Map(owners.map(({ id, workspaceId }) => [id, workspaceId]));
  const rows = await db
    .select()
    .from(walletAddresses)
    .where(anyOf(walletAddresses.walletId, [...workspaceOf.keys()]));
  return rows.filter((row) =>
    sealedWalletAddresses.counts(seals, { ...row, workspaceId: workspaceOf.get(row.walletId) ?? '' }),
  );
}
