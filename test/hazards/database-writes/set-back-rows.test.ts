// Goal: an older version of a sealed row that is put back by SQL, with the seal that it had, is found by the audit log
// in one look, freezes its workspace, and says so. Method: a freeze made through the API; a superuser with every
// trigger off writes back what stood there before; then one round of the worker's check.
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import { auditLogs } from '../../../drizzle/audit/audit-tables.ts';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { readGauges } from '../../../drizzle/observability/gauges.ts';
import { listSetBackRows, resolveSetBack } from '../../../drizzle/sealed-rows/rolled-back-rows.ts';
import { users } from '../../../drizzle/users/users.ts';
import { workspaces } from '../../../drizzle/workspaces/workspaces.ts';
import { VersionCheck } from '../../../src/worker/check-sealed-versions.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { testSeals } from '../../support/rows/seals.ts';

let api: TestApi;
let check: VersionCheck;
const logged: object[] = [];
beforeEach(async () => {
  api = await startApi();
  logged.length = 0;
  check = newCheck();
});
afterEach(() => api.stop());

const newCheck = () =>
  new VersionCheck({
    db: api.db,
    seals: testSeals,
    log: { warn: () => {}, error: (details) => void logged.push(details) },
  });

const startedSeconds = Math.floor(Date.now() / 1000);
let seconds = 0;
/** Each at a second of its own: two equal writes in one second would be one that is replayed. */
async function freeze(verb: 'freeze' | 'unfreeze'): Promise<void> {
  seconds = (seconds + 1) % 200;
  const timestamp = startedSeconds - seconds;
  const path = `/api/v1/workspaces/${api.workspaceId}/withdrawals/${verb}`;
  expect((await api.call('POST', path, undefined, { timestamp })).status).toBe(200);
}

async function readRow() {
  const [row] = await api.db.select().from(workspaces).where(eq(workspaces.id, api.workspaceId));
  if (row === undefined) throw new Error('there is no workspace');
  return row;
}

/** As a superuser with every trigger off. */
const writeBack = (columns: Partial<typeof workspaces.$inferInsert>) =>
  api.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.update(workspaces).set(columns).where(eq(workspaces.id, api.workspaceId));
  });

const sealedEntries = () =>
  api.db
    .select()
    .from(auditLogs)
    // The operator's command has made the first user and key.
    .where(sql`${auditLogs.sealed} is not null and ${auditLogs.actor} <> 'operator'`)
    .orderBy(auditLogs.position);

test('nothing is found while the rows are as they were written', async () => {
  for (const verb of ['freeze', 'freeze', 'unfreeze'] as const) await freeze(verb);
  expect(await check.round()).toEqual([]);
  expect(await newCheck().round()).toEqual([]);
  // What changes nothing tells of no version.
  expect(await sealedEntries()).toHaveLength(2);
});

describe('a freeze', () => {
  test('that is taken off as it never was one is found, and is there again', async () => {
    await freeze('freeze');
    await writeBack({ withdrawalsFrozenAt: null, seal: null, sealVersion: 0 });
    const expected = { kind: 'workspace', rowId: api.workspaceId, expectedVersion: 1, foundVersion: 0 };
    expect(await check.round()).toEqual([{ workspaceId: api.workspaceId, ...expected }]);
    expect((await readRow()).withdrawalsFrozenAt).not.toBeNull();
    expect(logged).toHaveLength(1);
    expect((await readGauges(api.db)).setBackRows).toBe(1);
    const last = (await sealedEntries()).at(-1);
    expect([last?.actor, last?.action, last?.resourceId]).toEqual(['system', 'sealed row set back', api.workspaceId]);
  });

  test('that is set back to an older sealed version is found', async () => {
    await freeze('freeze');
    await freeze('unfreeze');
    const open = await readRow();
    await freeze('freeze');
    await writeBack({ withdrawalsFrozenAt: open.withdrawalsFrozenAt, seal: open.seal, sealVersion: open.sealVersion });
    expect(await check.round()).toMatchObject([{ expectedVersion: 3, foundVersion: 2 }]);
    expect((await readRow()).withdrawalsFrozenAt).not.toBeNull();
    expect(await check.round()).toEqual([]);
  });

  test('that is edited, with the version and the seal that it has, is found', async () => {
    await freeze('freeze');
    await writeBack({ withdrawalsFrozenAt: null });
    expect(await check.round()).toHaveLength(1);
    expect((await readRow()).withdrawalsFrozenAt).not.toBeNull();
  });

  test('is there again when it is taken off while the finding is open, and may be taken off by the API once an operator has resolved it', async () => {
    await freeze('freeze');
    await writeBack({ withdrawalsFrozenAt: null, seal: null, sealVersion: 0 });
    expect(await check.round()).toHaveLength(1);
    await writeBack({ withdrawalsFrozenAt: null });
    expect(await check.round()).toHaveLength(1);
    expect((await readRow()).withdrawalsFrozenAt).not.toBeNull();
    await api.db.execute(sql`update set_back_rows set resolved_at = now(), resolution = 'nothing to see'`);
    await writeBack({ withdrawalsFrozenAt: null });
    expect(await check.round()).toHaveLength(1);
    expect((await readRow()).withdrawalsFrozenAt).not.toBeNull();
    for (const row of await listSetBackRows(api.db, { all: true }))
      expect(await api.db.transaction((tx) => resolveSetBack(tx, testSeals, row, 'a drill'))).toBeDefined();
    await freeze('unfreeze');
    expect(await check.round()).toEqual([]);
    expect((await readRow()).withdrawalsFrozenAt).toBeNull();
  });

  test('that was set back and changed again by the API is found by its second entry of one version', async () => {
    await freeze('freeze');
    await freeze('unfreeze');
    await writeBack({ withdrawalsFrozenAt: null, seal: null, sealVersion: 0 });
    await freeze('freeze');
    await freeze('unfreeze');
    expect(await newCheck().round()).not.toEqual([]);
    expect((await readRow()).withdrawalsFrozenAt).not.toBeNull();
  });
});

