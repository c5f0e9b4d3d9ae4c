// Goal: what one workspace asks for holds up nobody else: neither its wallets nor its rescans take the slots of another
// one's signatures, and where work waits, workspaces take turns. Method: the product's workflows, starter and
// reconciler, with activities that never end for the noisy workspace, so that whatever it can hold it holds.
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Activities } from '../../../activities/index.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import type { WorkflowStart } from '../../../domain/workflow-inputs.ts';
import { connectDatabase, type Database } from '../../../drizzle/database/connection.ts';
import { listOverdueOutboxEntries, type OutboxEntry, outbox } from '../../../drizzle/writes/workflow-outbox.ts';
import { pacedWorkflows } from '../../../src/operations/started-workflows.ts';
import { WorkflowStarter } from '../../../src/writes/start-workflow.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../../support/processes/worker.ts';

const [noisy, quiet] = [uuidv7(), uuidv7()];
const WALLETS = 60;
const RESCANS = 30;

let database: TestDatabase;
let db: Database;
let closeDatabase: () => Promise<void>;
let worker: TestWorker;
let starter: WorkflowStarter;
let release = () => {};
/** Of noisy wallets: keys that are being generated now, and the most that ever were. */
const held = { now: 0, most: 0, rescans: 0 };
const quietWallets = new Set<string>();
const activated: string[] = [];

const released = new Promise<void>((resolve) => {
  release = resolve;
});

const activities = {
  generateKey: async (walletId: string, curve: 'secp256k1' | 'ed25519') => {
    if (!quietWallets.has(walletId)) {
      held.now += 1;
      held.most = Math.max(held.most, held.now);
      await released;
      held.now -= 1;
    }
    return { curve, publicKey: '02', chainCode: '00' };
  },
  recordTransaction: async () => {
    held.rescans += 1;
    await released;
    return { outcome: 'unknown' as const };
  },
  activateWallet: async (walletId: string) => {
    activated.push(walletId);
  },
  failWallet: async () => {},
  fulfilSigningRequest: async () => ({ status: 'success' as const, mpcCorrelationId: 'test' }),
} as unknown as Partial<Activities>;

beforeAll(async () => {
  database = await createTestDatabase();
  const connection = connectDatabase(database.url, { poolSize: 4, name: 'test-noisy' });
  ({ db } = connection);
  closeDatabase = () => connection.close();
  worker = await startTestWorker({ temporal: testTemporal('noisy'), activities });
  starter = new WorkflowStarter({ ...worker, db, log: { warn: () => {} } });
}, 120_000);
afterAll(async () => {
  release();
  await starter.drain();
  await worker.stop();
  await closeDatabase();
  await database.drop();
});

let nextEntry = 1n;
const entryOf = (start: WorkflowStart): OutboxEntry => ({ id: nextEntry++, ...start });

function startWallet(workspaceId: string): Promise<string> {
  const id = uuidv7();
  if (workspaceId === quiet) quietWallets.add(id);
  const workflowId = workflowIdOf('createWallet', id);
  const start = { workflow: 'createWallet', workflowId, input: { walletId: id, workspaceId } } as const;
  return starter.start(entryOf(start)).then(() => id);
}

function startRescan(): Promise<void> {
  const input = { workspaceId: noisy, networkCode: 'ETHEREUM_SANDBOX', txHash: `0x${'ab'.repeat(32)}` };
  return starter.start(entryOf({ workflow: 'rescanTransaction', workflowId: uuidv7(), input }));
}

function startSigning(workspaceId: string): Promise<string> {
  const id = uuidv7();
  const input = {
    signingId: id,
    workspaceId,
    walletId: uuidv7(),
    networkCode: 'ETHEREUM_SANDBOX',
    addressType: 'evm',
    curve: 'secp256k1',
    path: [44, 60, 0, 0, 0],
    payload: { kind: 'raw_digest', digest: 'ab'.repeat(32) },
  };
  const workflowId = workflowIdOf('sign', id);
  const start = { workflow: 'sign', workflowId, input } as unknown as WorkflowStart;
  return starter.start(entryOf(start)).then(() => workflowId);
}

test('while wallets and rescans of one workspace hold all the slots they can have, a signature of another is made', async () => {
  const starts = [
    ...Array.from({ length: WALLETS }, () => () => startWallet(noisy)),
    ...Array.from({ length: RESCANS }, () => startRescan),
  ];
  // A busy machine confirms a few at once within the deadline of a start.
  while (starts.length > 0) await Promise.all(starts.splice(0, 5).map((start) => start()));
  await vi.waitUntil(() => held.now > 0 && held.rescans > 0, { timeout: 60_000 });
  // As many as there ever will be: more than all slots of the worker before queues were apart.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const id = await startSigning(quiet);
  await expect(within(60_000, worker.client.workflow.getHandle(id).result())).resolves.toBe('ended');
}, 120_000);

