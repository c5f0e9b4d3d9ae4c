// Whether a further transaction of a withdrawal may be made: by the sealed rows and the chain alone. Whoever schedules
// the activity is not believed: he could be anybody who reaches Temporal. Makes none.
import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import type { ChainTransactionRow } from '../../drizzle/withdrawals/chain-transactions.ts';
import type { WithdrawalContext } from '../../drizzle/withdrawals/withdrawal-context.ts';
import type { Chain } from '../chains/port/chain.ts';
import { judgeEarlier } from './withdrawal-fates.ts';
import type { TransactionAttempt } from './withdrawal-transfer.ts';

export interface Asking {
  db: Database;
  seals: Seals;
  context: WithdrawalContext;
  sending: TransactionAttempt;
  /** All that were made so far, in order (listSealedTransactions). */
  earlier: readonly ChainTransactionRow[];
  witnesses: readonly Chain[];
}

/**
 * - the ordinal is the number of those before it, and only the first one is a `transfer`
 * - `speed_up` and `drop`: its row says that somebody wants it
 * - `fill`: its row says why it fails, and nothing of it is signed
 * - `renewal`: every earlier one is signed, and all nodes of the network say that it is dead. False while they do not:
 *   then it is looked at again.
 *
 * Not retried: anything else.
 */
export async function mayMakeTransaction({
  db,
  seals,
  context,
  sending,
  earlier,
  witnesses,
}: Asking): Promise<boolean> {
  const { withdrawal } = context;
  const { kind, ordinal } = sending;
  if (ordinal !== earlier.length || (ordinal === 0) !== (kind === 'transfer')) throw notDue(sending);
  switch (kind) {
    case 'transfer':
      return true;
    case 'speed_up':
    case 'drop':
      if (withdrawal.requestedReplacement !== kind) throw notDue(sending);
      return true;
    case 'fill':
      if (withdrawal.errorCode === null || earlier.some(({ signed }) => signed !== null)) throw notDue(sending);
      return true;
    case 'renewal': {
      if (withdrawal.errorCode !== null || earlier.some(({ signed }) => signed === null)) throw notDue(sending);
      const { outcome } = await judgeEarlier({ db, seals }, witnesses, withdrawal, ordinal);
      return outcome === 'dead';
    }
  }
}

const notDue = ({ kind, ordinal }: TransactionAttempt) =>
  ApplicationFailure.nonRetryable(`its rows ask for no transaction ${ordinal + 1} (${kind})`, 'not_due');
