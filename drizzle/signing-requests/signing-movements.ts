// What each accepted signing request may move, by asset and with the fee: what sums over a window of time count beside
// withdrawals. Only added to; whether it can still land is in the request's own row. The transactions that withdrawals
// make themselves are not here: their withdrawals are counted.
import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { baseUnits, moment } from '../database/columns.ts';
import type { Transaction } from '../database/connection.ts';
import { assets } from '../networks/assets.ts';
import { mayStillLand, signingRequests } from './signing-requests.ts';

export const signingMovements = pgTable(
  'signing_movements',
  {
    signingId: uuid('signing_id')
      .notNull()
      .references(() => signingRequests.id),
    assetId: uuid('asset_id')
      .notNull()
      .references(() => assets.id),
    workspaceId: uuid('workspace_id').notNull(),
    walletId: uuid('wallet_id').notNull(),
    amountBaseUnits: baseUnits('amount_base_units').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.signingId, table.assetId] }),
    index('signing_movements_workspace').on(table.workspaceId, table.assetId, table.createdAt),
    index('signing_movements_wallet').on(table.walletId, table.assetId, table.createdAt),
  ],
);

export interface SigningMovements {
  signingId: string;
  workspaceId: string;
  walletId: string;
  /** Each asset once. */
  moved: readonly { assetId: string; amountBaseUnits: bigint }[];
}

/** In the transaction that stores the requests. */
export async function insertSigningMovements(tx: Transaction, all: readonly SigningMovements[]): Promise<void> {
  const rows = all.flatMap(({ moved, ...owner }) => moved.map((one) => ({ ...owner, ...one })));
  if (rows.length > 0) await tx.insert(signingMovements).values(rows);
}

/**
 * A subquery for each row in the window: a join would be planned without knowing how short the window is, and read both
 * tables whole.
 */
const mayLand = sql`(select ${mayStillLand}
  from ${signingRequests} where ${signingRequests.id} = ${signingMovements.signingId})`;

/** Base units of an asset that signatures since then may have moved or may yet move. */
export async function sumSignings(
  tx: Transaction,
  { workspaceId, walletId, since }: { workspaceId: string; walletId: string | undefined; since: SQL },
  assetId: string,
): Promise<bigint> {
  const [row] = await tx
    .select({ sum: sql<string>`coalesce(sum(${signingMovements.amountBaseUnits}), 0)::text` })
    .from(signingMovements)
    .where(
      and(
        eq(signingMovements.workspaceId, workspaceId),
        walletId === undefined ? undefined : eq(signingMovements.walletId, walletId),
        eq(signingMovements.assetId, assetId),
        gt(signingMovements.createdAt, since),
        mayLand,
      ),
    );
  return BigInt(row?.sum ?? 0);
}
