// Goal: when time runs out, the row says so in words a caller may read: the cluster's last code where there was one,
// and never the text of an exception. Method: the product's own workflows, bundled with short-options.ts in the place
// of the time-outs, on the real Temporal server, which makes the failures.
import { ApplicationFailure } from '@temporalio/common';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testTemporal } from '../support/processes/temporal.ts';
import { bundleWorkflows, startTestWorker, type TestWorker } from '../support/processes/worker.ts';
import { Memory, openableGate, type Trouble } from './memory.ts';

const memory = new Memory();
const neverOpen = openableGate();
let worker: TestWorker;

beforeAll(async () => {
  const code = await bundleWorkflows(new URL('../../workflows/index.ts', import.meta.url), {
    module: 'workflows/activity-options.ts',
    by: new URL('short-options.ts', import.meta.url),
  });
  worker = await startTestWorker({ temporal: testTemporal('time-outs'), activities: memory.activities(), code });
});
afterAll(async () => {
  neverOpen.open();
  await worker.stop();
});

const MORE_THAN_FIT = 50;
const always = (trouble: Trouble): Trouble[] => Array.from({ length: MORE_THAN_FIT }, () => trouble);
const silence: Trouble = { held: neverOpen.passed };
const notReady: Trouble = {
  before: ApplicationFailure.retryable('two of three nodes are unreachable', 'cluster_not_ready'),
};
const leak: Trouble = { before: new Error('Failed query: select "chain_code" from "wallet_keys" params: 0190') };

async function signWith(...troubles: Trouble[]) {
  const signingId = uuidv7();
  const row = memory.addSigning(signingId);
  memory.meet('fulfilSigningRequest', signingId, ...troubles);
  await execute('sign', signingId, { signingId, workspaceId: uuidv7(), walletId: uuidv7() });
  return { row, signingId };
}

async function createWith(...troubles: Trouble[]) {
  const walletId = uuidv7();
  const row = memory.addWallet(walletId);
  memory.meet('generateKey', `${walletId} ed25519`, ...troubles);
  await execute('createWallet', walletId, { walletId, workspaceId: uuidv7() });
  return row;
}

function execute(workflow: string, workflowId: string, input: object): Promise<void> {
  const { client, taskQueue } = worker;
  return client.workflow.execute(workflow, { workflowId, taskQueue, args: [input] });
}

describe.concurrent('sign', () => {
  test('one silent attempt is replaced by the next', async () => {
    const { row, signingId } = await signWith(silence);
    expect(row).toMatchObject({ status: 'success', mpcCorrelationId: `${signingId}.2` });
  });

  test('silence to the end is mpc_timeout', async () => {
    const { row } = await signWith(...always(silence));
    expect(row.moves).toEqual(['pending → submitted', 'submitted → failed']);
    expect(row.failure).toEqual({
      statusReason: 'mpc_timeout',
      errorCode: 'mpc_timeout',
      errorReason: 'the cluster did not answer in time',
    });
  });

  test('a cluster that is not ready to the end is mpc_timeout with the code and the sentence of the cluster', async () => {
    const { row } = await signWith(...always(notReady));
    expect(row.failure).toEqual({
      statusReason: 'mpc_timeout',
      errorCode: 'cluster_not_ready',
      errorReason: 'two of three nodes are unreachable',
    });
  });

  test('an exception to the end shows none of its text', async () => {
    const { row } = await signWith(...always(leak));
    expect(row.failure).toMatchObject({ statusReason: 'mpc_timeout' });
    expect(JSON.stringify(row.failure)).not.toContain('Failed query');
  });
});

describe.concurrent('createWallet', () => {
  test('silence to the end is mpc_timeout', async () => {
    const row = await createWith(...always(silence));
    expect(row).toMatchObject({ status: 'failed', error: { code: 'mpc_timeout' } });
    expect(row.error?.reason).toBe('the cluster did not answer in time');
  });

  test('a node that stays away to the end leaves the code and the sentence of the cluster', async () => {
    const row = await createWith(...always(notReady));
    expect(row.error).toEqual({ code: 'cluster_not_ready', reason: 'two of three nodes are unreachable' });
  });

  test('an exception to the end shows none of its text', async () => {
    const row = await createWith(...always(leak));
    expect(JSON.stringify(row.error)).not.toContain('Failed query');
  });
});
