// One webhook with what was delivered to it; each delivery can be made again.
import type { Data } from '../../../src/client/api-types.ts';
import { ConfirmedAction } from '../../components/confirmed-action.tsx';
import { Facts } from '../../components/facts.tsx';
import { Filters } from '../../components/filters.tsx';
import { PagedList, useListQuery } from '../../components/paged-list.tsx';
import type { Column } from '../../components/rows-table.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Shown } from '../../components/shown.tsx';
import { Moment, Status } from '../../components/values.tsx';
import { usePage, useRead } from '../../service/use-service.ts';

const WEBHOOK = '/api/v1/webhooks/{webhook_id}';
type Webhook = Data<'get', typeof WEBHOOK>;
type Delivery = Data<'get', `${typeof WEBHOOK}/deliveries`>[number];

const columns: readonly Column<Delivery>[] = [
  { name: 'Event', cell: ({ event_type: type }) => type },
  { name: 'Number', isNumber: true, cell: ({ event_seq: seq }) => seq },
  { name: 'Status', cell: ({ status }) => <Status status={status} /> },
  {
    name: 'Last attempt',
    cell: ({ attempts }) => {
      const last = attempts.at(-1);
      if (last === undefined) return 'none yet';
      const outcome = last.error ?? (last.status_code === undefined ? 'no answer' : `answered ${last.status_code}`);
      return `${last.attempt}: ${outcome}, ${last.duration_ms} ms`;
    },
  },
  { name: 'Next attempt', cell: ({ next_attempt_at: at }) => <Moment at={at} /> },
  { name: 'Made', cell: ({ created_at: at }) => <Moment at={at} /> },
  {
    name: 'Change',
    cell: ({ id }) => (
      <ConfirmedAction
        verb="post"
        path="/api/v1/webhooks/deliveries/{delivery_id}/redeliver"
        label="Redeliver"
        title="Deliver this event again?"
        inputOf={() => ({ path: { delivery_id: id } })}
      >
        <p>The receiver gets the same event once more, with the same id.</p>
      </ConfirmedAction>
    ),
  },
];

export function WebhookPage({ id }: { id: string }) {
  const path = { webhook_id: id };
  const read = useRead(WEBHOOK, { path });
  const deliveries = usePage(`${WEBHOOK}/deliveries`, { path, query: useListQuery(['status']) });
  const { data } = read;
  return (
    <>
      <PageHead title="Webhook">{data === undefined ? null : <WebhookActions webhook={data} />}</PageHead>
      <Shown read={read}>
        {(webhook) => (
          <Section title="Receiver">
            <Facts
              facts={[
                ['Address', <code key="url">{webhook.url}</code>],
                ['Description', webhook.description],
                ['Status', <Status key="status" status={webhook.status} />],
                ['Because', webhook.status_reason],
                ['Failing since', webhook.failing_since && <Moment at={webhook.failing_since} />],
                ['Events', webhook.events.join(', ')],
              ]}
            />
          </Section>
        )}
      </Shown>
      <Section title="Deliveries">
        <Filters
          filters={[{ name: 'status', label: 'Status', kind: 'choice', choices: ['pending', 'delivered', 'failed'] }]}
        />
        <PagedList
          label="Deliveries"
          read={deliveries}
          columns={columns}
          keyOf={(delivery) => delivery.id}
          empty="Nothing has been delivered yet."
        />
      </Section>
    </>
  );
}

function WebhookActions({ webhook }: { webhook: Webhook }) {
  const path = { webhook_id: webhook.id };
  const isActive = webhook.status === 'active';
  return (
    <>
      <ConfirmedAction
        verb="post"
        path={`${WEBHOOK}/ping`}
        label="Test"
        title="Send a test?"
        inputOf={() => ({ path })}
      >
        <p>The receiver gets an event of the type webhook.ping.</p>
      </ConfirmedAction>
      <ConfirmedAction
        verb="patch"
        path={WEBHOOK}
        label={isActive ? 'Disable webhook' : 'Enable webhook'}
        title={isActive ? 'Deliver nothing any more?' : 'Deliver again?'}
        isDangerous={isActive}
        inputOf={() => ({ path, body: { status: isActive ? 'disabled' : 'active' } })}
      >
        <p>{isActive ? 'Events of meanwhile can be delivered later.' : 'Events are delivered from now on.'}</p>
      </ConfirmedAction>
    </>
  );
}
