// Goal: who owns the database has nothing carried out that a caller has ended, although he also takes away what the
// audit log records of it: neither by keeping the row open from the very statement that closes it, nor by opening it
// again later, nor once Temporal has forgotten its workflow. Method: API, worker, PostgreSQL and Temporal as they are;
// triggers and statements of the owner; workflows that are deleted as at the end of a namespace's retention.
import type { Client } from '@temporalio/client';
import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createActivities } from '../../../activities/index.ts';
import { createWithdrawalActivities } from '../../../activities/withdrawals/withdrawals.ts';
import { STARTED_WITHIN_MS } from '../../../domain/time-limits.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import type { WorkflowStart } from '../../../domain/workflow-inputs.ts';
import { approvalRounds } from '../../../drizzle/approvals/approvals.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { insertOutboxEntry } from '../../../drizzle/writes/workflow-outbox.ts';
import { startApi } from '../../support/api/api.ts';
import { noChains } from '../../support/chains/no-chains.ts';
import { FakeCluster } from '../../support/cluster/fake-cluster.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../../support/processes/worker.ts';
import { ApprovalStage, type Kind } from '../../support/rows/approvals.ts';
import { credit, sandbox } from '../../support/rows/funded.ts';
import { makeSigningRequest } from '../../support/rows/operation-rows.ts';
import { testSeals } from '../../support/rows/seals.ts';

let stage: ApprovalStage;
let worker: TestWorker;
let client: Client;
let walletId: string;
const cluster = new FakeCluster();

beforeAll(async () => {
  stage = new ApprovalStage(await startApi({ production: false }));
  const { db, taskQueue } = stage.api;
  await stage.connect();
  const clusters = onlyMain(cluster);
  worker = await startTestWorker({
    temporal: { ...testTemporal('lying-database'), taskQueue },
    activities: createActivities({ db, clusters, chains: noChains, seals: testSeals, bitcoinNetwork: 'regtest' }),
  });
  client = worker.client;
  const { body } = await stage.call('POST', '/api/v1/wallets', { name: 'victim', wallet_type: 'mpc' });
  walletId = body.data.wallet_id;
  await endOf(workflowIdOf('createWallet', walletId));
  await credit(db, walletId, sandbox.ETH, 10n ** 20n);
  await stage.setPolicy({ rules: [], default: { action: 'require_approvals', approvals: 1 } });
});
afterAll(async () => {
  await worker.stop();
  await stage.api.stop();
});
afterEach(() => asOwner(...tables.map((table) => sql`drop trigger if exists a_lie on ${sql.identifier(table)}`)));

/** Its start may still be under way. */
async function endOf(workflowId: string): Promise<void> {
  const run = client.workflow.getHandle(workflowId);
  await vi.waitFor(() => run.describe(), { timeout: 60_000, interval: 50 });
  await run.result();
}

const tables = ['withdrawals', 'signing_requests', 'approval_rounds', 'audit_logs'];

const asOwner = (...statements: ReturnType<typeof sql>[]) =>
  stage.api.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const statement of statements) await tx.execute(statement);
  });

/** Whatever a caller ends stays open, and nothing records that it was ended. */
async function beginLying(): Promise<void> {
  const stays = (column: string) => `
    create or replace function stay_open_${column}() returns trigger language plpgsql as $lie$ begin
      if new.status in ('cancelled', 'rejected') or to_jsonb(new) ->> 'status_reason' in ('cancelled', 'approval_rejected')
      then new := old; end if;
      return new;
    end $lie$`;
  const forgets = `create or replace function forget() returns trigger language plpgsql as
    $lie$ begin new.sealed := null; return new; end $lie$`;
  await asOwner(
    sql.raw(stays('row')),
    sql.raw(forgets),
    ...tables.slice(0, 3).map((table) => sql.raw(triggerOf(table, 'update', 'stay_open_row'))),
    sql.raw(triggerOf('audit_logs', 'insert', 'forget')),
  );
}

const triggerOf = (table: string, when: string, what: string) =>
  `create trigger a_lie before ${when} on ${table} for each row execute function ${what}()`;

/** As the reconciler does with what stands in the outbox. */
async function startByOutbox(start: WorkflowStart): Promise<void> {
  const entry = await stage.api.db.transaction((tx) => insertOutboxEntry(tx, start));
  await stage.api.starter.start(entry);
}

async function setBack(kind: Kind, id: string): Promise<void> {
  const open = { completedAt: null, errorCode: null, errorReason: null };
  const { db } = stage.api;
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`delete from audit_logs where resource_id = ${id}`);
    if (kind === 'withdrawal')
      await tx
        .update(withdrawals)
        .set({ ...open, status: 'approved' })
        .where(eq(withdrawals.id, id));
    else
      await tx
        .update(signingRequests)
        .set({ ...open, status: 'pending', statusReason: 'queued' })
        .where(eq(signingRequests.id, id));
    await tx.update(approvalRounds).set({ status: 'approved' }).where(eq(approvalRounds.subjectId, id));
  });
}

const workflowOf = (kind: Kind, id: string) => workflowIdOf(kind === 'withdrawal' ? 'withdraw' : 'sign', id);

const startOf = (kind: Kind, id: string, workflowId = workflowOf(kind, id)): WorkflowStart => {
  const about = { workspaceId: stage.api.workspaceId, walletId, networkCode: 'ETHEREUM_SANDBOX' };
  return kind === 'withdrawal'
    ? { workflow: 'withdraw', workflowId, input: { withdrawalId: id, ...about } }
    : { workflow: 'sign', workflowId, input: { signingId: id, kind: 'evm_message', ...about } };
};

