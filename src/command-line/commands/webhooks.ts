// `countersign webhooks`. The secret of a webhook is shown where the service shows it: once.
import type { Command } from 'commander';
import type { WorkspaceEvent } from '../../client/client.ts';
import {
  given,
  queryOf,
  readList,
  readMoment,
  type WriteChoices,
  withListOptions,
  withWriteOptions,
  writeOptionsOf,
} from '../options.ts';
import type { ListOptions, Session } from '../session.ts';
import { showSecret } from './users.ts';

type Listed = ListOptions & Record<string, unknown>;
type EventType = WorkspaceEvent['type'];

const WEBHOOKS = '/api/v1/workspaces/{workspace_id}/webhooks';
const WEBHOOK = '/api/v1/webhooks/{webhook_id}';
const deliveryFilters = { status: 'status', type: 'event_type' };

interface Choices extends WriteChoices {
  url: string;
  events: string[];
  description?: string;
}

export function addWebhooks(program: Command, session: Session): void {
  const webhooks = program.command('webhooks').description('where events are sent to');
  withListOptions(webhooks.command('list').description('the newest first; no secret')).action((options: Listed) =>
    session.list(
      session.client.list(WEBHOOKS, { query: queryOf(options) }),
      [
        ['WEBHOOK', ({ id }) => id],
        ['STATUS', ({ status }) => status],
        ['', ({ status_reason }) => status_reason],
        ['FAILING SINCE', ({ failing_since }) => failing_since],
        ['URL', ({ url }) => url],
        ['EVENTS', ({ events }) => events.join(' ')],
      ],
      options,
    ),
  );
  webhooks
    .command('show <webhook>')
    .description('one of them')
    .action(async (webhook_id: string) => session.record(await session.client.get(WEBHOOK, { path: { webhook_id } })));
  withWriteOptions(webhooks.command('create').description('a webhook, with its secret'))
    .requiredOption('--url <url>', 'where events are sent to')
    .requiredOption(
      '--events <types>',
      'with commas between them, as in deposit.confirmed,withdrawal.completed',
      readList,
    )
    .option('--description <text>', 'for people')
    .action(async ({ url, events, description, ...options }: Choices) => {
      const body = { url, events: events as EventType[], ...given({ description }) };
      await showSecret(session, await session.client.post(WEBHOOKS, { body, ...writeOptionsOf(options) }));
    });
  addChanges(webhooks, session);
  addDeliveries(webhooks, session);
}

function addChanges(webhooks: Command, session: Session): void {
  withWriteOptions(webhooks.command('change <webhook>').description('where to, and what'))
    .option('--url <url>', 'where events are sent to')
    .option('--events <types>', 'with commas between them', readList)
    .option('--description <text>', 'for people')
    .option('--status <status>', 'active or disabled')
    .action(async (webhook_id: string, choices: Partial<Choices> & { status?: 'active' | 'disabled' }) => {
      const { url, events, description, status, ...options } = choices;
      const body = given({ url, events: events as EventType[] | undefined, description, status });
      await session.record(
        await session.client.patch(WEBHOOK, { path: { webhook_id }, body, ...writeOptionsOf(options) }),
      );
    });
  withWriteOptions(webhooks.command('delete <webhook>').description('nothing more is sent')).action(
    async (webhook_id: string, options: WriteChoices) =>
      session.record(await session.client.delete(WEBHOOK, { path: { webhook_id }, ...writeOptionsOf(options) })),
  );
  withWriteOptions(webhooks.command('rotate-secret <webhook>').description('a new secret, shown once')).action(
    async (webhook_id: string, options: WriteChoices) =>
      showSecret(
        session,
        await session.client.post(`${WEBHOOK}/rotate-secret`, { path: { webhook_id }, ...writeOptionsOf(options) }),
      ),
  );
  webhooks
    .command('verification-key')
    .description('the public key of signatures `v1a`')
    .action(async () =>
      session.record(await session.client.get('/api/v1/workspaces/{workspace_id}/webhook-verification-key')),
    );
}

function addDeliveries(webhooks: Command, session: Session): void {
  withListOptions(webhooks.command('deliveries <webhook>').description('what was sent'), deliveryFilters).action(
    (webhook_id: string, options: Listed) =>
      session.list(
        session.client.list(`${WEBHOOK}/deliveries`, {
          path: { webhook_id },
          query: queryOf(options, deliveryFilters),
        }),
        [
          ['DELIVERY', ({ id }) => id],
          ['STATUS', ({ status }) => status],
          ['EVENT', ({ event_type }) => event_type],
          ['SEQ', ({ event_seq }) => event_seq, 'right'],
          ['ATTEMPTS', ({ attempts }) => attempts.length, 'right'],
          ['LAST ANSWER', ({ attempts }) => attempts.at(-1)?.status_code ?? attempts.at(-1)?.error],
          ['NEXT', ({ next_attempt_at }) => next_attempt_at],
        ],
        options,
      ),
  );
  withWriteOptions(webhooks.command('ping <webhook>').description('an event to try it out')).action(
    async (webhook_id: string, options: WriteChoices) =>
      session.record(
        await session.client.post(`${WEBHOOK}/ping`, { path: { webhook_id }, ...writeOptionsOf(options) }),
      ),
  );
  withWriteOptions(webhooks.command('redeliver <delivery>').description('one delivery once more')).action(
    async (delivery_id: string, options: WriteChoices) =>
      session.record(
        await session.client.post('/api/v1/webhooks/deliveries/{delivery_id}/redeliver', {
          path: { delivery_id },
          ...writeOptionsOf(options),
        }),
      ),
  );
  withWriteOptions(webhooks.command('replay <webhook>').description('the events of a time once more'))
    .requiredOption('--from <moment>', 'as in 2026-01-31T12:00:00Z', readMoment)
    .requiredOption('--to <moment>', 'as in 2026-01-31T13:00:00Z', readMoment)
    .option('--types <types>', 'with commas between them', readList)
    .action(async (webhook_id: string, choices: WriteChoices & { from: string; to: string; types?: string[] }) => {
      const { from, to, types, ...options } = choices;
      const body = { from, to, ...given({ types: types as EventType[] | undefined }) };
      await session.record(
        await session.client.post(`${WEBHOOK}/replay`, { path: { webhook_id }, body, ...writeOptionsOf(options) }),
      );
    });
}
