// Goal: every write says in the audit log who did what, from where, and what there was before, and never a secret;
// whoever may read the log finds it by filters, page by page. Method: writes through the API on a real database, and
// the rows and answers that came of them.
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../../domain/scopes.ts';
import { auditLogs } from '../../../drizzle/audit/audit-tables.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { KeyCalls } from '../../support/api/api-keys.ts';
import { auditPath, entriesOf, entryOf, parsed, sealAudit } from '../../support/rows/audit.ts';

let api: TestApi;
let calls: KeyCalls;
let adminId: string;
beforeAll(async () => {
  api = await startApi({ http: { trustedProxies: 1 } });
  calls = new KeyCalls(api);
  adminId = await calls.idOf(api.admin);
});
afterAll(() => api.stop());

const list = async (query = '', key = api.admin) =>
  api.call('GET', auditPath(api.workspaceId, query), undefined, { key });

describe('a refused read', () => {
  test('by a key without the scope, and by one that is bound to other wallets; not one that finds nothing, and no path without a route', async () => {
    const key = await api.makeKey({ scopes: ['wallets:read'], walletIds: [await api.makeActiveWallet()] });
    const other = await api.makeActiveWallet();
    const get = (path: string) => api.call('GET', path, undefined, { key });
    const [unscoped, foreign] = [await get(auditPath(api.workspaceId)), await get(`/api/v1/wallets/${other}`)];
    expect([unscoped.body.code, foreign.body.code]).toEqual(['insufficient_scope', 'wallet_not_allowed']);
    const facts = { actorId: await calls.idOf(key), outcome: 'refused', statusCode: 403 };
    expect(await entryOf(api, unscoped)).toMatchObject({ ...facts, code: 'insufficient_scope' });
    expect(await entryOf(api, foreign)).toMatchObject({ ...facts, code: 'wallet_not_allowed', walletId: other });
    const absent = await api.call('GET', '/api/v1/wallets/00000000-0000-4000-8000-000000000000');
    const nowhere = await get('/api/v1/nowhere');
    expect([absent.status, nowhere.status]).toEqual([404, 404]);
    for (const answer of [absent, nowhere]) expect(await entriesOf(api, answer)).toEqual([]);
  });
});

