// Goal: a network with a node is watched for ever, by one run at a time, whatever fails, dies or is started again.
// Method: the workflows of the bundle on the real Temporal server, started as the worker starts them; readings as the
// test says them, and for the last test the product's own on an anvil.
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Chains } from '../../activities/chains/connect-chains.ts';
import { evmChain } from '../../activities/chains/evm/evm-chain.ts';
import { createDepositActivities, type Rescan } from '../../activities/deposits/deposits.ts';
import type { Pace, Reading } from '../../activities/deposits/read-network.ts';
import type { Activities } from '../../activities/index.ts';
import { readGauges } from '../../drizzle/observability/gauges.ts';
import { startWatching, watchIdOf } from '../../src/worker/watch-networks.ts';
import { startAnvil } from '../support/chains/anvil.ts';
import { openDepositDatabase } from '../support/chains/deposit-watch.ts';
import { noChains } from '../support/chains/no-chains.ts';
import { type TestTemporal, testTemporal } from '../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../support/processes/worker.ts';
import { testSeals } from '../support/rows/seals.ts';
import { viewOf } from './operator-view.ts';

const NETWORK = 'ETHEREUM_SANDBOX';
const log = { info: () => {}, warn: () => {} };

let temporal: TestTemporal;
let worker: TestWorker;
type Answer = Reading & { delayMs: number };
let readings: (() => Promise<Answer>)[];
let paces: Pace[];
let rescans: (() => Promise<Rescan>)[];
let times: number[];
const watching: (() => Promise<void>)[] = [];

const reading = (fields: Partial<Answer> = {}): Answer => ({
  state: 'watching',
  blocks: 0,
  behind: false,
  nextBlock: 7,
  delayMs: 500,
  ...fields,
});

/** Each reading as the test has it, then for ever one that finds nothing new. */
const scripted = {
  readBlocks: async (_networkCode: string, pace: Pace) => {
    times.push(Date.now());
    paces.push(pace);
    return (await readings.shift()?.()) ?? reading();
  },
  recordTransaction: async () => (await rescans.shift()?.()) ?? { outcome: 'unknown' },
} as unknown as Activities;

beforeAll(async () => {
  temporal = testTemporal('watch-network');
  worker = await startTestWorker({ temporal, activities: scripted });
});
afterEach(async () => {
  await Promise.all(watching.splice(0).map((stop) => stop()));
  const { client, taskQueue } = worker;
  await client.workflow
    .getHandle(watchIdOf(NETWORK, taskQueue))
    .terminate()
    .catch(() => undefined);
});
afterAll(() => worker.stop());

async function watch(script: (() => Promise<Answer>)[] = []): Promise<{ id: string; stop: () => Promise<void> }> {
  [readings, times, paces] = [script, [], []];
  const { client, taskQueue } = worker;
  const stop = startWatching({ client, taskQueue, networkCodes: [NETWORK], log });
  watching.push(stop);
  const id = watchIdOf(NETWORK, taskQueue);
  await expect.poll(() => times.length, { timeout: 60_000 }).toBeGreaterThan(0);
  return { id, stop };
}

