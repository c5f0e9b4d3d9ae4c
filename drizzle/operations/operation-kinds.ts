// The kinds of operations as their rows show them: which are open, and how they are counted. Gauges, quotas and the
// search for orphaned operations read it, so that a further kind is one entry. Decides nothing.
import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { openExportStatuses, openSigningStatuses, openWithdrawalStatuses } from '../../domain/statuses.ts';
import type { OperationKind } from '../../domain/workflow-inputs.ts';
import { exports, isExportOpen } from '../exports/exports.ts';
import { isSigningOpen, signingRequests } from '../signing-requests/signing-requests.ts';
import { wallets } from '../wallets/wallets.ts';
import { isWithdrawalOpen, withdrawals } from '../withdrawals/withdrawals.ts';

export interface OperationRows {
  table: PgTable & Record<'id' | 'workspaceId' | 'workflowId' | 'status' | 'createdAt', AnyPgColumn>;
  openStatuses: readonly string[];
  /** The same, in the words of its partial index. */
  isOpen: SQL;
  /** What its age is counted from. */
  since: AnyPgColumn;
  /** What gauges show as its status. */
  shownStatus: SQL | AnyPgColumn;
  /** Whether it counts among the operations of which a workspace may have so many open. */
  countsAsOpen: boolean;
}

export const operationRows: Readonly<Record<OperationKind, OperationRows>> = {
  wallet: {
    table: wallets,
    openStatuses: ['creating'],
    isOpen: sql`${wallets.status} = 'creating'`,
    since: wallets.createdAt,
    shownStatus: wallets.status,
    countsAsOpen: false, // wallets have a limit of their own
  },
  signing_request: {
    table: signingRequests,
    openStatuses: openSigningStatuses,
    isOpen: isSigningOpen,
    since: signingRequests.createdAt,
    // What waits for people is apart from what waits for machines.
    shownStatus: sql`case when ${signingRequests.statusReason} = 'awaiting_approval' then 'pending_approval'
      else ${signingRequests.status} end`,
    countsAsOpen: true,
  },
  withdrawal: {
    table: withdrawals,
    openStatuses: openWithdrawalStatuses,
    isOpen: isWithdrawalOpen,
    since: withdrawals.updatedAt, // as old as its last step
    shownStatus: withdrawals.status,
    countsAsOpen: true,
  },
  export: {
    table: exports,
    openStatuses: openExportStatuses,
    isOpen: isExportOpen,
    since: exports.createdAt,
    shownStatus: exports.status,
    countsAsOpen: false, // exports have a limit of their own
  },
};