async function forget(workflowId: string): Promise<void> {
  const { namespace } = client.options;
  await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
  await expect
    .poll(() =>
      client.workflow
        .getHandle(workflowId)
        .describe()
        .then(
          () => 'there',
          () => 'gone',
        ),
    )
    .toBe('gone');
}

const kinds = ['withdrawal', 'signing'] as const;

describe.each(kinds)('a %s that a caller ends', (kind) => {
  test.each(['cancel', 'reject'] as const)('by %s, and that the database keeps open, is refused', async (verb) => {
    const approver = await stage.makeApprover();
    const voter = await stage.makeApprover();
    const id = await stage.askId(kind, walletId);
    const asked = cluster.signCalls.length;
    await beginLying();
    const ended = await (verb === 'cancel'
      ? stage.cancel(kind, id)
      : stage.decide(kind, id, { verb: 'reject', key: approver }));
    expect(ended.status).toBeLessThan(500);
    await stage.decide(kind, id, { verb: 'approve', key: voter });
    await endOf(workflowOf(kind, id));
    expect(await stage.read(kind, id)).toMatchObject({ status: 'failed', error_code: 'row_not_sealed' });
    expect(cluster.signCalls).toHaveLength(asked);
  });

  test('and that is opened again later, is not run a second time', async () => {
    const id = await stage.askId(kind, walletId);
    expect((await stage.cancel(kind, id)).status).toBe(200);
    const workflowId = workflowOf(kind, id);
    await endOf(workflowId);
    const asked = cluster.signCalls.length;
    await setBack(kind, id);
    await startByOutbox(startOf(kind, id));
    const { status, runId } = await client.workflow.getHandle(workflowId).describe();
    expect(status.name).toBe('COMPLETED');
    expect((await client.workflow.getHandle(workflowId, runId).fetchHistory()).events).not.toHaveLength(0);
    expect(cluster.signCalls).toHaveLength(asked);
    expect((await stage.read(kind, id)).status).toBe(kind === 'withdrawal' ? 'approved' : 'pending');
  });

  test.each([
    ['the bare one of before', '', false],
    ['the bare one, which its row names', '', true],
    ['one of his own', 'another-', false],
    ['one of his own, which its row names', 'another-', true],
  ])('and that is opened again later, is not run under another id: %s', async (_name, prefix, isNamed) => {
    const notStarted = vi.spyOn(stage.api.starter, 'enqueue').mockImplementation(() => {});
    await stage.setPolicy({ rules: [], default: { action: 'allow' } });
    const id = await stage.askId(kind, walletId);
    await stage.setPolicy({ rules: [], default: { action: 'require_approvals', approvals: 1 } });
    notStarted.mockRestore();
    expect((await stage.cancel(kind, id)).status).toBe(200);
    await endOf(workflowOf(kind, id));
    const asked = cluster.signCalls.length;
    await setBack(kind, id);
    const table = kind === 'withdrawal' ? withdrawals : signingRequests;
    const workflowId = `${prefix}${id}`;
    const named = { workflowId: prefix === '' ? null : workflowId };
    if (isNamed) await stage.api.db.update(table).set(named).where(eq(table.id, id));
    await startByOutbox(startOf(kind, id, workflowId));
    await endOf(workflowId);
    expect(cluster.signCalls).toHaveLength(asked);
    const { status, error_code } = await stage.read(kind, id);
    expect([status, error_code]).toEqual(['failed', isNamed ? 'row_not_sealed' : 'not_due']);
  });
});

describe('once Temporal has forgotten its workflow', () => {
  test('a signature that was asked for longer ago is not made', async () => {
    const { db, workspaceId } = stage.api;
    const id = uuidv7({ msecs: Date.now() - STARTED_WITHIN_MS - 60_000 });
    const workflowId = workflowOf('signing', id);
    const task = await makeSigningRequest(db, workspaceId, walletId, { fields: { id, workflowId } });
    const asked = cluster.signCalls.length;
    await startByOutbox({ workflow: 'sign', workflowId, input: task });
    await endOf(workflowId);
    expect(await stage.read('signing', id)).toMatchObject({ status: 'failed', error_code: 'started_too_late' });
    await forget(workflowId);
    await setBack('signing', id);
    await startByOutbox({ workflow: 'sign', workflowId, input: task });
    await endOf(workflowId);
    expect(await stage.read('signing', id)).toMatchObject({ status: 'failed', error_code: 'started_too_late' });
    expect(cluster.signCalls).toHaveLength(asked);
  });

  test('a withdrawal that was asked for longer ago is not begun', async () => {
    const { db } = stage.api;
    const id = await stage.askId('withdrawal', walletId);
    await stage.cancel('withdrawal', id);
    await setBack('withdrawal', id);
    const activities = createWithdrawalActivities({ db, seals: testSeals, chains: noChains });
    const startedAt = new Date(Date.now() + STARTED_WITHIN_MS + 60_000).toISOString();
    const refused = { type: 'started_too_late', nonRetryable: true };
    await expect(activities.beginWithdrawal(id, { startedAt })).rejects.toMatchObject(refused);
  });

  test('the signature for a withdrawal is made for a run of that withdrawal alone', async () => {
    const { db, workspaceId } = stage.api;
    const withdrawalId = await stage.askId('withdrawal', walletId);
    const fields = { operationType: 'withdrawal', withdrawalId } as const;
    const task = await makeSigningRequest(db, workspaceId, walletId, { fields });
    const asked = cluster.signCalls.length;
    const workflowId = workflowOf('signing', task.signingId);
    await startByOutbox({ workflow: 'sign', workflowId, input: task });
    await endOf(workflowId);
    expect(await stage.read('signing', task.signingId)).toMatchObject({ status: 'failed', error_code: 'not_due' });
    expect(cluster.signCalls).toHaveLength(asked);
  });
});
