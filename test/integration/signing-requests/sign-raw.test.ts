// Goal: the routes that sign digests take every alias and both path forms, refuse contradictions and everything wrong
// with the contract's codes, and store exactly what was asked. Method: the API on a real database, case by status code;
// no worker runs, so requests stay `pending`.
import { eq } from 'drizzle-orm';
import { keccak256, serializeTransaction, stringToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networks } from '../../../drizzle/networks/networks.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { advanceWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { workspaces } from '../../../drizzle/workspaces/workspaces.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { distinctSeconds } from '../../support/api/distinct-seconds.ts';
import { storedBy } from '../../support/api/sign.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const HASH = `0x${'ab'.repeat(32)}`;
const OTHER_HASH = `0x${'cd'.repeat(32)}`;

let api: TestApi;
let walletId: string;
beforeAll(async () => {
  api = await startApi();
  walletId = await api.makeActiveWallet();
});
afterAll(() => api.stop());

const nextSecond = distinctSeconds();
const sign = (body: unknown, headers: Record<string, string> = {}, path = `/api/v1/web3/${walletId}/sign`) =>
  api.call('POST', path, body, { headers, timestamp: nextSecond() });
const valid = (fields: object = {}) => ({ network_internal_code: 'ETHEREUM_SANDBOX', signing_hash: HASH, ...fields });
const count = async () => (await api.db.select().from(signingRequests)).length;