test('two keys at once are made for one workspace, and another one gets its wallet meanwhile', async () => {
  expect(held.now).toBe(2);
  const id = await startWallet(quiet);
  const workflowId = workflowIdOf('createWallet', id);
  await expect(within(60_000, worker.client.workflow.getHandle(workflowId).result())).resolves.toBe('ended');
  expect(activated).toEqual([id]);
  expect(held).toMatchObject({ now: 2, most: 2, rescans: 2 });
}, 120_000);

test('the starter starts the one operation of a workspace before the rest of the thousand of another', async () => {
  const started: string[] = [];
  let confirm = () => {};
  const confirmed = new Promise<void>((resolve) => {
    confirm = resolve;
  });
  const client = {
    workflow: {
      start: async (_workflow: string, { args }: { args: [{ workspaceId: string }] }) => {
        started.push(args[0].workspaceId);
        await confirmed;
      },
    },
  } as never;
  const own = new WorkflowStarter({ client, taskQueue: 'none', db, log: { warn: () => {} } });
  const enqueue = (workspaceId: string) => {
    const id = uuidv7();
    own.enqueue(entryOf({ workflow: 'createWallet', workflowId: id, input: { walletId: id, workspaceId } }));
  };
  for (let count = 0; count < 3_000; count += 1) enqueue(noisy);
  enqueue(quiet);
  confirm();
  await vi.waitUntil(() => started.includes(quiet), { timeout: 60_000 });
  expect(started.indexOf(quiet)).toBeLessThanOrEqual(34);
  await own.drain();
});

test('the reconciler finds one overdue operation of a workspace among thousands of another, whatever their age', async () => {
  await db.execute(sql`insert into outbox (workflow, workflow_id, input, created_at)
    select 'createWallet', gen_random_uuid(), ${JSON.stringify({ workspaceId: noisy })}::jsonb, now() - interval '1 hour'
    from generate_series(1, 3000)`);
  const workflowId = uuidv7();
  await db.execute(sql`insert into outbox (workflow, workflow_id, input, created_at)
    values ('sign', ${workflowId}, ${JSON.stringify({ workspaceId: quiet })}::jsonb, now() - interval '1 minute'),
      ('sign', ${uuidv7()}, '{}', now() - interval '2 minutes'),
      ('sign', ${uuidv7()}, ${JSON.stringify({ workspaceId: quiet })}::jsonb, now())`);
  const entries = await listOverdueOutboxEntries(db, { olderThanMs: 2_000, limit: 200 });
  expect(entries).toHaveLength(200);
  expect(entries.slice(0, 3).map((entry) => entry.workflowId)).toContain(workflowId);
  const owners = entries.map(({ input }) => (input as { workspaceId?: string }).workspaceId);
  expect(owners.filter((owner) => owner === quiet)).toHaveLength(1);
  // What names nobody has its turn too.
  expect(owners.filter((owner) => owner === undefined)).toHaveLength(1);
  await db.delete(outbox);
});

test('of a hundred rescans of a workspace one is started at once and one a round of the reconciler, before nothing else of that workspace', async () => {
  const started: string[] = [];
  const start = async (workflow: string, { args }: { args: [{ workspaceId: string }] }) => {
    started.push(`${workflow} ${args[0].workspaceId}`);
  };
  const own = new WorkflowStarter({
    client: { workflow: { start } } as never,
    taskQueue: 'none',
    db,
    log: { warn: () => {} },
  });
  const rescanOf = (workspaceId: string) =>
    own.enqueue(
      entryOf({
        workflow: 'rescanTransaction',
        workflowId: uuidv7(),
        input: { workspaceId, networkCode: 'ETHEREUM_SANDBOX', txHash: `0x${'ab'.repeat(32)}` },
      }),
    );
  for (let count = 0; count < 100; count += 1) rescanOf(noisy);
  rescanOf(quiet);
  await own.drain();
  expect(started).toEqual([`rescanTransaction ${noisy}`, `rescanTransaction ${quiet}`]);

  const owner = JSON.stringify({ workspaceId: noisy });
  await db.execute(sql`insert into outbox (workflow, workflow_id, input, created_at)
    select 'rescanTransaction', gen_random_uuid(), ${owner}::jsonb, now() - interval '1 hour' from generate_series(1, 300)`);
  await db.execute(sql`insert into outbox (workflow, workflow_id, input, created_at)
    values ('sign', ${uuidv7()}, ${owner}::jsonb, now() - interval '1 minute')`);
  const entries = await listOverdueOutboxEntries(db, { olderThanMs: 2_000, limit: 200, paced: pacedWorkflows });
  expect(entries.map(({ workflow }) => workflow)).toEqual(['rescanTransaction', 'sign']);
  await db.delete(outbox);
});

/** `ended`, or `waiting` when that takes longer. */
async function within(timeoutMs: number, result: Promise<unknown>): Promise<'ended' | 'waiting'> {
  let timer: NodeJS.Timeout | undefined;
  const timeOut = new Promise<'waiting'>((resolve) => {
    timer = setTimeout(() => resolve('waiting'), timeoutMs);
  });
  const outcome = await Promise.race([result.then(() => 'ended' as const), timeOut]);
  clearTimeout(timer);
  return outcome;
}
