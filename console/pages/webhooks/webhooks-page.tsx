// Where events are delivered to, and where another receiver is named.
import { useState } from 'react';
import { Link } from 'wouter';
import type { Data } from '../../../src/client/api-types.ts';
import { WriteForm } from '../../components/form.tsx';
import { PagedList, useListQuery } from '../../components/paged-list.tsx';
import type { Column } from '../../components/rows-table.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Moment, Status } from '../../components/values.tsx';
import { usePage } from '../../service/use-service.ts';
import { chosenIn } from '../../text/form-fields.ts';
import { WebhookFields, WebhookSecret } from './webhook-fields.tsx';

const WEBHOOKS = '/api/v1/workspaces/{workspace_id}/webhooks';
type Webhook = Data<'get', typeof WEBHOOKS>[number];

const columns: readonly Column<Webhook>[] = [
  { name: 'Address', cell: ({ id, url }) => <Link href={`/webhooks/${id}`}>{url}</Link> },
  { name: 'Description', cell: ({ description }) => description ?? '—' },
  { name: 'Events', cell: ({ events }) => inShort(events) },
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

function inShort(events: readonly string[]): string {
  if (events.length === 0) return 'all types';
  return events.length > 3 ? `${events.length} types` : events.join(', ');
}

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
        empty="There is no webhook: name a receiver of events below."
      />
      <NewWebhook />
    </>
  );
}

function NewWebhook() {
  const [secret, setSecret] = useState<string>();
  return (
    <Section title="New webhook">
      <WriteForm
        verb="post"
        path={WEBHOOKS}
        label="Create the webhook"
        inputOf={(fields) => {
          const { url, description } = fields;
          const events = chosenIn(fields, 'event');
          return { body: { url, events, ...(description === undefined ? {} : { description }) } };
        }}
        onDone={(answer) => setSecret((answer as Data<'post', typeof WEBHOOKS>).secret)}
      >
        <WebhookFields />
      </WriteForm>
      {secret === undefined ? null : <WebhookSecret secret={secret} onPutAway={() => setSecret(undefined)} />}
    </Section>
  );
}
