// What is shown of withdrawals beside their rows: the network's code, what fees are counted in, and the approvals.
import { and, eq } from 'drizzle-orm';
import { type ApprovalView, listApprovals } from '../approvals/approvals.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf } from '../database/page.ts';
import { assets } from '../networks/assets.ts';
import { type NetworkRow, networks } from '../networks/networks.ts';
import type { WithdrawalRow } from './withdrawals.ts';

export interface WithdrawalView {
  row: WithdrawalRow;
  networkCode: string;
  addressType: NetworkRow['addressType'];
  /** Of the native currency of the network. */
  feeDecimals: number;
  /** Undefined when none were needed. */
  approval: ApprovalView | undefined;
}

/** In the order of the rows. */
export async function viewWithdrawals(
  db: Database | Transaction,
  rows: readonly WithdrawalRow[],
): Promise<WithdrawalView[]> {
  if (rows.length === 0) return [];
  const [units, approvals] = await Promise.all([
    listFeeUnits(db, [...new Set(rows.map(({ networkId }) => networkId))]),
    listApprovals(
      db,
      rows.map(({ id }) => id),
    ),
  ]);
  return rows.map((row) => {
    const unit = units.get(row.networkId);
    if (unit === undefined) throw new Error('the network of a withdrawal is not there, or has no native currency');
    return { row, ...unit, approval: approvals.get(row.id) };
  });
}

export async function viewWithdrawal(db: Database | Transaction, row: WithdrawalRow): Promise<WithdrawalView> {
  const [view] = await viewWithdrawals(db, [row]);
  if (view === undefined) throw new Error('a withdrawal has no view');
  return view;
}

/** By network. */
async function listFeeUnits(
  db: Database | Transaction,
  networkIds: readonly string[],
): Promise<Map<string, Pick<WithdrawalView, 'networkCode' | 'addressType' | 'feeDecimals'>>> {
  const { id, internalCode, addressType } = networks;
  const rows = await db
    .select({ id, networkCode: internalCode, addressType, feeDecimals: assets.decimals })
    .from(networks)
    .innerJoin(assets, and(eq(assets.networkId, networks.id), eq(assets.isNative, true)))
    .where(anyOf(networks.id, networkIds));
  return new Map(rows.map(({ id: networkId, ...unit }) => [networkId, unit]));
}
