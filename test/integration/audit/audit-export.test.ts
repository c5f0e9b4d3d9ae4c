// Goal: the export of the audit log is whole, safe to open, written down itself, and read in constant memory; so is its
// verification. Method: exports through the API on a real database, small ones read line by line, and a chain of twenty
// thousand entries.
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../../domain/scopes.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { auditPath, entryOf, sealAudit } from '../../support/rows/audit.ts';

const MANY = 20_000;
const HEADER =
  'seq,hash,id,workspace_id,actor,actor_id,ip,request_id,action,resource_id,wallet_id,outcome,status_code,code,body_hash,body,before,after,created_at,sealed';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const exported = (query: string, key = api.admin, workspaceId = api.workspaceId) =>
  api.call('GET', auditPath(workspaceId, `/export${query}`), undefined, { key });

describe('CSV', () => {
  test('the header, then the entries that the filters mean, sealed or not', async () => {
    const walletId = await api.makeActiveWallet();
    await api.call('PATCH', `/api/v1/wallets/${walletId}`, { name: '=1+1' });
    await sealAudit(api);
    await api.call('PATCH', `/api/v1/wallets/${walletId}`, { name: 'unsealed' });
    const { status, headers, body } = await exported(`?wallet_id=${walletId}&sort_order=asc`);
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="audit-logs-\d{4}-\d\d-\d\d\.csv"$/);
    const [header, first, second, ...rest] = String(body).split('\r\n');
    expect([header, rest]).toEqual([HEADER, ['']]);
    expect(first).toMatch(/^\d+,[0-9a-f]{64},/);
    expect(first).toContain('"{""name"":""=1+1""}"');
    expect(second).toMatch(/^,,/);
  });

  test('only the header when nothing matches', async () => {
    expect((await exported('?to=2020-01-01T00:00:00Z')).body).toBe(`${HEADER}\r\n`);
  });
});

test('an export is written down, with who took it', async () => {
  const key = await api.makeKey({ scopes: ['audit:read'] });
  const answer = await exported('?format=jsonl', key);
  expect(await entryOf(api, answer)).toMatchObject({
    action: 'GET /workspaces/{workspace_id}/audit-logs/export',
    outcome: 'accepted',
    resourceId: api.workspaceId,
  });
});

test.each([
  ['?format=jsonl&outcome=refused', 'takes no filter'],
  ['?format=jsonl&sort_order=asc', 'takes no filter'],
  ['?format=csv&after_seq=1', 'only for format=jsonl'],
  ['?after_seq=1', 'only for format=jsonl'],
  ['?format=xml', 'format'],
])('%s: 400', async (query, message) => {
  expect(await exported(query)).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
});

test('a workspace has its first head within seconds, and 404 until then', async () => {
  const { workspaceId, key } = await api.makeWorkspace();
  const head = () => api.call('GET', auditPath(workspaceId, '/head'), undefined, { key });
  expect((await head()).status).toBe(404);
  await sealAudit(api);
  expect((await head()).body.data).toMatchObject({ workspace_id: workspaceId, seq: 1 });
});

describe(`a chain of ${MANY} entries`, () => {
  let big: { workspaceId: string; key: TestKey };
  beforeAll(async () => {
    big = await api.makeWorkspace();
    await api.db.execute(sql`insert into audit_logs (id, workspace_id, actor, action, outcome, body, after)
      select gen_random_uuid(), ${big.workspaceId}, 'system', 'POST /wallets', 'accepted', ${`{"name":"${'x'.repeat(300)}"}`}, '{"number":' || n || '}'
      from generate_series(1, ${MANY}) n`);
    const startedMs = performance.now();
    await sealAudit(api);
    console.log(`sealed ${MANY} entries in ${Math.round(performance.now() - startedMs)} ms`);
  }, 120_000);

  test('is verified, and its last entry counts', async () => {
    const heapBefore = process.memoryUsage().heapUsed;
    let heapMost = heapBefore;
    const watching = setInterval(() => {
      heapMost = Math.max(heapMost, process.memoryUsage().heapUsed);
    }, 20);
    const startedMs = performance.now();
    const { body } = await api.call('GET', auditPath(big.workspaceId, '/verify'), undefined, { key: big.key });
    clearInterval(watching);
    const grownMb = Math.round((heapMost - heapBefore) / 2 ** 20);
    console.log(`verified in ${Math.round(performance.now() - startedMs)} ms, the heap grew by ${grownMb} MB`);
    expect(body.data).toMatchObject({ valid: true, entries: MANY + 1, problems: [] });
    // The rows alone are some 50 MB as objects; what is not collected yet counts too.
    expect(grownMb).toBeLessThan(200);
  });

  test('is exported whole', async () => {
    const key = await api.makeKey({ workspaceId: big.workspaceId, scopes: [...scopes] });
    const { body } = await exported('?format=jsonl', key, big.workspaceId);
    expect(String(body).split('\n')).toHaveLength(MANY + 1 + 1 + 1 + 1);
  });
});
