// Goal: a write whose answer was lost is sent again as the same write, what cannot pass is not repeated, and every
// failure has a type. Method: a scripted service on a real port, which checks signatures and remembers what came in.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CountersignError, UnreachableError } from '../../../src/client/client.ts';
import { ok, refusal, type Scripted, type ScriptedService, startScriptedService } from './scripted-service.ts';

let service: ScriptedService;
beforeAll(async () => {
  service = await startScriptedService();
});
afterAll(() => service.stop());

const accepted = ok({ wallet_id: 'w1', status: 'creating' });
const create = (options: { idempotencyKey?: string; signal?: AbortSignal } = {}) =>
  service.client.createWallet({ name: 'Treasury' }, options);
const keysSent = () => service.received.map(({ headers }) => headers['x-idempotency-key']);

test.each<[string, Scripted]>([
  ['a connection that ends without an answer', 'cut'],
  ['500', refusal(500, 'internal_error')],
  ['503 of a part that is away', refusal(503, 'dependency_unavailable')],
  ['502 of a proxy, in HTML', { status: 502, body: '<html>Bad gateway</html>' }],
  ['429', refusal(429, 'rate_limited', { 'retry-after': '0' })],
])('sent again as the same write: %s', async (_name, failure) => {
  service.script(failure, failure, accepted);
  expect(await create()).toEqual({ wallet_id: 'w1', status: 'creating' });
  expect(service.received).toHaveLength(3);
  expect(new Set(keysSent()).size).toBe(1);
  expect(keysSent()[0]).toMatch(/^[\x21-\x7e]{1,128}$/);
  // The service takes each signature once: a repeat has its own.
  expect(new Set(service.received.map(({ headers }) => headers['access-sign'])).size).toBe(3);
  expect(new Set(service.received.map(({ body }) => body))).toEqual(
    new Set(['{"wallet_type":"mpc","name":"Treasury"}']),
  );
});

test('sent again, signed at another second, when another client signed an equal write in the same one', async () => {
  service.script(refusal(409, 'request_replayed'), accepted);
  expect(await create({ idempotencyKey: 'mine' })).toEqual({ wallet_id: 'w1', status: 'creating' });
  expect(keysSent()).toEqual(['mine', 'mine']);
  expect(new Set(service.received.map(({ headers }) => headers['access-sign'])).size).toBe(2);
});

test.each([
  [400, 'invalid_request'],
  [401, 'unauthorized'],
  [403, 'insufficient_scope'],
  [404, 'not_found'],
  [409, 'idempotency_key_reused'],
  [423, 'wallet_frozen'],
  [503, 'route_disabled'],
])('not sent again: %d %s', async (status, code) => {
  service.script(refusal(status, code), accepted);
  const error = await create().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CountersignError);
  expect(error).toMatchObject({
    status,
    code,
    requestId: 'request-1',
    message: `${status} ${code}: Do it differently.`,
  });
  expect(service.received).toHaveLength(1);
});

test('three times at most, and the last failure is the one that is thrown', async () => {
  service.script(refusal(500, 'internal_error'));
  await expect(create()).rejects.toMatchObject({ status: 500, code: 'internal_error', requestId: 'request-1' });
  expect(service.received).toHaveLength(4);
});

test('the pauses grow', async () => {
  service.script('cut', 'cut', 'cut', accepted);
  await create();
  const [first, second, third] = service.received
    .slice(1)
    .map(({ atMs }, index) => atMs - (service.received[index]?.atMs ?? 0));
  expect(first).toBeGreaterThanOrEqual(99);
  expect(second).toBeGreaterThanOrEqual(199);
  expect(third).toBeGreaterThanOrEqual(399);
});

test.each([
  ['seconds', () => '1'],
  ['a date', () => new Date(Date.now() + 2_000).toUTCString()],
])('Retry-After is kept: %s', async (_form, retryAfter) => {
  service.script(refusal(429, 'rate_limited', { 'retry-after': retryAfter() }), accepted);
  await create();
  const [first, second] = service.received.map(({ atMs }) => atMs);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(900);
});

test('a service that wants to be left alone for long is left alone', async () => {
  service.script(refusal(429, 'rate_limited', { 'retry-after': '3600' }), accepted);
  await expect(create()).rejects.toMatchObject({ status: 429, retryAfter: '3600' });
  expect(service.received).toHaveLength(1);
});

test('every write has a key of its own, unless the caller brings one; a read has none', async () => {
  service.script(accepted);
  await Promise.all([create(), create(), create({ idempotencyKey: 'mine' })]);
  await service.client.get('/api/v1/api-keys/self');
  expect(new Set(keysSent()).size).toBe(4);
  expect(keysSent()).toContain('mine');
  expect(keysSent().at(-1)).toBeUndefined();
});

test('no answer at all is told apart, with its cause', async () => {
  const nobody = await startScriptedService({ retries: 1 });
  await nobody.stop();
  const error = await nobody.client.get('/api/v1/api-keys/self').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnreachableError);
  expect(error).toMatchObject({ cause: { cause: { code: 'ECONNREFUSED' } } });
});

test('an abort ends a pause at once', async () => {
  service.script(refusal(429, 'rate_limited', { 'retry-after': '20' }));
  const abort = new AbortController();
  const creating = create({ signal: abort.signal });
  setTimeout(() => abort.abort(new Error('enough')), 100);
  await expect(creating).rejects.toThrow('enough');
  expect(service.received).toHaveLength(1);
});
