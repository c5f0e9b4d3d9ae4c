// Goal: an operator reads from an API process how requests end and what waits, whatever is down, and nobody reads an id
// there. Method: requests through the API, rows that stand still in a real database, and the text that Prometheus would
// read.

import { readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { sql } from 'drizzle-orm';
import { Registry } from 'prom-client';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diskSetBack } from '../../../domain/statuses.ts';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { readGauges } from '../../../drizzle/observability/gauges.ts';
import { saveNodeHealth } from '../../../drizzle/observability/node-health.ts';
import { chainTransactions } from '../../../drizzle/withdrawals/chain-transactions.ts';
import { nonces } from '../../../drizzle/withdrawals/nonces.ts';
import { clearDispute, insertWithdrawal, markDisputed } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { Scrape } from '../../../src/observability/scrape.ts';
import { StateMetrics } from '../../../src/observability/state-metrics.ts';
import { workflowsUrlOf } from '../../../src/process/config.ts';
import { ensureSearchAttributes } from '../../../src/process/temporal.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { type Samples, samplesOf, sumOf } from '../../support/api/metrics.ts';
import { signCall } from '../../support/api/sign.ts';
import { readGuides } from '../../support/documents/guides.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { startTestWorker } from '../../support/processes/worker.ts';
import { noQuote } from '../../support/rows/funded.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { storeWebhook } from '../../support/rows/stored-webhooks.ts';

const HOUR_SECONDS = 3_600;
const STATUS = '/api/v1/observability/status';
const requests = 'countersign_http_request_duration_seconds_count';

let api: TestApi;
let walletId: string;
beforeAll(async () => {
  // Temporal is away, so that what is accepted stays in the outbox.
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  walletId = await api.makeActiveWallet();
});
afterAll(() => api.stop());

const read = async (): Promise<string> => (await api.app.inject('/metrics')).body;

/** By metrics of its own, since the API keeps what it has read for some seconds. */
async function state(): Promise<Samples> {
  const registry = new Registry();
  return samplesOf(await new Scrape({ registry, state: new StateMetrics({ db: api.db }, registry) }).read());
}

test('a request is counted by method, pattern and class of its status, never by an id', async () => {
  await api.call('GET', `/api/v1/wallets/${walletId}`);
  await api.call('GET', `/api/v1/wallets/${uuidv7()}`);
  await api.app.inject(`/no/such/${uuidv7()}`);
  const text = await read();
  const samples = samplesOf(text);
  const route = '/api/v1/wallets/:wallet_id';
  expect(sumOf(samples, requests, { method: 'GET', route, status: '2xx' })).toBe(1);
  expect(sumOf(samples, requests, { method: 'GET', route, status: '4xx' })).toBe(1);
  expect(sumOf(samples, requests, { route: 'none', status: '4xx' })).toBe(1);
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  expect(text).not.toContain(api.admin.apiKey);
});

test('the cause of a failed authentication is counted, which no answer tells', async () => {
  await api.call('GET', '/api/v1/assets', undefined, { key: { ...api.admin, apiSecret: 'wrong' } });
  await api.app.inject('/api/v1/assets');
  const samples = samplesOf(await read());
  expect(sumOf(samples, 'countersign_authentication_failures_total', { reason: 'wrong_signature' })).toBe(1);
  const missing = { reason: 'missing_or_repeated_header_access_api_key' };
  expect(sumOf(samples, 'countersign_authentication_failures_total', missing)).toBe(1);
});

test('with a token only who sends it reads', async () => {
  const registry = new Registry();
  const scrape = new Scrape({
    registry,
    state: new StateMetrics({ db: api.db }, registry),
    token: 'a-token-of-the-operator',
  });
  expect(scrape.mayRead(undefined)).toBe(false);
  expect(scrape.mayRead('Bearer another-token-of-the-operator')).toBe(false);
  expect(scrape.mayRead('Bearer a-token-of-the-operator')).toBe(true);
});

test('what waits is counted, and how long', async () => {
  const sign = signCall(api, 'signRaw', walletId);
  const accepted = await sign({
    network_internal_code: 'ETHEREUM_SANDBOX',
    key_type: 'secp256k1',
    signing_hash: `0x${'ab'.repeat(32)}`,
  });
  expect(accepted.status).toBe(202);
  await api.db.execute(sql`update outbox set created_at = now() - interval '1 hour'`);
  await api.db.execute(sql`update signing_requests set created_at = now() - interval '1 hour'`);
  const samples = await state();
  expect(sumOf(samples, 'countersign_database_up')).toBe(1);
  expect(sumOf(samples, 'countersign_backlog', { queue: 'outbox' })).toBe(1);
  expect(sumOf(samples, 'countersign_backlog_oldest_age_seconds', { queue: 'outbox' })).toBeGreaterThan(
    HOUR_SECONDS - 1,
  );
  const pending = { kind: 'signing_request', status: 'pending' };
  expect(sumOf(samples, 'countersign_open_operations', pending)).toBe(1);
  const age = sumOf(samples, 'countersign_open_operation_oldest_age_seconds', pending);
  expect([age > HOUR_SECONDS - 1, age < HOUR_SECONDS + 60]).toEqual([true, true]);
});

