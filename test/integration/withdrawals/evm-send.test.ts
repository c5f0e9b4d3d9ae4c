// Goal: a transaction as ethers has it, without an envelope, is the same withdrawal as the one with it, and refused
// with a sentence that says what to change. Method: real database, Temporal away; the stored row, and every refusal
// with that it left nothing.
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findWalletAddress } from '../../../drizzle/wallets/wallet-keys.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { type SignCall, signCall } from '../../support/api/sign.ts';
import { activatePolicy, connectNetwork, credit, sandbox } from '../../support/rows/funded.ts';

const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const ETHER = 10n ** 18n;
/** As the SDK sends what a caller has not set. */
const nothing = {
  from: null,
  nonce: null,
  gasLimit: null,
  maxFeePerGas: null,
  maxPriorityFeePerGas: null,
  value: null,
  data: null,
  accessList: null,
};

let api: TestApi;
let walletId: string;
let own: string;
let signRaw: SignCall;

beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  await connectNetwork(api.db, sandbox.ETH.networkId);
  walletId = await api.makeActiveWallet();
  own = (await findWalletAddress(api.db, walletId, 'evm'))?.address ?? '';
  await credit(api.db, walletId, sandbox.ETH, 1_000n * ETHER);
  signRaw = signCall(api, 'signRaw', walletId);
});
afterAll(() => api.stop());

async function storedBy(id: string) {
  const [row] = await api.db.select().from(withdrawals).where(eq(withdrawals.id, id));
  return row;
}

async function refusedWith(body: object, code: string, words: RegExp): Promise<void> {
  const before = await api.db.select().from(withdrawals);
  const answer = await signRaw(body);
  expect(answer).toMatchObject({ status: 400, body: { code, data: null } });
  expect(answer.body.message).toMatch(words);
  expect(await api.db.select().from(withdrawals)).toEqual(before);
}

test('202: all that was written is in the row, big integers as decimal text', async () => {
  const answer = await signRaw({
    to: TO,
    from: own.toLowerCase(),
    nonce: 7,
    gasLimit: '50000',
    maxFeePerGas: '2000000000',
    maxPriorityFeePerGas: '1000000000',
    value: '1500000000000000000',
    data: '0xD0E30DB0',
    chainId: 31337,
    accessList: [{ address: TO, storageKeys: [`0x${'0A'.repeat(32)}`] }],
  });
  expect(answer.status).toBe(202);
  const { transaction_id: id, withdrawal } = answer.body.data;
  expect(withdrawal).toMatchObject({ id, method: 'contract_call', amount: '1.5', recipient_address: TO });
  expect(await storedBy(id)).toMatchObject({
    fromAddress: own,
    call: {
      data: '0xd0e30db0',
      nonce: 7,
      gasLimit: '50000',
      maxFeePerGas: '2000000000',
      maxPriorityFeePerGas: '1000000000',
      accessList: [{ address: TO, storageKeys: [`0x${'0a'.repeat(32)}`] }],
    },
  });
  const status = await api.call('GET', `/api/v1/web3/transaction/${walletId}/${id}`);
  expect(status.body.data).toMatchObject({ transaction_id: id, status: 'pending', method: 'contract_call' });
});

test('202: null is as good as missing, on both routes', async () => {
  for (const ask of [signRaw, signCall(api, 'sign', walletId)])
    for (const body of [
      { ...nothing, to: TO, chainId: '31337' },
      { to: TO, chainId: 31337 },
    ]) {
      const { status, body: answer } = await ask(body);
      expect([status, answer.data.withdrawal.amount]).toEqual([202, '0']);
      expect((await storedBy(answer.data.transaction_id))?.call).toEqual({ data: '0x' });
    }
});

test('200: a repeat of the idempotency key; 409: another body under it', async () => {
  const headers = { 'x-idempotency-key': 'flat' };
  const body = { ...nothing, to: TO, chainId: 31337, value: '1' };
  const [first, again] = [await signRaw(body, headers), await signRaw(body, headers)];
  expect([first.status, again.status]).toEqual([202, 200]);
  expect(again.body.data.transaction_id).toBe(first.body.data.transaction_id);
  expect(await signRaw({ ...body, value: '2' }, headers)).toMatchObject({
    status: 409,
    body: { code: 'idempotency_key_reused' },
  });
});

