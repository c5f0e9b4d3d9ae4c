// What an operator repairs when the record of an address's nonces went wrong: where they are given out from, and the
// end of withdrawals whose nonce can never be reached. Believes the operator's number, and no node.
import { and, asc, eq, gte } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { isFinal, type WithdrawalStatus, withdrawalArrows } from '../../domain/statuses.ts';
import { isUnreachable } from '../../domain/withdrawals/held-nonces.ts';
import { insertOperatorEntry, toKeptText } from '../audit/audit-entries.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { recordEnd } from '../operations/end-operations.ts';
import type { Seals } from '../seals/seals.ts';
import { walletAddresses, wallets } from '../wallets/wallets.ts';
import { advanceChainTransaction, listChainTransactions } from '../withdrawals/chain-transactions.ts';
import {
  type Account,
  findFreeNonce,
  findLastNonce,
  lockAccount,
  nonceRepairs,
  nonces,
} from '../withdrawals/nonces.ts';
import { advanceWithdrawal } from '../withdrawals/withdrawal-steps.ts';
import { lockWithdrawal, withdrawals } from '../withdrawals/withdrawals.ts';
import { closeSignings } from './abandon-withdrawal.ts';

export interface NonceRepair {
  /** The wallet that has the address. */
  walletId: string;
  workspaceId: string;
  /** The highest nonce that was given out; −1 before the first. */
  last: number;
  /** The nonce that the next withdrawal gets. */
  free: number;
  /** Whose nonce is so far ahead that it never lands: open ones fail, and their money is given back. */
  unreachable: HeldNonce[];
  /** Those ahead of the next nonce that land once the ones before theirs are used. */
  waiting: HeldNonce[];
}

export interface HeldNonce {
  withdrawalId: string;
  nonce: number;
  status: WithdrawalStatus;
}

/** What a repair would do when the chain's next nonce is `next`. Undefined when no wallet has the address. */
export async function planNonceRepair(
  db: Database | Transaction,
  account: Account,
  next: number,
): Promise<NonceRepair | undefined> {
  const [owner] = await db
    .select({ walletId: wallets.id, workspaceId: wallets.workspaceId })
    .from(walletAddresses)
    .innerJoin(wallets, eq(wallets.id, walletAddresses.walletId))
    .where(and(eq(walletAddresses.address, account.address), eq(walletAddresses.addressType, 'evm')));
  if (owner === undefined) return undefined;
  const ahead = await db
    .select({ withdrawalId: nonces.withdrawalId, nonce: nonces.nonce, status: withdrawals.status })
    .from(nonces)
    .innerJoin(withdrawals, eq(withdrawals.id, nonces.withdrawalId))
    .where(and(eq(nonces.networkId, account.networkId), eq(nonces.address, account.address), gte(nonces.nonce, next)))
    .orderBy(asc(nonces.nonce));
  return {
    ...owner,
    last: await findLastNonce(db, account),
    free: await findFreeNonce(db, account, next),
    unreachable: ahead.filter(({ nonce }) => isUnreachable(nonce, next)),
    waiting: ahead.filter((one) => !isUnreachable(one.nonce, next) && !isFinal(withdrawalArrows, one.status)),
  };
}

/** Safe to repeat: what has ended stays so. Undefined when no wallet has the address. */
export async function repairNonces(
  tx: Transaction,
  seals: Seals,
  account: Account,
  { next, note }: { next: number; note: string },
): Promise<NonceRepair | undefined> {
  // The withdrawals before the account: the order in which everybody takes these locks.
  const planned = await planNonceRepair(tx, account, next);
  for (const { withdrawalId } of planned?.unreachable ?? []) await lockWithdrawal(tx, withdrawalId);
  await lockAccount(tx, account);
  const repair = await planNonceRepair(tx, account, next);
  if (repair === undefined) return undefined;
  await tx.insert(nonceRepairs).values({ id: uuidv7(), ...account, nextNonce: next, note });
  for (const held of repair.unreachable) await endUnreachable(tx, seals, held, next);
  const { walletId, workspaceId, last, unreachable } = repair;
  await insertOperatorEntry(tx, {
    workspaceId,
    walletId,
    action: 'nonces repair',
    resourceId: account.address,
    before: toKeptText({ last_nonce: last }),
    after: toKeptText({ ...account, next_nonce: next, note, failed: unreachable.map((each) => each.withdrawalId) }),
  });
  return repair;
}

async function endUnreachable(
  tx: Transaction,
  seals: Seals,
  { withdrawalId, nonce }: HeldNonce,
  next: number,
): Promise<void> {
  const withdrawal = await lockWithdrawal(tx, withdrawalId);
  await tx.delete(nonces).where(eq(nonces.withdrawalId, withdrawalId));
  if (withdrawal === undefined || isFinal(withdrawalArrows, withdrawal.status)) return;
  const errorReason = `Its nonce ${nonce} was made up by a node: the next one of its address is ${next}, so that it can never land.`;
  const failure = { errorCode: 'nonce_unreachable', errorReason } as const;
  const rows = await listChainTransactions(tx, withdrawalId);
  await closeSignings(tx, seals, rows, failure);
  for (const { id, status } of rows.filter((row) => row.status !== 'abandoned'))
    await advanceChainTransaction(tx, id, { from: status, to: 'abandoned' });
  if (
    await advanceWithdrawal(tx, withdrawalId, {
      from: withdrawal.status,
      to: 'failed',
      fields: failure,
      details: errorReason,
    })
  )
    await recordEnd(tx, seals, withdrawal, failure);
}
