// Holds a withdrawal whose workflow has ended although its row is open, as after a restore of an older backup: it may
// have been paid since. Nothing of it is given back until its chain is read beyond what it may have sent, and what left
// its wallet is explained. Asks no chain.
import { isFinal, undecidedWithdrawalStatuses, withdrawalArrows } from '../../domain/statuses.ts';
import { OUTFLOWS_KNOWN_AFTER_MS } from '../../domain/withdrawals/abandonment.ts';
import type { Transaction } from '../database/connection.ts';
import { findNetworkState } from '../networks/network-states.ts';
import { hasUnresolvedOutflow } from '../outflows/outflows.ts';
import { listChainTransactions } from '../withdrawals/chain-transactions.ts';
import { advanceWithdrawal, markDisputed } from '../withdrawals/withdrawal-steps.ts';
import { lockWithdrawal, type WithdrawalRow } from '../withdrawals/withdrawals.ts';

const HELD =
  'It waits, and nothing is given back or signed anew: its workflow has ended and its row does not say how, as after a restore. Was it paid, an operator completes it by what left its wallet.';

/**
 * `held` the first time, `waiting` after that. `known`: it may be ended by its rows, or gone on with where something is
 * signed, since who follows that asks the chain.
 */
export async function holdWhileUnknown(tx: Transaction, id: string): Promise<'held' | 'waiting' | 'known'> {
  const row = await lockWithdrawal(tx, id);
  if (row === undefined || isFinal(withdrawalArrows, row.status)) return 'known';
  if ((await listChainTransactions(tx, id)).some(({ signed }) => signed !== null)) return 'known';
  if (row.disputedAt !== null) return (await isKnown(tx, row, row.disputedAt)) ? 'known' : 'waiting';
  if (row.status === 'approved')
    await advanceWithdrawal(tx, id, { from: 'approved', to: 'processing', details: 'Begun.' });
  // One that nobody has decided about keeps its status: a caller may still cancel it.
  const status = undecidedWithdrawalStatuses.includes(row.status) ? row.status : 'processing';
  await advanceWithdrawal(tx, id, { from: status, to: status, fields: { subStatus: 'stuck' }, details: HELD });
  await markDisputed(tx, id);
  return 'held';
}

/** Read up to a head that was seen when all that was out at `since` had landed or was given up. */
async function isKnown(tx: Transaction, { networkId, walletId }: WithdrawalRow, since: Date): Promise<boolean> {
  const knownFrom = since.getTime() + OUTFLOWS_KNOWN_AFTER_MS;
  if (Date.now() < knownFrom || (await hasUnresolvedOutflow(tx, walletId))) return false;
  const state = await findNetworkState(tx, networkId);
  if (state === undefined) return true;
  const { haltedReason, nextBlock, headBlock, headAt } = state;
  return haltedReason === null && nextBlock > headBlock && headAt.getTime() >= knownFrom;
}
