// Goal: a caller who lost an answer finds his operation by the name that he gave it, and one whose name is taken is
// told by which operation, unless it is of a wallet that his key does not reach. Method: the API on a real database,
// Temporal away; withdrawals and signing operations.
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { distinctSeconds } from '../../support/api/distinct-seconds.ts';
import { connectNetwork, credit, sandbox } from '../../support/rows/funded.ts';
import { insertTransaction } from '../../support/rows/transactions.ts';

const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const HASH = '1b'.repeat(32);

let api: TestApi;
let walletId: string;
let other: string;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  await connectNetwork(api.db, sandbox.ETH.networkId);
  [walletId, other] = [await makeFunded(), await makeFunded()];
});
afterAll(() => api.stop());

async function makeFunded(): Promise<string> {
  const id = await api.makeActiveWallet();
  await credit(api.db, id, sandbox.ETH, 10n ** 18n);
  return id;
}

const nextSecond = distinctSeconds();
const post = (path: string, body: unknown, key: TestKey = api.admin): Promise<Answer> =>
  api.call('POST', `/api/v1${path}`, body, { key, timestamp: nextSecond() });
const list = async (of: string, query: string, key: TestKey = api.admin) => {
  const path = `/api/v1/workspaces/${api.workspaceId}/${of}?${query}`;
  const { status, body } = await api.call('GET', path, undefined, { key });
  expect([status, body.message]).toEqual([200, 'success']);
  return body.data.map(({ id }: { id: string }) => id);
};

const asked = { asset_id: sandbox.ETH.assetId, amount: '0.01', recipient_address: TO };
const digest = { network_internal_code: 'ETHEREUM_SANDBOX', signing_hash: HASH };
const flat = { to: TO, value: '1', chainId: 31337 };
const kinds = {
  withdrawals: {
    what: 'withdrawal',
    ask: (external_id: string, id: string, key?: TestKey) =>
      post(`/wallets/${id}/request-withdrawal`, { ...asked, external_id }, key),
    idOf: ({ body }: Answer): string => body.data.withdrawal.id,
  },
  'signing-requests': {
    what: 'signing request',
    ask: (external_id: string, id: string, key?: TestKey) =>
      post(`/web3/transaction/${id}/signRaw`, { ...digest, external_id }, key),
    idOf: ({ body }: Answer): string => body.data.transaction_id,
  },
} as const;

describe.each(Object.keys(kinds) as (keyof typeof kinds)[])('%s', (of) => {
  const { what, ask, idOf } = kinds[of];

  test('the lost one is found by its name, alone and among several', async () => {
    const [one, two, comma] = [uuidv7(), uuidv7(), `with,${uuidv7()}`];
    const ids: string[] = [];
    for (const name of [one, two, comma]) ids.push(idOf(await ask(name, walletId)));
    expect(await list(of, `external_id=${one}`)).toEqual([ids[0]]);
    expect(await list(of, `external_id=${one},${two},nobody&sort_order=asc`)).toEqual(ids.slice(0, 2));
    expect(await list(of, `external_id=${one}&external_id=${two}&sort_order=asc`)).toEqual(ids.slice(0, 2));
    expect(await list(of, `external_id=${comma}`)).toEqual([ids[2]]);
    expect(await list(of, `external_id=${one}&wallet_id=${other}`)).toEqual([]);
    const foreign = await api.makeWorkspace();
    const path = `/api/v1/workspaces/${foreign.workspaceId}/${of}?external_id=${one}`;
    expect((await api.call('GET', path, undefined, { key: foreign.key })).body.data).toEqual([]);
  });

  test('409 external_id_taken names the operation that has it', async () => {
    const name = uuidv7();
    const id = idOf(await ask(name, walletId));
    const taken = await ask(name, other);
    expect(taken).toMatchObject({ status: 409, body: { code: 'external_id_taken', data: null } });
    expect(taken.body.message).toBe(
      `external_id ${name} is taken by the ${what} ${id}: read that one, or send another external_id.`,
    );
  });

  test('a key that is bound to another wallet is told that it is taken, and neither told nor shown by what', async () => {
    const name = uuidv7();
    const id = idOf(await ask(name, walletId));
    const scopes = ['withdrawals:write', 'withdrawals:read', 'signing:write', 'signing:read'] as const;
    const bound = await api.makeKey({ scopes: [...scopes], walletIds: [other] });
    const taken = await ask(name, other, bound);
    expect(taken).toMatchObject({ status: 409, body: { code: 'external_id_taken' } });
    expect(JSON.stringify(taken.body)).not.toContain(id);
    expect(JSON.stringify(taken.body)).not.toContain(walletId);
    expect(await list(of, `external_id=${name}`, bound)).toEqual([]);
    const own = await api.makeKey({ scopes: [...scopes], walletIds: [walletId, other] });
    expect((await ask(name, other, own)).body.message).toContain(id);
    expect(await list(of, `external_id=${name}`, own)).toEqual([id]);
  });

  test.each(['', 'a%20b', 'x'.repeat(129)])('400: external_id=%s', async (name) => {
    const path = `/api/v1/workspaces/${api.workspaceId}/${of}?external_id=${name}`;
    expect(await api.call('GET', path)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});

test('transactions are found by the name of the signing operation that they are of', async () => {
  const name = uuidv7();
  const signing = kinds['signing-requests'];
  const transactionId = signing.idOf(await signing.ask(name, walletId));
  const { id } = await insertTransaction(api.db, {
    ...sandbox.ETH,
    workspaceId: api.workspaceId,
    walletId,
    transactionId,
    direction: 'out',
  });
  expect(await list('transactions', `external_id=${name}`)).toEqual([id]);
});

test('transactions are found by the name of their withdrawal', async () => {
  const name = uuidv7();
  const id = kinds.withdrawals.idOf(await kinds.withdrawals.ask(name, walletId));
  expect(await list('transactions', `external_id=${name}`)).toEqual([id]);
  expect(await list('transactions', `external_id=${name}&direction=in`)).toEqual([]);
  expect(await list('transactions', 'external_id=nobody')).toEqual([]);
  const csv = await api.call('GET', `/api/v1/workspaces/${api.workspaceId}/transactions/export?external_id=${name}`);
  expect(String(csv.body).trim().split('\r\n')).toHaveLength(2);
});

test('two items of a batch with one name: 400, and nothing is stored', async () => {
  const name = uuidv7();
  const items = ['1b', '2c'].map((byte) => ({
    type: 'raw',
    ...digest,
    signing_hash: byte.repeat(32),
    external_id: name,
  }));
  const answer = await post(`/web3/transaction/${walletId}/signBatch`, { items });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(answer.body.message).toContain(name);
  expect(await list('signing-requests', `external_id=${name}`)).toEqual([]);
});

test.each([
  ['a message', { method: 'personal_sign', message: 'hello', chain_id: 31337 }, 'signing-requests'],
  [
    'a Solana message',
    { method: 'solana_signMessage', message: 'hello', network_internal_code: 'SOL_SANDBOX' },
    'signing-requests',
  ],
  ['a flat EVM transaction', flat, 'withdrawals'],
] as const)('%s of existing callers may have a name too', async (_what, body, of) => {
  const external_id = uuidv7();
  const answer = await post(`/web3/${walletId}/sign`, { ...body, external_id });
  expect([answer.status, answer.body.message]).toEqual([202, 'success']);
  expect(await list(of, `external_id=${external_id}`)).toEqual([answer.body.data.transaction_id]);
});
