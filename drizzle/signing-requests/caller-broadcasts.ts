// What became of signed transactions that callers broadcast themselves: which may still land, and what they may move
// until then. Shown to callers as `pending_out`, and holds nothing back: what was signed may never be broadcast.
import { and, asc, eq, gt, ne, sql } from 'drizzle-orm';
import type { landingStatuses } from '../../domain/statuses.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf } from '../database/page.ts';
import { assets } from '../networks/assets.ts';
import { networks } from '../networks/networks.ts';
import { signingMovements } from './signing-movements.ts';
import { isUnlanded, type SigningRequestRow, signingRequests } from './signing-requests.ts';

/** Whatever it was before; nothing for what is no transaction that its caller broadcasts. */
export async function noteLanding(
  tx: Database | Transaction,
  id: string,
  landing: (typeof landingStatuses)[number],
): Promise<void> {
  await tx
    .update(signingRequests)
    .set({ landing })
    .where(
      and(
        eq(signingRequests.id, id),
        sql`${signingRequests.landing} is not null`,
        ne(signingRequests.landing, landing),
      ),
    );
}

/** It can land no more. False when a block had it meanwhile. */
export async function releaseUnlanded(db: Database, id: string): Promise<boolean> {
  const released = await db
    .update(signingRequests)
    .set({ landing: 'released' })
    .where(and(eq(signingRequests.id, id), isUnlanded))
    .returning({ id: signingRequests.id });
  return released.length === 1;
}

/** Of a network, in the order in which they were asked for, after a place. */
export async function listUnlanded(
  db: Database,
  networkCode: string,
  after: string | undefined,
  limit: number,
): Promise<SigningRequestRow[]> {
  return db
    .select()
    .from(signingRequests)
    .where(
      and(
        eq(signingRequests.networkInternalCode, networkCode),
        isUnlanded,
        after === undefined ? undefined : gt(signingRequests.id, after),
      ),
    )
    .orderBy(asc(signingRequests.id))
    .limit(limit);
}

/** Base units of one asset of one wallet. */
export interface UnlandedAmount {
  walletId: string;
  assetId: string;
  amountBaseUnits: bigint;
}

/**
 * What they may move at most, with their fees, as far as it is known: on the network that was named with each, and of
 * several with one nonce only the largest, since one of them lands.
 */
export async function sumUnlanded(db: Database, walletIds: readonly string[]): Promise<UnlandedAmount[]> {
  if (walletIds.length === 0) return [];
  const { id, walletId, nonce, networkInternalCode } = signingRequests;
  const { assetId, amountBaseUnits } = signingMovements;
  const largest = db
    .select({ walletId, assetId, most: sql<string>`max(${amountBaseUnits})`.as('most') })
    .from(signingRequests)
    .innerJoin(signingMovements, eq(signingMovements.signingId, id))
    .innerJoin(assets, eq(assets.id, assetId))
    .innerJoin(networks, and(eq(networks.id, assets.networkId), eq(networks.internalCode, networkInternalCode)))
    .where(and(anyOf(walletId, walletIds), isUnlanded))
    .groupBy(walletId, assetId, sql`coalesce(${nonce}, ${id}::text)`)
    .as('largest');
  const rows = await db
    .select({
      walletId: largest.walletId,
      assetId: largest.assetId,
      sum: sql<string>`sum(${largest.most})::text`,
    })
    .from(largest)
    .groupBy(largest.walletId, largest.assetId);
  return rows.map(({ sum, ...of }) => ({ ...of, amountBaseUnits: BigInt(sum) }));
}
