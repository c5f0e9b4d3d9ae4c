// Goal: no workspace takes up more of the service than it may, however many ask at once: 429 that says when to ask
// again, nothing stored, and no other workspace hears of it. Method: the API with low quotas on a real database,
// Temporal away, so that nothing ends by itself.
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import { auditLogs } from '../../../drizzle/audit/audit-tables.ts';
import { quotaCounters } from '../../../drizzle/operations/quotas.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { outbox } from '../../../drizzle/writes/workflow-outbox.ts';
import { MANY_REQUESTS } from '../../../src/audit/refused-attempts.ts';
import type { QuotaLimits } from '../../../src/writes/workspace-quotas.ts';
import { type Answer, startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { distinctSeconds } from '../../support/api/distinct-seconds.ts';
import { connectNetwork, credit, sandbox } from '../../support/rows/funded.ts';

const quotas: QuotaLimits = {
  walletsUnderWayMax: 3,
  keyGenerationsPerDay: 8,
  rescansPerHour: 2,
  openOperationsMax: 5,
  exportsUnderWayMax: 2,
};
const DAY_SECONDS = 86_400;

let api: TestApi;
let owner: { workspaceId: string; key: TestKey };
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1', quotas, http: { requestsPerMinute: 1_000 } });
  for (const { networkId } of Object.values(sandbox)) await connectNetwork(api.db, networkId);
});
afterAll(() => api.stop());
beforeEach(async () => {
  owner = await api.makeWorkspace();
});

const nextSecond = distinctSeconds();
function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return api.call('POST', `/api/v1${path}`, body, { key: owner.key, timestamp: nextSecond(), headers });
}

const createWallet = (headers?: Record<string, string>) =>
  post('/wallets', { name: 'a wallet', wallet_type: 'mpc' }, headers);
const sign = (walletId: string, headers?: Record<string, string>) =>
  post(`/web3/${walletId}/sign`, { network_internal_code: 'ETHEREUM_SANDBOX', signing_hash: 'ab'.repeat(32) }, headers);

const times = <Result>(count: number, ask: () => Promise<Result>) => Promise.all(Array.from({ length: count }, ask));
const having = (answers: readonly Answer[], status: number) => answers.filter((answer) => answer.status === status);
const ofOwner = (table: typeof wallets | typeof signingRequests | typeof outbox) =>
  api.db.$count(table, sql`workspace_id::text = ${owner.workspaceId}`);

const finishWallets = () =>
  api.db.execute(sql`update wallets set status = 'active' where workspace_id = ${owner.workspaceId}`);

function expectRefused(answer: Answer | undefined, name: string, max: number, window = ''): number {
  expect(answer).toMatchObject({ status: 429, body: { success: false, code: 'rate_limited', data: null } });
  const { headers } = answer as Answer;
  const retryAfter = Number(headers['retry-after']);
  expect(retryAfter).toBeGreaterThan(0);
  // Beside what the key has left.
  expect(headers['ratelimit-policy']).toBe(`"default";q=1000;w=60, "${name}";q=${max}${window}`);
  expect(headers['ratelimit']).toMatch(new RegExp(`^"default";r=\\d+;t=\\d+, "${name}";r=0;t=${retryAfter}$`));
  return retryAfter;
}

describe('wallets under way', () => {
  test('of ten at once as many as the quota are accepted, and nothing is stored of the others', async () => {
    const answers = await times(10, createWallet);
    expect([having(answers, 202).length, having(answers, 429).length]).toEqual([3, 7]);
    expectRefused(having(answers, 429)[0], 'wallets-under-way', 3);
    expect([await ofOwner(wallets), await ofOwner(outbox)]).toEqual([3, 3]);
    const { key } = await api.makeWorkspace();
    owner = { ...owner, key };
    expect((await createWallet()).status).toBe(202);
  });

  test('the next one is accepted when one has ended; a repeat of what was accepted is answered in any case', async () => {
    const first = await createWallet({ 'x-idempotency-key': 'first' });
    await times(2, createWallet);
    expectRefused(await createWallet({ 'x-idempotency-key': 'fourth' }), 'wallets-under-way', 3);
    expect((await createWallet({ 'x-idempotency-key': 'first' })).body).toEqual(first.body);
    await api.db.execute(sql`update wallets set status = 'active' where id = ${first.body.data.wallet_id}`);
    // The refused key was not used up.
    expect((await createWallet({ 'x-idempotency-key': 'fourth' })).status).toBe(202);
  });
});

