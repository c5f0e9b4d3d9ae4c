// Goal: signTyped accepts a well-formed EIP-712 document, hands the nodes and the audit the same one, and refuses with
// a plain sentence, storing nothing, what would be hashed otherwise than it reads. Method: the API on a real database.
// Every document that is accepted is also given to the code that prepares it for the nodes, which must take it. Case by
// case what a document may hold: test/unit/payloads.
import { concat, hashDomain, hashStruct, hashTypedData, keccak256, type TypedDataDefinition } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flattenTypedData } from '../../../activities/mpc/verify/typed-data.ts';
import type { TypedData } from '../../../domain/payloads/typed-data.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { countSigningRequests, MAIL_DIGEST, mail, type SignCall, signCall, storedBy } from '../../support/api/sign.ts';

const network_internal_code = 'ETHEREUM_MAINNET';

let api: TestApi;
let sign: SignCall;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  sign = signCall(api, 'signTyped', await api.makeActiveWallet());
});
afterAll(() => api.stop());

type Fields = Record<string, { name: string; type: string }[]>;

/** A document of one struct with one field. */
const one = (type: string, value: unknown, types: Fields = {}) => ({
  types: { M: [{ name: 'x', type }], ...types },
  primaryType: 'M',
  domain: { name: 'd' },
  message: { x: value },
});
const signDocument = (typed_data: unknown) => sign({ network_internal_code, typed_data });

async function storedDocument(answer: Awaited<ReturnType<typeof signDocument>>) {
  expect(answer.body.message).toBe('success');
  expect(answer.status).toBe(202);
  const { row, payload } = await storedBy(api, answer);
  const document = row.typedData as TypedData;
  expect(payload).toEqual({ kind: 'evm_typed_data', typedData: document });
  flattenTypedData(document);
  expect(hashTypedData(document as unknown as TypedDataDefinition)).toBe(row.signingHash);
  return { row, document };
}

describe('accepted', () => {
  test('202: the document of EIP-712, its digest, the preimage and the domain written out', async () => {
    const { EIP712Domain: _written, ...types } = mail.types;
    for (const given of [mail, { ...mail, types }]) {
      const answer = await signDocument(given);
      const { row, document } = await storedDocument(answer);
      expect(answer.body.data.signing_request).toMatchObject({
        payload_kind: 'evm_typed_data',
        signing_hash: MAIL_DIGEST,
      });
      expect(document.types['EIP712Domain']).toEqual(mail.types.EIP712Domain);
      expect(document.domain).toEqual({
        ...mail.domain,
        chainId: '1',
        verifyingContract: mail.domain.verifyingContract.toLowerCase(),
      });
      const structs = { types: mail.types };
      const preimage = concat([
        '0x1901',
        hashDomain({ domain: mail.domain as never, ...structs }),
        hashStruct({ data: mail.message, primaryType: 'Mail', ...structs }),
      ]);
      expect(row).toMatchObject({ unsignedTx: preimage, payloadKind: 'evm_typed_data' });
      expect(keccak256(preimage)).toBe(MAIL_DIGEST);
    }
  });

  test('by chain id as well', async () => {
    const answer = await sign({ chain_id: 1, typed_data: mail });
    expect(answer.body.data.signing_request.network_internal_code).toBe(network_internal_code);
  });

  test('each value in its one form', async () => {
    const M = ['uint8', 'int256', 'bool', 'bytes4', 'string', 'address', 'uint8[2][]'].map((type, index) => ({
      name: `f${index}`,
      type,
    }));
    const given = ['0xFF', -1, false, '0xAABBCCDD', 'Grüße "\\', mail.message.from.wallet, [[1, '2']]];
    const kept = ['255', '-1', false, '0xaabbccdd', 'Grüße "\\', mail.message.from.wallet.toLowerCase(), [['1', '2']]];
    const messageOf = (values: unknown[]) => Object.fromEntries(values.map((value, index) => [`f${index}`, value]));
    const answer = await signDocument({ ...one('bool', true, { M }), message: messageOf(given) });
    expect((await storedDocument(answer)).document.message).toEqual(messageOf(kept));
  });

  test('structs in structs and arrays, a type that refers to itself, a type that nothing uses, names of prototypes', async () => {
    const types = {
      Node: [
        { name: 'constructor', type: 'string' },
        { name: 'children', type: 'Node[]' },
      ],
      toString: [{ name: 'valueOf', type: 'bool' }],
    };
    const leaf = { constructor: 'leaf', children: [] };
    await storedDocument(await signDocument(one('Node', { constructor: 'root', children: [leaf, leaf] }, types)));
  });

  test('64 KiB as the nodes count them, which are more in JSON, and no more', async () => {
    const documentOf = (count: number) =>
      one(
        'bytes[]',
        Array.from({ length: count }, () => '0x'),
      );
    // 5 bytes each, and 91 for the rest.
    await storedDocument(await signDocument(documentOf(13_089)));
    const answer = await signDocument(documentOf(13_090));
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(answer.body.message).toContain('at most 65536 bytes');
  });
});

describe('refused', () => {
  const base = one('uint256', 1);
  const cases: [string, unknown, RegExp][] = [
    ['no message', { ...base, message: undefined }, /lacks the field "message"/],
    ['a message that is a list', { ...base, message: [] }, /message must be an object/],
    ['an unknown part', { ...base, extra: 1 }, /unknown field "extra"/],
    ['no domain', { ...base, domain: undefined }, /lacks the field "domain"/],
    ['types that are a list', { ...base, types: [] }, /types must be an object/],
    [
      'the chain of another network',
      { ...base, domain: { chainId: 5 } },
      /chainId is 5, and the network ETHEREUM_MAINNET is 1\./,
    ],
    ['the domain as primary type', { ...base, primaryType: 'EIP712Domain', message: {} }, /other than EIP712Domain/],
    [
      'a domain type of other fields than the domain has',
      { ...base, types: { ...base.types, EIP712Domain: [{ name: 'version', type: 'string' }] } },
      /must list the fields of domain/,
    ],
    ['an unknown type', one('Nothing', 1), /^typed_data\.types\.M\.x has the type "Nothing"/],
    ['a missing field', { ...base, message: {} }, /^typed_data\.message\.x is missing\.$/],
    ['a value out of range', one('uint8[]', [1, 256]), /^typed_data\.message\.x\.1 is out of the range of uint8\.$/],
    ['a lone surrogate', one('string', '\udc00'), /lone surrogate/],
  ];
  test.each(cases)('400: %s', async (_name, document, words) => {
    const before = await countSigningRequests(api);
    const answer = await signDocument(document);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
    expect(answer.body.message).toMatch(words);
    expect(await countSigningRequests(api)).toBe(before);
  });

  const rawBody = (value: string, more = '') =>
    `{"network_internal_code":"${network_internal_code}","typed_data":${JSON.stringify(base).replace('"x":1', `"x":${value}${more}`)}}`;
  test.each([
    ['a number beyond 2^53 - 1', rawBody('9007199254740993')],
    ['a number that a parser rounds to a whole one', rawBody('9007199254740990.9')],
    ['a fraction', rawBody('1.5')],
    ['an exponent', rawBody('1e2')],
    ['a field twice', rawBody('1', ',"x":2')],
    ['__proto__ as a field', rawBody('1', ',"__proto__":{}')],
    ['U+0000', rawBody('"\\u0000"')],
  ])('400: %s, as it stands in the body', async (_name, body) => {
    const answer = await sign(undefined, {}, { rawBody: body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('400: another family of networks', async () => {
    const answer = await sign({ network_internal_code: 'SOL_SANDBOX', typed_data: base });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});
