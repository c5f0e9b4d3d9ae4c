// Goal: signTyped accepts every well-formed EIP-712 document, hands the nodes and the audit the same one, and refuses whatever would be hashed
// otherwise than it reads. Method: the API on a real database; one small document, changed in one place a case. Every document that is accepted is also
// given to the code that prepares it for the nodes, which must take it.
import { concat, hashDomain, hashStruct, hashTypedData, keccak256, type TypedDataDefinition } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encode } from '../../activities/mpc/borsh.ts';
import { flattenTypedData } from '../../activities/mpc/typed-data.ts';
import { typedData } from '../../activities/mpc/wire.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { countSigningRequests, MAIL_DIGEST, mail, type SignCall, signCall, storedBy } from '../support/sign.ts';

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
  const { row, task } = await storedBy(api, answer);
  const document = row.typedData as Parameters<typeof flattenTypedData>[0];
  expect(task.payload).toEqual({ kind: 'evm_typed_data', typedData: document });
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

  const max = (2n ** 256n - 1n).toString();
  test.each<[string, unknown, unknown]>([
    ['uint8', 255, '255'],
    ['uint8', '0xFF', '255'],
    ['uint256', max, max],
    ['uint256', Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['int8', -128, '-128'],
    ['int256', (-(2n ** 255n)).toString(), (-(2n ** 255n)).toString()],
    ['bool', false, false],
    ['bytes4', '0xAABBCCDD', '0xaabbccdd'],
    ['bytes', '0x', '0x'],
    ['string', 'Grüße "\\', 'Grüße "\\'],
    ['address', '0xCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC'.toLowerCase(), `0x${'cc'.repeat(20)}`],
    ['uint8[]', [], []],
    [
      'uint8[2][]',
      [
        [1, '2'],
        ['0x3', 4],
      ],
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
  ])('%s %j', async (type, value, kept) => {
    const { document } = await storedDocument(await signDocument(one(type, value)));
    expect(document.message).toEqual({ x: kept });
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

  test('32 levels of structs and arrays, and no more', async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    await storedDocument(await signDocument(one(`uint8${'[]'.repeat(31)}`, nested(31))));
    const answer = await signDocument(one(`uint8${'[]'.repeat(32)}`, nested(32)));
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test.each<[string, (size: number) => unknown]>([
    ['string', (size) => 'x'.repeat(size)],
    ['bytes', (size) => `0x${'00'.repeat(size)}`],
    ['uint8[]', (size) => Array.from({ length: size }, () => 1)],
    ['bytes[]', (size) => Array.from({ length: size }, () => '0x')],
    ['N[]', (size) => Array.from({ length: size }, () => ({ a: true, b: '\u00fc' }))],
  ])('%s as large as the nodes take, and no larger', async (type, valueOf) => {
    const N = [
      { name: 'a', type: 'bool' },
      { name: 'b', type: 'string' },
    ];
    const documentOf = (size: number) => one(type, valueOf(size), type === 'N[]' ? { N } : {});
    const bytesOf = (size: number) => {
      const document = documentOf(size);
      return encode(typedData, flattenTypedData({ ...document, types: withDomain(document.types) })).length;
    };
    const most = Math.floor((65_536 - bytesOf(0)) / (bytesOf(1) - bytesOf(0)));
    await storedDocument(await signDocument(documentOf(most)));
    const answer = await signDocument(documentOf(most + 1));
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(answer.body.message).toContain('at most 65536 bytes');
    expect(() => flattenTypedData(documentOf(most + 1))).toThrow();
  });
});

const withDomain = (types: Fields) => ({ EIP712Domain: [{ name: 'name', type: 'string' }], ...types });

describe('refused', () => {
  const base = one('uint256', 1);
  const many = Object.fromEntries(
    Array.from({ length: 63 }, (_, index) => [`T${index}`, [{ name: 'x', type: 'bool' }]]),
  );
  const cases: [string, unknown, RegExp][] = [
    ['a field of the message that its type lacks', { ...base, message: { x: 1, y: 2 } }, /message has a field "y"/],
    ['a missing field', { ...base, message: {} }, /message\.x is missing/],
    ['no message', { ...base, message: undefined }, /required property 'message'/],
    ['a message that is a list', { ...base, message: [] }, /message must be object/],
    ['an unknown part', { ...base, extra: 1 }, /unknown field "extra"/],
    ['no domain', { ...base, domain: undefined }, /required property 'domain'/],
    ['an empty domain', { ...base, domain: {} }, /domain is empty/],
    ['an unknown field of the domain', { ...base, domain: { name: 'd', owner: 'x' } }, /"owner", which EIP-712/],
    [
      'the chain of another network',
      { ...base, domain: { chainId: 5 } },
      /chainId is 5, and the network ETHEREUM_MAINNET/,
    ],
    ['a salt that is too short', { ...base, domain: { salt: '0x00' } }, /salt has 1 bytes, and its type says 32/],
    [
      'a field of the domain that its type leaves out',
      { ...base, domain: { name: 'd', version: '1' }, types: withDomain(base.types) },
      /must list the fields of domain/,
    ],
    [
      'a field of the domain type that the domain lacks',
      { ...base, domain: { version: '1' }, types: withDomain(base.types) },
      /must list the fields of domain/,
    ],
    [
      'a domain type in another order',
      {
        ...base,
        domain: { name: 'd', version: '1' },
        types: {
          ...base.types,
          EIP712Domain: [
            { name: 'version', type: 'string' },
            { name: 'name', type: 'string' },
          ],
        },
      },
      /in the order of EIP-712/,
    ],
    [
      'a domain type of other types',
      { ...base, types: { ...base.types, EIP712Domain: [{ name: 'name', type: 'bytes' }] } },
      /must list the fields of domain/,
    ],
    ['an unknown primary type', { ...base, primaryType: 'N' }, /primaryType must name one of the types/],
    ['the domain as primary type', { ...base, primaryType: 'EIP712Domain' }, /other than EIP712Domain/],
    ['an inherited name as primary type', { ...base, primaryType: 'toString' }, /primaryType must name/],
    [
      'a primary type that no type is free to be',
      { ...one('N', {}, { N: [{ name: 'm', type: 'M' }] }), primaryType: undefined },
      /0 types are referred to by no other/,
    ],
    ['an unknown type', one('Nothing', 1), /M\.x has the type "Nothing"/],
    ['an inherited name as type', one('constructor', 1), /has the type "constructor"/],
    ['types that are a list', { ...base, types: [] }, /types must be object/],
    ['a type without fields', { ...base, types: { ...base.types, E: [] } }, /types\.E must be a list of one or more/],
    [
      'a field twice',
      { ...base, types: { M: [...(base.types['M'] as object[]), { name: 'x', type: 'bool' }] } },
      /M has a field name twice/,
    ],
    [
      'a field with more than name and type',
      { ...base, types: { M: [{ name: 'x', type: 'uint256', indexed: true }] } },
      /name and type, and nothing else/,
    ],
    [
      'a struct with an atomic name',
      one('address', `0x${'11'.repeat(20)}`, { address: [{ name: 'y', type: 'bool' }] }),
      /"address", which no struct/,
    ],
    [
      'a struct that reads like a number',
      { ...base, types: { ...base.types, uint7: [{ name: 'y', type: 'bool' }] } },
      /"uint7", which no struct/,
    ],
    [
      'a name that is none',
      { ...base, types: { ...base.types, 'A B': [{ name: 'y', type: 'bool' }] } },
      /"A B", which no struct/,
    ],
    ['a field name that is none', one('bool', true, { N: [{ name: 'a,uint b', type: 'bool' }] }), /each a plain name/],
    ['64 types besides the domain', { ...base, types: { ...base.types, ...many } }, /has 65 types/],
    [
      'types of 4 kB',
      { ...base, types: { ...base.types, N: [{ name: 'n'.repeat(4100), type: 'bool' }] } },
      /types is too long/,
    ],
    ['uint', one('uint', 1), /has the type "uint"/],
    ['uint7', one('uint7', 1), /has the type "uint7"/],
    ['uint264', one('uint264', 1), /has the type "uint264"/],
    ['bytes33', one('bytes33', '0x'), /has the type "bytes33"/],
    ['bytes0', one('bytes0', '0x'), /has the type "bytes0"/],
    ['uint8[0]', one('uint8[0]', []), /has the type "uint8\[0\]"/],
    ['a number above its range', one('uint8', 256), /out of the range of uint8/],
    ['a number below its range', one('int8', -129), /out of the range of int8/],
    ['a negative number for uint', one('uint256', '-1'), /out of the range of uint256/],
    ['2^256', one('uint256', (2n ** 256n).toString()), /out of the range/],
    ['a number as text with a plus', one('uint8', '+1'), /must be a whole number/],
    ['a number as text with leading zeros', one('uint8', '01'), /must be a whole number/],
    ['a number as empty text', one('uint8', ''), /must be a whole number/],
    ['a number as text with an exponent', one('uint8', '1e1'), /must be a whole number/],
    ['true for a number', one('uint8', true), /must be a whole number/],
    ['null', one('uint8', null), /must be a whole number/],
    ['1 for true', one('bool', 1), /must be true or false/],
    ['"true" for true', one('bool', 'true'), /must be true or false/],
    ['a number for text', one('string', 1), /must be a string/],
    ['a lone surrogate', one('string', '\udc00'), /lone surrogate/],
    ['bytes without 0x', one('bytes', 'aa'), /must be bytes/],
    ['half a byte', one('bytes', '0xa'), /must be bytes/],
    ['bytes of another length', one('bytes4', '0xaabbcc'), /has 3 bytes, and its type says 4/],
    ['an address of another length', one('address', '0x00'), /must be an address/],
    [
      'an address with a wrong checksum',
      one('address', '0xcD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'),
      /right checksum/,
    ],
    ['an array of another length', one('uint8[2]', [1]), /has 1 elements, and its type says 2/],
    ['no array', one('uint8[]', 1), /must be an array/],
    ['an array for a struct', one('N', [], { N: [{ name: 'y', type: 'bool' }] }), /must be an object/],
    ['null for a struct', one('N', null, { N: [{ name: 'y', type: 'bool' }] }), /must be an object/],
    ['an inherited field', one('N', {}, { N: [{ name: 'constructor', type: 'string' }] }), /constructor is missing/],
    [
      'an unknown field deep in an array',
      one('N[]', [{ y: true }, { y: true, z: 1 }], { N: [{ name: 'y', type: 'bool' }] }),
      /message\.x\.1 has a field "z"/,
    ],
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
