// What each accepted operation may move besides what is known of it: the networks, and the assets of them, whose sums
// over a window of time nobody knows while it counts. Only added to; whether it can still land is in the operation's
// own row.
import { and, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import { index, pgTable, unique, uuid } from 'drizzle-orm/pg-core';
import { movedNothing } from '../../domain/statuses.ts';
import { moment } from '../database/columns.ts';
import type { Transaction } from '../database/connection.ts';
import { preparedStatement } from '../database/prepared-query.ts';
import { assets } from '../networks/assets.ts';
import { networks } from '../networks/networks.ts';
import { mayStillLand, signingRequests } from '../signing-requests/signing-requests.ts';
import { withdrawals } from '../withdrawals/withdrawals.ts';

export const unknownMovements = pgTable(
  'unknown_movements',
  {
    /** A signing request or a withdrawal. */
    operationId: uuid('operation_id').notNull(),
    networkId: uuid('network_id')
      .notNull()
      .references(() => networks.id),
    /** Null: it may be any asset of the network. */
    assetId: uuid('asset_id').references(() => assets.id),
    workspaceId: uuid('workspace_id').notNull(),
    walletId: uuid('wallet_id').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('unknown_movements_operation').on(table.operationId, table.networkId, table.assetId).nullsNotDistinct(),
    index('unknown_movements_workspace').on(table.workspaceId, table.networkId, table.createdAt),
    index('unknown_movements_wallet').on(table.walletId, table.networkId, table.createdAt),
  ],
);

/** An asset of a network of which an unknown amount may move; undefined: any of them. */
export interface UnknownAmount {
  networkId: string;
  assetId: string | undefined;
}

export interface UnknownMovements {
  operationId: string;
  workspaceId: string;
  walletId: string;
  /** Each once. */
  unknown: readonly UnknownAmount[];
}

/** One parameter whatever the number of rows: a digest alone may be valid on every network of its curve. */
const insertRows = preparedStatement<object>(
  () => sql`
    insert into ${unknownMovements} (operation_id, network_id, asset_id, workspace_id, wallet_id)
    select "operationId", "networkId", "assetId", "workspaceId", "walletId"
    from jsonb_to_recordset(${sql.placeholder('rows')}::jsonb)
      as given ("operationId" uuid, "networkId" uuid, "assetId" uuid, "workspaceId" uuid, "walletId" uuid)`,
);

/** In the transaction that stores the operations. */
export async function insertUnknownMovements(tx: Transaction, all: readonly UnknownMovements[]): Promise<void> {
  const rows = all.flatMap(({ unknown, ...owner }) =>
    unknown.map(({ networkId, assetId }) => ({ ...owner, networkId, assetId: assetId ?? null })),
  );
  if (rows.length > 0) await insertRows(tx).execute({ rows: JSON.stringify(rows) });
}

/** It is a signing request, or else a withdrawal. */
const mayLand = sql`coalesce(
  (select ${mayStillLand} from ${signingRequests} where ${signingRequests.id} = ${unknownMovements.operationId}),
  (select ${withdrawals.status} not in (${sql.join(
    movedNothing.map((status) => sql`${status}`),
    sql`, `,
  )}) from ${withdrawals} where ${withdrawals.id} = ${unknownMovements.operationId}),
  true)`;

/** Whether an operation since then may have moved, or may yet move, more of an asset than is known of it. */
export async function hasUnknownMovement(
  tx: Transaction,
  { workspaceId, walletId, since }: { workspaceId: string; walletId: string | undefined; since: SQL },
  assetId: string,
): Promise<boolean> {
  const { networkId } = unknownMovements;
  const [found] = await tx
    .select({ operationId: unknownMovements.operationId })
    .from(unknownMovements)
    .where(
      and(
        eq(unknownMovements.workspaceId, workspaceId),
        walletId === undefined ? undefined : eq(unknownMovements.walletId, walletId),
        eq(networkId, sql`(select ${assets.networkId} from ${assets} where ${assets.id} = ${assetId})`),
        or(isNull(unknownMovements.assetId), eq(unknownMovements.assetId, assetId)),
        gt(unknownMovements.createdAt, since),
        mayLand,
      ),
    )
    .limit(1);
  return found !== undefined;
}
