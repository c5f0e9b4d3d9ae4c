// Goal: signing operations are read, listed and cancelled as the contract says, by those who may. Method: the API on a
// real database, case by status code; no worker runs, so that a test moves the rows itself.
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networks } from '../../../drizzle/networks/networks.ts';
import { beginSigningAttempt, endSigningAttempt } from '../../../drizzle/signing-requests/signing-attempts.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { advanceSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { distinctSeconds } from '../../support/api/distinct-seconds.ts';
import { type SignCall, signCall } from '../../support/api/sign.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const UUID_OF_NOTHING = '00000000-0000-4000-8000-000000000000';

let api: TestApi;
let walletId: string;
let sign: SignCall;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  walletId = await api.makeActiveWallet();
  sign = signCall(api, 'signRaw', walletId);
});
afterAll(() => api.stop());

const valid = (fields: object = {}) => ({
  network_internal_code: 'ETHEREUM_SANDBOX',
  signing_hash: 'ab'.repeat(32),
  ...fields,
});

describe('reading', () => {
  const read = (id: string) => api.call('GET', `/api/v1/signing-requests/${id}`);
  const alias = (id: string, wallet = walletId) => api.call('GET', `/api/v1/web3/${wallet}/sign/${id}`);

  test('200: pending, submitted, success, and what the alias view calls them', async () => {
    const { id } = (await sign(valid())).body.data.signing_request;
    expect((await alias(id)).body.data).toMatchObject({
      transaction_id: id,
      status: 'pending',
      signature: null,
      approvals: [],
    });
    await advanceSigningRequest(api.db, id, {
      from: 'pending',
      to: 'submitted',
      fields: { mpcCorrelationId: `${id}.1` },
    });
    expect((await read(id)).body.data).toMatchObject({ status: 'submitted', mpc_correlation_id: `${id}.1` });
    const result = { signature: '0x01', publicKey: '0x02', address: '0x03', signedByNodes: [1, 3] };
    await advanceSigningRequest(api.db, id, { from: 'submitted', to: 'success', fields: result });
    const { data } = (await read(id)).body;
    expect(data).toMatchObject({ status: 'success', signature: '0x01', public_key: '0x02', address: '0x03' });
    expect(data.signed_by_nodes).toEqual([1, 3]);
    expect(data.workflow_id).toBe(`sign-${id}`);
    expect(data.completed_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect((await alias(id)).body.data).toMatchObject({ status: 'confirmed', signature: '0x01' });
  });

  test('200: the workflow is that of the group that signs it, and its own where the group did not', async () => {
    const { id } = (await sign(valid())).body.data.signing_request;
    const workflowOf = async () => (await read(id)).body.data.workflow_id;
    const set = (fields: Partial<typeof signingRequests.$inferInsert>) =>
      api.db.update(signingRequests).set(fields).where(eq(signingRequests.id, id));
    await set({ groupWorkflowId: 'sign-group-of-test' });
    expect(await workflowOf()).toBe('sign-group-of-test');
    await set({ status: 'failed' });
    expect(await workflowOf()).toBe(`sign-${id}`);
    // Of before ids carried the type.
    await set({ workflowId: null });
    expect(await workflowOf()).toBe(id);
  });

  test('200: failed, with why', async () => {
    const { id } = (await sign(valid())).body.data.signing_request;
    const failure = { statusReason: 'mpc_error', errorCode: 'mpc_refused', errorReason: 'no' } as const;
    await advanceSigningRequest(api.db, id, { from: 'pending', to: 'failed', fields: failure });
    expect((await read(id)).body.data).toMatchObject({
      status: 'failed',
      status_reason: 'mpc_error',
      error_code: 'mpc_refused',
      error_reason: 'no',
      may_be_signed: false,
    });
    expect((await alias(id)).body.data).toMatchObject({ status: 'failed', signature: null });
  });

  test.each([
    ['an attempt ended so that a node may have the signature', 'ended'],
    ['nobody says how an attempt ended', 'open'],
  ] as const)('200: failed, and perhaps signed: %s', async (_why, how) => {
    const { id } = (await sign(valid())).body.data.signing_request;
    const mpcCorrelationId = `${id}.1`;
    expect(await beginSigningAttempt(api.db, { id, mpcCorrelationId, before: null })).toBe(true);
    expect((await read(id)).body.data).not.toHaveProperty('may_be_signed');
    if (how === 'ended') await endSigningAttempt(api.db, id, { mpcCorrelationId, mayBeSigned: true });
    await advanceSigningRequest(api.db, id, {
      from: 'submitted',
      to: 'failed',
      fields: { statusReason: 'mpc_timeout' },
    });
    expect((await read(id)).body.data).toMatchObject({ status: 'failed', may_be_signed: true });
    const listed = (await api.call('GET', `/api/v1/workspaces/${api.workspaceId}/signing-requests`)).body.data;
    expect(listed.find((each: { id: string }) => each.id === id)).toMatchObject({ may_be_signed: true });
  });

  test("404: unknown, another wallet's, another workspace's", async () => {
    const { id } = (await sign(valid())).body.data.signing_request;
    expect((await read(UNKNOWN)).status).toBe(404);
    expect((await alias(UNKNOWN)).status).toBe(404);
    expect((await alias(id, await api.makeActiveWallet())).status).toBe(404);
    const { key } = await api.makeWorkspace();
    expect((await api.call('GET', `/api/v1/signing-requests/${id}`, undefined, { key })).status).toBe(404);
  });

  test('403: a key bound to another wallet', async () => {
    const { id } = (await sign(valid())).body.data.signing_request;
    const key = await api.makeKey({ scopes: ['signing:read'], walletIds: [await api.makeActiveWallet()] });
    const answer = await api.call('GET', `/api/v1/signing-requests/${id}`, undefined, { key });
    expect(answer).toMatchObject({ status: 403, body: { code: 'wallet_not_allowed' } });
  });

  test('400: an id that is none', async () => {
    expect((await read('x')).status).toBe(400);
    expect((await alias('x')).status).toBe(400);
  });
});

describe('GET the list of a workspace', () => {
  const list = (query = '', options = {}) =>
    api.call('GET', `/api/v1/workspaces/${api.workspaceId}/signing-requests${query}`, undefined, options);
  const idsOf = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);

  let own: string;
  let made: string[];
  beforeAll(async () => {
    own = await api.makeActiveWallet();
    const call = signCall(api, 'signRaw', own);
    const bodies = [
      valid(),
      valid({ network_internal_code: 'BTC_SANDBOX' }),
      valid({ network_internal_code: 'SOL_SANDBOX', key_type: 'ed25519' }),
      valid(),
    ];
    made = [];
    for (const body of bodies) made.push((await call(body)).body.data.transaction_id);
    await advanceSigningRequest(api.db, made[0] as string, { from: 'pending', to: 'submitted' });
    await advanceSigningRequest(api.db, made[1] as string, {
      from: 'pending',
      to: 'failed',
      fields: { statusReason: 'mpc_error' },
    });
  });

  test('200: the newest first, each as it is read by itself, page by page', async () => {
    const first = await list(`?wallet_id=${own}&limit=3`);
    expect(idsOf(first)).toEqual(made.toReversed().slice(0, 3));
    const single = await api.call('GET', `/api/v1/signing-requests/${made[3]}`);
    expect(first.body.data[0]).toEqual(single.body.data);
    const second = await list(`?wallet_id=${own}&limit=3&cursor=${String(first.headers['x-next-cursor'])}`);
    expect(idsOf(second)).toEqual([made[0]]);
    expect(second.headers).not.toHaveProperty('x-next-cursor');
  });

  test('200: by status, by wallet, by network, and all of them together', async () => {
    const [code] = await api.db.select().from(networks).where(eq(networks.internalCode, 'BTC_SANDBOX'));
    const btc = code?.id as string;
    expect(idsOf(await list(`?wallet_id=${own}&status=submitted,failed&sort_order=asc`))).toEqual(made.slice(0, 2));
    const failed = await list('?status=failed&limit=200');
    expect(idsOf(failed)).toContain(made[1]);
    expect(failed.body.data.every(({ status }: { status: string }) => status === 'failed')).toBe(true);
    expect(idsOf(await list(`?wallet_id=${own}&network_id=${btc}`))).toEqual([made[1]]);
    expect(idsOf(await list(`?wallet_id=${own}&network_id=${btc}&status=pending`))).toEqual([]);
    expect(idsOf(await list(`?wallet_id=${own}&network_id=${UUID_OF_NOTHING}`))).toEqual([]);
    expect(idsOf(await list(`?wallet_id=${UNKNOWN}`))).toEqual([]);
    expect((await list('?limit=200')).body.data.length).toBeGreaterThan(made.length);
  });

  test('200: by the address that has signed, in any case of its letters, and with the other filters', async () => {
    const [address, other] = [
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    ];
    const { body } = await signCall(api, 'signRaw', await api.makeActiveWallet())(valid());
    const id = body.data.transaction_id;
    await advanceSigningRequest(api.db, id, { from: 'pending', to: 'submitted' });
    await advanceSigningRequest(api.db, id, { from: 'submitted', to: 'success', fields: { address } });
    for (const written of [address, address.toLowerCase(), `${other},${address}`])
      expect(idsOf(await list(`?address=${written}`))).toEqual([id]);
    expect(idsOf(await list(`?address=${address}&status=failed`))).toEqual([]);
    expect(idsOf(await list(`?address=${address}&wallet_id=${UNKNOWN}`))).toEqual([]);
    expect(idsOf(await list(`?address=${other}`))).toEqual([]);
    expect(idsOf(await list('?address=nobody'))).toEqual([]);
  });

  test('200: a key bound to wallets lists only theirs; 403 when it names another', async () => {
    const key = await api.makeKey({ scopes: ['signing:read'], walletIds: [own] });
    expect(idsOf(await list('', { key }))).toEqual(made.toReversed());
    expect(await list(`?wallet_id=${walletId}`, { key })).toMatchObject({
      status: 403,
      body: { code: 'wallet_not_allowed' },
    });
  });

  test('403: without signing:read', async () => {
    const key = await api.makeKey({ scopes: ['signing:write'] });
    expect(await list('', { key })).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  });

  test("404: another workspace's list; its operations are in none of ours", async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    expect((await api.call('GET', `/api/v1/workspaces/${workspaceId}/signing-requests`)).status).toBe(404);
    const answer = await api.call('GET', `/api/v1/workspaces/${workspaceId}/signing-requests`, undefined, { key });
    expect(answer.body.data).toEqual([]);
  });

  test.each(['?status=lost', '?wallet_id=x', '?network_id=ETHEREUM_SANDBOX', '?method=transfer'])(
    '400: %s',
    async (query) => {
      expect(await list(query)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    },
  );
});