test('networks and nodes', async () => {
  const network = (
    await api.db.execute<{ id: string }>(sql`select id from networks where internal_code = 'ETHEREUM_SANDBOX'`)
  )[0];
  await api.db.execute(sql`
    insert into network_states (network_id, next_block, head_block, halted_reason, head_at)
    values (${network?.id}, 91, 100, 'a fork deeper than the window', now() - interval '90 seconds')`);
  await saveNodeHealth(api.db, [{ cluster: 'main', node: 1, status: 'down', threshold: 2, error: diskSetBack }]);
  expect(sumOf(await state(), 'countersign_mpc_node_set_back', { node: '1' })).toBe(1);
  await saveNodeHealth(api.db, [
    { cluster: 'main', node: 1, status: 'up', threshold: 2 },
    { cluster: 'main', node: 2, status: 'down', threshold: 2, error: 'node 2 is unreachable' },
    { cluster: 'main', node: 3, status: 'up', threshold: 2, bans: 1, policySha256: 'ab'.repeat(32) },
  ]);
  await api.db.execute(sql`update node_health set checked_at = now() - interval '2 minutes' where node = 3`);
  const samples = await state();
  const policies = [...samples].filter(([name]) => name.startsWith('countersign_mpc_node_policy'));
  expect(policies).toEqual([['countersign_mpc_node_policy{cluster="main",node="3",policy="abababababab"}', 1]]);
  const of = { network: 'ETHEREUM_SANDBOX' };
  expect(sumOf(samples, 'countersign_chain_lag_blocks', of)).toBe(10);
  expect(sumOf(samples, 'countersign_chain_halted', of)).toBe(1);
  expect(sumOf(samples, 'countersign_unconfirmed_deposits', of)).toBe(0);
  expect(sumOf(samples, 'countersign_chain_head_age_seconds', of)).toBeGreaterThan(89);
  expect([1, 2, 3].map((node) => sumOf(samples, 'countersign_mpc_node_up', { node: `${node}` }))).toEqual([1, 0, 1]);
  expect(sumOf(samples, 'countersign_mpc_node_bans', { node: '3' })).toBe(1);
  expect(sumOf(samples, 'countersign_mpc_node_set_back', { node: '1' })).toBe(0);
  expect(sumOf(samples, 'countersign_mpc_node_checked_age_seconds', { node: '3' })).toBeGreaterThan(119);
});

test('a nonce under which nothing is out, before one that is', async () => {
  const [native] = await api.db.execute<{ asset: string; network: string }>(sql`
    select assets.id as asset, network_id as network from assets join networks on networks.id = network_id
    where internal_code = 'ETHEREUM_SANDBOX' and is_native`);
  const { asset = '', network = '' } = native ?? {};
  const fromAddress = `0x${'aa'.repeat(20)}`;
  const make = async (nonce: number): Promise<string> => {
    const id = uuidv7();
    await api.db.transaction((tx) =>
      insertWithdrawal(tx, testSeals, {
        id,
        workspaceId: api.workspaceId,
        walletId,
        assetId: asset,
        networkId: network,
        feeAssetId: asset,
        amountBaseUnits: 0n,
        decimals: 18,
        fromAddress,
        derivationPath: 'm',
        requestedBy: uuidv7(),
        recipientAddress: `0x${'bb'.repeat(20)}`,
      }),
    );
    await api.db.execute(sql`update withdrawals set status = 'processing' where id = ${id}`);
    await api.db.insert(nonces).values({ networkId: network, address: fromAddress, nonce, withdrawalId: id });
    return id;
  };
  const put = (withdrawalId: string, nonce: number) =>
    api.db.insert(chainTransactions).values({
      id: uuidv7(),
      withdrawalId,
      ordinal: 0,
      kind: 'transfer',
      status: 'broadcast',
      networkId: network,
      nonce,
      fromAddress,
      fee: noQuote,
      maxFeeBaseUnits: 0n,
      unsigned: '',
      payloads: [],
      signingIds: [],
    });
  const gaps = async () => sumOf(await state(), 'countersign_nonce_gaps', { network: 'ETHEREUM_SANDBOX' });
  const [first, second] = [await make(5), await make(6)];
  expect(await gaps()).toBe(0);
  await put(second, 6);
  expect(await gaps()).toBe(1);
  await put(first, 5);
  expect(await gaps()).toBe(0);
});

test('a withdrawal of which the nodes do not agree how it ends', async () => {
  const of = { network: 'ETHEREUM_SANDBOX' };
  const [row] = await api.db.execute<{ id: string }>(
    sql`select id from withdrawals where status = 'processing' limit 1`,
  );
  const id = row?.id ?? '';
  expect(sumOf(await state(), 'countersign_withdrawal_disputes', of)).toBe(0);
  await markDisputed(api.db, id);
  await api.db.execute(sql`update withdrawals set disputed_at = now() - interval '5 minutes' where id = ${id}`);
  await markDisputed(api.db, id);
  const samples = await state();
  expect(sumOf(samples, 'countersign_withdrawal_disputes', of)).toBe(1);
  expect(sumOf(samples, 'countersign_withdrawal_dispute_oldest_age_seconds', of)).toBeGreaterThan(299);
  await clearDispute(api.db, id);
  expect(sumOf(await state(), 'countersign_withdrawal_disputes', of)).toBe(0);
});

