// Closes operations whose workflow can no longer close them: an operator terminated it, it failed or timed out as a whole, or its server has forgotten
// it. A withdrawal of which something is signed is not closed but goes on in a new run. Never touches one whose workflow runs or is still to be started.
import type { Client, WorkflowExecutionStatusName } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { type FailedSigning, failedSigning, type lostWorkflowFailures } from '../../domain/failures.ts';
import type { Logger } from '../../domain/logger.ts';
import { ORPHANED_AFTER_MS } from '../../domain/time-limits.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { endSigningRequest } from '../../drizzle/operations/end-operations.ts';
import {
  listOpenSigningRequests,
  listOpenWallets,
  listOpenWithdrawals,
} from '../../drizzle/operations/open-operations.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { advanceWallet } from '../../drizzle/wallets/wallets.ts';
import { abandonWithdrawal } from '../../drizzle/withdrawal-repair/abandon-withdrawal.ts';
import type { WorkflowStarter } from '../writes/start-workflow.ts';

const BATCH_SIZE = 100;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export interface AbandonedDependencies {
  db: Database;
  client: Client;
  seals: Seals;
  starter: WorkflowStarter;
  log: Pick<Logger, 'warn'>;
  /** How long an operation is open before its workflow is looked at. */
  openForMs?: number;
}

/** By how its workflow ended, or that it is gone. */
const endings: Partial<Record<WorkflowExecutionStatusName | 'NOT_FOUND', keyof typeof lostWorkflowFailures>> = {
  TERMINATED: 'workflow_terminated',
  CANCELLED: 'workflow_cancelled',
  FAILED: 'workflow_failed',
  TIMED_OUT: 'workflow_timed_out',
  COMPLETED: 'workflow_completed',
  NOT_FOUND: 'workflow_not_found',
};

type OpenWithdrawal = Awaited<ReturnType<typeof listOpenWithdrawals>>[number];

export class AbandonedOperations {
  readonly #dependencies: AbandonedDependencies;
  #signingAfter = BEFORE_ALL;
  #walletAfter = BEFORE_ALL;
  #withdrawalAfter = BEFORE_ALL;

  constructor(dependencies: AbandonedDependencies) {
    this.#dependencies = dependencies;
  }

  /** Looks at one batch of each kind, oldest first; the next call goes on after it, so that many that still run hide none. */
  async closeSome(): Promise<void> {
    const { db, seals, openForMs = ORPHANED_AFTER_MS } = this.#dependencies;
    const page = { openForMs, limit: BATCH_SIZE };
    const requests = await listOpenSigningRequests(db, { ...page, afterId: this.#signingAfter });
    for (const { id, status } of requests)
      await this.#closeOne(id, (closing) =>
        db.transaction((tx) => endSigningRequest(tx, seals, id, { from: status, fields: closing })),
      );
    this.#signingAfter = lastOf(requests);
    const wallets = await listOpenWallets(db, { ...page, afterId: this.#walletAfter });
    for (const { id } of wallets)
      await this.#closeOne(id, ({ errorCode, errorReason }) =>
        advanceWallet(db, id, { from: 'creating', to: 'failed', fields: { errorCode, errorReason } }),
      );
    this.#walletAfter = lastOf(wallets);
    const withdrawals = await listOpenWithdrawals(db, { ...page, afterId: this.#withdrawalAfter });
    for (const withdrawal of withdrawals)
      await this.#closeOne(withdrawal.id, (closing) => this.#endOrGoOn(withdrawal, closing));
    this.#withdrawalAfter = lastOf(withdrawals);
  }

  /** True when it is closed now. */
  async #endOrGoOn({ id, ...wallet }: OpenWithdrawal, failure: FailedSigning): Promise<boolean> {
    const { db, seals, starter, log } = this.#dependencies;
    const { outcome } = await db.transaction((tx) => abandonWithdrawal(tx, seals, id, failure));
    if (outcome === 'ended') return true;
    await starter.startAgain({ workflow: 'withdraw', workflowId: id, input: { withdrawalId: id, ...wallet } });
    log.warn({ id, code: failure.errorCode }, 'withdrawal goes on in a new run');
    return false;
  }

  async #closeOne(id: string, close: (closing: FailedSigning) => Promise<boolean>): Promise<void> {
    const { client, log } = this.#dependencies;
    const code = endings[await workflowStatus(client, id)];
    if (code !== undefined && (await close(failedSigning(code)))) log.warn({ id, code }, 'operation closed');
  }
}

/** A full batch may have others behind it; after the last one it begins anew. */
const lastOf = (rows: readonly { id: string }[]) =>
  (rows.length < BATCH_SIZE ? BEFORE_ALL : rows.at(-1)?.id) ?? BEFORE_ALL;

async function workflowStatus(client: Client, id: string): Promise<WorkflowExecutionStatusName | 'NOT_FOUND'> {
  try {
    const { status } = await client.workflow.getHandle(id).describe();
    return status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'NOT_FOUND';
    throw error;
  }
}
