// Goal: a transaction object on the sign routes is a withdrawal that carries exactly what the caller wrote, and nothing
// that a caller could misread passes. Method: real database, Temporal away; the stored row against what was sent, in
// every spelling; the policy on what the call does.
import { and, eq } from 'drizzle-orm';
import { encodeFunctionData, erc20Abi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dollars } from '../../../domain/catalog/sandbox.ts';
import { readLedgerBalance } from '../../../drizzle/ledger/ledger.ts';
import { assets } from '../../../drizzle/networks/assets.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { walletAddresses } from '../../../drizzle/wallets/wallets.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { type SignCall, signCall } from '../../support/api/sign.ts';
import { activatePolicy, connectNetwork, credit, sandbox } from '../../support/rows/funded.ts';
import { outboxEntriesOf } from '../../support/rows/outbox-entries.ts';

const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const KEY = `0x${'0A'.repeat(32)}`;
const ETHER = 10n ** 18n;

let api: TestApi;
let walletId: string;
let signRaw: SignCall;
let sign: SignCall;

beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  await connectNetwork(api.db, sandbox.ETH.networkId);
  walletId = await api.makeActiveWallet();
  await credit(api.db, walletId, sandbox.ETH, 1_000n * ETHER);
  [signRaw, sign] = [signCall(api, 'signRaw', walletId), signCall(api, 'sign', walletId)];
});
afterAll(() => api.stop());

const call = (more: object = {}) => ({ to: TO, chainId: 31337, ...more });

async function storedBy(id: string) {
  const [row] = await api.db.select().from(withdrawals).where(eq(withdrawals.id, id));
  if (row === undefined) throw new Error('there is no row');
  return row;
}

const written = {
  value: '1500000000000000000',
  data: '0xD0E30DB0',
  nonce: 7,
  gasLimit: '0xc350',
  maxFeePerGas: '2000000000',
  maxPriorityFeePerGas: 1_000_000_000,
  accessList: [{ address: TO.toLowerCase(), storageKeys: [KEY] }],
};

