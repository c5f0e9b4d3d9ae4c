// Goal: a schedule makes each of its exports once, of the time that it says, and only as long as its row and its key
// allow it: whoever reaches Temporal's port, or has made it and lost his rights, gets none. What is lost between row
// and Temporal comes, and what somebody changes there goes. Method: the routes, the product's workflow and activities
// and its loop, on real PostgreSQL and Temporal, and the attacks themselves.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ScheduleDescription } from '@temporalio/client';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createExportScheduleActivities } from '../../../activities/exports/run-export-schedule.ts';
import { auditLogs } from '../../../drizzle/audit/audit-tables.ts';
import { exportSchedules } from '../../../drizzle/exports/export-schedules.ts';
import { exports } from '../../../drizzle/exports/exports.ts';
import { temporalClient } from '../../../src/process/temporal.ts';
import { applyExportSchedules, exportScheduleIdOf } from '../../../src/worker/apply-export-schedules.ts';
import type { TestKey } from '../../support/api/api.ts';
import { type ExportsApi, startExports } from '../../support/api/exports.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import type { TestWorker } from '../../support/processes/worker.ts';
import { testSeals } from '../../support/rows/seals.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const balances = { content: 'balances', format: 'csv', time_zone: 'UTC' };
const transactions = { ...balances, content: 'transactions', window: 'previous_day' };

let setting: ExportsApi;
let client: Client;
let worker: TestWorker;
const OF_NO_SCHEDULE = '01900000-0000-7000-8000-000000000000';

beforeAll(async () => {
  setting = await startExports();
  client = temporalClient(testTemporal('schedules'));
  worker = await setting.startWorker();
}, MINUTE_MS);
afterAll(async () => {
  await worker?.stop();
  await client?.connection.close();
  await setting?.stop();
});

const path = (rest = '') => `/api/v1/workspaces/${setting.api.workspaceId}/export-schedules${rest}`;
const call = (method: string, rest = '', body?: object, key?: TestKey) =>
  setting.api.call(method, path(rest), body, key === undefined ? {} : { key });
const apply = (againAfterMs?: number) =>
  applyExportSchedules({
    db: setting.api.db,
    client,
    taskQueue: setting.api.taskQueue,
    log: { warn: () => {} },
    ...(againAfterMs === undefined ? {} : { againAfterMs }),
  });
const handleOf = (id: string) => client.schedule.getHandle(exportScheduleIdOf(setting.api.taskQueue, id));
const rowOf = async (id: string) =>
  (await setting.api.db.select().from(exportSchedules).where(sql`${exportSchedules.id} = ${id}`))[0];
const exportsOf = (id: string) =>
  setting.api.db.select().from(exports).where(sql`${exports.scheduleId} = ${id}`).orderBy(exports.scheduledFor);

/** Due at each full hour, and made so long ago that the last of them was. */
async function makeSchedule(body: object = balances, key?: TestKey): Promise<string> {
  const create = () => call('POST', '', { cron: '0 * * * *', ...body }, key);
  let answer = await create();
  // Two equal requests in one second are a replay.
  while (answer.body.code === 'request_replayed') {
    await sleep(200);
    answer = await create();
  }
  expect([answer.status, answer.body.message]).toEqual([201, 'success']);
  const { id } = answer.body.data;
  await setting.api.db.execute(
    sql`update export_schedules set active_since = now() - interval '3 hours' where id = ${id}`,
  );
  return id;
}

/** Of one hour, though the next one may begin while the tests run. */
const hourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const lastHour = (hoursAgo = 0) => new Date(hourMs - hoursAgo * HOUR_MS);

/** As the workflow would, or whoever reaches Temporal's port. */
function runAt(id: string, due: Date | string, workspaceId = setting.api.workspaceId) {
  const activities = createExportScheduleActivities({ db: setting.api.db, seals: testSeals });
  return activities.startScheduledExport({
    scheduleId: id,
    workspaceId,
    due: typeof due === 'string' ? due : due.toISOString(),
  });
}

