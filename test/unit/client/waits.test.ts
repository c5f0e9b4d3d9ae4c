// Goal: a wait lets the service hold each read, goes on until the end or its own deadline, and outlives a service that
// is away. Method: a scripted service that answers held reads as the real one does, and as one that will not hold them.
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { OperationFailedError, OperationOpenError } from '../../../src/client/client.ts';
import { ok, refusal, type ScriptedService, startScriptedService } from './scripted-service.ts';

let service: ScriptedService;
beforeAll(async () => {
  service = await startScriptedService({ retries: 1 });
});
afterAll(() => service.stop());

const held = { 'preference-applied': 'wait' };
const accepted = ok({ wallet_id: 'w1', status: 'creating' });
const pendingWallet = { wallet_id: 'w1', status: 'pending' };
const readyWallet = { wallet_id: 'w1', status: 'success' };
const signing = (status: string, fields: object = {}) => ({ id: 's1', status, ...fields });
const digest = { network_internal_code: 'ETHEREUM_SANDBOX', signing_hash: '0x00' };
const preferences = () => service.received.map(({ headers }) => headers['prefer']);

test('awaited, an operation is what was accepted; waited for, it is its end', async () => {
  service.script(accepted, ok(readyWallet, held));
  const creating = service.client.createWallet({ name: 'Treasury' });
  expect(await creating).toEqual({ wallet_id: 'w1', status: 'creating' });
  expect(await creating.wait()).toEqual(readyWallet);
  expect(service.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/v1/wallets',
    'GET /api/v1/wallets/creation-status/w1',
  ]);
});

test('a read that was held is followed by the next at once', async () => {
  service.script(accepted, ...[1, 2, 3].map(() => ok(pendingWallet, held)), ok(readyWallet, held));
  await service.client.createWallet({ name: 'Treasury' }).wait();
  expect(preferences()).toEqual([undefined, 'wait=30', 'wait=30', 'wait=30', 'wait=30']);
  const at = service.received.slice(1).map(({ atMs }) => atMs);
  // With pauses not one of them would come sooner, however busy the machine is.
  expect(Math.min(...at.slice(1).map((atMs, place) => atMs - (at[place] ?? 0)))).toBeLessThan(490);
});

test('a service that holds no read is asked at intervals', async () => {
  service.script(ok(pendingWallet), ok(pendingWallet), ok(readyWallet));
  await service.client.waitForWallet('w1');
  const [first, second, third] = service.received.map(({ atMs }) => atMs);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(490);
  expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(490);
});

test('a wait outlives a service that is away for a while', async () => {
  service.script('cut', 'cut', refusal(503, 'dependency_unavailable'), 'cut', ok(signing('success'), held));
  expect(await service.client.waitForSignature('s1')).toEqual(signing('success'));
});

test('what will not pass ends the wait', async () => {
  service.script(refusal(404, 'not_found'));
  await expect(service.client.waitForSignature('s1')).rejects.toMatchObject({ status: 404, code: 'not_found' });
});

test('the deadline: the last read is held no longer than is left, and the operation is named', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  // By the clock of the client half a second goes by from one read to the next, however busy the machine is.
  service.script(() => {
    vi.setSystemTime(Date.now() + 500);
    return ok(signing('submitted'));
  });
  const error = await service.client.waitForSignature('s1', { timeoutMs: 1_200 }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OperationOpenError);
  const message = 'The operation s1 was not final within 1.2 s: it is submitted.';
  expect(error).toMatchObject({ operationId: 's1', message });
  expect(preferences()).toEqual(['wait=2', 'wait=1', 'wait=1']);
});

test('what an open operation waits for is said', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  service.script(() => {
    vi.setSystemTime(Date.now() + 2_000);
    return ok(signing('pending', { status_reason: 'awaiting_approval' }));
  });
  await expect(service.client.waitForSignature('s1', { timeoutMs: 1_000 })).rejects.toThrow(
    'The operation s1 was not final within 1 s: it is pending (awaiting_approval).',
  );
});

test('a failed operation says why', async () => {
  const failed = signing('failed', {
    status_reason: 'mpc_error',
    error_code: 'counterparty_banned',
    error_reason: 'no',
  });
  service.script(ok({ signing_request: signing('pending') }), ok(failed, held));
  const error = await service.client
    .sign('w1', digest)
    .wait()
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OperationFailedError);
  expect(error).toMatchObject({
    operationId: 's1',
    statusReason: 'mpc_error',
    errorCode: 'counterparty_banned',
    errorReason: 'no',
    operation: failed,
    message: 'The operation s1 failed: mpc_error, counterparty_banned, no.',
  });
});

test('a wallet that could not be created', async () => {
  service.script(ok({ wallet_id: 'w1', status: 'error', error_code: 'mpc_refused' }, held));
  await expect(service.client.waitForWallet('w1')).rejects.toMatchObject({
    operationId: 'w1',
    errorCode: 'mpc_refused',
  });
});

test('a refused write rejects the wait, and nothing is left unhandled', async () => {
  service.script(refusal(423, 'wallet_frozen'));
  await expect(service.client.sign('w1', digest).wait()).rejects.toMatchObject({ status: 423 });
});

test('an abort ends the wait', async () => {
  service.script(ok(signing('submitted')));
  const abort = new AbortController();
  setTimeout(() => abort.abort(new Error('enough')), 100);
  await expect(service.client.waitForSignature('s1', { signal: abort.signal })).rejects.toThrow('enough');
});
