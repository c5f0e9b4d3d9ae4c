// Goal: no refused attempt is missing from the audit log, none says more than it may, and a flood of them neither piles
// up nor drowns the log. Method: requests that are refused in every way, many at once, and with a database that is
// away.
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { auditLogs } from '../../../drizzle/audit/audit-tables.ts';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { MANY_REQUESTS, RefusedAttempts } from '../../../src/audit/refused-attempts.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { KeyCalls } from '../../support/api/api-keys.ts';
import { entriesOf, entryOf, parsed } from '../../support/rows/audit.ts';

const WALLETS = '/api/v1/wallets';
const refusedBy = { actor: 'api_key', outcome: 'refused' } as const;

let api: TestApi;
let calls: KeyCalls;
let adminId: string;
let walletId: string;
beforeAll(async () => {
  api = await startApi();
  calls = new KeyCalls(api);
  adminId = await calls.idOf(api.admin);
  walletId = await api.makeActiveWallet();
});
afterAll(() => api.stop());

describe('of a proven key: written before the answer goes out', () => {
  test.each<[string, number, string, () => Promise<Parameters<typeof entryOf>[1]>]>([
    ['a body of the wrong shape', 400, 'invalid_request', () => calls.write('POST', WALLETS, { name: 'x' })],
    [
      'no scope',
      403,
      'insufficient_scope',
      async () => calls.write('POST', WALLETS, {}, { key: await api.makeKey({}) }),
    ],
    [
      'another workspace',
      404,
      'not_found',
      () => calls.write('POST', `/api/v1/workspaces/01900000-0000-7000-8000-000000000000/withdrawals/freeze`),
    ],
    [
      'a state',
      409,
      'invalid_state',
      () => calls.write('POST', `/api/v1/workspaces/${api.workspaceId}/policy/approve`, { digest: '0'.repeat(64) }),
    ],
    [
      'no JSON',
      415,
      'unsupported_media_type',
      () => api.call('POST', WALLETS, undefined, { rawBody: 'name=x', headers: { 'content-type': 'text/plain' } }),
    ],
  ])('%s', async (_name, status, code, attempt) => {
    const answer = await attempt();
    expect(answer.status).toBe(status);
    expect(await entryOf(api, answer)).toMatchObject({
      ...refusedBy,
      statusCode: status,
      code,
      workspaceId: api.workspaceId,
    });
  });

  test('423 with what was asked for, and the idempotency key that was used before: 409', async () => {
    const frozen = await api.makeActiveWallet();
    await calls.write('POST', `${WALLETS}/${frozen}/freeze`);
    const body = { message: 'hello', chain_id: 1, method: 'personal_sign' };
    const answer = await calls.write('POST', `/api/v1/web3/${frozen}/sign`, body);
    expect(answer.status).toBe(423);
    expect(await entryOf(api, answer)).toMatchObject({
      ...refusedBy,
      statusCode: 423,
      code: 'wallet_frozen',
      actorId: adminId,
      ip: '127.0.0.1',
      action: 'POST /web3/{wallet_id}/sign',
      walletId: frozen,
      body: '{"chain_id":1,"message":"hello","method":"personal_sign"}',
    });
    const headers = { 'x-idempotency-key': 'reused' };
    await calls.write('POST', WALLETS, { name: 'one', wallet_type: 'mpc' }, { headers });
    const reused = await calls.write('POST', WALLETS, { name: 'other', wallet_type: 'mpc' }, { headers });
    expect(await entryOf(api, reused)).toMatchObject({ statusCode: 409, code: 'idempotency_key_reused' });
  });

  test('a batch of which every item is refused', async () => {
    const item = { type: 'message', message: 'hello', network_internal_code: 'NO_SUCH_NETWORK' };
    const answer = await calls.write('POST', `/api/v1/web3/transaction/${walletId}/signBatch`, { items: [item, item] });
    expect(answer.status).toBeLessThan(300);
    expect(await entryOf(api, answer)).toMatchObject({
      ...refusedBy,
      statusCode: answer.status,
      code: 'invalid_request',
    });
  });

  test('what is malformed is kept as its hash only: it may hold a secret in the wrong place', async () => {
    const body = { name: 'x', wallet_type: 'mpc', api_secret: api.admin.apiSecret };
    const answer = await calls.write('POST', WALLETS, body);
    expect(await entryOf(api, answer)).toMatchObject({ body: null, bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(JSON.stringify(await api.db.select().from(auditLogs))).not.toContain(api.admin.apiSecret);
  });

  test('two hundred at once: each has its entry, in few statements', async () => {
    const statements = vi.spyOn(api.db, 'execute');
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => api.call('POST', WALLETS, { name: `${index}` })),
    );
    const inserts = statements.mock.calls.length;
    statements.mockRestore();
    for (const answer of answers) expect(await entriesOf(api, answer)).toHaveLength(1);
    expect(inserts).toBeLessThan(100);
  });

  test('a read that is forbidden has one, and no other read', async () => {
    const key = await api.makeKey({});
    const answer = await api.call('GET', `${WALLETS}/${walletId}`, undefined, { key });
    expect(answer.status).toBe(403);
    expect(await entryOf(api, answer)).toMatchObject({ ...refusedBy, statusCode: 403, code: 'insufficient_scope' });
    const missing = await api.call('GET', `${WALLETS}/${uuidv7()}`);
    expect(missing.status).toBe(404);
    expect(await entriesOf(api, missing)).toEqual([]);
  });
});