test('what is due is exported by Temporal at its time, once, of the time that the schedule says', {
  timeout: 4 * MINUTE_MS,
}, async () => {
  const due = new Date(Math.ceil((Date.now() + 10_000) / MINUTE_MS) * MINUTE_MS);
  const answer = await call('POST', '', { ...transactions, cron: `${due.getUTCMinutes()} * * * *` });
  expect(answer).toMatchObject({ status: 201, body: { data: { ...transactions, status: 'active' } } });
  const { id } = answer.body.data;
  await apply();
  await expect.poll(() => exportsOf(id), { timeout: 3 * MINUTE_MS, interval: 500 }).toHaveLength(1);
  const [made] = await exportsOf(id);
  const midnight = new Date(Date.UTC(due.getUTCFullYear(), due.getUTCMonth(), due.getUTCDate()));
  expect(made).toMatchObject({ scheduledFor: due, toAt: midnight, content: 'transactions' });
  expect(midnight.getTime() - (made?.fromAt?.getTime() ?? 0)).toBe(24 * HOUR_MS);
  const [entry] = await setting.api.db.select().from(auditLogs).where(sql`${auditLogs.resourceId} = ${made?.id}`);
  expect(entry).toMatchObject({ actor: 'system', action: 'start scheduled export', outcome: 'accepted' });
  const read = await setting.api.call('GET', setting.path(`/${made?.id}`));
  expect(read.body.data).toMatchObject({ schedule_id: id, scheduled_for: due.toISOString() });
});

test('a moment makes one export, an earlier one none after it, and none while the one before is under way', async () => {
  const id = await makeSchedule();
  expect(await runAt(id, lastHour(1))).toMatchObject({ status: 'started' });
  expect(await runAt(id, lastHour(1))).toMatchObject({ status: 'refused' });
  expect(await runAt(id, lastHour())).toMatchObject({ status: 'left_out' });
  await setting.api.db.execute(
    sql`update exports set status = 'failed', completed_at = now() where schedule_id = ${id}`,
  );
  expect(await runAt(id, lastHour())).toMatchObject({ status: 'refused' });
  expect(await exportsOf(id)).toMatchObject([{ scheduledFor: lastHour(1), toAt: lastHour(1) }]);
});

test('whoever starts the workflow by hand gets no export that the row does not allow', {
  timeout: MINUTE_MS,
}, async () => {
  const id = await makeSchedule();
  const { taskQueue, workspaceId } = setting.api;
  const start = (args: object) =>
    client.workflow.execute('runExportSchedule', { workflowId: uuidv7(), taskQueue, args: [args] });
  // Not at its time, of a schedule that is not there, and of another workspace.
  await start({ scheduleId: id, workspaceId });
  await start({ scheduleId: uuidv7(), workspaceId });
  await start({ scheduleId: id, workspaceId: (await setting.api.makeWorkspace()).workspaceId });
  const at = (due: Date | string) => runAt(id, due).then(({ status }) => status);
  const notDue = new Date(lastHour().getTime() + 30 * MINUTE_MS);
  const hourToCome = lastHour(-2);
  const before = new Date(lastHour().getTime() - 25 * HOUR_MS);
  for (const due of [notDue, hourToCome, before, lastHour(5), 'no moment', ''])
    expect([due, await at(due)]).toEqual([due, 'refused']);
  expect(await exportsOf(id)).toEqual([]);
  await call('POST', `/${id}/pause`);
  expect(await at(lastHour())).toBe('refused');
  await call('POST', `/${id}/resume`);
  // What was due while it was paused is not made up for.
  expect(await at(lastHour())).toBe('refused');
  await call('DELETE', `/${id}`);
  expect(await at(lastHour())).toBe('refused');
  expect(await exportsOf(id)).toEqual([]);
});

test('what somebody changes in Temporal goes, and what is not there comes', { timeout: MINUTE_MS }, async () => {
  const id = await makeSchedule({ ...balances, time_zone: 'Europe/Zurich' });
  // As if the process had died right after the row.
  await expect(handleOf(id).describe()).rejects.toThrow();
  await apply();
  const intact = await handleOf(id).describe();
  const shown = ({ spec, action, state }: ScheduleDescription) => [spec, action.args, state.paused];
  await handleOf(id).update((before) => ({
    ...before,
    spec: { intervals: [{ every: '1 second' }] },
    action: { ...before.action, args: [{ scheduleId: uuidv7(), workspaceId: uuidv7() }] },
    state: { ...before.state, paused: true },
  }));
  await apply(0);
  expect(shown(await handleOf(id).describe())).toEqual(shown(intact));
  await handleOf(id).delete();
  await apply(0);
  expect(shown(await handleOf(id).describe())).toEqual(shown(intact));

  await call('POST', `/${id}/pause`);
  await apply();
  expect((await handleOf(id).describe()).state.paused).toBe(true);
  await call('DELETE', `/${id}`);
  await apply();
  await expect(handleOf(id).describe()).rejects.toThrow();
  expect(await rowOf(id)).toBeUndefined();
});

