// Goal: a withdrawal that the former version began under its bare id is signalled, repeated and taken up again under
// that id alone and pays once, and what it had signed by workflows of bare ids goes on with these; a new one and its
// signatures carry their types. Method: rows, starts and activities as the former version asked for them, then the
// workflow, the starter and the search for orphaned operations of this one, on real PostgreSQL, Temporal and anvil.
import { WorkflowNotFoundError } from '@temporalio/client';
import { type Address, parseEther } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Activities } from '../../../activities/index.ts';
import { workflowIdOf, workflowIdOfRow } from '../../../domain/workflow-ids.ts';
import { insertOutboxEntry } from '../../../drizzle/writes/workflow-outbox.ts';
import { OrphanedOperations } from '../../../src/worker/orphaned-operations.ts';
import { WorkflowStarter } from '../../../src/writes/start-workflow.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { quietEnvironment } from '../../support/processes/activity-environment.ts';
import { readSigningRequest } from '../../support/rows/operation-rows.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'ETHEREUM_SANDBOX';
const waiting = { timeout: 60_000, interval: 100 };
const log = { warn: () => {} };

let anvil: Anvil;
let stack: WithdrawalStack;
let activities: Activities;
let walletId: string;
let address: Address;
let to: Address;
beforeAll(async () => {
  anvil = await startAnvil();
  const around = (made: Activities) => (activities = made);
  stack = await startWithdrawals({ [networkCode]: anvil.url }, { fastRetries: true, around });
});
afterAll(async () => {
  await stack?.stop();
  await anvil?.stop();
});
beforeEach(async () => {
  walletId = await stack.makeWallet();
  address = (await stack.addressOf(walletId, networkCode)) as Address;
  to = anyEvmAddress();
  await anvil.client.setBalance({ address, value: parseEther('10') });
  await stack.credit(walletId, networkCode, parseEther('10'));
});

const asked = () => ({ walletId, networkCode, amount: parseEther('1'), to });
const inputOf = (id: string) => ({ withdrawalId: id, workspaceId: stack.workspaceId, walletId, networkCode });
const handleOf = (workflowId: string) => stack.worker.client.workflow.getHandle(workflowId);
const runOf = async (workflowId: string) => (await handleOf(workflowId).describe()).runId;
const expectNoWorkflow = (workflowId: string) => expect(runOf(workflowId)).rejects.toThrow(WorkflowNotFoundError);

const makeStarter = () => {
  const { client, taskQueue } = stack.worker;
  return new WorkflowStarter({ client, taskQueue, db: stack.db, log });
};

/** As the former version accepted it. */
const acceptFormer = () => stack.accept({ ...asked(), fields: { workflowId: null } });

async function startFormer(id: string): Promise<void> {
  const { client, taskQueue } = stack.worker;
  await client.workflow.start('withdraw', { workflowId: id, taskQueue, args: [inputOf(id)], memo: { id } });
}

/** As the API and the reconciler of this version do. */
async function startNow(id: string, signal?: 'changed'): Promise<void> {
  const start = {
    workflow: 'withdraw',
    workflowId: workflowIdOfRow(await stack.read(id)),
    input: inputOf(id),
  } as const;
  const starter = makeStarter();
  const entry = { ...start, ...(signal === undefined ? {} : { signal }) };
  await starter.start(await stack.db.transaction((tx) => insertOutboxEntry(tx, entry)));
  await starter.drain();
}

const untilBroadcast = (id: string, transactions: number) =>
  expect
    .poll(async () => (await stack.transactionsOf(id)).filter(({ status }) => status === 'broadcast').length, waiting)
    .toBe(transactions);

async function untilPaid(id: string): Promise<void> {
  const look = async () => {
    await anvil.client.mine({ blocks: 1 });
    return (await stack.read(id)).status;
  };
  await expect.poll(look, waiting).toBe('completed');
  expect(await anvil.client.getBalance({ address: to })).toBe(parseEther('1'));
  expect(await anvil.client.getTransactionCount({ address })).toBe(1);
}

async function signingsOf(id: string): Promise<string[]> {
  return (await stack.transactionsOf(id)).flatMap(({ signingIds }) => signingIds);
}

test('under way under its bare id: signalled and repeated there, and paid once', async () => {
  const id = await acceptFormer();
  await startFormer(id);
  const runId = await runOf(id);
  await startNow(id);
  await startNow(id, 'changed');
  await untilBroadcast(id, 1);
  await untilPaid(id);
  await handleOf(id).result();
  for (const signal of [undefined, 'changed'] as const) await startNow(id, signal);
  expect(await runOf(id)).toBe(runId);
  expect(await stack.transactionsOf(id)).toHaveLength(1);
  await expectNoWorkflow(workflowIdOf('withdraw', id));
});

test('terminated when it was out: taken up under its bare id, and paid once', async () => {
  const id = await acceptFormer();
  await startFormer(id);
  await untilBroadcast(id, 1);
  await handleOf(id).terminate('by an operator');
  const { db, worker } = stack;
  const orphans = { db, client: worker.client, seals: testSeals, starter: makeStarter(), log, openForMs: 0 };
  await new OrphanedOperations(orphans).closeSome();
  expect((await handleOf(id).describe()).status.name).toBe('RUNNING');
  await untilPaid(id);
  await expectNoWorkflow(workflowIdOf('withdraw', id));
});

test('prepared by the former version: its signature runs under the bare id that its row has', async () => {
  const id = await acceptFormer();
  await quietEnvironment().run(() => activities.beginWithdrawal(id));
  const prepared = await quietEnvironment().run(() =>
    activities.prepareTransaction({ withdrawalId: id, ordinal: 0, kind: 'transfer' }),
  );
  expect(prepared).toEqual({
    outcome: 'prepared',
    tasks: [expect.not.objectContaining({ workflowId: expect.anything() })],
  });
  stack.cluster.meet('sign', 'mpc_error');
  await startFormer(id);
  await untilPaid(id);
  const [signingId = ''] = await signingsOf(id);
  expect(await readSigningRequest(stack.db, signingId)).toMatchObject({ status: 'success', workflowId: null });
  await handleOf(signingId).result();
  await expectNoWorkflow(workflowIdOf('sign', signingId));
});

test('a new one, and each signature that is not made at once, runs under the id that carries its type', async () => {
  stack.cluster.meet('sign', 'mpc_error');
  const id = await stack.withdraw(asked());
  await untilPaid(id);
  await handleOf(`withdraw-${id}`).result();
  const [signingId = ''] = await signingsOf(id);
  const { memo } = await handleOf(`sign-${signingId}`).describe();
  expect(memo).toMatchObject({ id: signingId });
  expect(await readSigningRequest(stack.db, signingId)).toMatchObject({ workflowId: `sign-${signingId}` });
  for (const bare of [id, signingId]) await expectNoWorkflow(bare);
});
