// What the ledger does about an outflow that an operator has resolved: it has left, so it becomes a departure, which is
// booked once every node that is asked tells of it, and moves with its block. The payment of a withdrawal is in the
// ledger with that (../withdrawal-repair/complete-by-outflow.ts), and no departure.
import { and, eq, getTableColumns, inArray } from 'drizzle-orm';
import type { Transaction } from '../database/connection.ts';
import { anyOf } from '../database/page.ts';
import { type Departure, loseDeparture, seeDeparture } from '../departures/departure-steps.ts';
import { departures } from '../departures/departures.ts';
import { assets } from '../networks/assets.ts';
import { chainTransactions } from '../withdrawals/chain-transactions.ts';
import { type WithdrawalRow, withdrawals } from '../withdrawals/withdrawals.ts';
import { type Outflow, type OutflowRow, resolveOutflow, unexplainedOutflows } from './outflows.ts';

/** Why the line of one in the activity has failed. */
const OF_WITHDRAWAL = 'It is the payment of a withdrawal, which has a line of its own.';

/**
 * Undefined when there is none, or it is resolved already. Nothing is booked of what is in no balance, and of what a
 * withdrawal has: one that a restored backup had as open has perhaps found its transaction again.
 */
export async function resolveAsDeparture(
  tx: Transaction,
  id: string,
  resolution: string,
): Promise<{ workspaceId: string; walletId: string } | undefined> {
  const resolved = await resolveOutflow(tx, id, resolution);
  if (resolved === undefined) return undefined;
  const { workspaceId, assetId, reorgedAt } = resolved;
  if (assetId === null || (await isOfWithdrawal(tx, { ...resolved, assetId }))) return resolved;
  const [asset] = await tx.select({ decimals: assets.decimals }).from(assets).where(eq(assets.id, assetId));
  if (asset === undefined) throw new Error('the asset of an outflow is not there');
  await seeDeparture(tx, departureOf({ ...resolved, assetId }, { workspaceId, ...asset }));
  if (reorgedAt !== null) await loseAgain(tx, id);
  return resolved;
}

async function isOfWithdrawal(
  tx: Transaction,
  { networkId, walletId, txHash, assetId }: OutflowRow & { assetId: string },
): Promise<boolean> {
  const rows = await tx
    .select({ assetId: withdrawals.assetId, feeAssetId: withdrawals.feeAssetId })
    .from(chainTransactions)
    .innerJoin(withdrawals, eq(withdrawals.id, chainTransactions.withdrawalId))
    .where(
      and(
        eq(chainTransactions.networkId, networkId),
        eq(chainTransactions.txHash, txHash),
        eq(withdrawals.walletId, walletId),
      ),
    );
  return rows.some((row) => [row.assetId, row.feeAssetId].includes(assetId));
}

/**
 * The withdrawal was settled by this transaction just now: the ledger would have it twice. What the transaction took
 * from another wallet stays booked.
 */
export async function unbookOutflows(
  tx: Transaction,
  { networkId, walletId, assetId, feeAssetId }: WithdrawalRow,
  txHash: string,
): Promise<void> {
  const isOfIt = and(
    eq(unexplainedOutflows.networkId, networkId),
    eq(unexplainedOutflows.txHash, txHash),
    eq(unexplainedOutflows.walletId, walletId),
  );
  // Whoever resolves one just now is waited for.
  const found = await tx.select({ id: unexplainedOutflows.id }).from(unexplainedOutflows).where(isOfIt).for('update');
  if (found.length === 0) return;
  const outflowIds = found.map(({ id }) => id);
  const rows = await tx
    .select()
    .from(departures)
    .where(and(anyOf(departures.transactionId, outflowIds), inArray(departures.assetId, [assetId, feeAssetId])));
  for (const row of rows.filter(({ status }) => status !== 'reorged')) await loseDeparture(tx, row, OF_WITHDRAWAL);
}

/** Its block is gone: nothing is booked before it is in another one. */
async function loseAgain(tx: Transaction, id: string): Promise<void> {
  const rows = await tx.select().from(departures).where(eq(departures.transactionId, id));
  for (const row of rows) await loseDeparture(tx, row);
}

/** Of those that were recorded just now, what was booked before, and is perhaps in another block. */
export async function listBookedOutflows(tx: Transaction, recorded: readonly Outflow[]): Promise<Departure[]> {
  const [first] = recorded;
  if (first === undefined) return [];
  const hashes = [...new Set(recorded.map(({ txHash }) => txHash))];
  const rows = await tx
    .select({ ...getTableColumns(unexplainedOutflows), assetId: assets.id, of: departures, decimals: assets.decimals })
    .from(unexplainedOutflows)
    .innerJoin(departures, eq(departures.transactionId, unexplainedOutflows.id))
    .innerJoin(assets, eq(assets.id, departures.assetId))
    .where(and(eq(unexplainedOutflows.networkId, first.networkId), anyOf(unexplainedOutflows.txHash, hashes)));
  return rows.map(({ of, decimals, ...outflow }) => departureOf(outflow, { workspaceId: of.workspaceId, decimals }));
}

/** An outflow has its fee in its amount. */
function departureOf(
  { id, amountBaseUnits, feeBaseUnits, ...outflow }: OutflowRow & { assetId: string },
  { workspaceId, decimals }: { workspaceId: string; decimals: number },
): Departure {
  const fee = feeBaseUnits ?? 0n;
  return {
    workspaceId,
    walletId: outflow.walletId,
    assetId: outflow.assetId,
    networkId: outflow.networkId,
    transactionId: id,
    txHash: outflow.txHash,
    departureIndex: outflow.departureIndex,
    fromAddress: outflow.fromAddress,
    toAddress: outflow.toAddress,
    amountBaseUnits: amountBaseUnits - fee,
    feeBaseUnits: fee,
    succeeded: true,
    blockNumber: outflow.blockNumber,
    blockHash: outflow.blockHash,
    decimals,
    externalId: null,
    method: outflow.kind === 'signed_elsewhere' ? 'transfer' : 'contract_call',
  };
}