test('a key that is revoked, or may not read it any more, exports nothing more; who may resumes it', {
  timeout: MINUTE_MS,
}, async () => {
  const { api } = setting;
  const keyIdOf = async (key: TestKey) =>
    (await api.call('GET', '/api/v1/api-keys/self', undefined, { key })).body.data.id;
  const losses: ((id: string) => Promise<{ status: number }>)[] = [
    (id) => api.call('DELETE', `/api/v1/api-keys/${id}`),
    (id) => api.call('PATCH', `/api/v1/api-keys/${id}`, { scopes: ['transactions:read'] }),
    // Somebody who writes rows, and has no key for seals.
    async (id) => {
      await api.db.execute(sql`update api_keys set scopes = array['balances:read', 'audit:read'] where id = ${id}`);
      return { status: 200 };
    },
  ];
  for (const lose of losses) {
    const key = await api.makeKey({ scopes: ['balances:read', 'catalog:read'] });
    const keyId = await keyIdOf(key);
    const id = await makeSchedule(balances, key);
    expect((await lose(keyId)).status).toBe(200);
    expect(await runAt(id, lastHour())).toMatchObject({ status: 'refused' });
    expect(await exportsOf(id)).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ status: 'paused', pausedReason: 'key_refused' });
    const resumed = await call('POST', `/${id}/resume`);
    expect(resumed.body.data).toMatchObject({ status: 'active', requested_by: await keyIdOf(api.admin) });
    expect(resumed.body.data).not.toHaveProperty('paused_reason');
  }
});

test('nobody makes, sees or changes one whose exports he may not read', async () => {
  const { api } = setting;
  const id = await makeSchedule(transactions);
  const other = await api.makeKey({ scopes: ['balances:read'] });
  expect((await call('POST', '', { ...transactions, cron: '0 1 * * *' }, other)).status).toBe(403);
  expect((await call('GET', '', undefined, other)).body.data.map((each: { id: string }) => each.id)).not.toContain(id);
  for (const [method, rest] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/pause'],
    ['POST', '/resume'],
    ['POST', '/run'],
  ] as const)
    expect((await call(method, `/${id}${rest}`, undefined, other)).status).toBe(403);
  expect(await rowOf(id)).toMatchObject({ status: 'active' });
});

test('it is run by hand, also while it is paused', { timeout: MINUTE_MS }, async () => {
  const id = await makeSchedule(transactions);
  await call('POST', `/${id}/pause`);
  const answer = await call('POST', `/${id}/run`);
  expect(answer).toMatchObject({ status: 202, body: { data: { schedule_id: id, status: 'pending' } } });
  expect(answer.body.data).not.toHaveProperty('scheduled_for');
  expect(await setting.ended(answer.body.data.id)).toMatchObject({ status: 'completed' });
  const listed = async (schedules: string) =>
    (await setting.api.call('GET', setting.path(`?schedule_id=${schedules}`))).body.data.map(
      (each: { id: string }) => each.id,
    );
  expect(await listed(id)).toEqual([answer.body.data.id]);
  expect(await listed(OF_NO_SCHEDULE)).toEqual([]);
  expect(await listed(`${OF_NO_SCHEDULE},${id}`)).toEqual([answer.body.data.id]);
  expect(await setting.api.call('GET', setting.path('?schedule_id=none'))).toMatchObject({ status: 400 });
});

test.each([
  [{ ...transactions, cron: '* * * * *' }],
  [{ ...transactions, cron: '0 0 1 * 1' }],
  [{ ...transactions, cron: '0 6 * * *', time_zone: 'Mars/Olympus' }],
  [{ ...balances, cron: '0 6 * * *', window: 'previous_day' }],
  [{ ...transactions, cron: '0 6 * * *', window: 'next_day' }],
])('400 for %j', async (body) => {
  expect(await call('POST', '', body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

test('a workspace has so many and no more', { timeout: MINUTE_MS }, async () => {
  const { workspaceId, key } = await setting.api.makeWorkspace();
  const own = `/api/v1/workspaces/${workspaceId}/export-schedules`;
  const create = (minute: number) => setting.api.call('POST', own, { ...balances, cron: `${minute} 6 * * *` }, { key });
  const answers = await Promise.all(Array.from({ length: 22 }, (_, minute) => create(minute)));
  const statuses = answers.map(({ status }) => status).toSorted((one, another) => one - another);
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 409, 409]);
});