describe('POST cancel', () => {
  const nextSecond = distinctSeconds();
  const cancel = (id: string, headers: Record<string, string> = {}, options = {}) => {
    const timestamp = nextSecond();
    return api.call('POST', `/api/v1/signing-requests/${id}/cancel`, undefined, { headers, timestamp, ...options });
  };
  const make = async () => String((await sign(valid())).body.data.transaction_id);

  test('200: failed, cancelled, finished, and so it is read afterwards', async () => {
    const id = await make();
    const answer = await cancel(id);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      id,
      status: 'failed',
      status_reason: 'cancelled',
      error_code: 'cancelled',
      error_reason: 'a caller cancelled it before anything was signed',
    });
    expect(answer.body.data.completed_at).toMatch(/Z$/);
    const { payload, ...read } = (await api.call('GET', `/api/v1/signing-requests/${id}`)).body.data;
    expect(read).toEqual(answer.body.data);
    expect(payload).toMatchObject({ kind: 'raw_digest' });
    const view = await api.call('GET', `/api/v1/web3/${walletId}/sign/${id}`);
    expect(view.body.data).toMatchObject({ status: 'failed', signature: null });
  });

  test('200: a repeat, with the same key, another or none, changes nothing', async () => {
    const id = await make();
    const first = await cancel(id, { 'x-idempotency-key': 'cancel' });
    for (const headers of [{ 'x-idempotency-key': 'cancel' }, { 'x-idempotency-key': 'other' }, {}])
      expect(await cancel(id, headers)).toMatchObject({ status: 200, body: first.body });
  });

  test('one key on two operations cancels both', async () => {
    const ids = [await make(), await make()];
    for (const id of ids) expect((await cancel(id, { 'x-idempotency-key': 'both' })).body.data.id).toBe(id);
  });

  test.each([
    ['submitted', 'submitted', undefined],
    ['success', 'submitted', 'success'],
    ['failed', 'submitted', 'failed'],
  ] as const)('409 invalid_state: %s', async (status, first, second) => {
    const id = await make();
    await advanceSigningRequest(api.db, id, { from: 'pending', to: first });
    if (second !== undefined)
      await advanceSigningRequest(api.db, id, { from: first, to: second, fields: { errorCode: 'mpc_error' } });
    const answer = await cancel(id);
    expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_state', data: null } });
    expect(answer.body.message).toContain(status);
    const [row] = await api.db.select().from(signingRequests).where(eq(signingRequests.id, id));
    expect(row).toMatchObject({ status, statusReason: null });
  });

  test("404: unknown, and another workspace's; 403: a key bound to another wallet", async () => {
    const id = await make();
    expect((await cancel(UNKNOWN)).status).toBe(404);
    const { key } = await api.makeWorkspace();
    expect((await cancel(id, {}, { key })).status).toBe(404);
    const bound = await api.makeKey({ scopes: ['signing:write'], walletIds: [await api.makeActiveWallet()] });
    expect(await cancel(id, {}, { key: bound })).toMatchObject({ status: 403, body: { code: 'wallet_not_allowed' } });
    const [row] = await api.db.select().from(signingRequests).where(eq(signingRequests.id, id));
    expect(row?.status).toBe('pending');
  });

  test('400: an id that is none, and a body with something in it', async () => {
    expect((await cancel('x')).status).toBe(400);
    const answer = await api.call('POST', `/api/v1/signing-requests/${await make()}/cancel`, { force: true });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});
