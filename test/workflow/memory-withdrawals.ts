// Withdrawals and a chain as a model in memory behind the activities of `withdraw`, beside those of memory.ts. It keeps
// the promises that the activities' headers make, and counts what must never happen twice. Knows nothing of fees, coins
// and real chains.
import { ApplicationFailure } from '@temporalio/common';
import { v7 as uuidv7 } from 'uuid';
import type { Activities } from '../../activities/index.ts';
import type { FollowResult } from '../../activities/withdrawals/follow-withdrawal.ts';
import type { Prepared, Sent } from '../../activities/withdrawals/go-on-at-once.ts';
import type { TransactionAttempt } from '../../activities/withdrawals/withdrawal-transfer.ts';
import type { WithdrawalStart } from '../../activities/withdrawals/withdrawals.ts';
import {
  assertArrow,
  type ChainTransactionStatus,
  isFinal,
  type replacementKinds,
  type WithdrawalStatus,
  withdrawalArrows,
} from '../../domain/statuses.ts';
import type { SigningTask } from '../../domain/workflow-inputs.ts';
import type { Abandonment, WithdrawalFailure } from '../../drizzle/withdrawal-repair/abandon-withdrawal.ts';
import type { Memory } from './memory.ts';
import { type Trouble, Troubles } from './troubles.ts';

/** The activities of `withdraw`, without those of its children. */
export const withdrawalSteps = [
  'beginWithdrawal',
  'checkApproval',
  'prepareTransaction',
  'broadcastTransaction',
  'followWithdrawal',
  'abandonWithdrawal',
  'noteReplacementFailed',
] as const;
export type WithdrawalStep = (typeof withdrawalSteps)[number];

interface MemoryTransaction {
  ordinal: number;
  kind: TransactionAttempt['kind'];
  status: ChainTransactionStatus;
  signingId: string;
}

export interface MemoryWithdrawal {
  status: WithdrawalStatus;
  moves: string[];
  failure?: WithdrawalFailure;
  requestedReplacement?: (typeof replacementKinds)[number];
  transactions: MemoryTransaction[];
  /** What each was, at the time. */
  broadcasts: number[];
  /** What befalls the signing operation of each transaction, in the order of the ordinals. */
  signing: Trouble[][];
  /** Whether the chain takes in what was broadcast last. */
  mines: boolean;
  /** Which transaction the chain has taken in, and how many more looks it takes to be final. */
  landed?: number;
  looksToFinal: number;
  lookAgainMs: number;
  /** Makes the history of the workflow long. */
  padding: string;
  /** Base units, of 100 that were there. */
  money: { available: number; held: number; outside: number };
  /** Others wait for the nonce of this one. */
  othersBehind: boolean;
  notes: string[];
}

export class MemoryWithdrawals {
  readonly rows = new Map<string, MemoryWithdrawal>();
  readonly #memory: Memory;
  readonly #troubles = new Troubles();

  /** `memory` has the signing operations. */
  constructor(memory: Memory) {
    this.#memory = memory;
  }

  add(id: string, row: Partial<MemoryWithdrawal> = {}): MemoryWithdrawal {
    const made: MemoryWithdrawal = {
      status: 'approved',
      moves: [],
      transactions: [],
      broadcasts: [],
      signing: [],
      mines: true,
      looksToFinal: 1,
      lookAgainMs: 50,
      padding: '',
      money: { available: 0, held: 100, outside: 0 },
      othersBehind: false,
      notes: [],
      ...row,
    };
    this.rows.set(id, made);
    return made;
  }

  meet(step: WithdrawalStep, id: string, ...troubles: Trouble[]): void {
    this.#troubles.meet(`${step} ${id}`, ...troubles);
  }

  executions(step: WithdrawalStep, id: string): number {
    return this.#troubles.executions(`${step} ${id}`);
  }

