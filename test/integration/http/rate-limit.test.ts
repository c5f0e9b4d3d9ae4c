// Goal: a key that calls too often is told so and when to come back, no other key suffers, and every answer says what
// is left; an address that keeps failing to authenticate waits for the same 401. Method: the API with low limits on a
// real database.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallOptions, startApi, type TestApi } from '../../support/api/api.ts';

const SELF = '/api/v1/api-keys/self';
const LIMIT = 5;
const FAILURES = 3;
const UNAUTHORIZED = { success: false, message: 'invalid api signature', code: 'unauthorized', data: null };

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ http: { requestsPerMinute: LIMIT, failedAuthenticationsPerMinute: FAILURES } });
});
afterAll(() => api.stop());

const self = (options: CallOptions) => api.call('GET', SELF, undefined, options);
/** As the draft writes them: a quoted name and integers (RFC 9651). */
const item = (parameters: string) => new RegExp(`^"default";${parameters}$`);

describe('one key', () => {
  test('what is left goes down to none, then 429 with Retry-After', async () => {
    const key = await api.makeKey({});
    for (let left = LIMIT - 1; left >= 0; left -= 1) {
      const { status, headers } = await self({ key });
      expect(status).toBe(200);
      expect(headers['ratelimit-policy']).toBe(`"default";q=${LIMIT};w=60`);
      expect(headers['ratelimit']).toMatch(item(`r=${left};t=([1-9]|[1-5]\\d|60)`));
      expect(headers).not.toHaveProperty('retry-after');
    }
    const refused = await self({ key });
    expect(refused).toMatchObject({ status: 429, body: { success: false, code: 'rate_limited', data: null } });
    const retryAfter = Number(refused.headers['retry-after']);
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(refused.headers['ratelimit']).toBe(`"default";r=0;t=${retryAfter}`);
    expect((await self({ key: await api.makeKey({}) })).status).toBe(200);
  });

  test('refusals count and say what is left too, but not a request that was not authenticated', async () => {
    const key = await api.makeKey({});
    const wallets = `/api/v1/workspaces/${api.workspaceId}/wallets`;
    const forbidden = await api.call('GET', wallets, undefined, { key });
    expect([forbidden.status, forbidden.headers['ratelimit']]).toEqual([
      403,
      expect.stringMatching(item('r=4;t=\\d+')),
    ]);
    const invalid = await api.call('GET', `${SELF}?a=1`, undefined, { key });
    expect([invalid.status, invalid.headers['ratelimit']]).toEqual([400, expect.stringMatching(item('r=3;t=\\d+'))]);
    const unsigned = await self({ key: { ...key, apiSecret: 'wrong' }, remoteAddress: '192.0.2.50' });
    expect(unsigned.status).toBe(401);
    expect(unsigned.headers).not.toHaveProperty('ratelimit');
    expect((await self({ key })).headers['ratelimit']).toMatch(item('r=2;t=\\d+'));
  });

  test('a stolen key used from elsewhere spends nothing of what its owner has left', async () => {
    const key = await api.makeKey({ ipAllowlist: ['192.0.2.1'] });
    for (let call = 0; call < FAILURES; call += 1)
      expect((await self({ key, remoteAddress: '192.0.2.2' })).status).toBe(403);
    expect((await self({ key, remoteAddress: '192.0.2.1' })).headers['ratelimit']).toMatch(item('r=4;t=\\d+'));
  });

  test('no headers and no limit when it is off', async () => {
    const another = await api.startAnother({ http: {} });
    const key = await api.makeKey({});
    for (let call = 0; call < LIMIT * 2; call += 1) {
      const { status, headers } = await self({ key, at: another.app });
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('ratelimit');
      expect(headers).not.toHaveProperty('ratelimit-policy');
    }
    await another.stop();
  });
});

describe('one address', () => {
  const timed = async (options: CallOptions) => {
    const startedAt = performance.now();
    const answer = await self(options);
    return { ...answer, ms: performance.now() - startedAt };
  };
  const wrong = { apiKey: 'ck_unknown', apiSecret: 'wrong' };
  const exhaust = async (remoteAddress: string) => {
    for (let failure = 0; failure < FAILURES; failure += 1)
      expect((await timed({ key: wrong, remoteAddress })).ms).toBeLessThan(900);
  };

  test('past its failures the same 401 comes late, whatever failed; a right signature is never slowed', async () => {
    const remoteAddress = '198.51.100.7';
    const key = await api.makeKey({});
    await exhaust(remoteAddress);
    const [unknown, badSecret, unsigned, right, elsewhere] = await Promise.all([
      timed({ key: wrong, remoteAddress }),
      timed({ key: { ...key, apiSecret: 'wrong' }, remoteAddress }),
      timed({ key, remoteAddress, headers: { 'access-sign': '' } }),
      timed({ key, remoteAddress }),
      timed({ key: wrong, remoteAddress: '198.51.100.8' }),
    ]);
    for (const late of [unknown, badSecret, unsigned]) {
      expect(late).toMatchObject({ status: 401, body: UNAUTHORIZED });
      expect(late.ms).toBeGreaterThan(950);
      expect(late.headers).not.toHaveProperty('retry-after');
    }
    expect(right.status).toBe(200);
    expect(right.ms).toBeLessThan(900);
    expect(elsewhere.ms).toBeLessThan(900);
  });

  test('the addresses of one IPv6 subscriber count as one', async () => {
    await exhaust('2001:db8:1:2::1');
    expect((await timed({ key: wrong, remoteAddress: '2001:db8:1:2:ffff::9' })).ms).toBeGreaterThan(950);
    expect((await timed({ key: wrong, remoteAddress: '2001:db8:1:3::1' })).ms).toBeLessThan(900);
  });
});

test('the document names 429 with its headers on every signed route', async () => {
  const { paths, components } = (await api.app.inject({ method: 'GET', url: '/openapi.json' })).json();
  expect(Object.keys(components.responses.RateLimited.headers)).toEqual([
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
  ]);
  for (const [path, methods] of Object.entries<Record<string, { responses: Record<string, { $ref: string }> }>>(paths))
    for (const [method, { responses }] of Object.entries(methods)) {
      const expected = path.startsWith('/api/v1/') ? '#/components/responses/RateLimited' : undefined;
      expect([method, path, responses['429']?.$ref]).toEqual([method, path, expected]);
    }
});
