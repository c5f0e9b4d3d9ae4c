// Goal: what is taken from a key is gone on every process within a second, even while the key is in use, and two keys
// that end each other never leave a workspace without an administrator. Method: two API instances with connections of
// their own on one database; callers that never stop; races.
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../../domain/scopes.ts';
import { apiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';

const SELF = '/api/v1/api-keys/self';
const HOLDS_WITHIN_MS = 1_000;

let api: TestApi;
let second: Awaited<ReturnType<TestApi['startAnother']>>;
beforeAll(async () => {
  api = await startApi();
  second = await api.startAnother();
});
afterAll(async () => {
  await second.stop();
  await api.stop();
});

const idOf = async (key: TestKey): Promise<string> => (await api.call('GET', SELF, undefined, { key })).body.data.id;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Seen {
  sentMs: number;
  status: number;
}

/** Calls both instances without a pause until stopped; every answer with the moment at which it was asked for. */
function keepCalling(key: TestKey, path: string): () => Promise<{ first: Seen[]; other: Seen[] }> {
  let stopped = false;
  const run = async (at = api.app) => {
    const seen: Seen[] = [];
    while (!stopped) {
      const sentMs = performance.now();
      seen.push({ sentMs, status: (await api.call('GET', path, undefined, { key, at })).status });
      await sleep(5);
    }
    return seen;
  };
  const running = Promise.all([run(), run(second.app)]);
  return async () => {
    stopped = true;
    const [first, other] = await running;
    return { first, other };
  };
}

const after = (seen: Seen[], ms: number) =>
  new Set(seen.filter(({ sentMs }) => sentMs >= ms).map(({ status }) => status));

describe('a key in use on two processes', () => {
  const wallets = () => `/api/v1/workspaces/${api.workspaceId}/wallets`;
  const changes: [string, number, (id: string) => Promise<{ status: number }>][] = [
    ['revoked', 401, (id) => api.call('DELETE', `/api/v1/api-keys/${id}`)],
    ['rotated without overlap', 401, (id) => api.call('POST', `/api/v1/api-keys/${id}/rotate`, { overlap_seconds: 0 })],
    ['stripped of its scope', 403, (id) => api.call('PATCH', `/api/v1/api-keys/${id}`, { scopes: ['signing:read'] })],
    [
      'bound to another address',
      403,
      (id) => api.call('PATCH', `/api/v1/api-keys/${id}`, { ip_allowlist: ['192.0.2.1'] }),
    ],
  ];

  test.each(changes)(
    '%s: %d on both within a second, at once where it was asked for',
    async (_name, refusal, change) => {
      const key = await api.makeKey({ scopes: ['wallets:read'] });
      const id = await idOf(key);
      const stop = keepCalling(key, wallets());
      await sleep(300);
      expect((await change(id)).status).toBe(200);
      const changedMs = performance.now();
      await sleep(HOLDS_WITHIN_MS + 400);
      const { first, other } = await stop();
      for (const seen of [first, other]) {
        expect(seen[0]?.status).toBe(200);
        expect(seen.length).toBeGreaterThan(20);
      }
      expect(after(first, changedMs)).toEqual(new Set([refusal]));
      expect(after(other, changedMs + HOLDS_WITHIN_MS)).toEqual(new Set([refusal]));
    },
  );

  test('revoked behind the service, by SQL: both within a second', async () => {
    const key = await api.makeKey({ scopes: ['wallets:read'] });
    const stop = keepCalling(key, wallets());
    await sleep(300);
    await api.db.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.apiKey, key.apiKey));
    const changedMs = performance.now();
    await sleep(HOLDS_WITHIN_MS + 400);
    const { first, other } = await stop();
    for (const seen of [first, other]) expect(after(seen, changedMs + HOLDS_WITHIN_MS)).toEqual(new Set([401]));
  });

  test('an unknown key that is created in the meantime is not remembered as unknown for longer than that', async () => {
    const made = await api.makeKey({});
    const [row] = await api.db.select().from(apiKeys).where(eq(apiKeys.apiKey, made.apiKey));
    await api.db.delete(apiKeys).where(eq(apiKeys.apiKey, made.apiKey));
    expect((await api.call('GET', SELF, undefined, { key: made })).status).toBe(401);
    await api.db.insert(apiKeys).values(row as typeof apiKeys.$inferInsert);
    await sleep(HOLDS_WITHIN_MS);
    expect((await api.call('GET', SELF, undefined, { key: made })).status).toBe(200);
  });
});

test('administrators that revoke each other at once: one stays, in every round', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { workspaceId, key } = await api.makeWorkspace();
    const others = await Promise.all([1, 2].map(() => api.makeKey({ workspaceId, scopes: [...scopes] })));
    const keys = [key, ...others];
    const ids = await Promise.all(keys.map(idOf));
    // Each revokes the next, on alternating instances.
    const answers = await Promise.all(
      keys.map((caller, index) =>
        api.call('DELETE', `/api/v1/api-keys/${ids[(index + 1) % keys.length]}`, undefined, {
          key: caller,
          ...(index % 2 === 0 ? {} : { at: second.app }),
        }),
      ),
    );
    for (const { status } of answers) expect([200, 401, 409]).toContain(status);
    const rows = await api.db.select().from(apiKeys).where(eq(apiKeys.workspaceId, workspaceId));
    const usable = rows.filter(({ revokedAt }) => revokedAt === null);
    expect(usable.length).toBeGreaterThanOrEqual(1);
    expect(rows.length - usable.length).toBe(answers.filter(({ status }) => status === 200).length);
  }
});

test('rotations at once: every secret that was shown last or before it signs, no other', async () => {
  const key = await api.makeKey({});
  const id = await idOf(key);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      api.call(
        'POST',
        `/api/v1/api-keys/${id}/rotate`,
        { overlap_seconds: 100 + index },
        index % 2 === 0 ? {} : { at: second.app },
      ),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await sleep(HOLDS_WITHIN_MS);
  const secrets = [key.apiSecret, ...answers.map(({ body }) => body.data.api_secret as string)];
  const statuses = await Promise.all(
    secrets.map(
      async (apiSecret) => (await api.call('GET', SELF, undefined, { key: { apiKey: key.apiKey, apiSecret } })).status,
    ),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  expect(statuses[0]).toBe(401);
});
