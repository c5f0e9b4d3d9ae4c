// Goal: H1, no event is lost when the worker dies (SIGKILL) between the commit of a change and its delivery, or in the
// midst of deliveries; each arrives under its one webhook-id. Method: API, worker and nodes as processes, a receiver on
// this machine. A trigger stops the worker where it gives committed events their places, and it is killed there; the
// next worker is killed by the receiver, within its requests; the third one delivers the rest.
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AT_ONCE_MAX } from '../../../activities/webhooks/delivery-round.ts';
import { type Received, type Receiver, startReceiver } from '../../support/api/webhooks.ts';
import { type Stack, startStack } from '../../support/processes/stack.ts';

/** Two events each. */
const ROUNDS = 12;
/** Requests that are answered before the second worker is killed. */
const TAKEN_FIRST = 10;
/** The advisory lock that stands for the place where the first worker is stopped. */
const LOCK = 4_712;
const MINUTE_MS = 60_000;

let stack: Stack;
let control: Sql;
let there: Receiver;
let walletId: string;

beforeAll(async () => {
  stack = await startStack({ environment: { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' } });
  control = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} });
  there = await startReceiver();
  ({ wallet_id: walletId } = await stack.client.createWallet({ name: 'told of' }).wait());
  await control.unsafe(`create function stop_here() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(${LOCK}); return new; end $$`);
  await control.unsafe('create trigger stop_here before insert on events for each row execute function stop_here()');
}, 2 * MINUTE_MS);
afterAll(async () => {
  await control?.end();
  await there?.stop();
  await stack?.stop();
}, 2 * MINUTE_MS);

const until = (look: () => unknown) => expect.poll(look, { timeout: 2 * MINUTE_MS, interval: 50 });

async function isStopped(): Promise<boolean> {
  const [row] = await control`
    select count(*)::int as count from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`;
  return row?.['count'] === 1;
}

async function deliveries(): Promise<Record<string, number>> {
  const rows = await control<{ status: string; count: number }[]>`
    select status, count(*)::int as count from webhook_deliveries group by status`;
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

async function freezeAndUnfreeze(): Promise<void> {
  const path = { wallet_id: walletId };
  for (let round = 0; round < ROUNDS; round += 1) {
    await stack.client.post('/api/v1/wallets/{wallet_id}/freeze', { path });
    await stack.client.post('/api/v1/wallets/{wallet_id}/unfreeze', { path });
  }
}

test('H1: killed between the commit and the delivery, then in the midst of deliveries: every event arrives under its one webhook-id', {
  timeout: 3 * MINUTE_MS,
}, async () => {
  const events = ['wallet.frozen' as const, 'wallet.unfrozen' as const];
  await stack.client.post('/api/v1/workspaces/{workspace_id}/webhooks', { body: { url: there.url, events } });

  const taken = new Set<string | undefined>();
  const take = ({ headers }: Received) => {
    taken.add(headers['webhook-id']);
    return 200;
  };

  await control`select pg_advisory_lock(${LOCK})`;
  await freezeAndUnfreeze();
  await until(isStopped).toBe(true);
  stack.worker.kill('SIGKILL');
  await stack.worker.exited;
  await control`select pg_advisory_unlock(${LOCK})`;
  expect(await deliveries()).toEqual({});
  expect(there.received).toEqual([]);

  // What comes after is held, and the worker is killed over it.
  there.answer = (request, place) => (place < TAKEN_FIRST ? take(request) : 'none');
  const second = await stack.startWorker();
  await until(() => there.received.length).toBeGreaterThan(TAKEN_FIRST);
  second.kill('SIGKILL');
  await second.exited;
  const left = await deliveries();
  expect(left['pending']).toBeGreaterThan(0);
  expect((left['pending'] ?? 0) + (left['delivered'] ?? 0)).toBe(2 * ROUNDS);

  there.answer = take;
  stack.worker = await stack.startWorker();
  await until(deliveries).toEqual({ delivered: 2 * ROUNDS });

  const recorded: string[] = [];
  for await (const { id, type } of stack.client.events()) if (events.some((one) => one === type)) recorded.push(id);
  expect(recorded).toHaveLength(2 * ROUNDS);
  expect(taken).toEqual(new Set(recorded));
  for (const { headers, body } of there.received) expect(JSON.parse(body)).toMatchObject({ id: headers['webhook-id'] });
  // What comes twice was under way when the worker died.
  expect(there.received.length - recorded.length).toBeLessThanOrEqual(TAKEN_FIRST + AT_ONCE_MAX);
  const [counts] =
    await control`select count(*)::int as rows, count(distinct event_id)::int as events from webhook_deliveries`;
  expect(counts).toEqual({ rows: 2 * ROUNDS, events: 2 * ROUNDS });
});