  activities(): Pick<Activities, WithdrawalStep> {
    const on = <Answer>(step: WithdrawalStep, id: string, effect: (row: MemoryWithdrawal) => Answer) =>
      this.#troubles.execute(`${step} ${id}`, () => effect(this.#find(id)));
    return {
      beginWithdrawal: (id) => on('beginWithdrawal', id, begin),
      checkApproval: (id) =>
        on('checkApproval', id, ({ status }) => {
          if (status === 'pending_approval') return { standing: 'pending' as const, expiresInMs: 60_000 };
          return { standing: status === 'approved' ? ('approved' as const) : ('ended' as const), expiresInMs: 0 };
        }),
      prepareTransaction: (sending) =>
        on('prepareTransaction', sending.withdrawalId, (row) => this.#prepare(row, sending)),
      broadcastTransaction: ({ withdrawalId, ordinal }) =>
        on('broadcastTransaction', withdrawalId, (row) => this.#broadcast(row, ordinal)),
      followWithdrawal: (id) => on('followWithdrawal', id, look),
      abandonWithdrawal: (id, failure) => on('abandonWithdrawal', id, (row) => this.#abandon(row, failure)),
      noteReplacementFailed: ({ withdrawalId, ordinal }, { errorReason }) =>
        on('noteReplacementFailed', withdrawalId, (row) => {
          const built = row.transactions.filter((one) => one.ordinal === ordinal && one.status === 'built');
          if (row.requestedReplacement === undefined && built.length === 0) return;
          delete row.requestedReplacement;
          for (const one of built) this.#giveUp(one);
          row.notes.push(errorReason);
        }),
    };
  }

  #find(id: string): MemoryWithdrawal {
    const row = this.rows.get(id);
    if (row === undefined) throw ApplicationFailure.nonRetryable('the withdrawal does not exist', 'not_found');
    return row;
  }

  #prepare(row: MemoryWithdrawal, { ordinal, kind }: TransactionAttempt): Prepared {
    if (isFinal(withdrawalArrows, row.status)) return { outcome: 'ended' };
    let transaction = row.transactions.find((one) => one.ordinal === ordinal);
    if (transaction === undefined) {
      transaction = { ordinal, kind, status: 'built', signingId: uuidv7() };
      row.transactions.push(transaction);
      this.#memory.addSigning(transaction.signingId);
      this.#memory.meet('fulfilSigningRequest', transaction.signingId, ...(row.signing[ordinal] ?? []));
      if (kind === row.requestedReplacement) delete row.requestedReplacement;
    }
    return { outcome: 'prepared', tasks: [signingTaskOf(transaction.signingId)] };
  }

  #broadcast(row: MemoryWithdrawal, ordinal: number): Sent {
    const transaction = row.transactions.find((one) => one.ordinal === ordinal);
    if (transaction === undefined) throw ApplicationFailure.nonRetryable('it was never built', 'not_found');
    const signing = this.#memory.signings.get(transaction.signingId);
    if (transaction.status === 'abandoned') throw ApplicationFailure.nonRetryable('it was abandoned', 'abandoned');
    if (transaction.status === 'built') {
      if (signing?.status !== 'success')
        throw ApplicationFailure.nonRetryable(`its signing operation is ${signing?.status}`, 'mpc_error');
      transaction.status = 'broadcast';
    }
    row.broadcasts.push(ordinal);
    return { outcome: 'sent' };
  }

  #abandon(row: MemoryWithdrawal, failure: WithdrawalFailure): Abandonment {
    if (isFinal(withdrawalArrows, row.status)) return { outcome: 'ended' };
    const isSigned = ({ status, signingId }: MemoryTransaction) =>
      status === 'broadcast' || (status === 'built' && this.#memory.signings.get(signingId)?.status === 'success');
    const signed = row.transactions.findLast(isSigned);
    if (signed !== undefined) return { outcome: 'signed', ordinal: signed.ordinal };
    for (const one of row.transactions) if (one.status === 'built') this.#giveUp(one);
    row.failure ??= failure;
    if (row.othersBehind) return { outcome: 'fill', ordinal: row.transactions.length };
    move(row, row.status, 'failed');
    return { outcome: 'ended' };
  }

  #giveUp(transaction: MemoryTransaction): void {
    transaction.status = 'abandoned';
    const signing = this.#memory.signings.get(transaction.signingId);
    if (signing !== undefined && signing.status !== 'success') signing.status = 'failed';
  }
}

function begin(row: MemoryWithdrawal): WithdrawalStart {
  if (isFinal(withdrawalArrows, row.status))
    return { standing: 'ended', status: row.status, reason: `it was ${row.status}` };
  if (row.status === 'pending_approval') return { standing: 'waiting' };
  if (row.status === 'approved') move(row, 'approved', 'processing');
  return { standing: 'ready' };
}

/** Every look is a block. */
function look(row: MemoryWithdrawal): FollowResult {
  if (isFinal(withdrawalArrows, row.status)) return { next: 'end', status: row.status, details: 'As it stands.' };
  const last = row.broadcasts.at(-1);
  if (row.mines && row.landed === undefined && last !== undefined) row.landed = last;
  if (row.landed === undefined) {
    if (row.requestedReplacement !== undefined)
      return { next: 'replace', kind: row.requestedReplacement, ordinal: row.transactions.length };
    return { next: 'look', afterMs: row.lookAgainMs };
  }
  if (row.looksToFinal > 0) {
    row.looksToFinal -= 1;
    return { next: 'look', afterMs: 1, ...(row.padding && { padding: row.padding }) };
  }
  const { kind } = row.transactions.find(({ ordinal }) => ordinal === row.landed) ?? {};
  move(row, 'processing', kind === 'drop' || kind === 'fill' ? 'failed' : 'completed');
  return { next: 'end', status: row.status, details: 'Final.' };
}

/** Its money moves with it. */
function move(row: MemoryWithdrawal, from: WithdrawalStatus, to: WithdrawalStatus): void {
  assertArrow(withdrawalArrows, from, to);
  row.status = to;
  row.moves.push(`${from} → ${to}`);
  if (!isFinal(withdrawalArrows, to)) return;
  row.money[to === 'completed' ? 'outside' : 'available'] += row.money.held;
  row.money.held = 0;
}

const signingTaskOf = (signingId: string): SigningTask => ({
  signingId,
  workspaceId: uuidv7(),
  walletId: uuidv7(),
  networkCode: 'ETHEREUM_SANDBOX',
  kind: 'evm_transaction',
});
