// One webhook: what it is, changing and deleting it, another secret, and what was delivered to it.
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Data } from '../../../src/client/api-types.ts';
import { ConfirmedAction } from '../../components/confirmed-action.tsx';
import { Facts } from '../../components/facts.tsx';
import { Filters } from '../../components/filters.tsx';
import { WriteForm } from '../../components/form.tsx';
import { PagedList, useListQuery } from '../../components/paged-list.tsx';
import type { Column } from '../../components/rows-table.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Shown } from '../../components/shown.tsx';
import { Moment, Status } from '../../components/values.tsx';
import { useChangingPage, useRead } from '../../service/use-service.ts';
import { chosenIn } from '../../text/form-fields.ts';
import { WebhookFields, WebhookSecret } from './webhook-fields.tsx';

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
  const listed = { path, query: useListQuery(['status']) };
  const deliveries = useChangingPage(`${WEBHOOK}/deliveries`, listed, ({ status }) => status === 'pending');
  const { data } = read;
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <PageHead title="Webhook">
        {data === undefined ? null : <WebhookActions webhook={data} onSecret={setSecret} />}
      </PageHead>
      {secret === undefined ? null : <WebhookSecret secret={secret} onPutAway={() => setSecret(undefined)} />}
      <Shown read={read}>
        {(webhook) => (
          <Section title="Receiver">
            <Facts
              facts={[
                ['Address', <code key="url">{webhook.url}</code>],
                ['Description', webhook.description],
                ['Status', <Status key="status" status={webhook.status} />],
                ['Because', webhook.status_reason],
                [
                  'Former secret signs until',
                  webhook.previous_secret_expires_at && <Moment at={webhook.previous_secret_expires_at} />,
                ],
                ['Failing since', webhook.failing_since && <Moment at={webhook.failing_since} />],
                ['Events', webhook.events.length === 0 ? 'all types' : webhook.events.join(', ')],
              ]}
            />
            <ChangeForm webhook={webhook} />
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

function ChangeForm({ webhook }: { webhook: Webhook }) {
  return (
    <details>
      <summary>Change it</summary>
      <WriteForm
        verb="patch"
        path={WEBHOOK}
        label="Change the webhook"
        inputOf={(fields) => ({ path: { webhook_id: webhook.id }, body: changedIn(fields, webhook) })}
      >
        <WebhookFields initial={webhook} />
      </WriteForm>
    </details>
  );
}

/** What is not the same any more, so that nobody else's change is taken back. */
function changedIn(fields: Record<string, string>, webhook: Webhook) {
  const { url, description } = fields;
  const events = chosenIn(fields, 'event');
  const isSame = events.length === webhook.events.length && events.every((type) => webhook.events.includes(type));
  const changed = {
    ...(url === webhook.url ? {} : { url }),
    ...(description === webhook.description ? {} : { description: description ?? null }),
    ...(isSame ? {} : { events }),
  };
  if (Object.keys(changed).length === 0) throw new Error('Nothing of it was changed.');
  return changed;
}

interface WebhookActionsProps {
  webhook: Webhook;
  onSecret: (secret: string | undefined) => void;
}

function WebhookActions({ webhook, onSecret }: WebhookActionsProps) {
  const [, navigate] = useLocation();
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
      <ConfirmedAction
        verb="post"
        path={`${WEBHOOK}/rotate-secret`}
        label="Rotate secret"
        title="Give the webhook a new secret?"
        inputOf={() => ({ path })}
        onDone={(answer) => onSecret((answer as Data<'post', `${typeof WEBHOOK}/rotate-secret`>).secret)}
      >
        <p>For 24 hours each delivery is signed by the secret until now, too.</p>
      </ConfirmedAction>
      <ConfirmedAction
        verb="delete"
        path={WEBHOOK}
        label="Delete"
        title="Delete the webhook?"
        isDangerous
        inputOf={() => ({ path })}
        onDone={() => navigate('/webhooks')}
      >
        <p>It is gone for good, and what waits for it is sent no more.</p>
      </ConfirmedAction>
    </>
  );
}
