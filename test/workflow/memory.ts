// The rows and the cluster as a model in memory behind the real activity names. Every execution of every step can be
// made to fail before its effect or after it (a completion that is lost), and what happened to each row is written
// down.
import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Activities } from '../../activities/index.ts';
import type { GeneratedKey } from '../../activities/keys/create-wallet.ts';
import { openAfter } from '../../activities/signing/attempt-failure.ts';
import type { SigningEnd } from '../../activities/signing/attempt-signature.ts';
import type { FailedSigning } from '../../domain/failures.ts';
import {
  assertArrow,
  type Curve,
  type SigningStatus,
  signingArrows,
  type WalletStatus,
  walletArrows,
} from '../../domain/statuses.ts';
import type { SigningTask } from '../../domain/workflow-inputs.ts';
import { type Trouble, Troubles } from './troubles.ts';

export type { Trouble } from './troubles.ts';

/** The activities of `sign` and `createWallet`. */
export type Step =
  | 'signAtOnce'
  | 'fulfilSigningRequest'
  | 'failSigningRequest'
  | 'generateKey'
  | 'activateWallet'
  | 'failWallet';

interface MemoryRow<Status extends string> {
  status: Status;
  /** Every move, as `from → to`. */
  moves: string[];
}

export interface MemorySigning extends MemoryRow<SigningStatus> {
  mpcCorrelationId?: string;
  failure?: FailedSigning;
}

export interface MemoryWallet extends MemoryRow<WalletStatus> {
  keys?: readonly GeneratedKey[];
  error?: { code: string; reason: string };
}

export class Memory {
  readonly signings = new Map<string, MemorySigning>();
  readonly wallets = new Map<string, MemoryWallet>();
  readonly #troubles = new Troubles();
  readonly #keys = new Map<string, GeneratedKey>();

  addSigning(id: string, status: SigningStatus = 'pending'): MemorySigning {
    const row: MemorySigning = { status, moves: [] };
    this.signings.set(id, row);
    return row;
  }

  addWallet(id: string, status: WalletStatus = 'creating'): MemoryWallet {
    const row: MemoryWallet = { status, moves: [] };
    this.wallets.set(id, row);
    return row;
  }

  /**
   * Each of the next executions of `step` for this row meets one of these, in this order; those after them go well.
   * `generateKey` takes `id curve`.
   */
  meet(step: Step, id: string, ...troubles: Trouble[]): void {
    this.#troubles.meet(`${step} ${id}`, ...troubles);
  }

  executions(step: Step, id: string): number {
    return this.#troubles.executions(`${step} ${id}`);
  }

  activities(): Pick<Activities, Step> {
    return {
      signAtOnce: async (task) => {
        const row = this.signings.get(task.signingId);
        if (row !== undefined) move(row, signingArrows, 'pending', 'submitted');
        try {
          return await this.#execute('signAtOnce', task.signingId, () => fulfil(row, task));
        } catch (error) {
          if (error instanceof ApplicationFailure && error.nonRetryable) throw error;
          return openAfter(error);
        }
      },
      fulfilSigningRequest: (task) => {
        const row = this.signings.get(task.signingId);
        if (row !== undefined) move(row, signingArrows, 'pending', 'submitted');
        return this.#execute('fulfilSigningRequest', task.signingId, () => fulfil(row, task));
      },
      failSigningRequest: (id, failure) =>
        this.#execute('failSigningRequest', id, () => {
          const row = this.signings.get(id);
          if (row === undefined) return 'failed';
          const moved =
            move(row, signingArrows, 'submitted', 'failed') || move(row, signingArrows, 'pending', 'failed');
          if (moved) row.failure = failure;
          return row.status;
        }),
      generateKey: (id, curve) => this.#execute('generateKey', `${id} ${curve}`, () => this.#keyOf(id, curve)),
      activateWallet: (id, keys) =>
        this.#execute('activateWallet', id, () => {
          const row = found(this.wallets, id);
          if (move(row, walletArrows, 'creating', 'active')) row.keys = keys;
        }),
      failWallet: (id, code, reason) =>
        this.#execute('failWallet', id, () => {
          const row = found(this.wallets, id);
          if (move(row, walletArrows, 'creating', 'failed')) row.error = { code, reason };
        }),
    };
  }

  #execute<Answer>(step: Step, id: string, effect: () => Answer): Promise<Answer> {
    return this.#troubles.execute(`${step} ${id}`, effect);
  }

  /** A key is generated once, however often it is asked for. */
  #keyOf(walletId: string, curve: Curve): GeneratedKey {
    const name = `${walletId} ${curve}`;
    const key = this.#keys.get(name) ?? { curve, publicKey: `key ${this.#keys.size}`, chainCode: 'chain code' };
    this.#keys.set(name, key);
    return key;
  }
}

function move<Status extends string>(
  row: MemoryRow<Status>,
  arrows: Readonly<Record<Status, readonly Status[]>>,
  from: Status,
  to: Status,
): boolean {
  assertArrow(arrows, from, to);
  if (row.status !== from) return false;
  row.status = to;
  row.moves.push(`${from} → ${to}`);
  return true;
}

function found<Row>(rows: Map<string, Row>, id: string): Row {
  const row = rows.get(id);
  if (row === undefined) throw new Error(`there is no row ${id}`);
  return row;
}

/** Which attempt made the signature can be read off its correlation id. */
function fulfil(row: MemorySigning | undefined, { signingId }: Pick<SigningTask, 'signingId'>): SigningEnd {
  if (row === undefined) throw ApplicationFailure.nonRetryable('there is no such row', 'not_found');
  const mpcCorrelationId = `${signingId}.${activityInfo().attempt}`;
  if (move(row, signingArrows, 'submitted', 'success')) row.mpcCorrelationId = mpcCorrelationId;
  if (row.status !== 'success' && row.status !== 'failed') throw new Error('the row is neither open nor closed');
  return { status: row.status, mpcCorrelationId: row.mpcCorrelationId ?? null };
}

/** Holds executions until a test opens it. */
export function openableGate(): { passed: Promise<void>; open(): void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