test('no timer while there is more to be read; then as long as the reading says', async () => {
  const more = () => Promise.resolve(reading({ blocks: 160, behind: true }));
  const { id, stop } = await watch([more, more, more, more]);
  await expect.poll(() => times.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(7);
  const gaps = times.slice(1).map((time, place) => time - (times[place] ?? 0));
  for (const gap of gaps.slice(4, 6)) expect(gap).toBeGreaterThanOrEqual(490);
  // By the history and not by the clock: on a busy machine readings that follow each other at once are far apart.
  const { events } = await worker.client.workflow.getHandle(id).fetchHistory();
  const steps = (events ?? []).flatMap((event) => {
    if (event.activityTaskScheduledEventAttributes) return ['reading'];
    return event.timerStartedEventAttributes ? ['timer'] : [];
  });
  expect(steps.slice(0, 8)).toEqual([
    'reading',
    'reading',
    'reading',
    'reading',
    'reading',
    'timer',
    'reading',
    'timer',
  ]);
  await stop();
});

test('each reading hears of the pace of the one before it', async () => {
  await watch([() => Promise.resolve(reading({ delayMs: 700 }))]);
  await expect.poll(() => paces.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
  expect(paces.slice(0, 2).map(({ delayMs }) => delayMs)).toEqual([500, 700]);
});

test('a reading that fails is tried again; the run goes on', async () => {
  const fails = () => Promise.reject(new Error('the node is away'));
  const { id } = await watch([fails, fails, () => Promise.resolve(reading({ nextBlock: 8 }))]);
  await expect.poll(() => times.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(4);
  expect((await viewOf(worker.client, id)).status).toBe('RUNNING');
});

test('a network of which the worker has no node is left, and watched again once somebody starts it', async () => {
  const { id, stop } = await watch([() => Promise.resolve(reading({ state: 'unwatched' }))]);
  await expect.poll(async () => (await viewOf(worker.client, id)).status, { timeout: 60_000 }).toBe('COMPLETED');
  expect((await viewOf(worker.client, id)).attributes['OperationStatus']).toBe('unwatched');
  await stop();
  const again = await watch();
  expect(again.id).toBe(id);
  expect((await viewOf(worker.client, id)).status).toBe('RUNNING');
  await again.stop();
});

test('a halted network is looked at again and again, and an operator sees it', async () => {
  const { id } = await watch([() => Promise.resolve(reading({ state: 'halted' }))]);
  await expect.poll(async () => (await viewOf(worker.client, id)).attributes['OperationStatus']).toBe('halted');
  await expect
    .poll(async () => (await viewOf(worker.client, id)).attributes['OperationStatus'], { timeout: 60_000 })
    .toBe('watching');
  expect(await viewOf(worker.client, id)).toMatchObject({
    summary: `Watch ${NETWORK}`,
    details: 'Block 7 is read next.',
    attributes: { NetworkCode: NETWORK },
  });
});

test('started again while it runs: the same run; after it was ended: another', async () => {
  const { id } = await watch();
  const { client } = worker;
  const runId = async () => (await client.workflow.getHandle(id).describe()).runId;
  const first = await runId();
  await watch();
  expect(await runId()).toBe(first);
  await client.workflow.getHandle(id).terminate('by an operator');
  await watch();
  expect(await runId()).not.toBe(first);
});

test('goes on as a new run when its history is long', async () => {
  const { id } = await watch(
    Array.from({ length: 700 }, () => () => Promise.resolve(reading({ blocks: 1, behind: true }))),
  );
  const { client } = worker;
  const runId = async () => (await client.workflow.getHandle(id).describe()).runId;
  const first = await runId();
  await expect.poll(() => readings.length, { timeout: 240_000, interval: 500 }).toBe(0);
  expect(await runId()).not.toBe(first);
  const view = await viewOf(client, id);
  expect(view.status).toBe('RUNNING');
  expect(view.attributes).toMatchObject({ NetworkCode: NETWORK, OperationStatus: 'watching' });
}, 300_000);

test.each([
  [{ outcome: 'recorded', found: 2, recorded: 1 }, 'Deposits in it: 2, of which 1 were missing.'],
  [{ outcome: 'pending' }, 'The transaction is in no block yet.'],
] as const)('a second look says what it found: %o', async (outcome, details) => {
  rescans = [() => Promise.reject(new Error('the node is away')), () => Promise.resolve(outcome)];
  const { client, taskQueue } = worker;
  const id = uuidv7();
  const input = { workspaceId: uuidv7(), networkCode: NETWORK, txHash: '0xaa' };
  await client.workflow.execute('rescanTransaction', { workflowId: id, taskQueue, args: [input] });
  expect(await viewOf(client, id)).toMatchObject({ details, attributes: { OperationStatus: 'success' } });
});

test('workers that come and go: every deposit is seen, once', async () => {
  const [anvil, rows] = await Promise.all([startAnvil(), openDepositDatabase()]);
  const chain = evmChain({ rpcUrl: anvil.url, chainId: 31_337 });
  const chains = { ...noChains, find: () => chain };
  const own = testTemporal('watch-network-anvil');
  const startWorker = (reached: Chains = chains) =>
    startTestWorker({
      temporal: own,
      activities: createDepositActivities({
        db: rows.db,
        chains: reached,
        bitcoinNetwork: 'regtest',
        seals: testSeals,
      }),
    });
  const ours = privateKeyToAddress(generatePrivateKey());
  const walletId = await rows.makeWallet('evm', ours);
  let current = await startWorker();
  const { client } = current;
  const stop = startWatching({ client, taskQueue: own.taskQueue, networkCodes: [NETWORK], log });
  const payments = 12;
  for (let payment = 1; payment <= payments; payment += 1) {
    await anvil.client.sendTransaction({ to: ours, value: BigInt(payment) });
    await anvil.client.mine({ blocks: 3 });
    if (payment % 4 === 0) {
      await stop();
      await current.stop();
      current = await startWorker();
    }
    await sleep(200);
  }
  const seen = async () => (await rows.depositsOf(walletId)).filter(({ status }) => status === 'confirmed').length;
  await expect.poll(seen, { timeout: 60_000 }).toBe(payments);
  expect(await rows.balances(walletId, await rows.nativeAsset(NETWORK))).toEqual({ available: 78n, pending_in: 0n });
  expect(await rows.imbalances()).toEqual([]);
  await stop();
  // The operator takes the network out of RPC_URLS, and puts it back.
  await current.stop();
  current = await startWorker({ ...chains, find: () => undefined });
  const stopped = startWatching({ client: current.client, taskQueue: own.taskQueue, networkCodes: [], log });
  const isWatched = async () => (await readGauges(rows.db)).chains.some(({ network }) => network === NETWORK);
  await expect.poll(isWatched, { timeout: 60_000 }).toBe(false);
  // A run that still stands is not begun anew, and is looked after once a minute.
  const watching = () => current.client.workflow.getHandle(watchIdOf(NETWORK, own.taskQueue));
  await expect.poll(async () => (await watching().describe()).status.name, { timeout: 60_000 }).toBe('COMPLETED');
  await stopped();
  await current.stop();
  current = await startWorker();
  const again = startWatching({ client: current.client, taskQueue: own.taskQueue, networkCodes: [NETWORK], log });
  await expect.poll(isWatched, { timeout: 60_000 }).toBe(true);
  await again();
  await watching().terminate();
  await current.stop();
  await anvil.stop();
  await rows.stop();
}, 120_000);