describe.each([
  ['sign', (id: string) => `/api/v1/web3/${id}/sign`],
  ['signRaw', (id: string) => `/api/v1/web3/transaction/${id}/signRaw`],
])('POST %s', (name, path) => {
  test('202: the operation as it was accepted', async () => {
    const answer = await sign(valid(), {}, path(walletId));
    expect(answer.status).toBe(202);
    const { created, transaction_id, signing_request } = answer.body.data;
    expect(created).toBe(true);
    expect(transaction_id).toBe(signing_request.signing_id);
    expect(signing_request).toMatchObject({
      operation_type: 'generic',
      withdrawal_id: null,
      wallet_id: walletId,
      network_internal_code: 'ETHEREUM_SANDBOX',
      key_type: 'secp256k1',
      signing_hash: HASH,
      derivation_path: 'm/44/60/0/0/0',
      status: 'pending',
    });
    expect(answer.headers['deprecation']).toBe(name === 'sign' ? '@1795219200' : undefined);
    expect(String(answer.headers['link']).includes('successor-version')).toBe(name === 'sign');
  });

  test('200: an idempotent repeat returns the operation with created false', async () => {
    const headers = { 'x-idempotency-key': `repeat-${name}` };
    const first = await sign(valid(), headers, path(walletId));
    const before = await count();
    const repeat = await sign(valid(), headers, path(walletId));
    expect(repeat.status).toBe(200);
    expect(repeat.body.data).toEqual({ ...first.body.data, created: false });
    expect(await count()).toBe(before);
  });

  test('409: the key comes with another hash', async () => {
    const headers = { 'x-idempotency-key': `reused-${name}` };
    await sign(valid(), headers, path(walletId));
    const answer = await sign(valid({ signing_hash: OTHER_HASH }), headers, path(walletId));
    expect(answer).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused', data: null } });
  });

  test('one key on two wallets is two operations', async () => {
    const headers = { 'x-idempotency-key': `per-wallet-${name}` };
    const other = await api.makeActiveWallet();
    const answers = [await sign(valid(), headers, path(walletId)), await sign(valid(), headers, path(other))];
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  });

  test('404: unknown wallet, and the wallet of another workspace', async () => {
    const { workspaceId } = await api.makeWorkspace();
    for (const id of [UNKNOWN, await api.makeActiveWallet(workspaceId)])
      expect(await sign(valid(), {}, path(id))).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('409: a wallet that is still being created', async () => {
    const { wallet_id } = (await api.call('POST', '/api/v1/wallets', { name, wallet_type: 'mpc' })).body.data;
    expect(await sign(valid(), {}, path(wallet_id))).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  });

  test('423: a frozen workspace', async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    const wallet = await api.makeActiveWallet(workspaceId);
    await api.db.update(workspaces).set({ withdrawalsFrozenAt: new Date() }).where(eq(workspaces.id, workspaceId));
    const answer = await api.call('POST', path(wallet), valid(), { key });
    expect(answer).toMatchObject({ status: 423, body: { code: 'withdrawals_frozen' } });
  });

  test('423: a frozen wallet', async () => {
    const frozen = await api.makeActiveWallet();
    await advanceWallet(api.db, frozen, { from: 'active', to: 'frozen' });
    expect(await sign(valid(), {}, path(frozen))).toMatchObject({ status: 423, body: { code: 'wallet_frozen' } });
  });
});

describe('aliases', () => {
  const names = ['signing_hash', 'signingHash', 'hash', 'transaction_hash', 'transactionHash'];
  test.each(names)('%s carries the hash', async (alias) => {
    const answer = await sign({ network_internal_code: 'ETHEREUM_SANDBOX', [alias]: HASH });
    expect(answer.body.data.signing_request.signing_hash).toBe(HASH);
  });

  test.each(['unsigned_tx', 'unsignedTx', 'raw_transaction', 'rawTransaction', 'tx'])(
    '%s is kept for audit',
    async (alias) => {
      const answer = await sign(valid({ [alias]: '0x02AB' }));
      const [row] = await api.db
        .select()
        .from(signingRequests)
        .where(eq(signingRequests.id, answer.body.data.signing_request.id));
      expect(row?.unsignedTx).toBe('0x02ab');
    },
  );

  test('without one, the hash itself is kept', async () => {
    const answer = await sign(valid());
    const id = answer.body.data.signing_request.id;
    const [row] = await api.db.select().from(signingRequests).where(eq(signingRequests.id, id));
    expect(row?.unsignedTx).toBe(HASH);
  });

  test('all names at once, agreeing in other spellings', async () => {
    const answer = await sign({
      network_internal_code: 'SOL_SANDBOX',
      networkInternalCode: 'SOL_SANDBOX',
      key_type: 'ed25519',
      keyType: 'ed25519',
      signing_hash: HASH,
      signingHash: HASH.slice(2),
      hash: HASH.toUpperCase(),
      derivation_path: 'm/44/501/7',
      derivationPath: '44/501/7',
      derivation_path_components: [44, 501, 7],
    });
    expect(answer.status).toBe(202);
    expect(answer.body.data.signing_request).toMatchObject({
      key_type: 'ed25519',
      signing_hash: HASH,
      derivation_path: 'm/44/501/7',
    });
  });

  const conflicts: object[] = [
    { signingHash: OTHER_HASH },
    { hash: OTHER_HASH },
    { transaction_hash: OTHER_HASH },
    { transactionHash: OTHER_HASH },
    { networkInternalCode: 'BTC_SANDBOX' },
    { key_type: 'secp256k1', keyType: 'ed25519' },
    { unsigned_tx: '0x01', tx: '0x02' },
    { derivation_path: 'm/1', derivationPath: 'm/2' },
    { derivation_path: 'm/44/60/0/0/0', derivation_path_components: [44, 60, 0, 0, 1] },
  ];
  test.each(conflicts)('400 conflicting_aliases: %j', async (fields) => {
    const before = await count();
    expect(await sign(valid(fields))).toMatchObject({ status: 400, body: { code: 'conflicting_aliases', data: null } });
    expect(await count()).toBe(before);
  });
});

describe('derivation', () => {
  test.each([
    ['ETHEREUM_MAINNET', 'secp256k1', 'm/44/60/0/0/0'],
    ['BTC_SANDBOX', 'secp256k1', 'm/44/0/0/0/0'],
    ['SOL_MAINNET', 'ed25519', 'm/44/501/0/0/0'],
  ])('the default on %s', async (network_internal_code, key_type, path) => {
    const answer = await sign({ network_internal_code, key_type, signing_hash: HASH });
    expect(answer.body.data.signing_request.derivation_path).toBe(path);
  });

  test.each([
    ['0', 'm/0'],
    ['m/2147483647', 'm/2147483647'],
    ['m', 'm'],
    ['1/2/3/4/5/6/7/8/9/10', 'm/1/2/3/4/5/6/7/8/9/10'],
  ])('%s is %s', async (derivation_path, expected) => {
    expect((await sign(valid({ derivation_path }))).body.data.signing_request.derivation_path).toBe(expected);
  });

  test.each([
    { derivation_path: "m/44'/60'/0'/0/0" },
    { derivation_path: 'm/44h/60' },
    { derivation_path: 'm/2147483648' },
    { derivation_path_components: [2 ** 31] },
  ])('400 hardened_derivation: %j', async (fields) => {
    expect(await sign(valid(fields))).toMatchObject({ status: 400, body: { code: 'hardened_derivation' } });
  });

  test.each([
    { derivation_path: '' },
    { derivation_path: 'm/' },
    { derivation_path: 'm//1' },
    { derivation_path: 'm/1/' },
    { derivation_path: '/1' },
    { derivation_path: 'm/-1' },
    { derivation_path: 'm/1.5' },
    { derivation_path: 'm/x' },
    { derivation_path: 'm/0x1' },
    { derivation_path: '1/2/3/4/5/6/7/8/9/10/11' },
    { derivation_path: 44 },
    { derivation_path_components: ['44'] },
    { derivation_path_components: [-1] },
    { derivation_path_components: [1.5] },
    { derivation_path_components: '44/60' },
  ])('400: %j', async (fields) => {
    expect(await sign(valid(fields))).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});

describe('refused', () => {
  test.each([
    '',
    '0x',
    'zz'.repeat(32),
    'ab'.repeat(31),
    'ab'.repeat(33),
    `0x${'ab'.repeat(32)} `,
    `0x0x${'ab'.repeat(31)}`,
  ])('400: signing_hash "%s"', async (signing_hash) => {
    const answer = await sign(valid({ signing_hash }));
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe(signing_hash === '' ? 'invalid_request' : 'invalid_signing_hash');
  });

  test.each<[string, unknown]>([
    ['no hash', { network_internal_code: 'ETHEREUM_SANDBOX' }],
    ['no network', { signing_hash: HASH }],
    ['a number for the hash', valid({ signing_hash: 1 })],
    ['null for the hash', valid({ signing_hash: null })],
    ['unknown network', valid({ network_internal_code: 'DOGE_MAINNET' })],
    ['a network in another case', valid({ network_internal_code: 'ethereum_sandbox' })],
    ['unknown curve', valid({ key_type: 'p256' })],
    ["a curve that is not the network's", valid({ key_type: 'ed25519' })],
    ['the default curve on an ed25519 network', valid({ network_internal_code: 'SOL_SANDBOX' })],
    ['an odd number of digits', valid({ unsigned_tx: '0x0' })],
    ['unsigned_tx that is no hex', valid({ unsigned_tx: 'hello' })],
    ['unsigned_tx without bytes', valid({ unsigned_tx: '0x' })],
    ['unknown field', valid({ memo: 'x' })],
    [
      '__proto__',
      JSON.parse(`{"network_internal_code":"ETHEREUM_SANDBOX","signing_hash":"${HASH}","__proto__":{"a":1}}`),
    ],
    ['an array', [valid()]],
  ])('400: %s', async (_name, body) => {
    const before = await count();
    expect(await sign(body)).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
    expect(await count()).toBe(before);
  });

  test('400: a network that an operator disabled', async () => {
    const own = await startApi();
    await own.db.update(networks).set({ disabled: true }).where(eq(networks.internalCode, 'ETHEREUM_SANDBOX'));
    const wallet = await own.makeActiveWallet();
    const answer = await own.call('POST', `/api/v1/web3/${wallet}/sign`, valid());
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    await own.stop();
  });

  test('503 route_disabled on both raw routes, nothing stored', async () => {
    const own = await startApi({ signRawEnabled: false });
    const wallet = await own.makeActiveWallet();
    for (const path of [`/api/v1/web3/${wallet}/sign`, `/api/v1/web3/transaction/${wallet}/signRaw`])
      expect(await own.call('POST', path, valid())).toMatchObject({ status: 503, body: { code: 'route_disabled' } });
    expect(await own.db.select().from(signingRequests)).toEqual([]);
    await own.stop();
  });
});

describe('what the nodes are shown', () => {
  const unsigned = serializeTransaction({
    chainId: 31337,
    type: 'eip1559',
    nonce: 0,
    to: `0x${'11'.repeat(20)}`,
    value: 1n,
  });
  const payloadFor = async (fields: object) => {
    const own = await startApi({ temporalAddress: '127.0.0.1:1' });
    const wallet = await own.makeActiveWallet();
    const answer = await own.call('POST', `/api/v1/web3/${wallet}/sign`, valid(fields));
    expect(answer.status).toBe(202);
    const { payload } = await storedBy(own, answer);
    void own.stop();
    return payload;
  };

  test('the transaction itself, when the hash is its hash', async () => {
    const payload = await payloadFor({ signing_hash: keccak256(unsigned), unsigned_tx: unsigned });
    expect(payload).toEqual({ kind: 'evm_transaction', hex: unsigned });
  });

  test.each([
    ['EIP-712', `0x1901${'22'.repeat(64)}` as const],
    ['EIP-191', stringToHex('\x19Ethereum Signed Message:\n1x')],
    ['an RLP string', '0x83646f67' as const],
  ])('a digest marked as raw, when its preimage is no transaction but %s', async (_name, preimage) => {
    const signing_hash = keccak256(preimage);
    expect(await payloadFor({ signing_hash, unsigned_tx: preimage })).toEqual({
      kind: 'raw_digest',
      hex: signing_hash,
    });
  });

  test('a digest marked as raw, when it is not', async () => {
    expect(await payloadFor({ unsigned_tx: unsigned })).toEqual({ kind: 'raw_digest', hex: HASH });
  });
});
