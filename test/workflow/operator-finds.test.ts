// Goal: an operator finds every open operation by its wallet, workspace, network and status, reads in a sentence what
// it does, and of a failed one why. Method: every workflow that a worker runs is started as the product starts it, held
// open, searched for on the real Temporal server, and then failed by its activity.
import { ApplicationFailure } from '@temporalio/common';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Activities } from '../../activities/index.ts';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import { startWatching, watchIdOf } from '../../src/worker/watch-networks.ts';
import { WorkflowStarter } from '../../src/writes/start-workflow.ts';
import * as workflows from '../../workflows/index.ts';
import { testTemporal } from '../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../support/processes/worker.ts';
import { openableGate } from './memory.ts';
import { explanationOf, type OperatorView, search, viewOf } from './operator-view.ts';

const SENTENCE = /^[A-Z][^\n]*\.$/;
const NETWORK = 'ETHEREUM_SANDBOX';
const CAUSE = 'the node says that this is the cause';

/** By the id of the workflow or of what its activity is about. */
const gates = new Map<string, ReturnType<typeof openableGate>>();
/** What the ledger contradicts itself in. */
let imbalances: string[] = [];
let worker: TestWorker;
let starter: WorkflowStarter;

/** Waits until the test has looked, then fails for good. */
const heldThenFailed = async (...input: unknown[]): Promise<never> => {
  const text = JSON.stringify(input);
  // The longest name: a second look at a transaction names its network too, at which the mining of blocks is held.
  const [named] = [...gates.keys()]
    .filter((name) => text.includes(name))
    .sort((one, other) => other.length - one.length);
  if (named !== undefined) await gates.get(named)?.passed;
  throw ApplicationFailure.nonRetryable(CAUSE, 'mpc_refused');
};

const activities = {
  ...Object.fromEntries(
    [
      'generateKey',
      'fulfilSigningRequest',
      'prepareTransaction',
      'signFaucetPayment',
      'readSandboxHeight',
      'recordTransaction',
      'writeExport',
    ].map((name) => [name, heldThenFailed]),
  ),
  failWallet: async () => {},
  failSigningRequest: async () => 'failed',
  failExport: async () => {},
  beginWithdrawal: async () => ({ standing: 'ready' }),
  abandonWithdrawal: async () => ({ outcome: 'ended' }),
  compareCheckpoints: async (_list: string, [id = '', workspaceId]: string[] = []) => {
    await gates.get(id)?.passed;
    const findings = workspaceId === undefined ? [] : [{ workspaceId, seq: 8, node: 1, hash: 'a', found: 'b' }];
    return { compared: 3, findings, findingCount: findings.length, due: [], unreached: [] };
  },
  findImbalances: async () => {
    await gates.get('ledger')?.passed;
    return imbalances;
  },
  compareBalances: async () => ({ compared: 3, differences: [], underWay: [], unreached: {} }),
  readBlocks: async () => ({ state: 'watching', blocks: 0, behind: false, nextBlock: 7, delayMs: 60_000 }),
} as unknown as Partial<Activities>;

beforeAll(async () => {
  worker = await startTestWorker({ temporal: testTemporal('operator-finds'), activities });
  const { client, taskQueue } = worker;
  // Its outbox plays no part here.
  starter = new WorkflowStarter({ client, taskQueue, db: undefined as never, log: { warn: () => {} } });
});
afterAll(() => worker.stop());

interface Case {
  input: (ids: { id: string; workspaceId: string; walletId: string }) => object;
  /** Attributes beside the workspace. */
  has: ('WalletId' | 'NetworkCode')[];
  /** While it is open. */
  status: string;
  /** What the gate is found by, when it is not the id. */
  heldBy?: (ids: { id: string }) => string;
}

const onNetwork = { networkCode: NETWORK };
const task = {
  addressType: 'evm',
  curve: 'secp256k1',
  path: [44, 60, 0, 0, 0],
  payload: { kind: 'raw_digest', hex: '0x00' },
};
const hash = (id: string) => `0x${id.replaceAll('-', '')}`;

const operations: Record<string, Case> = {
  createWallet: {
    input: ({ id, workspaceId }) => ({ walletId: id, workspaceId }),
    has: ['WalletId'],
    status: 'creating',
  },
  sign: {
    input: ({ id, workspaceId, walletId }) => ({ signingId: id, workspaceId, walletId, ...onNetwork, ...task }),
    has: ['WalletId', 'NetworkCode'],
    status: 'pending',
  },
  withdraw: {
    input: ({ id, workspaceId, walletId }) => ({ withdrawalId: id, workspaceId, walletId, ...onNetwork }),
    has: ['WalletId', 'NetworkCode'],
    status: 'processing',
  },
  fundFromFaucet: {
    input: ({ id, workspaceId, walletId }) => ({
      faucetId: id,
      workspaceId,
      walletId,
      ...onNetwork,
      address: '0x00',
      contract: null,
      decimals: 18,
      amount: '1',
    }),
    has: ['WalletId', 'NetworkCode'],
    status: 'pending',
  },
  mineBlocks: {
    input: ({ workspaceId }) => ({ workspaceId, ...onNetwork, blocks: 2 }),
    has: ['NetworkCode'],
    status: 'pending',
    heldBy: () => NETWORK,
  },
  rescanTransaction: {
    input: ({ id, workspaceId }) => ({ workspaceId, ...onNetwork, txHash: hash(id) }),
    has: ['NetworkCode'],
    status: 'pending',
    heldBy: ({ id }) => hash(id),
  },
  writeExport: {
    input: ({ id, workspaceId }) => ({ exportId: id, workspaceId }),
    has: [],
    status: 'pending',
  },
};