describe('of a named key: written after the answer', () => {
  const forge = (apiKey: string, method = 'GET', path = '/api/v1/api-keys/self') =>
    api.call(method, path, undefined, {
      key: { apiKey, apiSecret: 'wrong' },
      timestamp: Math.floor(Date.now() / 1000),
    });

  test('a failed authentication, on reads too, for the key that it named', async () => {
    const answers = [await forge(api.admin.apiKey), await forge(api.admin.apiKey, 'POST', WALLETS)];
    await vi.waitFor(async () => {
      for (const answer of answers)
        expect(await entriesOf(api, answer)).toMatchObject([
          {
            ...refusedBy,
            actorId: adminId,
            workspaceId: api.workspaceId,
            statusCode: 401,
            code: 'unauthorized',
            body: null,
          },
        ]);
    }, 120_000);
  });

  test('an address that is not allowed', async () => {
    const key = await api.makeKey({ ipAllowlist: ['192.0.2.1'], scopes: ['wallets:read'] });
    const answer = await api.call('GET', `${WALLETS}/${walletId}`, undefined, { key });
    expect(answer.status).toBe(403);
    await vi.waitFor(async () => expect(await entryOf(api, answer)).toMatchObject({ code: 'ip_not_allowed' }), 60_000);
  });

  test('nothing for a key that is not there, and the same done for it until the answer is out', async () => {
    const note = vi.spyOn(RefusedAttempts.prototype, 'note');
    const unknown = await forge('ck_00000000000000000000000000000000');
    const known = await forge(api.admin.apiKey);
    expect(note.mock.calls.map(([refusal]) => [refusal.code, refusal.action])).toEqual([
      ['unauthorized', 'GET /api-keys/self'],
      ['unauthorized', 'GET /api-keys/self'],
    ]);
    note.mockRestore();
    await vi.waitFor(async () => expect(await entriesOf(api, known)).toHaveLength(1), 60_000);
    expect(await entriesOf(api, unknown)).toEqual([]);
  });
});

