// Goal: signMessage and the method calls of the SDK alias sign exactly the text or bytes that were meant, and refuse
// what could be meant in two ways. Method: the API on a real database, case by status code; Temporal is away, so that
// what a workflow would be given can be read.
import { hashMessage, toPrefixedMessage } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advanceWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import {
  countSigningRequests,
  MAIL_DIGEST,
  mail,
  type SignCall,
  signCall,
  signPath,
  storedBy,
} from '../../support/api/sign.ts';

const network_internal_code = 'ETHEREUM_SANDBOX';

let api: TestApi;
let walletId: string;
let signMessage: SignCall;
let alias: SignCall;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1', signRawEnabled: false });
  walletId = await api.makeActiveWallet();
  signMessage = signCall(api, 'signMessage', walletId);
  alias = signCall(api, 'sign', walletId);
});
afterAll(() => api.stop());

async function refusedWith(call: Promise<{ status: number; body: unknown }>, code: string, words: RegExp) {
  const before = await countSigningRequests(api);
  const answer = await call;
  expect(answer).toMatchObject({ status: 400, body: { code, data: null } });
  expect((answer.body as { message: string }).message).toMatch(words);
  expect(await countSigningRequests(api)).toBe(before);
}

describe('POST signMessage', () => {
  test('202: the text, its digest, the preimage for audit, and the bytes for the nodes', async () => {
    const answer = await signMessage({ network_internal_code, message: 'Grüße 👋', derivation_path: 'm/44/60/7' });
    expect(answer.status).toBe(202);
    expect(Object.keys(answer.body.data).sort()).toEqual(['created', 'signing_request', 'transaction_id']);
    expect(answer.body.data.signing_request).toMatchObject({
      operation_type: 'generic',
      payload_kind: 'evm_message',
      key_type: 'secp256k1',
      signing_hash: hashMessage('Grüße 👋'),
      derivation_path: 'm/44/60/7',
      status: 'pending',
    });
    const { row, payload, path } = await storedBy(api, answer);
    expect(row).toMatchObject({ unsignedTx: toPrefixedMessage('Grüße 👋'), typedData: null });
    expect(path).toEqual([44, 60, 7]);
    expect(payload).toEqual({
      kind: 'evm_message',
      hex: `0x${Buffer.from('Grüße 👋').toString('hex')}`,
    });
  });

  test.each([
    ['0x68656c6c6f', 'utf8', '0x68656c6c6f'],
    ['0x68656c6c6f', undefined, '0x68656c6c6f'],
    ['0x68656C6C6F', 'hex', 'hello'],
    ['68656c6c6f', 'hex', 'hello'],
    ['', undefined, ''],
    ['0x', 'hex', ''],
  ])('%s as %s is the text "%s"', async (message, encoding, text) => {
    const answer = await signMessage({ network_internal_code, message, encoding });
    expect(answer.body.data.signing_request.signing_hash).toBe(hashMessage(text));
  });

  test('the network by its chain id, as a number or as text', async () => {
    for (const chain_id of [8453, '8453']) {
      const answer = await signMessage({ chain_id, message: 'x' });
      expect(answer.body.data.signing_request.network_internal_code).toBe('BASE_MAINNET');
    }
  });

  test('64 KiB is the most', async () => {
    const answer = await signMessage({ network_internal_code, message: 'x'.repeat(65_536) });
    expect(answer.status).toBe(202);
    await refusedWith(
      signMessage({ network_internal_code, message: 'x'.repeat(65_537) }),
      'invalid_request',
      /65537 bytes, and at most 65536/,
    );
  });

  test.each<[string, string, string?]>([
    ['32 bytes', `0x${'5f'.repeat(32)}`],
    ['32 letters', 'a'.repeat(32)],
    ['64 hex digits', '5F'.repeat(32), 'utf8'],
    ['64 hex digits behind 0x', `0x${'5f'.repeat(32)}`, 'utf8'],
    ['the same, as bytes', `0x${Buffer.from(`0X${'5f'.repeat(32)}`).toString('hex')}`, 'hex'],
  ])('503 route_disabled for a message that is a digest: %s', async (_name, message, encoding) => {
    const before = await countSigningRequests(api);
    const refused = { status: 503, body: { code: 'route_disabled' } };
    expect(await signMessage({ network_internal_code, message, encoding })).toMatchObject(refused);
    if (encoding === undefined)
      for (const method of ['eth_sign', 'personal_sign'])
        expect(await alias({ method, message, chain_id: 31337 })).toMatchObject(refused);
    const batch = signCall(api, 'signBatch', walletId);
    const { body } = await batch({ items: [{ type: 'message', network_internal_code, message, encoding }] });
    expect(body.data).toMatchObject({ results: [{ error: { code: 'route_disabled' } }] });
    expect(await countSigningRequests(api)).toBe(before);
  });

  test.each(['a'.repeat(31), 'a'.repeat(33), '5f'.repeat(32).slice(1), `${'5f'.repeat(32)}!`])(
    'a message that is nearly one says something: %s',
    async (message) => expect((await signMessage({ network_internal_code, message })).status).toBe(202),
  );

  test.each<[string, object, RegExp]>([
    ['no network', {}, /send network_internal_code or chain_id/],
    ['Bitcoin', { network_internal_code: 'BTC_SANDBOX' }, /BTC_SANDBOX is neither/],
    ['an unknown chain', { chain_id: 999_999_999 }, /has the chain id 999999999/],
    ['chain_id 0', { chain_id: 0 }, /chain_id must be at least 1/],
    ['chain_id 1.5', { chain_id: 1.5 }, /chain_id must be an integer/],
    ['chain_id in hex', { chain_id: '0x1' }, /chain_id must be an integer/],
    ['no message', { network_internal_code, message: undefined }, /lacks the field "message"/],
    ['a number', { network_internal_code, message: 1 }, /message must be a string/],
    ['odd hex', { network_internal_code, message: '0x123', encoding: 'hex' }, /whole bytes in hex/],
    ['no hex', { network_internal_code, message: 'hello', encoding: 'hex' }, /whole bytes in hex/],
    ['unknown encoding', { network_internal_code, encoding: 'base64' }, /encoding must be one of utf8, hex/],
    ['a lone surrogate', { network_internal_code, message: '\ud800' }, /lone surrogate/],
    ['unknown field', { network_internal_code, key_type: 'secp256k1' }, /unknown field "key_type"/],
  ])('400: %s', (_name, fields, words) =>
    refusedWith(signMessage({ message: 'x', ...fields }), 'invalid_request', words),
  );

  test('400 conflicting_aliases: a code and a chain id of two networks', () =>
    refusedWith(
      signMessage({ network_internal_code, chain_id: 1, message: 'x' }),
      'conflicting_aliases',
      /chain_id is not that of ETHEREUM_SANDBOX/,
    ));

  test('400 hardened_derivation', () =>
    refusedWith(
      signMessage({ network_internal_code, message: 'x', derivation_path: "m/44'" }),
      'hardened_derivation',
      /Hardened/,
    ));

  test('404, 409, 423: as on the other sign routes', async () => {
    const body = { network_internal_code, message: 'x' };
    const on = (id: string) => signCall(api, 'signMessage', id)(body);
    expect(await on('01900000-0000-7000-8000-000000000000')).toMatchObject({ status: 404 });
    const wallet = await api.makeActiveWallet();
    await advanceWallet(api.db, wallet, { from: 'active', to: 'frozen' });
    expect(await on(wallet)).toMatchObject({ status: 423, body: { code: 'wallet_frozen' } });
    await advanceWallet(api.db, wallet, { from: 'frozen', to: 'archived' });
    expect(await on(wallet)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  });

  test('200: an idempotent repeat, also when the wallet is spelt in capitals', async () => {
    const headers = { 'x-idempotency-key': 'repeat' };
    const body = { network_internal_code, message: 'once' };
    const first = await signMessage(body, headers);
    const repeat = await signMessage(body, headers);
    expect(repeat).toMatchObject({ status: 200, body: { data: { ...first.body.data, created: false } } });
    const before = await countSigningRequests(api);
    const capitals = await signCall(api, 'signMessage', walletId.toUpperCase())(body, headers);
    expect(capitals).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    expect(await countSigningRequests(api)).toBe(before);
  });
});

describe('POST sign, with a method', () => {
  test.each([
    ['personal_sign', 'hello', 'hello'],
    ['eth_sign', 'hello', 'hello'],
    ['personal_sign', '0x68656c6c6f', 'hello'],
    ['eth_sign', '0x68656C6C6F', 'hello'],
    ['personal_sign', '0X68656c6c6f', '0X68656c6c6f'],
    ['personal_sign', '68656c6c6f', '68656c6c6f'],
    ['personal_sign', '0x', ''],
    ['personal_sign', '', ''],
  ])('202: %s of %s is the text "%s", also while raw digests are switched off', async (method, message, text) => {
    const answer = await alias({ method, message, chain_id: 31337 });
    expect(answer.status).toBe(202);
    expect(answer.headers['deprecation']).toMatch(/^@\d+$/);
    expect(answer.headers['link']).toBe(`<${signPath('signTyped', walletId)}>; rel="successor-version"`);
    const { signing_request } = answer.body.data;
    expect(signing_request).toMatchObject({
      network_internal_code,
      payload_kind: 'evm_message',
      signing_hash: hashMessage(text),
    });
  });

  test('202: typed data as JSON text, its primary type named or not', async () => {
    const { primaryType: _named, ...unnamed } = mail;
    for (const more of [{ ...mail }, unnamed].flatMap((document) => [{ document }, { document, message: '' }])) {
      const { document, ...beside } = more;
      const typed_data = JSON.stringify(document, null, 2);
      const answer = await alias({ method: 'eth_signTypedData_v4', typed_data, chain_id: '1', ...beside });
      expect(answer.status).toBe(202);
      expect(answer.body.data.signing_request).toMatchObject({
        network_internal_code: 'ETHEREUM_MAINNET',
        payload_kind: 'evm_typed_data',
        signing_hash: MAIL_DIGEST,
      });
    }
  });

  test('and then the alias view is polled', async () => {
    const answer = await alias({ method: 'personal_sign', message: 'poll', chain_id: 31337 });
    const id = answer.body.data.transaction_id;
    const view = await api.call('GET', `/api/v1/web3/${walletId}/sign/${id}`);
    expect(view.body.data).toMatchObject({ transaction_id: id, status: 'pending', signature: null });
  });

  test('503: a digest on the same route, while raw digests are switched off', async () => {
    const answer = await alias({ network_internal_code, signing_hash: 'ab'.repeat(32) });
    expect(answer).toMatchObject({ status: 503, body: { code: 'route_disabled' } });
  });

  const call = { method: 'personal_sign', message: 'x', chain_id: 31337 };
  const typed = { method: 'eth_signTypedData_v4', typed_data: JSON.stringify(mail), chain_id: 1 };
  test.each(['signing_hash', 'hash', 'transactionHash', 'unsigned_tx', 'tx'])(
    '400 conflicting_aliases: a method and %s',
    (name) => refusedWith(alias({ ...call, [name]: 'ab'.repeat(32) }), 'conflicting_aliases', new RegExp(name)),
  );

  test.each<[string, unknown, RegExp]>([
    [
      'an unknown method',
      { ...call, method: 'eth_sendTransaction' },
      /method must be one of eth_sign, personal_sign, .*\. This route takes a digest/,
    ],
    ['a method that is null', { ...call, method: null }, /method must be/],
    ['no chain', { ...call, chain_id: undefined }, /lacks the field "chain_id"/],
    ['no message', { ...call, message: undefined }, /lacks the field "message"/],
    [
      'a network code',
      { ...call, network_internal_code },
      /unknown field "network_internal_code": it takes method, message, chain_id, derivation_path, external_id\./,
    ],
    ['typed data for a message', { ...call, typed_data: '{}' }, /unknown field "typed_data"/],
    ['a message for typed data', { ...typed, message: 'x' }, /message must be empty or absent beside typed_data/],
    ['no text for it', { ...typed, message: null }, /body\.message must be a string\. It was read as typed data/],
    ['an unknown chain', { ...call, chain_id: 77_777_777 }, /has the chain id 77777777/],
    ['0x and no whole bytes', { ...call, message: '0x123' }, /whole bytes in hex/],
    ['0x and text', { ...call, message: '0xhello' }, /whole bytes in hex/],
    ['typed data as an object', { ...typed, typed_data: mail }, /typed_data must be a string/],
    ['typed data that is no JSON', { ...typed, typed_data: '{' }, /JSON/],
    ['typed data that is no object', { ...typed, typed_data: '[]' }, /text of a JSON object/],
    ['a name twice', { ...typed, typed_data: '{"types":{},"types":{}}' }, /no name twice/],
    [
      'a number that is rounded',
      { ...typed, typed_data: '{"domain":{"chainId":1.0000000000000000001}}' },
      /whole numbers/,
    ],
    ['a lone surrogate', { ...typed, typed_data: JSON.stringify(mail).replace('Bob', '\ud800') }, /lone surrogate/],
    ['the chain of another network', { ...typed, chain_id: 31337 }, /chainId is 1, and the network ETHEREUM_SANDBOX/],
  ])('400: %s', (_name, body, words) => refusedWith(alias(body), 'invalid_request', words));

  test('400: two types that no other refers to, and none named', () => {
    const { primaryType: _named, ...unnamed } = mail;
    const types = { ...mail.types, Other: [{ name: 'x', type: 'bool' }] };
    const typed_data = JSON.stringify({ ...unnamed, types });
    return refusedWith(alias({ ...typed, typed_data }), 'invalid_request', /2 types are referred to by no other/);
  });
});
