// `tsx bench/webhooks.ts [events] [rounds] [--no-rival]`: delivers events to a receiver on this machine by a workflow
// for the endpoint, as the product does, and by a workflow for each event, one after the other, and tells how long each
// took and how many of Temporal's billable actions; and as fast as the receiver takes bodies of that size from
// autocannon. By a workflow each, tens of thousands take minutes: `--no-rival` leaves it out. Run by hand. Everything
// lies in a temporary folder and is stopped by pid.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Client } from '@temporalio/client';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { createWebhookActivities } from '../activities/webhooks/deliver-webhooks.ts';
import { AT_ONCE_MAX, deliverRound, signingKeysOf } from '../activities/webhooks/delivery-round.ts';
import { Sender } from '../activities/webhooks/post-event.ts';
import { standardSchedule } from '../activities/webhooks/retry-schedule.ts';
import { connectDatabase, type Database } from '../drizzle/database/connection.ts';
import { recordEvent } from '../drizzle/events/events.ts';
import { migrateDatabase } from '../drizzle/migrate.ts';
import { encryptSecret } from '../drizzle/secrets/encrypted-secret.ts';
import { findOrCreateServiceKey } from '../drizzle/secrets/service-keys.ts';
import { sequenceEvents } from '../drizzle/webhooks/sequence-events.ts';
import { type DueDelivery, listDueDeliveries } from '../drizzle/webhooks/webhook-deliveries.ts';
import { insertWebhook, readWebhook } from '../drizzle/webhooks/webhooks.ts';
import type { OutboxEntry } from '../drizzle/writes/workflow-outbox.ts';
import { createWorkspace } from '../src/commands/create-workspace.ts';
import { toEventData } from '../src/events/event-data.ts';
import { startPostgres } from '../src/local/postgres/postgres.ts';
import { startTemporal } from '../src/local/temporal/temporal.ts';
import { findTemporal } from '../src/local/temporal/temporal-binary.ts';
import { ensureSearchAttributes } from '../src/process/temporal.ts';
import { WorkflowStarter } from '../src/writes/start-workflow.ts';
import { bundleWorkflows, startTestWorker } from '../test/support/processes/worker.ts';
import { webhookQueueOf } from '../workflows/task-queues.ts';
import { applyLoad } from './support/load.ts';

const { values, positionals } = parseArgs({ options: { 'no-rival': { type: 'boolean' } }, allowPositionals: true });
const events = Number(positionals[0] ?? 500);
const rounds = Number(positionals[1] ?? 3);
const root = resolve(import.meta.dirname, '..');
/** About as large as an event is. */
const BODY_BYTES = 400;
const targets = { allowPrivate: true, httpsOnly: false };
const temporal = { namespace: 'default', taskQueue: 'bench' };
const keyEncryptionKey = randomBytes(32);
const log = { warn: console.warn };

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-webhooks-'));
  chmodSync(directory, 0o755); // as root, PostgreSQL runs as another user
  const reporting = { report: console.log, signal: new AbortController().signal };
  const postgres = await startPostgres({ directory: join(directory, 'postgres'), fast: true });
  const server = await startTemporal({
    binary: await findTemporal(join(root, '.local'), reporting),
    directory: join(directory, 'temporal'),
  });
  const url = postgres.url('countersign');
  await migrateDatabase(url);
  const connection = connectDatabase(url, { poolSize: 10, name: 'countersign-bench' });
  try {
    await compare(connection.db, server.address);
  } finally {
    await connection.close();
    await Promise.all([postgres.stop(), server.stop()]);
    rmSync(directory, { recursive: true, force: true });
  }
}

