// Goal: signTransaction signs a transaction as what it is, for the chain that was named, and nothing that only looks
// like one. Method: the API on a real database, case by status code; transactions written by viem, Solana messages byte
// by byte. What bytes are a Solana message: test/unit/payloads.
import { createHash, randomBytes } from 'node:crypto';
import { base58 } from '@scure/base';
import { keccak256, parseTransaction, serializeTransaction, type TransactionSerializable, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requiredSigners } from '../../../domain/payloads/solana-message.ts';
import { findWalletAddress } from '../../../drizzle/wallets/wallet-keys.ts';
import type { WalletAddressRow } from '../../../drizzle/wallets/wallets.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { countSigningRequests, type SignCall, signCall, storedBy } from '../../support/api/sign.ts';

let api: TestApi;
let walletId: string;
let sign: SignCall;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1', signRawEnabled: false });
  walletId = await api.makeActiveWallet();
  sign = signCall(api, 'signTransaction', walletId);
});
afterAll(() => api.stop());

async function refused(body: object, words: RegExp) {
  const before = await countSigningRequests(api);
  const answer = await sign(body);
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
  expect(answer.body.message).toMatch(words);
  expect(await countSigningRequests(api)).toBe(before);
}

describe('EVM', () => {
  const network_internal_code = 'ETHEREUM_SANDBOX';
  const to = `0x${'11'.repeat(20)}` as const;
  const chain = { chainId: 31337, nonce: 3, gas: 21_000n, to, value: 1n } as const;
  const fees = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n };
  const accessList = [{ address: to, storageKeys: [toHex(7, { size: 32 })] }];
  const r = toHex(5, { size: 32 });
  const signature = { r, s: r, yParity: 1 };
  const transactions: TransactionSerializable[] = [
    { ...chain, type: 'legacy', gasPrice: 1n },
    { ...chain, type: 'eip2930', gasPrice: 1n, accessList },
    { ...chain, ...fees, type: 'eip1559', data: '0xdeadbeef' },
    { ...chain, ...fees, type: 'eip4844', maxFeePerBlobGas: 1n, blobVersionedHashes: [`0x01${'44'.repeat(31)}`] },
    {
      ...chain,
      ...fees,
      type: 'eip7702',
      authorizationList: [{ address: to, chainId: 31337, nonce: 0, ...signature }],
    },
  ];

  test.each(transactions)('202: $type, as it is', async (transaction) => {
    const unsigned_tx = serializeTransaction(transaction);
    const answer = await sign({ network_internal_code, unsigned_tx, derivation_path: 'm/1' });
    expect(answer.status).toBe(202);
    expect(answer.body.data.signing_request).toMatchObject({
      payload_kind: 'evm_transaction',
      key_type: 'secp256k1',
      signing_hash: keccak256(unsigned_tx),
      derivation_path: 'm/1',
    });
    const { row, payload } = await storedBy(api, answer);
    expect(payload).toEqual({ kind: 'evm_transaction', hex: unsigned_tx });
    expect(row.unsignedTx).toBe(unsigned_tx);
  });

  test('202: in capitals, without 0x, with the chain id for the network', async () => {
    const unsigned_tx = serializeTransaction({ ...chain, ...fees, type: 'eip1559' });
    const answer = await sign({ chain_id: 31337, unsigned_tx: unsigned_tx.slice(2).toUpperCase() });
    expect(answer.body.data.signing_request.signing_hash).toBe(keccak256(unsigned_tx));
  });

  const unsigned = serializeTransaction({ ...chain, ...fees, type: 'eip1559' });
  test.each<[string, object, RegExp]>([
    [
      'signed already',
      { unsigned_tx: serializeTransaction({ ...chain, ...fees, type: 'eip1559' }, { ...signature, v: 28n }) },
      /signed already/,
    ],
    [
      'a legacy one signed already',
      { unsigned_tx: serializeTransaction({ ...chain, type: 'legacy', gasPrice: 1n }, { r, s: r, v: 62709n }) },
      /signed already/,
    ],
    [
      'another chain',
      { unsigned_tx: serializeTransaction({ ...chain, ...fees, chainId: 1, type: 'eip1559' }) },
      /is for chain 1, and ETHEREUM_SANDBOX is chain 31337/,
    ],
    [
      'no chain (before EIP-155)',
      { unsigned_tx: serializeTransaction({ nonce: 0, gas: 1n, to, gasPrice: 1n, type: 'legacy' }) },
      /no chain in particular/,
    ],
    ['trailing bytes', { unsigned_tx: `${unsigned}00` }, /not a serialized EVM transaction/],
    ['cut off', { unsigned_tx: unsigned.slice(0, -2) }, /not a serialized EVM transaction/],
    ['an unknown type', { unsigned_tx: `0x7f${unsigned.slice(4)}` }, /not a serialized EVM transaction/],
    ['an EIP-712 preimage', { unsigned_tx: `0x1901${'00'.repeat(64)}` }, /not a serialized EVM transaction/],
    ['a digest', { unsigned_tx: toHex(randomBytes(32)) }, /not a serialized EVM transaction/],
    ['no bytes', { unsigned_tx: '0x' }, /not a serialized EVM transaction/],
    ['half a byte', { unsigned_tx: '0x0' }, /whole bytes in hex/],
    [
      'more than 64 KiB',
      { unsigned_tx: serializeTransaction({ ...chain, ...fees, type: 'eip1559', data: `0x${'00'.repeat(65_536)}` }) },
      /and at most 65536 can be signed/,
    ],
    ['no transaction', {}, /lacks the field "unsigned_tx"/],
    ['a digest beside it', { unsigned_tx: unsigned, signing_hash: 'ab'.repeat(32) }, /unknown field "signing_hash"/],
  ])('400: %s', (_name, fields, words) => refused({ network_internal_code, ...fields }, words));

  test('400: a number written longer than it is, which another reader may take for another transaction', () => {
    // Nonce 3 as 0x8103 instead of 0x03: the list grows by one byte.
    const long = unsigned.replace(
      /^0x02(f8)?(..)827a6903/,
      (_all, prefix: string | undefined, length: string) =>
        `0x02${prefix ?? ''}${(Number.parseInt(length, 16) + 1).toString(16)}827a698103`,
    ) as `0x${string}`;
    expect(long.length).toBe(unsigned.length + 2);
    expect(parseTransaction(long as `0x02${string}`)).toEqual(parseTransaction(unsigned));
    return refused({ network_internal_code, unsigned_tx: long }, /not a serialized EVM transaction/);
  });
});