/** They have no end of their own that could fail, or belong to no workspace. */
const others = [
  'deliverWebhooks',
  'signGroup', // test/hazards/operations/signing-groups.test.ts
  'watchNetwork',
  'runExportSchedule', // test/integration/exports/export-schedules.test.ts
  'checkpointAudit',
  'reconcileBalances',
  'findLostShares',
  'refreshKeys',
  'repairKeys',
];

test('every workflow that a worker runs is among those that are looked at here', () => {
  expect([...Object.keys(operations), ...others].toSorted()).toEqual(Object.keys(workflows).toSorted());
});

const queryOf = (attributes: OperatorView['attributes']) =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} = "${String(value)}"`)
    .join(' AND ');

async function expectFound(id: string, attributes: OperatorView['attributes']): Promise<void> {
  const query = `${queryOf(attributes)} AND ExecutionStatus = "Running"`;
  expect(await search(worker.client, query, (ids) => ids.includes(id)), query).toContain(id);
}

/** What it says now, or at its start. */
async function sentenceOf(id: string): Promise<string> {
  return (await viewOf(worker.client, id)).details || explanationOf(worker.client, id);
}

describe.concurrent('an operation that is open is found, and read', () => {
  test.for(Object.entries(operations))('%s', async ([workflow, operation], { expect: own }) => {
    const { input, has, status, heldBy = ({ id }) => id } = operation;
    const ids = { id: uuidv7(), workspaceId: uuidv7(), walletId: uuidv7() };
    const { id } = ids;
    const gate = openableGate();
    gates.set(heldBy(ids), gate);
    const workflowId = workflowIdOf(workflow, id);
    await starter.startAgain({ workflow, workflowId, input: input(ids) } as never);
    const attributes = {
      WorkspaceId: ids.workspaceId,
      WalletId: has.includes('WalletId') ? (workflow === 'createWallet' ? id : ids.walletId) : undefined,
      NetworkCode: has.includes('NetworkCode') ? NETWORK : undefined,
      OperationStatus: status,
    };
    await own
      .poll(async () => (await viewOf(worker.client, workflowId)).attributes, { timeout: 60_000 })
      .toEqual(attributes);
    await expectFound(workflowId, attributes);
    const { memo, summary } = await viewOf(worker.client, workflowId);
    expect(memo).toEqual({ id });
    expect(summary).toMatch(/^[A-Z]/);
    expect(await sentenceOf(workflowId)).toMatch(SENTENCE);
    expect(await explanationOf(worker.client, workflowId)).toMatch(SENTENCE);

    gate.open();
    await worker.client.workflow.getHandle(workflowId).result();
    const { attributes: ended, details } = await viewOf(worker.client, workflowId);
    expect(ended).toEqual({ ...attributes, OperationStatus: 'failed' });
    expect(details).toMatch(SENTENCE);
    expect(details).toContain(`${CAUSE} (mpc_refused)`);
  });
});

test('a delivery of webhooks is found by its workspace', async () => {
  const [webhookId, workspaceId] = [uuidv7(), uuidv7()];
  const id = workflowIdOf('deliverWebhooks', webhookId);
  await starter.startAgain({ workflow: 'deliverWebhooks', workflowId: id, input: { webhookId, workspaceId } });
  await expectFound(id, { WorkspaceId: workspaceId, OperationStatus: 'pending' });
  expect(await sentenceOf(id)).toMatch(SENTENCE);
  await worker.client.workflow.getHandle(id).terminate();
});

test('the watch of a network is found by its code', async () => {
  const { client, taskQueue } = worker;
  const id = watchIdOf(NETWORK, taskQueue);
  const stop = startWatching({ client, taskQueue, networkCodes: [NETWORK], log: { info: () => {}, warn: () => {} } });
  await expectFound(id, { NetworkCode: NETWORK, OperationStatus: 'watching' });
  expect(await explanationOf(client, id)).toMatch(SENTENCE);
  expect(await sentenceOf(id)).toMatch(SENTENCE);
  await stop();
  await client.workflow.getHandle(id).terminate();
});

/** Looks while it is held at the gate, then lets it go; answers what it says in the end. */
async function seenThrough(gateName: string, workflow: string, id: string, input: object): Promise<OperatorView> {
  const { client, taskQueue } = worker;
  const gate = openableGate();
  gates.set(gateName, gate);
  await client.workflow.start(workflow, { workflowId: id, taskQueue, args: [input] });
  await expectFound(id, { OperationStatus: 'comparing' });
  expect(await sentenceOf(id)).toMatch(SENTENCE);
  gate.open();
  await client.workflow
    .getHandle(id)
    .result()
    .catch(() => {});
  const view = await viewOf(client, id);
  expect(view.details).toMatch(/\.$/);
  return view;
}

test.each([
  ['agrees', undefined],
  ['differs', uuidv7()],
])('an audit of the checkpoints of which one %s is found by that', async (status, workspaceId) => {
  const id = uuidv7();
  const despite = workspaceId === undefined ? [id] : [id, workspaceId];
  const view = await seenThrough(id, 'checkpointAudit', id, { wholeHistory: false, despite });
  expect(view.attributes).toEqual({ WorkspaceId: workspaceId, OperationStatus: status });
  expect(view.status).toBe(status === 'agrees' ? 'COMPLETED' : 'FAILED');
});

test.each([
  ['agrees', []],
  ['differs', ['an event does not sum to zero']],
])('a reconciliation that %s is found by that', async (status, found) => {
  imbalances = found;
  const view = await seenThrough('ledger', 'reconcileBalances', uuidv7(), {});
  expect(view.attributes).toEqual({ OperationStatus: status });
});