async function compare(db: Database, address: string): Promise<void> {
  const received = { count: 0 };
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      received.count += 1;
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const code = await bundleWorkflows(new URL('webhook-workflows.ts', import.meta.url));
  const rival = new OneByOne(db);
  const workers = [
    await startTestWorker({ temporal: { ...temporal, address }, activities: rival.activities() as object, code }),
    await startTestWorker({
      temporal: { ...temporal, address, taskQueue: webhookQueueOf(temporal.taskQueue) },
      activities: createWebhookActivities({ db, keyEncryptionKeys: [keyEncryptionKey], targets }) as object,
      code,
    }),
  ] as const;
  const { client } = workers[0];
  await ensureSearchAttributes(client, log);
  const starter = new WorkflowStarter({ client, taskQueue: temporal.taskQueue, db, log });
  const { workspaceId } = await createWorkspace(db, 'bench', keyEncryptionKey.toString('hex'));
  await db.transaction((tx) => sequenceEvents(tx, toEventData));
  const sides = {
    'a workflow for the endpoint': (entries: OutboxEntry[], id: string) => {
      for (const entry of entries) starter.enqueue(entry);
      return Promise.resolve([id]);
    },
    ...(!values['no-rival'] && {
      'a workflow for each event': (_entries: OutboxEntry[], id: string) => rival.start(client, id),
    }),
  };
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, start] of Object.entries(sides)) {
      const { webhookId, entries } = await prepare(db, workspaceId, url);
      received.count = 0;
      const startedMs = performance.now();
      const ids = await start(entries, webhookId);
      while (received.count < events) await pause(5);
      const seconds = (performance.now() - startedMs) / 1000;
      await Promise.all(ids.map((id) => client.workflow.getHandle(id).result()));
      const actions = await countActions(client, ids);
      const rate = Math.round(events / seconds);
      console.log(
        `${round}: ${name}: ${events} events in ${seconds.toFixed(2)} s, ${rate} a second, ${actions} actions`,
      );
      await db.execute(sql`update webhooks set status = 'deleted'`);
    }
    const request = { method: 'POST' as const, path: '/', headers: {}, body: 'x'.repeat(BODY_BYTES) };
    const requests = Array.from({ length: events }, () => request);
    const bare = await applyLoad({ baseUrl: url, connections: AT_ONCE_MAX, requests, expectedStatus: 200 });
    const bareRate = Math.round(bare.operations / bare.seconds);
    console.log(
      `${round}: autocannon: ${bare.operations} bodies in ${bare.seconds.toFixed(2)} s, ${bareRate} a second`,
    );
  }
  for (const worker of workers.toReversed()) await worker.stop();
  receiver.close();
}

/** A new endpoint, and all its events ready to be sent. */
async function prepare(db: Database, workspaceId: string, url: string) {
  const id = uuidv7();
  const encryptedSecret = encryptSecret(keyEncryptionKey, id, `whsec_${randomBytes(32).toString('base64')}`);
  await db.transaction((tx) => insertWebhook(tx, { id, workspaceId, url, events: [], encryptedSecret }));
  await db.execute(
    sql`select ${recordEvent('wallet.frozen', { workspaceId: sql`${workspaceId}::uuid` })} from generate_series(1, ${events}::int)`,
  );
  const entries: OutboxEntry[] = [];
  for (let isFull = true; isFull; ) {
    const round = await db.transaction((tx) => sequenceEvents(tx, () => ({})));
    entries.push(...round.entries);
    isFull = round.isFull;
  }
  return { webhookId: id, entries };
}

/** The same sending and the same rows, but each event by itself. */
class OneByOne {
  readonly #db: Database;
  #due: DueDelivery[] = [];
  #send: (delivery: DueDelivery) => Promise<unknown> = async () => {};

  constructor(db: Database) {
    this.#db = db;
  }

  async start(client: Client, webhookId: string): Promise<string[]> {
    const webhook = await readWebhook(this.#db, webhookId);
    if (webhook === undefined) throw new Error('the webhook is not there');
    this.#due = await listDueDeliveries(this.#db, webhookId, events);
    const { privateKey } = await findOrCreateServiceKey(this.#db, 'webhooks', [keyEncryptionKey]);
    const keys = signingKeysOf(webhook, [keyEncryptionKey], privateKey);
    const sender = new Sender(targets, { timeoutMs: 15_000, atOnceMax: 100 });
    const whole = {
      db: this.#db,
      sender,
      schedule: standardSchedule,
      untilMs: Number.POSITIVE_INFINITY,
      isProbe: false,
    };
    this.#send = (delivery) =>
      deliverRound({ ...whole, signal: new AbortController().signal }, { url: webhook.url, keys }, [delivery]);
    const places = this.#due.keys();
    const startRest = async () => {
      for (const place of places)
        await client.workflow.start('deliverOne', {
          taskQueue: temporal.taskQueue,
          workflowId: this.#idOf(place),
          args: [{ place }],
        });
    };
    // As many as the product's starter starts at once.
    await Promise.all(Array.from({ length: 32 }, startRest));
    return this.#due.map((_delivery, place) => this.#idOf(place));
  }

  activities() {
    return { sendOne: (place: number) => this.#send(this.#due[place] as DueDelivery) };
  }

  #idOf(place: number): string {
    return (this.#due[place] as DueDelivery).id;
  }
}

/** As Temporal Cloud counts them (docs.temporal.io/cloud/actions). */
const BILLED = [
  'workflowExecutionStarted',
  'workflowExecutionSignaled',
  'activityTaskScheduled',
  'upsertWorkflowSearchAttributes',
  'timerStarted',
];

async function countActions(client: Client, ids: readonly string[]): Promise<number> {
  let actions = 0;
  for (const id of ids) {
    const { events: recorded = [] } = await client.workflow.getHandle(id).fetchHistory();
    for (const event of recorded ?? [])
      if (BILLED.some((name) => (event as Record<string, unknown>)[`${name}EventAttributes`])) actions += 1;
  }
  return actions;
}

await main();
process.exit(); // the SDK's runtime would keep the process
