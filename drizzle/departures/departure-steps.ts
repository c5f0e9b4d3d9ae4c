// How a departure is made and moves: its row, its line in the activity and its money change in one transaction, by
// compare-and-set. The ledger follows when it is booked, which is the moment when every node that is asked has told of
// it, and takes it back with its block.
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { assertArrow, type DepartureStatus, departureArrows, type transactionMethods } from '../../domain/statuses.ts';
import type { Transaction } from '../database/connection.ts';
import { type Movement, postLedgerEvent } from '../ledger/ledger.ts';
import { noteLanding } from '../signing-requests/caller-broadcasts.ts';
import { type TransactionRow, transactions } from '../transactions/transactions.ts';
import { type DepartureRow, departures } from './departures.ts';

/** What left a wallet of ours, of an asset that is credited, by a transaction that we signed. */
export interface Departure
  extends Pick<DepartureRow, 'workspaceId' | 'walletId' | 'assetId' | 'networkId' | 'transactionId'>,
    Pick<DepartureRow, 'txHash' | 'departureIndex' | 'fromAddress' | 'toAddress'>,
    Pick<DepartureRow, 'amountBaseUnits' | 'feeBaseUnits' | 'succeeded' | 'blockNumber' | 'blockHash'> {
  decimals: number;
  /** The caller's own name for the transaction. */
  externalId: string | null;
  method: (typeof transactionMethods)[number];
}

/** Why a line in the activity has failed. */
const REVERTED = 'The chain took the fee and undid the rest.';
const REORGED = 'A reorganisation of the chain took its block back.';

/**
 * Records what was seen in a block. The same outbound transfer in another block, or read again, is the same departure:
 * it is booked once. Answers whether that changed anything.
 */
export async function seeDeparture(tx: Transaction, departure: Departure): Promise<boolean> {
  const { method, decimals, externalId, ...fields } = departure;
  const [inserted] = await tx
    .insert(departures)
    .values({ id: uuidv7(), ...fields, status: 'seen' })
    .onConflictDoNothing({ target: [departures.networkId, departures.txHash, departures.departureIndex] })
    .returning();
  if (inserted === undefined) return seeAgain(tx, departure);
  await tx.insert(transactions).values({
    id: inserted.id,
    transactionId: inserted.transactionId,
    direction: 'out',
    method,
    decimals,
    externalId,
    status: 'pending',
    ...activityOf(departure),
  });
  return true;
}

async function seeAgain(
  tx: Transaction,
  { method: _m, decimals: _d, externalId: _e, ...fields }: Departure,
): Promise<boolean> {
  const { networkId, txHash, departureIndex } = fields;
  const row = await lockDeparture(
    tx,
    and(
      eq(departures.networkId, networkId),
      eq(departures.txHash, txHash),
      eq(departures.departureIndex, departureIndex),
    ),
  );
  if (row === undefined) throw new Error('a departure that is there already is not there');
  if (row.blockHash === fields.blockHash) return false;
  if (row.status !== 'reorged') await loseDeparture(tx, row);
  const occurrence = row.occurrence + 1;
  const back = await advance(tx, row.id, { from: 'reorged', to: 'seen', fields: { ...fields, occurrence } });
  if (back === undefined) throw new Error('a departure that was locked has moved');
  await updateActivity(tx, row.id, { ...activityOf(fields), status: 'pending', failedReason: null });
  return true;
}

/** Seen → booked: the money has left. What the chain has taken may be more than was known to be there. */
export async function bookDeparture(tx: Transaction, row: DepartureRow): Promise<boolean> {
  const booked = await advance(tx, row.id, { from: 'seen', to: 'booked', inBlock: row.blockHash });
  if (booked === undefined) return false;
  await post(tx, booked, 'departure_booked');
  await noteLanding(tx, row.transactionId, 'landed');
  return true;
}

