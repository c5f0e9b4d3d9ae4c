// Goal: a wallet moves only along its arrows, asking twice is asking once, and of several callers nobody undoes what
// another did. Method: the API on a real database; every status is tried with every verb.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type WalletStatus, walletArrows, walletStatuses } from '../../../domain/statuses.ts';
import { advanceWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const verbs = ['freeze', 'unfreeze', 'archive'] as const;
type Verb = (typeof verbs)[number];

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

let seconds = 0;
/** Each in a second of its own: an equal write in the same second would be a replay. */
function move(id: string, verb: string, headers: Record<string, string> = {}) {
  seconds = (seconds + 1) % 400;
  const timestamp = Math.floor(Date.now() / 1000) - 200 + seconds;
  return api.call('POST', `/api/v1/wallets/${id}/${verb}`, undefined, { headers, timestamp });
}
const read = async (id: string) => (await api.call('GET', `/api/v1/wallets/${id}`)).body.data;

async function walletThatIs(status: WalletStatus): Promise<string> {
  if (status === 'creating' || status === 'failed') {
    const { body } = await api.call('POST', '/api/v1/wallets', { name: `${status} ${seconds++}`, wallet_type: 'mpc' });
    if (status === 'failed') await advanceWallet(api.db, body.data.wallet_id, { from: 'creating', to: 'failed' });
    return body.data.wallet_id;
  }
  const id = await api.makeActiveWallet();
  if (status !== 'active') await advanceWallet(api.db, id, { from: 'active', to: status });
  return id;
}

const outcomes: Record<Verb, Partial<Record<WalletStatus, WalletStatus>>> = {
  freeze: { active: 'frozen', frozen: 'frozen' },
  unfreeze: { frozen: 'active', active: 'active' },
  archive: { active: 'archived', frozen: 'archived', archived: 'archived' },
};

describe.each(verbs)('POST /wallets/{wallet_id}/%s', (verb) => {
  test.each(walletStatuses)('a wallet that is %s', async (status) => {
    const id = await walletThatIs(status);
    const before = await read(id);
    const answer = await move(id, verb);
    const end = outcomes[verb][status];
    if (end === undefined) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_state', data: null } });
      expect(answer.body.message).toContain(`The wallet is ${status}`);
      expect(await read(id)).toEqual(before);
      return;
    }
    expect(answer).toMatchObject({ status: 200, body: { data: { id, status: end } } });
    expect(await read(id)).toEqual(answer.body.data);
    if (end === status) expect(answer.body.data).toEqual(before);
    else expect(walletArrows[status]).toContain(end);
  });

  test('200 again: a repeated idempotency key', async () => {
    const id = await walletThatIs(verb === 'unfreeze' ? 'frozen' : 'active');
    const headers = { 'x-idempotency-key': `${verb}-once` };
    const first = await move(id, verb, headers);
    expect(first.status).toBe(200);
    expect((await move(id, verb, headers)).body).toEqual(first.body);
  });

  test('200: an object without fields; 400: any field, or anything else', async () => {
    const id = await walletThatIs(verb === 'unfreeze' ? 'frozen' : 'active');
    const path = `/api/v1/wallets/${id}/${verb}`;
    for (const body of [{ colour: 'x' }, { reason: '' }, { reason: 'x'.repeat(501) }, [], 'now'])
      expect(await api.call('POST', path, body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect((await api.call('POST', path, {})).status).toBe(200);
  });

  test('400, 401, 403, 404', async () => {
    const id = await walletThatIs('active');
    expect(await move('1', verb)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect((await api.app.inject({ method: 'POST', url: `/api/v1/wallets/${id}/${verb}` })).statusCode).toBe(401);
    const writer = await api.makeKey({ scopes: ['wallets:read', 'wallets:write'] });
    const path = `/api/v1/wallets/${id}/${verb}`;
    expect(await api.call('POST', path, undefined, { key: writer })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
    const bound = await api.makeKey({ scopes: ['wallets:admin'], walletIds: [await api.makeActiveWallet()] });
    expect(await api.call('POST', path, undefined, { key: bound })).toMatchObject({
      status: 403,
      body: { code: 'wallet_not_allowed' },
    });
    const { workspaceId } = await api.makeWorkspace();
    const foreign = await move(await api.makeActiveWallet(workspaceId), verb);
    expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found', data: null } });
    expect((await move(UNKNOWN, verb)).body).toEqual(foreign.body);
    expect((await read(id)).status).toBe('active');
  });
});

test('of many who freeze at once everybody is answered 200', async () => {
  const id = await api.makeActiveWallet();
  const answers = await Promise.all(Array.from({ length: 8 }, () => move(id, 'freeze')));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect((await read(id)).status).toBe('frozen');
});

test('archived is archived, whoever unfreezes at the same moment', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await walletThatIs('frozen');
    const [archived, unfrozen] = await Promise.all([move(id, 'archive'), move(id, 'unfreeze')]);
    expect(archived.status).toBe(200);
    expect([200, 409]).toContain(unfrozen.status);
    expect((await read(id)).status).toBe('archived');
  }
});

test('a frozen wallet signs nothing until it is unfrozen', async () => {
  const id = await api.makeActiveWallet();
  const sign = () =>
    api.call(
      'POST',
      `/api/v1/web3/transaction/${id}/signRaw`,
      { network_internal_code: 'ETHEREUM_SANDBOX', signing_hash: 'cd'.repeat(32) },
      { timestamp: Math.floor(Date.now() / 1000) - 200 + seconds++ },
    );
  await move(id, 'freeze');
  expect(await sign()).toMatchObject({ status: 423, body: { code: 'wallet_frozen' } });
  await move(id, 'unfreeze');
  expect((await sign()).status).toBe(202);
  await move(id, 'archive');
  expect(await sign()).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
});

test('a repeated idempotency key answers what it answered, whatever has happened since, and does nothing', async () => {
  const walletId = await api.makeActiveWallet();
  const headers = { 'x-idempotency-key': 'freeze-once' };
  const call = (verb: string, ahead: number) =>
    api.call('POST', `/api/v1/wallets/${walletId}/${verb}`, undefined, {
      timestamp: Math.floor(Date.now() / 1000) + ahead,
      ...(verb === 'freeze' ? { headers } : {}),
    });
  const first = await call('freeze', 0);
  expect(first.body.data.status).toBe('frozen');
  await call('unfreeze', 1);
  expect(await call('freeze', 2)).toMatchObject({ status: 200, body: first.body });
  const { body } = await api.call('GET', `/api/v1/wallets/${walletId}`);
  expect(body.data.status).toBe('active');
});
