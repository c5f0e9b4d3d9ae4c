// How a deposit is made and moves: its row, its line in the activity and its money change in one transaction, by
// compare-and-set. What was seen is `pending_in`; only what is confirmed can be spent.
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { judgeSecondSighting } from '../../domain/deposits/second-sighting.ts';
import { assertArrow, type DepositStatus, depositArrows, type LedgerAccountKind } from '../../domain/statuses.ts';
import type { AddressType } from '../../domain/wallets/address-types.ts';
import type { Transaction } from '../database/connection.ts';
import { type LedgerEventKind, postLedgerEvent } from '../ledger/ledger.ts';
import { type TransactionRow, transactions } from '../transactions/transactions.ts';
import { insertWalletAsset } from '../wallets/wallet-assets.ts';
import { type DepositRow, deposits, recordDepositEvent } from './deposits.ts';

/** An inbound transfer for a wallet of ours, of an asset that is credited. */
export interface Credit
  extends Pick<DepositRow, 'workspaceId' | 'walletId' | 'assetId' | 'networkId'>,
    Pick<DepositRow, 'txHash' | 'arrivalIndex' | 'fromAddress' | 'toAddress' | 'amountBaseUnits'>,
    Pick<DepositRow, 'blockNumber' | 'blockHash'> {
  decimals: number;
  addressType: AddressType;
  derivationPath: string;
}

/** Why a deposit that was seen counts no more: the line in the activity says so. */
const REORGED = 'A reorganisation of the chain took its block back.';

/**
 * Records what was seen in a block. The same inbound transfer in another block, or read again, is the same deposit: it
 * is credited once (controls D4). Answers whether that changed anything.
 */
export async function seeDeposit(tx: Transaction, credit: Credit): Promise<boolean> {
  const [inserted] = await tx
    .insert(deposits)
    .values({ id: uuidv7(), ...fieldsOf(credit), status: 'pending' })
    .onConflictDoNothing({ target: [deposits.networkId, deposits.txHash, deposits.arrivalIndex] })
    .returning({ ...getTableColumns(deposits), eventId: recordDepositEvent('pending') });
  if (inserted === undefined) return seeAgain(tx, credit);
  await tx.insert(transactions).values({
    id: inserted.id,
    transactionId: inserted.id,
    direction: 'in',
    method: 'transfer',
    status: 'pending',
    ...activityOf(credit),
  });
  await attachAsset(tx, credit);
  await post(tx, inserted, 'deposit_seen', { from: 'outside', to: 'pending_in' });
  return true;
}

async function seeAgain(tx: Transaction, credit: Credit): Promise<boolean> {
  const { networkId, txHash, arrivalIndex, blockNumber, blockHash } = credit;
  const [row] = await tx
    .select()
    .from(deposits)
    .where(and(eq(deposits.networkId, networkId), eq(deposits.txHash, txHash), eq(deposits.arrivalIndex, arrivalIndex)))
    .for('no key update');
  if (row === undefined) throw new Error('a deposit that is there already is not there');
  const sighting = judgeSecondSighting(row, credit);
  if (sighting === 'known') return false;
  if (sighting === 'moved') await moveToBlock(tx, row.id, { blockNumber, blockHash });
  if (sighting === 'replaced') await loseDeposit(tx, row);
  if (sighting === 'replaced' || sighting === 'returned') await comeBack(tx, row, credit);
  return true;
}

async function moveToBlock(
  tx: Transaction,
  id: string,
  block: Pick<DepositRow, 'blockNumber' | 'blockHash'>,
): Promise<void> {
  await tx
    .update(deposits)
    .set({ ...block, updatedAt: sql`now()` })
    .where(eq(deposits.id, id));
  await updateActivity(tx, id, block);
}

async function comeBack(tx: Transaction, row: DepositRow, credit: Credit): Promise<void> {
  const occurrence = row.occurrence + 1;
  const [back] = await advance(tx, row.id, {
    from: 'reorged',
    to: 'pending',
    fields: { ...fieldsOf(credit), occurrence },
  });
  if (back === undefined) throw new Error('a deposit that was locked has moved');
  await updateActivity(tx, row.id, { ...activityOf(credit), status: 'pending', failedReason: null });
  await attachAsset(tx, credit);
  await post(tx, back, 'deposit_seen', { from: 'outside', to: 'pending_in' });
}

