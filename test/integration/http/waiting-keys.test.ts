// Goal: who waits with a key is told nothing that this key may no longer ask for, and is not sent away for a change
// that takes nothing from it (control K4). Method: the API on a real port and a real database; the key is changed while
// its caller waits, then the operation ends.
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { apiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import type { TestApi, TestKey } from '../../support/api/api.ts';
import { pause, startWaitedApi, untilReads, type WaitedApi } from '../../support/api/waiting.ts';
import { writeKey } from '../../support/rows/seals.ts';

let waited: WaitedApi;
let api: TestApi;
let signingId: string;
beforeAll(async () => {
  waited = await startWaitedApi();
  ({ api } = waited);
});
afterAll(() => waited.stop());
beforeEach(async () => {
  signingId = await waited.makeSubmitted();
});

describe('K4: what is taken from a key while it waits', () => {
  const changes: [string, number, Partial<typeof apiKeys.$inferInsert>][] = [
    ['all, by a revocation', 401, { revokedAt: new Date() }],
    ['its time', 401, { expiresAt: new Date(Date.now() - 1000) }],
    ['its scope', 403, { scopes: ['wallets:read'] }],
    ['its wallet', 403, { walletIds: [uuidv7()] }],
    ['its address', 403, { ipAllowlist: ['192.0.2.1'] }],
  ];
  test.each(changes)(
    'K4: %s: the answer is %d, when the operation ends and when the time is up',
    async (_name, status, change) => {
      const key = await api.makeKey({ scopes: ['signing:read'] });
      const recorded = waited.recordQueries();
      const over = waited.makeSubmitted();
      const waiting = [
        waited.read(`/signing-requests/${signingId}`, { prefer: 'wait=30', key }),
        waited.read(`/signing-requests/${await over}`, { prefer: 'wait=3', key }),
      ];
      await untilReads(recorded, 2);
      recorded.stop();
      await writeKey(api.db, key.apiKey, change);
      await pause(1_000);
      await waited.succeed(signingId);
      for (const heard of await Promise.all(waiting)) {
        expect(heard.status).toBe(status);
        expect(heard.body).toMatchObject({ success: false, data: null });
        expect(heard.headers).not.toHaveProperty('preference-applied');
      }
    },
  );
});

describe('K4: what becomes of a signature while it waits', () => {
  const rotate = async (key: TestKey, overlap_seconds: number) => {
    const { body } = await api.call('GET', '/api/v1/api-keys/self', undefined, { key });
    const rotated = await api.call('POST', `/api/v1/api-keys/${body.data.id}/rotate`, { overlap_seconds });
    expect(rotated.status).toBe(200);
  };
  const update = (key: TestKey, fields: Partial<typeof apiKeys.$inferInsert>) => writeKey(api.db, key.apiKey, fields);

  interface Case {
    status: number;
    before?: (key: TestKey) => Promise<unknown>;
    legacy?: boolean;
    change: (key: TestKey) => Promise<unknown>;
  }
  const cases: [string, Case][] = [
    ['its secret is replaced at once', { status: 401, change: (key) => rotate(key, 0) }],
    ['its secret is replaced, and signs a while longer', { status: 200, change: (key) => rotate(key, 60) }],
    [
      'its secret was replaced, and that while ends',
      {
        status: 401,
        before: (key) => rotate(key, 60),
        change: (key) => update(key, { previousSecretExpiresAt: new Date() }),
      },
    ],
    [
      'its key may no longer leave the query out of the path',
      { status: 401, legacy: true, change: (key) => update(key, { legacyPathSigning: false }) },
    ],
    [
      'its key may still leave the query out of the path',
      { status: 200, legacy: true, change: (key) => update(key, { name: 'another' }) },
    ],
  ];
  test.each(cases)('K4: %s', async (_name, { status, before, legacy = false, change }) => {
    const key = await api.makeKey({ scopes: ['signing:read'], legacyPathSigning: legacy });
    await before?.(key);
    const recorded = waited.recordQueries();
    const waiting = waited.read(`/signing-requests/${signingId}?`, { prefer: 'wait=30', key, legacy });
    await untilReads(recorded, 1);
    recorded.stop();
    await change(key);
    await pause(1_000);
    await waited.succeed(signingId);
    expect((await waiting).status).toBe(status);
  });
});
