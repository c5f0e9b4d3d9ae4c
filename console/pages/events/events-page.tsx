// The workspace's events as they come, newest first.
import { Link } from 'wouter';
import type { WorkspaceEvent } from '../../client/console-client.ts';
import { type Column, RowsTable } from '../../components/rows-table.tsx';
import { PageHead } from '../../components/section.tsx';
import { NeedsScope } from '../../components/shown.tsx';
import { Moment } from '../../components/values.tsx';
import { useLatestEvents } from '../../service/live-events.ts';
import { useMissingScope } from '../../session/session.ts';
import { words } from '../../text/words.ts';

const columns: readonly Column<WorkspaceEvent>[] = [
  { name: 'Number', isNumber: true, cell: ({ seq }) => seq },
  { name: 'Event', cell: ({ type }) => type },
  { name: 'Of', cell: (event) => <About event={event} /> },
  { name: 'When', cell: ({ timestamp }) => <Moment at={timestamp} /> },
];

export function EventsPage() {
  const missingScope = useMissingScope('get', '/api/v1/workspaces/{workspace_id}/events');
  const events = useLatestEvents();
  return (
    <>
      <PageHead title="Events" />
      {missingScope !== undefined ? (
        <NeedsScope scope={missingScope} />
      ) : events.length === 0 ? (
        <p className="empty">Nothing has happened yet: this page shows it as it happens.</p>
      ) : (
        <RowsTable label="Events" rows={events} columns={columns} keyOf={({ id }) => id} />
      )}
    </>
  );
}

function About({ event }: { event: WorkspaceEvent }) {
  const { id, wallet_id: walletId } = event.data as { id?: string; wallet_id?: string };
  const [kind] = event.type.split('.');
  if (kind === 'withdrawal' && id !== undefined) return <Link href={`/withdrawals/${id}`}>the withdrawal</Link>;
  if (kind === 'signing' && id !== undefined) return <Link href={`/signing-requests/${id}`}>the signing request</Link>;
  if (walletId !== undefined) return <Link href={`/wallets/${walletId}`}>the wallet</Link>;
  if (kind === 'export' && id !== undefined) return <Link href={`/exports/${id}`}>the export</Link>;
  if (kind === 'webhook' && id !== undefined) return <Link href={`/webhooks/${id}`}>the webhook</Link>;
  if (kind === 'api_key' || kind === 'passkey') return <Link href="/users">the {words(kind)}</Link>;
  return <>{words(kind ?? '')}</>;
}
