// Every page with its address, in the order of the navigation. An address that is none says so.
import type { ComponentType } from 'react';
import { PageHead } from '../components/section.tsx';
import { AuditPage } from '../pages/audit/audit-page.tsx';
import { EventsPage } from '../pages/events/events-page.tsx';
import { ExportPage } from '../pages/exports/export-page.tsx';
import { ExportSchedulesPage } from '../pages/exports/export-schedules-page.tsx';
import { ExportsPage } from '../pages/exports/exports-page.tsx';
import { contentsFor } from '../pages/exports/readable-contents.ts';
import { NodesPage } from '../pages/nodes/nodes-page.tsx';
import { OverviewPage } from '../pages/overview/overview-page.tsx';
import { PasskeysPage } from '../pages/passkeys/passkeys-page.tsx';
import { PolicyHistoryPage } from '../pages/policy/policy-history-page.tsx';
import { PolicyPage } from '../pages/policy/policy-page.tsx';
import { SigningRequestPage } from '../pages/signing-requests/signing-request-page.tsx';
import { SigningRequestsPage } from '../pages/signing-requests/signing-requests-page.tsx';
import { TransactionsPage } from '../pages/transactions/transactions-page.tsx';
import { UsersPage } from '../pages/users/users-page.tsx';
import { WalletPage } from '../pages/wallets/wallet-page.tsx';
import { WalletsPage } from '../pages/wallets/wallets-page.tsx';
import { WebhookPage } from '../pages/webhooks/webhook-page.tsx';
import { WebhooksPage } from '../pages/webhooks/webhooks-page.tsx';
import { NewWithdrawalPage } from '../pages/withdrawals/new-withdrawal-page.tsx';
import { WithdrawalPage } from '../pages/withdrawals/withdrawal-page.tsx';
import { WithdrawalsPage } from '../pages/withdrawals/withdrawals-page.tsx';
import type { Session } from '../session/session.ts';

const mayExport = (key: Session['key']) => contentsFor(key).length > 0;

/** Some are for those alone who can do something there. */
export const navigation: readonly (readonly [href: string, name: string, isFor?: (key: Session['key']) => boolean])[] =
  [
    ['/', 'Overview'],
    ['/wallets', 'Wallets'],
    ['/signing-requests', 'Signing requests'],
    ['/withdrawals', 'Withdrawals'],
    ['/transactions', 'Transactions'],
    ['/exports', 'Exports', mayExport],
    ['/export-schedules', 'Export schedules', mayExport],
    ['/policy', 'Policy'],
    ['/users', 'Users and keys'],
    ['/passkeys', 'Your passkeys'],
    ['/webhooks', 'Webhooks'],
    ['/events', 'Events'],
    ['/audit', 'Audit'],
    ['/nodes', 'Nodes and clusters'],
  ];

/** A page of one thing is handed its id. */
export const pages: readonly (readonly [pattern: string, Page: ComponentType<{ id: string }>])[] = [
  ['/', OverviewPage],
  ['/wallets', WalletsPage],
  ['/wallets/:id', WalletPage],
  ['/signing-requests', SigningRequestsPage],
  ['/signing-requests/:id', SigningRequestPage],
  ['/withdrawals', WithdrawalsPage],
  ['/withdrawals/new', NewWithdrawalPage],
  ['/withdrawals/:id', WithdrawalPage],
  ['/transactions', TransactionsPage],
  ['/exports', ExportsPage],
  ['/exports/:id', ExportPage],
  ['/export-schedules', ExportSchedulesPage],
  ['/policy', PolicyPage],
  ['/policy/history', PolicyHistoryPage],
  ['/users', UsersPage],
  ['/passkeys', PasskeysPage],
  ['/webhooks', WebhooksPage],
  ['/webhooks/:id', WebhookPage],
  ['/events', EventsPage],
  ['/audit', AuditPage],
  ['/nodes', NodesPage],
];

export function NotFoundPage() {
  return (
    <>
      <PageHead title="No such page" />
      <p>The console has no page at this address.</p>
    </>
  );
}