describe('a revoked key', () => {
  /** As a superuser with every trigger off: the whole row as it was. */
  const putBack = (key: typeof apiKeys.$inferSelect, user?: typeof users.$inferSelect) =>
    api.db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.update(apiKeys).set(key).where(eq(apiKeys.id, key.id));
      if (user !== undefined) await tx.update(users).set(user).where(eq(users.id, user.id));
    });
  /** Longer than an API remembers a key. */
  const forgotten = () => new Promise((resolve) => setTimeout(resolve, 1_000));

  test('that is put back authenticates nobody once it is found, until an operator has resolved it', async () => {
    const body = { name: 'to be revoked', scopes: ['wallets:read'] };
    const { data } = (await api.call('POST', `/api/v1/workspaces/${api.workspaceId}/api-keys`, body)).body;
    const key = { apiKey: data.api_key, apiSecret: data.api_secret };
    const answers = async () => (await api.call('GET', '/api/v1/api-keys/self', undefined, { key })).status;
    const [row] = await api.db.select().from(apiKeys).where(eq(apiKeys.id, data.id));
    if (row === undefined) throw new Error('there is no key');
    expect((await api.call('DELETE', `/api/v1/api-keys/${data.id}`)).status).toBe(200);
    expect(await answers()).toBe(401);
    await putBack(row);
    expect(await check.round()).toMatchObject([{ kind: 'api_key', rowId: data.id }]);
    await forgotten();
    expect(await answers()).toBe(401);
    expect((await api.call('GET', '/api/v1/api-keys/self')).status).toBe(200);
    await api.db.execute(sql`update set_back_rows set resolved_at = now(), resolution = 'nothing to see'`);
    await forgotten();
    expect(await answers()).toBe(401);
    for (const found of await listSetBackRows(api.db, { all: true }))
      await api.db.transaction((tx) => resolveSetBack(tx, testSeals, found, 'a drill'));
    await forgotten();
    expect(await answers()).toBe(200);
  });

  test('of a user who was disabled authenticates nobody either, when both are put back', async () => {
    const key = await api.makeKey({ scopes: ['wallets:read'] });
    const self = () => api.call('GET', '/api/v1/api-keys/self', undefined, { key });
    const { id, user_id } = (await self()).body.data;
    const [row] = await api.db.select().from(apiKeys).where(eq(apiKeys.id, id));
    const [user] = await api.db.select().from(users).where(eq(users.id, user_id));
    if (row === undefined || user === undefined) throw new Error('there is no key');
    expect((await api.call('PATCH', `/api/v1/users/${user.id}`, { status: 'disabled' })).status).toBe(200);
    await putBack(row, user);
    await forgotten();
    expect((await self()).status).toBe(200);
    await check.round();
    const findings = await listSetBackRows(api.db, { all: true });
    expect(findings.map(({ kind }) => kind).toSorted()).toEqual(['api_key', 'user']);
    for (const found of findings.filter(({ kind }) => kind === 'api_key'))
      await api.db.transaction((tx) => resolveSetBack(tx, testSeals, found, 'a drill'));
    await forgotten();
    expect((await self()).status).toBe(401);
  });
});

test('an entry that somebody else has made tells of no version', async () => {
  await freeze('freeze');
  const [entry] = await sealedEntries();
  const forged = [{ kind: 'workspace', id: api.workspaceId, version: 99, mark: `1.${'0'.repeat(64)}` }];
  await api.db.execute(sql`
    insert into audit_logs (id, workspace_id, actor, action, outcome, sealed)
    values (gen_random_uuid(), ${api.workspaceId}, 'system', 'forged', 'accepted', ${JSON.stringify(forged)})`);
  expect(entry?.sealed).toContain('"version":1');
  expect(await check.round()).toEqual([]);
});

test('the login of the service may not take back what was found', async () => {
  await freeze('freeze');
  await writeBack({ withdrawalsFrozenAt: null, seal: null, sealVersion: 0 });
  await check.round();
  const service = connectDatabase(api.serviceUrl, { poolSize: 1, name: 'test-service-login' });
  try {
    await expect(service.db.execute(sql`update set_back_rows set resolved_at = now()`)).rejects.toThrow();
    await expect(service.db.execute(sql`delete from set_back_rows`)).rejects.toThrow();
  } finally {
    await service.close();
  }
});