/** Pending → confirmed, while it still is in the block in which it was found. False when it is not. */
export async function confirmDeposit(tx: Transaction, row: DepositRow): Promise<boolean> {
  const [moved] = await advance(tx, row.id, { from: 'pending', to: 'confirmed', inBlock: row.blockHash });
  if (moved === undefined) return false;
  await updateActivity(tx, row.id, { status: 'confirmed', confirmedAt: sql`now()` });
  await post(tx, moved, 'deposit_confirmed', { from: 'pending_in', to: 'available' });
  return true;
}

/**
 * To reorged, from where it stands. What was confirmed may be spent already: then the available balance goes below
 * zero.
 */
export async function loseDeposit(tx: Transaction, row: DepositRow): Promise<boolean> {
  const [moved] = await advance(tx, row.id, { from: row.status, to: 'reorged', fields: { blockHash: '' } });
  if (moved === undefined) return false;
  const gone = { blockNumber: null, blockHash: null, confirmedAt: null };
  await updateActivity(tx, row.id, { ...gone, status: 'failed', failedReason: REORGED });
  if (row.status === 'confirmed') await post(tx, moved, 'deposit_reversed', { from: 'available', to: 'outside' });
  else await post(tx, moved, 'deposit_unseen', { from: 'pending_in', to: 'outside' });
  return true;
}

/** Its block is gone; the transaction may be in another one soon. */
export async function orphanDeposit(tx: Transaction, { id }: DepositRow): Promise<void> {
  await tx
    .update(deposits)
    .set({ blockHash: '', updatedAt: sql`now()` })
    .where(and(eq(deposits.id, id), eq(deposits.status, 'pending')));
  await updateActivity(tx, id, { blockNumber: null, blockHash: null });
}

type Fields = Partial<Omit<typeof deposits.$inferInsert, 'id' | 'status'>>;

interface DepositMove {
  from: DepositStatus;
  to: DepositStatus;
  fields?: Fields;
  inBlock?: string;
}

/** Along one arrow, by compare-and-set: nothing when it no longer stood at `from`, or in that block. */
async function advance(tx: Transaction, id: string, { from, to, fields, inBlock }: DepositMove): Promise<DepositRow[]> {
  assertArrow(depositArrows, from, to);
  return tx
    .update(deposits)
    .set({ ...fields, status: to, updatedAt: sql`now()` })
    .where(
      and(
        eq(deposits.id, id),
        eq(deposits.status, from),
        inBlock === undefined ? undefined : eq(deposits.blockHash, inBlock),
      ),
    )
    .returning({ ...getTableColumns(deposits), eventId: recordDepositEvent(to) });
}

type ActivityFields = Partial<Omit<TransactionRow, 'confirmedAt'>> & { confirmedAt?: SQL | null };

async function updateActivity(tx: Transaction, id: string, fields: ActivityFields): Promise<void> {
  await tx
    .update(transactions)
    .set({ ...fields, updatedAt: sql`now()` })
    .where(eq(transactions.id, id));
}

/** What both rows say of it. */
const sharedOf = (credit: Credit) => ({
  workspaceId: credit.workspaceId,
  walletId: credit.walletId,
  assetId: credit.assetId,
  networkId: credit.networkId,
  txHash: credit.txHash,
  fromAddress: credit.fromAddress,
  toAddress: credit.toAddress,
  amountBaseUnits: credit.amountBaseUnits,
  blockNumber: credit.blockNumber,
  blockHash: credit.blockHash,
});

const fieldsOf = (credit: Credit) => ({ ...sharedOf(credit), arrivalIndex: credit.arrivalIndex });

const activityOf = (credit: Credit) => ({
  ...sharedOf(credit),
  decimals: credit.decimals,
  recipientAddress: credit.toAddress,
});

/** A wallet has what it received, whether somebody attached the asset before or not. */
async function attachAsset(tx: Transaction, credit: Credit): Promise<void> {
  const { walletId, assetId, addressType, toAddress: address, derivationPath } = credit;
  await insertWalletAsset(tx, {
    id: uuidv7(),
    walletId,
    assetId,
    addressType,
    address,
    derivationPath,
    status: 'active',
  });
}

async function post(
  tx: Transaction,
  { id, walletId, assetId, amountBaseUnits: amount, occurrence }: DepositRow,
  kind: LedgerEventKind,
  { from, to }: { from: LedgerAccountKind; to: LedgerAccountKind },
): Promise<void> {
  const movements = [{ assetId, from, to, amount }];
  await postLedgerEvent(tx, { kind, subjectId: id, occurrence, walletId, movements });
}
