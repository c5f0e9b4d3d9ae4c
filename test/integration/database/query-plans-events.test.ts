// Goal and method of query-plans.test.ts, for what a service tells of itself: the feed of events, webhooks with their
// deliveries, the audit log. Not covered, because the filter is an afterthought: events of a rare type of a busy
// wallet, several filters of the audit log at once.
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type AuditFilter, listAuditLogs } from '../../../drizzle/audit/audit-entries.ts';
import type { Database } from '../../../drizzle/database/connection.ts';
import { type FeedFilter, listEvents } from '../../../drizzle/events/event-feed.ts';
import {
  type DeliveryFilter,
  listDeliveries,
  listDueDeliveries,
} from '../../../drizzle/webhooks/webhook-deliveries.ts';
import { listWebhooks } from '../../../drizzle/webhooks/webhooks.ts';
import * as plans from '../../support/rows/query-plans.ts';
import { createPlannedDatabase, either, fill, LIMIT, moments, pages, RARE } from '../../support/rows/query-plans.ts';

const ROWS = 30_000;
/** Combinations of a delivery's status and three types of events. */
const KINDS = 3 * 3;
/** Every part of a page gives at most a page; the merged parts are sorted once more. */
const ROWS_TOUCHED_MAX = 2 * KINDS * (LIMIT + 1);

let planned: plans.PlannedDatabase;
let db: Database;
const workspaceId = uuidv7();
const [busyWallet, rareWallet, otherWallet] = [uuidv7(), uuidv7(), uuidv7()];
const [busyKey, rareKey] = [uuidv7(), uuidv7()];
const webhookId = uuidv7();

beforeAll(async () => {
  planned = await createPlannedDatabase();
  ({ db } = planned);
  await fill(
    planned,
    ['events', 'webhooks', 'webhook_deliveries', 'audit_logs', 'audit_seals'],
    [
      `insert into events (id, seq, workspace_id, wallet_id, type, data, created_at)
    select gen_random_uuid(), n, '${workspaceId}', ${either(rareWallet, busyWallet)}::uuid, ${either('wallet.created', 'signing.success')}, '{}', now()
    from generate_series(1, ${ROWS}) n`,
      `insert into webhooks (id, workspace_id, url, events, status, encrypted_secret, created_at, updated_at)
      select case n when 1 then '${webhookId}' else gen_random_uuid() end, '${workspaceId}', '', '{}', ${either('active', 'deleted')}, '', ${moments}
      from generate_series(1, ${ROWS}) n`,
      `insert into webhook_deliveries (id, webhook_id, event_id, event_type, event_seq, status, next_attempt_at, created_at, updated_at)
      select gen_random_uuid(), '${webhookId}', id, type, n, ${either('pending', 'delivered')}, now(), ${moments} from (select id, type, seq as n from events) as told`,
      `insert into audit_logs (id, workspace_id, actor, actor_id, action, resource_id, wallet_id, outcome, created_at)
      select gen_random_uuid(), '${workspaceId}', 'api_key', ${either(rareKey, busyKey)}::uuid, ${either('POST /wallets', 'POST /web3')},
        ${either('some', 'other')}, ${either(rareWallet, busyWallet)}::uuid, ${either('refused', 'accepted')}, timestamptz '2026-01-01Z' + n * interval '1 second'
      from generate_series(1, ${ROWS}) n`,
      `insert into audit_seals (workspace_id, seq, audit_id, previous_hash, hash)
      select workspace_id, position, id, '', '' from audit_logs`,
    ],
  );
}, 120_000);
afterAll(() => planned.drop());

const expectBounded = (list: () => Promise<unknown>) => plans.expectBounded(planned, list, ROWS_TOUCHED_MAX);

describe.each([0, RARE / 2, ROWS / 2])('events after %i', (afterSeq) => {
  test.each<[string, Partial<FeedFilter>]>([
    ['everything', {}],
    ['a common type', { types: ['signing.success'] }],
    ['a rare type', { types: ['wallet.created'] }],
    ['a type that nothing has', { types: ['webhook.ping'] }],
    ['common and rare types', { types: ['wallet.created', 'signing.success', 'webhook.ping'] }],
    ['a busy wallet', { walletIds: [busyWallet] }],
    ['a rare wallet', { walletIds: [rareWallet] }],
    ['several wallets', { walletIds: [rareWallet, busyWallet, otherWallet] }],
    ['a common type of several wallets', { walletIds: [rareWallet, busyWallet], types: ['signing.success'] }],
  ])('%s', async (_filter, filter) => {
    const any = { workspaceId, afterSeq, walletIds: undefined, types: undefined };
    await expectBounded(() => listEvents(db, { ...any, ...filter }, LIMIT));
  });
});

describe.each(pages)('%s', (_name, page) => {
  test('webhooks, among many that are deleted', () => expectBounded(() => listWebhooks(db, workspaceId, page)));

  test.each<[string, Partial<DeliveryFilter>]>([
    ['everything', {}],
    ['a common status', { statuses: ['delivered'] }],
    ['a rare status', { statuses: ['pending'] }],
    ['a status that nothing has', { statuses: ['failed'] }],
    ['all statuses', { statuses: ['pending', 'delivered', 'failed'] }],
    ['a common type', { eventTypes: ['signing.success'] }],
    ['a rare type', { eventTypes: ['wallet.created'] }],
    ['common and rare types', { eventTypes: ['wallet.created', 'signing.success', 'webhook.ping'] }],
    ['a rare status of a common type', { statuses: ['pending'], eventTypes: ['signing.success'] }],
    ['a common status of a rare type', { statuses: ['delivered'], eventTypes: ['wallet.created'] }],
    [
      'all statuses of several types',
      {
        statuses: ['pending', 'delivered', 'failed'],
        eventTypes: ['wallet.created', 'signing.success', 'webhook.ping'],
      },
    ],
  ])('deliveries: %s', async (_filter, filter) => {
    const any = { webhookId, statuses: undefined, eventTypes: undefined };
    await expectBounded(() => listDeliveries(db, { ...any, ...filter }, page));
  });
});

// Entries never change: they have one order.
describe.each(pages.filter(([, { sortBy }]) => sortBy === 'created_at'))('%s', (_name, page) => {
  test.each<[string, Omit<AuditFilter, 'workspaceId'>]>([
    ['everything', {}],
    ['a busy key', { actorIds: [busyKey] }],
    ['a rare key', { actorIds: [rareKey] }],
    ['several keys', { actorIds: [rareKey, busyKey, uuidv7()] }],
    ['a common action', { actions: ['POST /web3'] }],
    ['a rare action', { actions: ['POST /wallets'] }],
    ['several actions', { actions: ['POST /wallets', 'POST /web3', 'none'] }],
    ['a common outcome', { outcomes: ['accepted'] }],
    ['a rare outcome', { outcomes: ['refused'] }],
    ['both outcomes', { outcomes: ['accepted', 'refused'] }],
    ['a resource', { resourceIds: ['some'] }],
    ['several resources', { resourceIds: ['some', 'other', 'none'] }],
    ['a busy wallet', { walletIds: [busyWallet] }],
    ['a rare wallet', { walletIds: [rareWallet] }],
    ['several wallets', { walletIds: [rareWallet, busyWallet, otherWallet] }],
  ])('audit log: %s', async (_filter, filter) => {
    await expectBounded(() => listAuditLogs(db, { workspaceId, ...filter }, page));
  });
});

test('the deliveries that are due', () => expectBounded(() => listDueDeliveries(db, webhookId, LIMIT)));