describe('Solana', () => {
  const network_internal_code = 'SOL_SANDBOX';
  const key = (fill: number) => Buffer.alloc(32, fill);
  /** With which the wallet signs on the default path. */
  let own: Buffer;
  let address: string;
  beforeAll(async () => {
    ({ address } = (await findWalletAddress(api.db, walletId, 'sol')) as WalletAddressRow);
    own = Buffer.from(base58.decode(address));
  });
  interface Parts {
    keys?: Buffer[];
    version?: number[];
    header?: number[];
    instructions?: number[];
    lookups?: number[];
    end?: number[];
  }
  /** A transfer: the payer signs, one account receives, the last key is the program. */
  const message = ({
    keys = [own, key(2), key(3)],
    version = [],
    header = [1, 0, 1],
    instructions,
    lookups = [],
    end = [],
  }: Parts = {}) =>
    Buffer.concat([
      Buffer.from([...version, ...header, keys.length]),
      ...keys,
      key(9),
      Buffer.from(instructions ?? [1, 2, 2, 0, 1, 4, 2, 0, 0, 0]),
      Buffer.from(lookups),
      Buffer.from(end),
    ]);
  const lookup = [1, ...key(7), 1, 4, 1, 5];

  test.each<[string, Parts]>([
    ['legacy', {}],
    ['version 0', { version: [0x80], lookups: [0] }],
    ['version 0 with a lookup', { version: [0x80], lookups: lookup, instructions: [1, 2, 2, 0, 4, 0] }],
  ])('202: a %s message, which is signed itself; its SHA-256 is shown', async (_name, parts) => {
    const content = message(parts);
    const unsigned_tx = toHex(content);
    const answer = await sign({ network_internal_code, unsigned_tx });
    expect(answer.status).toBe(202);
    expect(answer.body.data.signing_request).toMatchObject({
      payload_kind: 'solana_transaction',
      key_type: 'ed25519',
      signing_hash: `0x${createHash('sha256').update(content).digest('hex')}`,
      derivation_path: 'm/44/501/0/0/0',
    });
    const { row, payload } = await storedBy(api, answer);
    expect(payload).toEqual({ kind: 'solana_transaction', hex: unsigned_tx });
    expect(row.unsignedTx).toBe(unsigned_tx);
    expect(requiredSigners(content)).toEqual([own]);
  });

  const filled = (size: number) => {
    const data = size - message({ instructions: [1, 2, 0, 0x80, 0x08] }).length;
    return message({ instructions: [1, 2, 0, (data & 0x7f) | 0x80, data >> 7, ...Buffer.alloc(data)] });
  };
  test('202: 1232 bytes, the most', async () => {
    expect(filled(1232).length).toBe(1232);
    expect((await sign({ network_internal_code, unsigned_tx: toHex(filled(1232)) })).status).toBe(202);
  });

  const wrong: [string, () => Buffer, RegExp][] = [
    ['1233 bytes', () => filled(1233), /1233 bytes, and at most 1232/],
    ['a digest', () => Buffer.alloc(32, 0x41), /no Solana message/],
    ['left over', () => message({ end: [0] }), /bytes left over/],
  ];
  test.each(wrong)('400: %s', (_name, content, words) =>
    refused({ network_internal_code, unsigned_tx: toHex(content()) }, words),
  );

  describe('asks for the signature of the wallet', () => {
    const transaction = (parts: Parts) => ({ network_internal_code, unsigned_tx: toHex(message(parts)) });
    const missing = () => new RegExp(`does not ask for the signature of ${address}.*m/44/501/0/0/0`);

    test('202: as the second signer', async () => {
      const answer = await sign(transaction({ keys: [key(1), own, key(3)], header: [2, 0, 1] }));
      expect(answer.status).toBe(202);
    });

    test.each<[string, () => Buffer[]]>([
      ['is not in the message', () => [key(1), key(2), key(3)]],
      ['only receives', () => [key(1), own, key(3)]],
    ])('400: it %s', (_name, keys) => refused(transaction({ keys: keys() }), missing()));

    test('400: the same with the default path said aloud', () =>
      refused({ ...transaction({ keys: [key(1), key(2), key(3)] }), derivation_path: 'm/44/501/0/0/0' }, missing()));

    test('202: on a path whose key the API does not know; the nodes look at it', async () => {
      const answer = await sign({ ...transaction({ keys: [key(1), key(2), key(3)] }), derivation_path: 'm/1' });
      expect(answer.status).toBe(202);
    });

    test("404: another workspace's wallet, whatever the message asks for", async () => {
      const { workspaceId } = await api.makeWorkspace();
      const foreign = signCall(api, 'signTransaction', await api.makeActiveWallet(workspaceId));
      expect(await foreign(transaction({}))).toMatchObject({ status: 404, body: { code: 'not_found' } });
    });

    test('in a batch: the item alone is refused', async () => {
      const batch = signCall(api, 'signBatch', walletId);
      const items = [{}, { keys: [key(1), key(2), key(3)] }, {}].map((parts) => ({
        type: 'transaction',
        ...transaction(parts),
      }));
      const answer = await batch({ items });
      expect(answer.status).toBe(202);
      const [first, second, third] = answer.body.data.results;
      expect([first.created, third.created]).toEqual([true, true]);
      expect(second.error).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(missing()) });
    });
  });
});

test('400: on networks that are neither', () =>
  refused({ network_internal_code: 'BTC_SANDBOX', unsigned_tx: '0x02' }, /neither: use signRaw/));
