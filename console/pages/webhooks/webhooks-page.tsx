// Where events are delivered to.
import { Link } from 'wouter';
import type { Data } from '../../../src/client/api-types.ts';
import { PagedList, useListQuery } from '../../components/paged-list.tsx';
import type { Column } from '../../components/rows-table.tsx';
import { PageHead } from '../../components/section.tsx';
import { Moment, Status } from '../../components/values.tsx';
import { usePage } from '../../service/use-service.ts';

const WEBHOOKS = '/api/v1/workspaces/{workspace_id}/webhooks';
type Webhook = Data<'get', typeof WEBHOOKS>[number];

const columns: readonly Column<Webhook>[] = [
  { name: 'Address', cell: ({ id, url }) => <Link href={`/webhooks/${id}`}>{url}</Link> },
  { name: 'Description', cell: ({ description }) => description ?? '—' },
  { name: 'Events', cell: ({ events }) => (events.length > 3 ? `${events.length} types` : events.join(', ')) },
  {
    name: 'Status',
    cell: ({ status, status_reason: reason }) => (
      <>
        <Status status={status} /> {reason === undefined ? null : <Status status={reason} />}
      </>
    ),
  },
  { name: 'Created', cell: ({ created_at: at }) => <Moment at={at} /> },
];

export function WebhooksPage() {
  const read = usePage(WEBHOOKS, { query: useListQuery([]) });
  return (
    <>
      <PageHead title="Webhooks" />
      <PagedList
        label="Webhooks"
        read={read}
        columns={columns}
        keyOf={({ id }) => id}
        empty="No webhook has been made: the API makes them, and shows the secret of each once."
      />
    </>
  );
}