describe('key generations in a day', () => {
  test('two a wallet, also of those that are finished; refused ones do not count, and midnight UTC begins anew', async () => {
    for (let wallet = 0; wallet < 4; wallet += 1) {
      expect((await createWallet()).status).toBe(202);
      await finishWallets();
    }
    const answers = await times(5, createWallet);
    expect(having(answers, 429)).toHaveLength(5);
    const retryAfter = expectRefused(answers[0], 'key-generations', 8, `;w=${DAY_SECONDS}`);
    const untilMidnight = DAY_SECONDS - ((Date.now() / 1000) % DAY_SECONDS);
    expect(Math.abs(retryAfter - untilMidnight)).toBeLessThan(10);
    expect(await countedOf('key_generations')).toBe(8);
    await api.db.update(quotaCounters).set({ windowStart: sql`window_start - interval '1 day'` });
    expect((await createWallet()).status).toBe(202);
    expect(await countedOf('key_generations')).toBe(2);
  });
});

async function countedOf(quota: string): Promise<number | undefined> {
  const rows = await api.db.select().from(quotaCounters);
  return rows.find((row) => row.workspaceId === owner.workspaceId && row.quota === quota)?.used;
}

test('rescans in an hour: of five at once two', async () => {
  const network = networkSeed.find(({ internalCode }) => internalCode === 'ETHEREUM_SANDBOX');
  const body = { tx_hash: `0x${'ab'.repeat(32)}`, network_id: network?.id };
  const answers = await times(5, () => post('/networks/rescan-transaction', body));
  expect([having(answers, 202).length, having(answers, 429).length]).toEqual([2, 3]);
  expectRefused(having(answers, 429)[0], 'rescans', 2, ';w=3600');
  expect(await ofOwner(outbox)).toBe(2);
});

describe('open operations', () => {
  test('of twelve signatures at once as many as the quota; one that ends makes room', async () => {
    const walletId = await api.makeActiveWallet(owner.workspaceId);
    const answers = await times(12, () => sign(walletId));
    expect([having(answers, 202).length, having(answers, 429).length]).toEqual([5, 7]);
    expectRefused(having(answers, 429)[0], 'open-operations', 5);
    expect([await ofOwner(signingRequests), await ofOwner(outbox)]).toEqual([5, 5]);
    const ended = having(answers, 202)[0]?.body.data.transaction_id;
    await api.db.execute(sql`update signing_requests set status = 'failed' where id = ${ended}`);
    expect((await sign(walletId)).status).toBe(202);
    expect((await sign(walletId)).status).toBe(429);
  });

  test('withdrawals count with signatures, and a batch is accepted whole or not at all', async () => {
    const walletId = await api.makeActiveWallet(owner.workspaceId);
    await credit(api.db, walletId, sandbox.ETH, 10n ** 19n);
    const withdraw = () =>
      post(`/wallets/${walletId}/request-withdrawal`, {
        asset_id: sandbox.ETH.assetId,
        amount: '0.25',
        recipient_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      });
    const item = { type: 'raw', network_internal_code: 'ETHEREUM_SANDBOX', signing_hash: 'ab'.repeat(32) };
    const batchOf = (count: number) =>
      post(`/web3/transaction/${walletId}/signBatch`, { items: Array.from({ length: count }, () => item) });
    expect(having(await times(3, withdraw), 202)).toHaveLength(3);
    expectRefused(await batchOf(3), 'open-operations', 5);
    expect(await ofOwner(signingRequests)).toBe(0);
    expect((await batchOf(2)).status).toBe(202);
    expectRefused(await withdraw(), 'open-operations', 5);
    expectRefused(await sign(walletId), 'open-operations', 5);
  });
});

test('zero is no limit, and what is refused is counted in the audit log', async () => {
  const refused = await api.startAnother({ quotas: { ...quotas, walletsUnderWayMax: 1 } });
  const ask = (at: typeof refused.app) => {
    const timestamp = nextSecond();
    return api.call('POST', '/api/v1/wallets', { name: 'x', wallet_type: 'mpc' }, { key: owner.key, timestamp, at });
  };
  expect(having(await times(3, () => ask(refused.app)), 429)).toHaveLength(2);
  await refused.stop();
  const unlimited = await api.startAnother({ quotas: {} });
  expect(having(await times(12, () => ask(unlimited.app)), 202)).toHaveLength(12);
  await unlimited.stop();
  const entries = await api.db
    .select()
    .from(auditLogs)
    .where(sql`${auditLogs.workspaceId} = ${owner.workspaceId} and ${auditLogs.code} = 'rate_limited'`);
  expect(entries).toMatchObject([{ outcome: 'refused', action: MANY_REQUESTS }]);
  expect(JSON.parse(entries[0]?.after ?? '{}')).toMatchObject({ count: 2 });
});