describe.each(['signRaw', 'sign'])('%s with a transaction', (route) => {
  const ask: SignCall = (...args) => (route === 'sign' ? sign : signRaw)(...args);

  test('202: a withdrawal of its value, with all that was written, and no signing operation of its own', async () => {
    const before = await api.db.select().from(signingRequests);
    const answer = await ask({ transaction: call(written), notes: 'Wrap', fee_level: 'low', max_fee: '0.1' });
    expect(answer.status).toBe(202);
    const { created, transaction_id: id, auto_approved, withdrawal } = answer.body.data;
    expect([created, auto_approved]).toEqual([true, true]);
    expect(withdrawal).toMatchObject({
      id,
      method: 'contract_call',
      amount: '1.5',
      asset_id: sandbox.ETH.assetId,
      recipient_address: TO,
      status: 'approved',
      notes: 'Wrap',
      fee_level: 'low',
      max_fee: '0.1',
      call: {
        data: '0xd0e30db0',
        nonce: 7,
        gas_limit: '50000',
        max_fee_per_gas: '2000000000',
        max_priority_fee_per_gas: '1000000000',
        access_list: [{ address: TO, storage_keys: [KEY.toLowerCase()] }],
      },
    });
    const row = await storedBy(id);
    expect(row).toMatchObject({
      amountBaseUnits: (3n * ETHER) / 2n,
      recipientAddress: TO,
      derivationPath: 'm/44/60/0/0/0',
    });
    expect(row.call).toEqual({
      data: '0xd0e30db0',
      nonce: 7,
      gasLimit: '50000',
      maxFeePerGas: '2000000000',
      maxPriorityFeePerGas: '1000000000',
      accessList: [{ address: TO, storageKeys: [KEY.toLowerCase()] }],
    });
    expect(await outboxEntriesOf(api.db, 'withdraw', id)).toMatchObject([{ workflow: 'withdraw' }]);
    expect(await api.db.select().from(signingRequests)).toEqual(before);
    const alias = await api.call('GET', `/api/v1/web3/transaction/${walletId}/${id}`);
    expect(alias.body.data).toMatchObject({ transaction_id: id, status: 'pending', method: 'contract_call' });
  });

  test('202: nothing but where to: no value, no data, everything else is left to the workers', async () => {
    const { status, body } = await ask({ transaction: call() });
    expect([status, body.data.withdrawal.amount]).toEqual([202, '0']);
    expect(await storedBy(body.data.transaction_id)).toMatchObject({ call: { data: '0x' }, amountBaseUnits: 0n });
  });

  test('200: a repeat of the idempotency key', async () => {
    const headers = { 'x-idempotency-key': `call-${route}` };
    const first = await ask({ transaction: call({ value: 1 }) }, headers);
    const again = await ask({ transaction: call({ value: 1 }) }, headers);
    expect([first.status, again.status, again.body.data.created]).toEqual([202, 200, false]);
    expect(again.body.data.transaction_id).toBe(first.body.data.transaction_id);
  });

  test.each([
    ['10', 10n],
    [10, 10n],
    ['0xA', 10n],
    ['0x000a', 10n],
    ['123456789012345678901', 123456789012345678901n],
  ])('202: a value of %j', async (value, amount) => {
    const { body } = await ask({ transaction: call({ value, chainId: '0x7a69' }) });
    expect((await storedBy(body.data.transaction_id)).amountBaseUnits).toBe(amount);
  });

  test.each<[string, object, string]>([
    ['no recipient', { to: undefined }, 'invalid_request'],
    ['null for the recipient, which would create a contract', { to: null }, 'invalid_request'],
    ['a wrong checksum', { to: TO.replace('C51', 'c51') }, 'invalid_address'],
    ['the zero address', { to: `0x${'0'.repeat(40)}` }, 'invalid_address'],
    ['no chain', { chainId: undefined }, 'invalid_request'],
    ['an unknown chain', { chainId: 987654321 }, 'invalid_request'],
    ['a chain beyond what is exact', { chainId: '0x20000000000000' }, 'invalid_request'],
    ['half a byte of data', { data: '0x0' }, 'invalid_request'],
    ['data without 0x', { data: 'd0e30db0' }, 'invalid_request'],
    ['too much data', { data: `0x${'00'.repeat(65_537)}` }, 'invalid_request'],
    ['a negative value', { value: -1 }, 'invalid_request'],
    ['a value with a fraction', { value: '1.5' }, 'invalid_request'],
    ['an exponent', { value: '1e18' }, 'invalid_request'],
    ['A6: more ether than anybody means', { value: `${20_001n * ETHER}` }, 'invalid_request'],
    ['A6: a price in the wrong unit', { maxFeePerGas: `${ETHER}` }, 'invalid_request'],
    ['A6: gas in the wrong unit', { gasLimit: '1000000001' }, 'invalid_request'],
    ['a tip above the whole price', { maxFeePerGas: 1, maxPriorityFeePerGas: 2 }, 'invalid_request'],
    ['a short storage key', { accessList: [{ address: TO, storageKeys: ['0x01'] }] }, 'invalid_request'],
    ['an unknown field', { gas: 21_000 }, 'invalid_request'],
    ['an unknown field that would matter', { authorizationList: [] }, 'invalid_request'],
  ])('400: %s', async (_name, more, code) => {
    const before = await api.db.select().from(withdrawals);
    expect(await ask({ transaction: call(more) })).toMatchObject({ status: 400, body: { code, data: null } });
    expect(await api.db.select().from(withdrawals)).toEqual(before);
  });

  test('400: a digest beside it, another network, a number that a parser rounds, no object', async () => {
    expect(await ask({ transaction: call(), signing_hash: 'ab'.repeat(32) })).toMatchObject({
      status: 400,
      body: { code: 'conflicting_aliases' },
    });
    expect(await ask({ transaction: call(), network_internal_code: 'ETHEREUM_MAINNET' })).toMatchObject({
      status: 400,
      body: { code: 'conflicting_aliases' },
    });
    const rawBody = JSON.stringify({ transaction: call({ value: 1 }) }).replace(
      '"value":1',
      '"value":1.0000000000000000001',
    );
    expect(await ask(undefined, {}, { rawBody })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    for (const transaction of ['0x02', null, [], 1])
      expect(await ask({ transaction })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await ask({ transaction: call(), derivation_path: 'm/44/60/0/0/1' })).toMatchObject({ status: 400 });
  });

  test('409: more than is there; 423: frozen; 503: no node; 202 also where raw digests are switched off', async () => {
    const poor = signCall(api, route as 'sign', await api.makeActiveWallet());
    expect(await poor({ transaction: call({ value: 1 }) })).toMatchObject({
      status: 409,
      body: { code: 'insufficient_funds' },
    });
    expect(await ask({ transaction: call({ chainId: 1 }) })).toMatchObject({ status: 503 });
    const strict = await api.startAnother({ signRawEnabled: false });
    const digest = { network_internal_code: 'ETHEREUM_SANDBOX', signing_hash: 'ab'.repeat(32) };
    expect(await ask(digest, {}, { at: strict.app })).toMatchObject({ status: 503, body: { code: 'route_disabled' } });
    expect(await ask({ transaction: call() }, {}, { at: strict.app })).toMatchObject({ status: 202 });
    await strict.stop();
    const frozen = await api.makeActiveWallet();
    await api.call('POST', `/api/v1/wallets/${frozen}/freeze`);
    const asked = await signCall(api, route as 'sign', frozen)({ transaction: call() });
    expect(asked).toMatchObject({ status: 423, body: { code: 'wallet_frozen' } });
  });
});

describe('a plain transfer of a token', () => {
  const transferOf = (to: `0x${string}`, amount: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] });
  const ofDollars = (data: string) => ({ transaction: { to: dollars.ETHEREUM_SANDBOX, chainId: 31337, data } });
  const makeHolder = async (amount: bigint) => {
    const { workspaceId, key } = await api.makeWorkspace();
    const wallet = await api.makeActiveWallet(workspaceId);
    const [asset] = await api.db.select().from(assets).where(eq(assets.contractAddress, dollars.ETHEREUM_SANDBOX));
    if (asset === undefined) throw new Error('the catalogue has no dollar');
    await credit(api.db, wallet, { assetId: asset.id }, amount);
    const askAs = signCall(api, 'signRaw', wallet);
    return { workspaceId, wallet, asset, ask: (data: string) => askAs(ofDollars(data), {}, { key }) };
  };

  test('202, then 409: it is held like any withdrawal of the token, and cannot be spent twice', async () => {
    const { ask, wallet, asset } = await makeHolder(10_000_000n);
    const { status, body } = await ask(transferOf(TO, 9_000_000n));
    expect([status, body.data.withdrawal.asset_id, body.data.withdrawal.amount]).toEqual([202, asset.id, '9']);
    expect(body.data.withdrawal.recipient_address).toBe(dollars.ETHEREUM_SANDBOX);
    expect(await readLedgerBalance(api.db, wallet, asset.id, 'available')).toBe(1_000_000n);
    expect(await ask(transferOf(TO, 2_000_000n))).toMatchObject({ status: 409, body: { code: 'insufficient_funds' } });
  });

  test('403: limits on sums count it', async () => {
    const { ask, workspaceId, asset } = await makeHolder(10_000_000n);
    const velocity = { asset_id: asset.id, per: 'wallet', window_seconds: 3600, more_than: '3' } as const;
    await activatePolicy(api.db, workspaceId, {
      rules: [{ name: 'much', when: { velocity }, then: { action: 'deny' } }],
      default: { action: 'allow' },
    });
    expect(await ask(transferOf(TO, 2_000_000n))).toMatchObject({ status: 202 });
    expect(await ask(transferOf(TO, 2_000_000n))).toMatchObject({ status: 403, body: { code: 'policy_denied' } });
  });

  test('400: to the wallet itself, of a token or of a value: nothing would be sent, and the balance would fall', async () => {
    const { ask, wallet } = await makeHolder(10_000_000n);
    const [own] = await api.db
      .select()
      .from(walletAddresses)
      .where(and(eq(walletAddresses.walletId, wallet), eq(walletAddresses.addressType, 'evm')));
    const address = own?.address as `0x${string}`;
    expect(await ask(transferOf(address, 1n))).toMatchObject({ status: 400, body: { code: 'invalid_address' } });
    const [mine] = await api.db
      .select()
      .from(walletAddresses)
      .where(and(eq(walletAddresses.walletId, walletId), eq(walletAddresses.addressType, 'evm')));
    const toSelf = { to: mine?.address, chainId: 31337 };
    expect(await signRaw({ transaction: { ...toSelf, value: 1 } })).toMatchObject({ status: 400 });
    expect(await signRaw({ transaction: toSelf })).toMatchObject({ status: 202 }); // uses a nonce up
  });

  test.each([
    ['0', {}],
    ['20999', {}],
    ['21031', { data: '0x0001ff' }],
    ['25299', { accessList: [{ address: TO, storageKeys: [KEY] }] }],
  ])('400: a gas limit of %s, which no node would ever take: %j', async (gasLimit, more) => {
    expect(await signRaw({ transaction: call({ gasLimit, ...more }) })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', message: expect.stringContaining('gasLimit must be at least') },
    });
    const enough = String(Number(gasLimit) < 21_000 ? 21_000 : Number(gasLimit) + 5);
    expect(await signRaw({ transaction: call({ gasLimit: enough, ...more }) })).toMatchObject({ status: 202 });
  });
});