test('without a chain it is that of the one EVM network that is enabled; several are named', async () => {
  await refusedWith({ to: TO, chainId: null }, 'invalid_request', /send chainId, one of .*31337 \(ETHEREUM_SANDBOX\)/);
  const { data } = (await api.call('GET', '/api/v1/networks')).body;
  type Listed = { internal_code: string; is_evm: boolean };
  const others = data.filter((one: Listed) => one.is_evm && one.internal_code !== 'ETHEREUM_SANDBOX');
  const disabled = others.map((one: Listed) => one.internal_code);
  const alone = await api.startAnother({ networkSwitches: { enabled: [], disabled } });
  const answer = await signRaw({ to: TO }, {}, { at: alone.app });
  expect(answer).toMatchObject({
    status: 202,
    body: { data: { withdrawal: { network_internal_code: 'ETHEREUM_SANDBOX' } } },
  });
  await alone.stop();
});

test('400: from is not the wallet’s address', async () => {
  await refusedWith(
    { to: TO, from: TO, chainId: 31337 },
    'invalid_address',
    new RegExp(`\\(from\\) is not the address .* ${own}`),
  );
  await refusedWith({ to: TO, from: 'me', chainId: 31337 }, 'invalid_address', /from is not 0x and 40 hex digits/);
});

const SHAPES = /It was read as the same, flat \{to, from, .*This route takes a digest .*eth_signTypedData_v4/;
test.each<[string, object, string, RegExp]>([
  [
    'an unknown field',
    { gasPrice: '1' },
    'invalid_request',
    /^body has an unknown field "gasPrice": it takes to, from, .*accessList.*\. It was read as/,
  ],
  ['a type', { type: 2 }, 'invalid_request', SHAPES],
  ['a number that is no integer', { value: '1.5' }, 'invalid_request', /^body\.value must .* It was read as/],
  ['a nonce below zero', { nonce: -1 }, 'invalid_request', /^body\.nonce must /],
  ['an access list of another form', { accessList: [[TO, []]] }, 'invalid_request', /^body\.accessList\.0 must/],
  ['no recipient', { to: null }, 'invalid_request', /body\.to is missing: contracts are not created/],
  ['an unknown chain', { chainId: '987654321' }, 'invalid_request', /No EVM network .* 987654321/],
  [
    'a fee beyond the cap',
    { gasLimit: '30000000', maxFeePerGas: '90000000000000' },
    'invalid_request',
    /may pay too much/,
  ],
])('400: %s', (_name, more, code, words) => refusedWith({ to: TO, chainId: 31337, ...more }, code, words));

test('400: what fits no shape is told all of them', async () => {
  for (const body of [{}, { foo: 1 }, [], null, 7]) {
    const answer = await signRaw(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(answer.body.message).toMatch(/This route takes a digest \{network_internal_code, signing_hash, …\}; .*flat/);
  }
});

test('403 by the policy, 409 beyond the balance, 423 frozen, 503 without a node', async () => {
  const { workspaceId, key } = await api.makeWorkspace();
  const ask = signCall(api, 'signRaw', await api.makeActiveWallet(workspaceId));
  const body = { ...nothing, to: TO, chainId: 31337 };
  expect(await ask({ ...body, value: '1' }, {}, { key })).toMatchObject({
    status: 409,
    body: { code: 'insufficient_funds' },
  });
  await activatePolicy(api.db, workspaceId, {
    rules: [{ name: 'no calls', when: { methods: ['contract_call'] }, then: { action: 'deny' } }],
    default: { action: 'allow' },
  });
  expect(await ask(body, {}, { key })).toMatchObject({ status: 403, body: { code: 'policy_denied' } });
  const frozen = await api.makeActiveWallet();
  await api.call('POST', `/api/v1/wallets/${frozen}/freeze`);
  expect(await signCall(api, 'signRaw', frozen)(body)).toMatchObject({ status: 423, body: { code: 'wallet_frozen' } });
  expect(await signRaw({ ...body, chainId: 1 })).toMatchObject({ status: 503 });
});