describe('a flood', () => {
  let attempts: RefusedAttempts;
  let key: TestKey;
  let warnings: object[];
  beforeEach(async () => {
    warnings = [];
    attempts = new RefusedAttempts(api.db, { warn: (line) => void warnings.push(line) });
    key = await api.makeKey({});
  });
  const refusal = (apiKey: string, code = 'unauthorized') => ({
    apiKey,
    actor: 'api_key' as const,
    outcome: 'refused' as const,
    action: 'GET /api-keys/self',
    code,
  });
  const rowsOf = async ({ apiKey }: TestKey) =>
    api.db.select().from(auditLogs).where(sql`actor_id = (select id from api_keys where api_key = ${apiKey})`);

  test('in the name of a key: sixty entries a minute, and one that counts the others', async () => {
    for (let index = 0; index < 5_000; index += 1) attempts.note(refusal(key.apiKey));
    await attempts.close();
    const rows = await rowsOf(key);
    expect(rows).toHaveLength(61);
    const [many] = rows.filter(({ action }) => action === MANY_REQUESTS);
    expect(parsed(many?.after ?? null)).toMatchObject({ count: 4_940 });
  });

  test('in the names of a million keys that are not there: nothing grows, and the entry of another is written', async () => {
    for (let index = 0; index < 100_000; index += 1) attempts.note(refusal(`ck_${index}`));
    attempts.note(refusal(key.apiKey));
    await attempts.close();
    expect(warnings).toEqual([]);
    expect((await rowsOf(key)).length).toBeLessThanOrEqual(1);
  });

  test('of a proven key while the database is slow: beyond the bound they are counted, and no answer waits for long', async () => {
    const release = await holdAuditLog();
    const startedMs = performance.now();
    await Promise.all(Array.from({ length: 2_000 }, () => attempts.record(refusal(key.apiKey, 'invalid_request'))));
    // Whoever waited for the database would wait until it is released.
    expect(performance.now() - startedMs).toBeLessThan(60_000);
    await release();
    await attempts.close();
    const rows = await rowsOf(key);
    const counted = rows.filter(({ action }) => action === MANY_REQUESTS);
    const total = counted.reduce(
      (sum, { after }) => sum + Number(parsed(after)?.['count']),
      rows.length - counted.length,
    );
    expect([counted.length, total]).toEqual([1, 2_000]);
    expect(rows.length).toBeLessThanOrEqual(1_001);
  });

  test('requests beyond the rate limit are counted, an entry a key', async () => {
    const limited = await api.startAnother({ http: { requestsPerMinute: 3 } });
    for (let index = 0; index < 10; index += 1)
      await calls.write('GET', '/api/v1/api-keys/self', undefined, { key, at: limited.app });
    const stopping = limited.stop();
    await vi.waitFor(async () => {
      const rows = (await rowsOf(key)).filter(({ code }) => code === 'rate_limited');
      expect(rows).toMatchObject([{ action: MANY_REQUESTS, outcome: 'refused' }]);
      expect(parsed(rows[0]?.after ?? null)).toMatchObject({ count: 7 });
    }, 120_000);
    await stopping;
  });

  test('what cannot be written is counted and logged, and holds up no answer', async () => {
    const away = connectDatabase('postgres://nobody:nothing@127.0.0.1:1/none', { poolSize: 1, name: 'away' });
    const lost = new RefusedAttempts(away.db, { warn: (line) => void warnings.push(line) });
    await lost.record(refusal(key.apiKey, 'invalid_request'));
    expect(warnings).toHaveLength(1);
    await lost.close();
    // Takes its time, since there is nothing to say goodbye to.
    void away.close();
  });

  /** Keeps everybody from writing into the log until the returned function is called. */
  async function holdAuditLog(): Promise<() => Promise<void>> {
    let free = () => {};
    const held = new Promise<void>((resolve) => {
      free = resolve;
    });
    let isHeld = () => {};
    const taken = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    const holding = api.db.transaction(async (tx) => {
      await tx.execute(sql`lock table audit_logs in exclusive mode`);
      isHeld();
      await held;
    });
    await taken;
    return async () => {
      free();
      await holding;
    };
  }
});

test('an answer goes out although its entry cannot be written', async () => {
  await api.db.execute(sql`alter table audit_logs add constraint none check (code <> 'invalid_request') not valid`);
  const answer = await calls.write('POST', WALLETS, { name: 'x' });
  await api.db.execute(sql`alter table audit_logs drop constraint none`);
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(await entriesOf(api, answer)).toEqual([]);
});