test('the status page says the same, also of what is down', async () => {
  const { status, body } = await api.call('GET', STATUS);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    postgres: { status: 'up' },
    temporal: { status: 'down', task_queues: null },
    workers: 0,
    signers: { total: 3, up: 2 },
    queues: { outbox: { count: 1 }, webhooks: { count: 0, oldest_age_seconds: 0 } },
  });
  expect(body.data.chains).toMatchObject([
    { network: 'ETHEREUM_SANDBOX', status: 'halted', halted_reason: 'a fork deeper than the window', lag_blocks: 10 },
  ]);
  expect(body.data.mpc_nodes).toMatchObject([
    { node: 1, status: 'up', error: null },
    { cluster: 'main', node: 2, status: 'down', error: 'node 2 is unreachable' },
    { node: 3, status: 'up', bans: 1 },
  ]);
  expect(body.data.open_operations).toMatchObject([
    { kind: 'signing_request', status: 'pending', count: 1 },
    { kind: 'withdrawal', status: 'processing', count: 2 },
  ]);
});

test('the workers and what waits for them, by Temporal, and where its workflows are shown', async () => {
  const workflowsUrl = workflowsUrlOf({ TEMPORAL_UI_URL: 'https://temporal.example/', TEMPORAL_NAMESPACE: 'a/b' });
  const own = await startApi({ workflowsUrl });
  try {
    expect(sumOf(samplesOf((await own.app.inject('/metrics')).body), 'countersign_temporal_up')).toBe(1);
    const { body } = await own.call('GET', STATUS);
    const idle = { backlog: 0, oldest_age_seconds: 0, pollers: 0 };
    expect(body.data).toMatchObject({
      temporal: {
        status: 'up',
        task_queues: { workflow: idle, activity: idle },
        workflows_url: 'https://temporal.example/namespaces/a%2Fb/workflows',
      },
      workers: 0,
    });
    const worker = await startTestWorker({
      temporal: { ...testTemporal(''), taskQueue: own.taskQueue },
      activities: {},
    });
    await expect.poll(async () => (await own.call('GET', STATUS)).body.data.workers, { timeout: 60_000 }).toBe(1);
    await worker.stop();
  } finally {
    await own.stop();
  }
});

test('a database that does not answer: nothing is shown as if it were known, and the rest is', async () => {
  const registry = new Registry();
  const away = connectDatabase('postgres://nobody@127.0.0.1:1/none', { poolSize: 1, name: 'test-away' });
  const samples = samplesOf(await new Scrape({ registry, state: new StateMetrics({ db: away.db }, registry) }).read());
  await away.close();
  expect([...samples]).toEqual([['countersign_database_up', 0]]);
});

describe('the runbook and the guides ask what can be asked', () => {
  const runbook = readFileSync(new URL('../../../RUNBOOK.md', import.meta.url), 'utf8');
  const blocksOf = (language: string) =>
    [
      ...runbook.matchAll(
        new RegExp(`^### (\\w+)\\n(?:(?!^### )[\\s\\S])*?^\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'gm'),
      ),
    ].map(([, alert = '', text = '']) => [alert, text] as const);

  const questionsOfGuides = readGuides().flatMap(({ name, blocks }) =>
    blocks.filter(({ language }) => language === 'sql').map(({ line, text }) => [`${name}:${line}`, text] as const),
  );
  test.each([...blocksOf('sql'), ...questionsOfGuides])('%s: the SQL', async (_place, text) => {
    await expect(api.db.execute(sql.raw(text))).resolves.toBeDefined();
  });

  test('every search in the Temporal UI', async () => {
    const { address } = testTemporal('');
    const connection = await Connection.connect({ address });
    const { workflow } = new Client({ connection });
    await ensureSearchAttributes(new Client({ connection }), { warn: () => {} });
    const searches = blocksOf('temporal');
    expect(searches.length).toBeGreaterThan(20);
    for (const [alert, query] of searches)
      await expect(workflow.count(query.trim()), alert).resolves.toMatchObject({ count: expect.any(Number) });
    await connection.close();
  });
});

test('deliveries are overdue that nobody tries, not those of an endpoint that fails', async () => {
  const { webhookId } = await storeWebhook(api, api.workspaceId);
  const overdue = async () => (await readGauges(api.db)).webhooksOverdue;
  await api.db.execute(sql`update webhook_deliveries set next_attempt_at = now() - interval '1 hour'`);
  expect((await overdue()).count).toBeGreaterThan(0);
  expect((await overdue()).oldestSeconds).toBeGreaterThanOrEqual(HOUR_SECONDS);
  await api.db.execute(sql`update webhooks set failing_since = now() where id = ${webhookId}`);
  expect(await overdue()).toEqual({ count: 0, oldestSeconds: 0 });
});
