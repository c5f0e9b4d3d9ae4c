// Goal: a process that is late or has too much under way refuses more work with 503 and Retry-After, answers probes all the same, and takes work again
// afterwards. Method: the event loop is blocked; requests are held by a lock in the database.
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../support/api.ts';

const SELF = '/api/v1/api-keys/self';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const overloaded = {
  success: false,
  message: expect.stringContaining('overloaded'),
  code: 'dependency_unavailable',
  data: null,
};

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('503 while the event loop is late; health and the clock answer; then work is taken again', async () => {
  const late = await api.startAnother({ http: { eventLoopDelayMaxMs: 200 } });
  const statusOf = async (url: string) => (await late.app.inject({ method: 'GET', url })).statusCode;
  expect((await api.call('GET', SELF, undefined, { at: late.app })).status).toBe(200);
  // What the start of a process took does not count.
  block(1_200);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await api.call('GET', SELF, undefined, { at: late.app })).status).toBe(200);
  const deadline = Date.now() + 15_000;
  let answer = await api.call('GET', SELF, undefined, { at: late.app });
  while (answer.status === 200 && Date.now() < deadline) {
    block(600);
    await new Promise((resolve) => setTimeout(resolve, 5));
    answer = await api.call('GET', SELF, undefined, { at: late.app });
  }
  expect(answer).toMatchObject({ status: 503, body: overloaded, headers: { 'retry-after': '1' } });
  expect([await statusOf('/health'), await statusOf('/time')]).toEqual([200, 200]);
  const recovered = async () => (await api.call('GET', SELF, undefined, { at: late.app })).status;
  await expect.poll(recovered, { timeout: 10_000 }).toBe(200);
  await late.stop();
});

test('503 beyond the requests under way, however these end; probes do not count', async () => {
  const full = await api.startAnother({ http: { requestsUnderWayMax: 2 } });
  const call = () => api.call('GET', SELF, undefined, { at: full.app });
  expect((await call()).status).toBe(200);
  const path = `/api/v1/workspaces/${api.workspaceId}/api-keys`;
  let held: Promise<{ status: number }>[] = [];
  await api.db.transaction(async (tx) => {
    await tx.execute(sql`lock table api_keys in access exclusive mode`);
    // Both wait for the table: neither key is in memory of a process that has just started.
    held = [1, 2].map(async (limit) => api.call('GET', `${path}?limit=${limit}`, undefined, { at: full.app }));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await call()).toMatchObject({ status: 503, body: overloaded, headers: { 'retry-after': '1' } });
    for (const url of ['/health', '/time'])
      expect((await full.app.inject({ method: 'GET', url })).statusCode).toBe(200);
    expect(await call()).toMatchObject({ status: 503 });
  });
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await call()).status).toBe(200);
  await full.stop();
});

test('a caller who hangs up is not counted for ever', async () => {
  const full = await api.startAnother({ http: { requestsUnderWayMax: 1 } });
  await full.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = full.app.addresses()[0] as { port: number };
  await api.db.transaction(async (tx) => {
    await tx.execute(sql`lock table api_keys in access exclusive mode`);
    const headers = {
      'access-api-key': 'ck_a',
      'access-timestamp': String(Math.floor(Date.now() / 1000)),
      'access-sign': 'ab'.repeat(32),
    };
    const hungUp = fetch(`http://127.0.0.1:${port}${SELF}`, { headers, signal: AbortSignal.timeout(200) });
    await expect(hungUp).rejects.toThrow();
  });
  const status = async () => (await api.call('GET', SELF, undefined, { at: full.app })).status;
  await expect.poll(status, { timeout: 5_000 }).toBe(200);
  await full.stop();
});