/** Booked → final, while it still is in the block in which it was found. */
export async function finishDeparture(tx: Transaction, row: DepartureRow): Promise<boolean> {
  const final = await advance(tx, row.id, { from: 'booked', to: 'final', inBlock: row.blockHash });
  if (final === undefined) return false;
  const { succeeded } = row;
  const ended = { confirmedAt: sql`now()`, feeBaseUnits: row.feeBaseUnits > 0n ? row.feeBaseUnits : null };
  await updateActivity(
    tx,
    row.id,
    succeeded ? { status: 'completed', ...ended } : { status: 'failed', failedReason: REVERTED, ...ended },
  );
  return true;
}

/** To reorged, from where it stands: what was booked is there again, and the transaction may land anew. */
export async function loseDeparture(tx: Transaction, row: DepartureRow, failedReason = REORGED): Promise<boolean> {
  const lost = await advance(tx, row.id, { from: row.status, to: 'reorged', fields: { blockHash: '' } });
  if (lost === undefined) return false;
  const gone = { blockNumber: null, blockHash: null, confirmedAt: null, feeBaseUnits: null };
  await updateActivity(tx, row.id, { ...gone, status: 'failed', failedReason });
  if (row.status === 'seen') return true;
  await post(tx, lost, 'departure_reversed');
  await noteLanding(tx, row.transactionId, 'open');
  return true;
}

async function lockDeparture(tx: Transaction, which: SQL | undefined): Promise<DepartureRow | undefined> {
  const [row] = await tx.select().from(departures).where(which).for('no key update');
  return row;
}

interface DepartureMove {
  from: DepartureStatus;
  to: DepartureStatus;
  fields?: Partial<Omit<typeof departures.$inferInsert, 'id' | 'status'>>;
  inBlock?: string;
}

/** Along one arrow, by compare-and-set: undefined when it no longer stood at `from`, or in that block. */
async function advance(
  tx: Transaction,
  id: string,
  { from, to, fields, inBlock }: DepartureMove,
): Promise<DepartureRow | undefined> {
  assertArrow(departureArrows, from, to);
  const [moved] = await tx
    .update(departures)
    .set({ ...fields, status: to, updatedAt: sql`now()` })
    .where(
      and(
        eq(departures.id, id),
        eq(departures.status, from),
        inBlock === undefined ? undefined : eq(departures.blockHash, inBlock),
      ),
    )
    .returning();
  return moved;
}

type ActivityFields = Partial<Omit<TransactionRow, 'confirmedAt'>> & { confirmedAt?: SQL | null };

async function updateActivity(tx: Transaction, id: string, fields: ActivityFields): Promise<void> {
  await tx
    .update(transactions)
    .set({ ...fields, updatedAt: sql`now()` })
    .where(eq(transactions.id, id));
}

const activityOf = (departure: Omit<Departure, 'method' | 'decimals' | 'externalId'>) => ({
  workspaceId: departure.workspaceId,
  walletId: departure.walletId,
  assetId: departure.assetId,
  networkId: departure.networkId,
  txHash: departure.txHash,
  fromAddress: departure.fromAddress,
  toAddress: departure.toAddress,
  recipientAddress: departure.toAddress,
  amountBaseUnits: departure.amountBaseUnits,
  blockNumber: departure.blockNumber,
  blockHash: departure.blockHash,
});

async function post(
  tx: Transaction,
  { id, walletId, assetId, amountBaseUnits, feeBaseUnits, occurrence }: DepartureRow,
  kind: 'departure_booked' | 'departure_reversed',
): Promise<void> {
  const [from, to] =
    kind === 'departure_booked' ? (['available', 'outside'] as const) : (['outside', 'available'] as const);
  const movements: Movement[] = [amountBaseUnits, feeBaseUnits].map((amount) => ({ assetId, from, to, amount }));
  await postLedgerEvent(tx, { kind, subjectId: id, occurrence, walletId, movements });
}