describe('an accepted write', () => {
  test('who, key, address, request, route, wallet, body with its hash, before and after', async () => {
    const walletId = await api.makeActiveWallet();
    const rawBody = '{ "name": "renamed" }';
    const answer = await api.call('PATCH', `/api/v1/wallets/${walletId}`, undefined, {
      rawBody,
      headers: { 'x-forwarded-for': '203.0.113.7' },
    });
    expect(answer.status).toBe(200);
    const entry = await entryOf(api, answer);
    expect(entry).toMatchObject({
      workspaceId: api.workspaceId,
      actor: 'api_key',
      actorId: adminId,
      ip: '203.0.113.7',
      action: 'PATCH /wallets/{wallet_id}',
      resourceId: walletId,
      walletId,
      outcome: 'accepted',
      statusCode: null,
      code: null,
      bodyHash: createHash('sha256').update(rawBody).digest('hex'),
      body: '{"name":"renamed"}',
    });
    expect(parsed(entry.before)).toMatchObject({ name: 'test wallet' });
    expect(parsed(entry.after)).toEqual(answer.body.data);
  });

  test('a creation names what was made', async () => {
    const answer = await api.call('POST', '/api/v1/wallets', { name: 'new', wallet_type: 'mpc' });
    const id = answer.body.data.wallet_id as string;
    expect(await entryOf(api, answer)).toMatchObject({
      resourceId: id,
      walletId: id,
      before: null,
      after: `{"id":"${id}"}`,
    });
  });

  test('a body of more than 16 KiB is kept as its hash only', async () => {
    const rawBody = `{"name":"long","wallet_type":"mpc"}${' '.repeat(17_000)}`;
    const answer = await api.call('POST', '/api/v1/wallets', undefined, { rawBody });
    const [entry] = await entriesOf(api, answer);
    expect(entry).toMatchObject({ outcome: 'accepted', body: null, bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test('a repeat of an idempotent request is no second write', async () => {
    const body = { name: 'once', wallet_type: 'mpc' };
    const headers = { 'x-idempotency-key': 'once' };
    const first = await calls.write('POST', '/api/v1/wallets', body, { headers });
    const again = await calls.write('POST', '/api/v1/wallets', body, { headers });
    expect(again.body).toEqual(first.body);
    expect([(await entriesOf(api, first)).length, (await entriesOf(api, again)).length]).toEqual([1, 0]);
  });

  test('a write that is rolled back leaves no entry of its own', async () => {
    const before = await api.db.$count(auditLogs, sql`outcome = 'accepted'`);
    const answer = await calls.create({
      scopes: ['wallets:read'],
      wallet_ids: ['01900000-0000-7000-8000-000000000000'],
    });
    expect(answer.status).toBe(400);
    expect(await api.db.$count(auditLogs, sql`outcome = 'accepted'`)).toBe(before);
    expect(await entryOf(api, answer)).toMatchObject({ outcome: 'refused', statusCode: 400, code: 'invalid_request' });
  });

  test('an entry that cannot be written undoes the write, and is answered as a failure', async () => {
    const walletId = await api.makeActiveWallet();
    await api.db.execute(
      sql`alter table audit_logs add constraint none check (action <> 'POST /wallets/{wallet_id}/freeze') not valid`,
    );
    const answer = await api.call('POST', `/api/v1/wallets/${walletId}/freeze`);
    await api.db.execute(sql`alter table audit_logs drop constraint none`);
    expect([answer.status, answer.body.code]).toEqual([500, 'internal_error']);
    expect((await api.call('GET', `/api/v1/wallets/${walletId}`)).body.data.status).toBe('active');
  });

  test('no secret: of a key that is made and rotated, and of one that signs', async () => {
    const created = await calls.create({ scopes: [...scopes] });
    const { id, api_key, api_secret } = created.body.data;
    const rotated = await calls.write('POST', `/api/v1/api-keys/${id}/rotate`, {});
    const secrets = [api_secret, rotated.body.data.api_secret, api.admin.apiSecret] as string[];
    expect(secrets.every((secret) => secret.length > 20)).toBe(true);
    const [one, other] = [await entryOf(api, created), await entryOf(api, rotated)];
    expect(parsed(one.after)).toMatchObject({ id, api_key });
    expect(parsed(other.before)).toMatchObject({ id, api_key });
    const text = JSON.stringify(await api.db.select().from(auditLogs));
    for (const secret of secrets) expect(text).not.toContain(secret);
  });
});

test("an operator's command that changes something is written down", async () => {
  const { workspaceId } = await api.makeWorkspace();
  const rows = await api.db.select().from(auditLogs).where(sql`workspace_id = ${workspaceId}`);
  expect(rows).toMatchObject([{ actor: 'operator', actorId: null, action: 'workspace create', outcome: 'accepted' }]);
});

describe('the list', () => {
  let walletId: string;
  let other: TestKey;
  beforeAll(async () => {
    walletId = await api.makeActiveWallet();
    other = await api.makeKey({ scopes: ['wallets:read', 'wallets:admin', 'audit:read'] });
    for (const verb of ['freeze', 'unfreeze', 'unfreeze', 'archive', 'freeze'])
      await calls.write('POST', `/api/v1/wallets/${walletId}/${verb}`, undefined, { key: other });
    await sealAudit(api);
  });

  test.each([
    ['resource_id', () => `resource_id=${walletId}`, 5],
    ['wallet_id', () => `wallet_id=${walletId}`, 5],
    ['action', () => `wallet_id=${walletId}&action=POST%20/wallets/%7Bwallet_id%7D/freeze`, 2],
    ['outcome', () => `wallet_id=${walletId}&outcome=refused`, 1],
    ['both outcomes', () => `wallet_id=${walletId}&outcome=refused,accepted`, 5],
    ['to', () => `wallet_id=${walletId}&to=2020-01-01T00:00:00Z`, 0],
    ['from', () => `wallet_id=${walletId}&from=2020-01-01T00:00:00Z`, 5],
  ])('by %s', async (_name, query, count) => {
    const { status, body } = await list(`?${query()}`);
    expect([status, body.data.length]).toEqual([200, count]);
  });

  test('by actor_id, page by page, each entry once and with its place in the chain', async () => {
    const actor = await calls.idOf(other);
    const seen: { id: string; seq: number; hash: string }[] = [];
    let cursor: string | undefined;
    do {
      const answer = await list(
        `?actor_id=${actor}&limit=2&sort_order=asc${cursor === undefined ? '' : `&cursor=${cursor}`}`,
      );
      expect(answer.status).toBe(200);
      seen.push(...answer.body.data);
      cursor = answer.headers['x-next-cursor'] as string | undefined;
    } while (cursor !== undefined);
    expect(seen).toHaveLength(5);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(5);
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map(({ seq }) => seq).toSorted((a, b) => a - b));
    for (const { hash } of seen) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('shows an entry whole, before it is sealed too', async () => {
    const answer = await calls.write('POST', `/api/v1/wallets/${await api.makeActiveWallet()}/freeze`);
    const [entry] = (await list('?limit=1')).body.data;
    expect(entry).toEqual({
      id: expect.any(String),
      workspace_id: api.workspaceId,
      actor: 'api_key',
      actor_id: adminId,
      ip: '127.0.0.1',
      request_id: answer.headers['x-request-id'],
      action: 'POST /wallets/{wallet_id}/freeze',
      resource_id: answer.body.data.id,
      wallet_id: answer.body.data.id,
      outcome: 'accepted',
      status_code: null,
      code: null,
      body_hash: null,
      body: null,
      before: expect.objectContaining({ status: 'active' }),
      after: expect.objectContaining({ status: 'frozen' }),
      sealed: [{ kind: 'wallet', id: answer.body.data.id, version: 2, gone: true, mark: expect.any(String) }],
      created_at: expect.stringMatching(/Z$/),
      seq: null,
      hash: null,
    });
  });

  test('not for a key that is bound to wallets', async () => {
    const key = await api.makeKey({ scopes: ['audit:read'], walletIds: [walletId] });
    for (const rest of ['', '/export', '/verify', '/head'])
      expect(await list(rest, key)).toMatchObject({ status: 403, body: { code: 'wallet_not_allowed' } });
  });
});
