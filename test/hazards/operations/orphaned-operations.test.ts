// Goal: an operation whose workflow can no longer end it is ended, tells why and wakes who waits; one whose workflow
// runs or is yet to start is left alone. Method: real workflows that nobody runs, terminated or not, and a limit of no
// time at all.

import type { Client } from '@temporalio/client';
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { listenForFinals } from '../../../drizzle/database/notifications.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { advanceSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { outbox } from '../../../drizzle/writes/workflow-outbox.ts';
import { temporalClient } from '../../../src/process/temporal.ts';
import { OrphanedOperations } from '../../../src/worker/orphaned-operations.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { testSeals } from '../../support/rows/seals.ts';

const silent = { warn: () => {} };

let api: TestApi;
let client: Client;
let walletId: string;
const announced: string[] = [];
beforeAll(async () => {
  api = await startApi();
  client = temporalClient(testTemporal('abandoned'));
  walletId = await api.makeActiveWallet();
  await new Promise<void>((resolve) =>
    listenForFinals(api.db, { onFinal: (id) => announced.push(id), onListening: resolve }),
  );
});
afterAll(async () => {
  await client.connection.close();
  await api.stop();
});

const sweep = (openForMs = 0) =>
  new OrphanedOperations({
    db: api.db,
    seals: testSeals,
    client,
    starter: api.starter,
    log: silent,
    openForMs,
  }).closeSome();

async function untilStarted(): Promise<void> {
  await expect.poll(() => api.db.select().from(outbox)).toEqual([]);
}

async function makeSigning(): Promise<string> {
  const answer = await api.call('POST', `/api/v1/web3/transaction/${walletId}/signRaw`, {
    network_internal_code: 'ETHEREUM_SANDBOX',
    signing_hash: uuidv7().replaceAll('-', '').padStart(64, '0'),
  });
  expect(answer.status).toBe(202);
  await untilStarted();
  return answer.body.data.transaction_id;
}

async function makeWallet(): Promise<string> {
  const answer = await api.call('POST', '/api/v1/wallets', { name: uuidv7(), wallet_type: 'mpc' });
  expect(answer.status).toBe(202);
  await untilStarted();
  return answer.body.data.wallet_id;
}

const signing = async (id: string) =>
  (await api.db.select().from(signingRequests).where(eq(signingRequests.id, id)))[0];
const wallet = async (id: string) => (await api.db.select().from(wallets).where(eq(wallets.id, id)))[0];
const terminate = (type: string, id: string) =>
  client.workflow.getHandle(workflowIdOf(type, id)).terminate('by an operator');

test.each(['pending', 'submitted'] as const)(
  'a %s signing operation whose workflow was terminated fails as cancelled',
  async (status) => {
    const [id, running] = [await makeSigning(), await makeSigning()];
    if (status === 'submitted') await advanceSigningRequest(api.db, id, { from: 'pending', to: 'submitted' });
    await terminate('sign', id);
    await sweep();
    expect(await signing(id)).toMatchObject({
      status: 'failed',
      statusReason: 'cancelled',
      errorCode: 'workflow_terminated',
      errorReason: 'an operator terminated its workflow',
      completedAt: expect.any(Date),
    });
    await expect.poll(() => announced).toContain(id);
    expect(await signing(running)).toMatchObject({ status: 'pending', errorCode: null });
  },
);

test('a wallet whose workflow was terminated fails; one whose workflow runs is left', async () => {
  const [id, running] = [await makeWallet(), await makeWallet()];
  await terminate('createWallet', id);
  await sweep();
  expect(await wallet(id)).toMatchObject({ status: 'failed', errorCode: 'workflow_terminated' });
  await expect.poll(() => announced).toContain(id);
  expect(await wallet(running)).toMatchObject({ status: 'creating', errorCode: null });
});

test('nothing is closed before the limit, nor what succeeded', async () => {
  const [id, succeeded] = [await makeSigning(), await makeSigning()];
  await terminate('sign', id);
  await terminate('sign', succeeded);
  await advanceSigningRequest(api.db, succeeded, { from: 'pending', to: 'submitted' });
  await advanceSigningRequest(api.db, succeeded, { from: 'submitted', to: 'success', fields: { signature: '0x1' } });
  await sweep(60_000);
  expect(await signing(id)).toMatchObject({ status: 'pending' });
  await sweep();
  expect(await signing(succeeded)).toMatchObject({ status: 'success', signature: '0x1' });
});

test('one whose workflow cannot be asked for keeps no other from being closed, and is asked for again', async () => {
  const [first, second] = [await makeSigning(), await makeSigning()];
  for (const id of [first, second]) await terminate('sign', id);
  const getHandle = client.workflow.getHandle.bind(client.workflow);
  const refused = vi.spyOn(client.workflow, 'getHandle').mockImplementation(((id: string) => {
    if (id === workflowIdOf('sign', first)) throw new Error('Temporal does not answer');
    return getHandle(id);
  }) as typeof getHandle);
  await expect(sweep()).rejects.toThrow('Temporal does not answer');
  expect([(await signing(first))?.status, (await signing(second))?.status]).toEqual(['pending', 'failed']);
  refused.mockRestore();
  await sweep();
  expect((await signing(first))?.status).toBe('failed');
});

test('an unknown workflow closes its operation only when no outbox row is there to start it', async () => {
  const insert = async () => {
    const id = uuidv7();
    const workflowId = workflowIdOf('createWallet', id);
    await api.db.insert(wallets).values({ id, workflowId, workspaceId: api.workspaceId, name: id, walletType: 'mpc' });
    return id;
  };
  const [gone, waiting] = [await insert(), await insert()];
  const input = { walletId: waiting, workspaceId: api.workspaceId };
  await api.db
    .insert(outbox)
    .values({ workflow: 'createWallet', workflowId: workflowIdOf('createWallet', waiting), input });
  await sweep();
  expect(await wallet(gone)).toMatchObject({ status: 'failed', errorCode: 'workflow_not_found' });
  expect(await wallet(waiting)).toMatchObject({ status: 'creating' });
});