describe('what the policy sees of a call', () => {
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [TO, 2n ** 256n - 1n] });
  const deny = { action: 'deny' } as const;

  test('T8: 403: an approval of a token, where the rules do not name what is dangerous', async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    const ask = signCall(api, 'signRaw', await api.makeActiveWallet(workspaceId));
    await activatePolicy(api.db, workspaceId, {
      rules: [{ name: 'all', when: { methods: ['contract_call'] }, then: { action: 'allow' } }],
      default: deny,
    });
    const denied = await ask({ transaction: call({ data: approve }) }, {}, { key });
    expect(denied).toMatchObject({ status: 403, body: { code: 'policy_denied', data: null } });
    expect(await ask({ transaction: call() }, {}, { key })).toMatchObject({ status: 202 });
  });

  test('202: a call is a withdrawal, by its method', async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    const ask = signCall(api, 'signRaw', await api.makeActiveWallet(workspaceId));
    await activatePolicy(api.db, workspaceId, {
      rules: [
        { name: 'no plain ones', when: { operations: ['withdrawal'], methods: ['transfer'] }, then: deny },
        {
          name: 'calls',
          when: { operations: ['withdrawal'], methods: ['contract_call'], calls: ['dangerous'] },
          then: { action: 'require_approvals', approvals: 1 },
        },
      ],
      default: deny,
    });
    const { status, body } = await ask({ transaction: call({ data: approve }) }, {}, { key });
    expect([status, body.data.auto_approved, body.data.withdrawal.status]).toEqual([202, false, 'pending_approval']);
  });
});
