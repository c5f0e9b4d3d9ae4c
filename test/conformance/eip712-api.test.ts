// Goal: the digest that the API stores for typed data is the one of EIP-712. Method: published vectors (the standard's own example; the arrays and
// nested structs of MetaMask's eth-sig-util for version 4; the type hash of ERC-2612), then generated documents against viem, which is given the same
// values as native integers.
import * as fc from 'fast-check';
import { hashTypedData, keccak256, stringToHex, type TypedDataDefinition, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StructHasher } from '../../src/signing-requests/typed-data-hash.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { MAIL_DIGEST, mail, type SignCall, signCall } from '../support/sign.ts';

let api: TestApi;
let sign: SignCall;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  sign = signCall(api, 'signTyped', await api.makeActiveWallet());
});
afterAll(() => api.stop());

async function digestOf(typed_data: unknown): Promise<string> {
  const answer = await sign({ chain_id: 1, typed_data });
  expect(answer.body.message).toBe('success');
  return answer.body.data.signing_request.signing_hash;
}

test('the example of EIP-712', async () => {
  expect(await digestOf(mail)).toBe(MAIL_DIGEST);
});

test('the arrays of eth-sig-util, with a type that nothing uses', async () => {
  const person = (name: string, ...wallets: string[]) => ({ name, wallets });
  const document = {
    ...mail,
    types: {
      EIP712Domain: mail.types.EIP712Domain,
      Person: [
        { name: 'name', type: 'string' },
        { name: 'wallets', type: 'address[]' },
      ],
      Mail: [
        { name: 'from', type: 'Person' },
        { name: 'to', type: 'Person[]' },
        { name: 'contents', type: 'string' },
      ],
      Group: [
        { name: 'name', type: 'string' },
        { name: 'members', type: 'Person[]' },
      ],
    },
    message: {
      from: person('Cow', '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826', '0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF'),
      to: [
        person(
          'Bob',
          '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB',
          '0xB0BdaBea57B0BDABeA57b0bdABEA57b0BDabEa57',
          '0xB0B0b0b0b0b0B000000000000000000000000000',
        ),
      ],
      contents: 'Hello, Bob!',
    },
  };
  expect(await digestOf(document)).toBe('0xa85c2e2b118698e88db68a8105b794a8cc7cec074e89ef991cb4f5f533819cc2');
});

test('the type hash of a permit (ERC-2612)', () => {
  const fields = [
    ['owner', 'address'],
    ['spender', 'address'],
    ['value', 'uint256'],
    ['nonce', 'uint256'],
    ['deadline', 'uint256'],
  ] as const;
  const types = { Permit: fields.map(([name, type]) => ({ name, type })) };
  const zero = `0x${'00'.repeat(20)}`;
  const message = { owner: zero, spender: zero, value: 0n, nonce: 0n, deadline: 0n };
  const typeHash = '0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9';
  expect(new StructHasher(types).hash('Permit', message)).toBe(keccak256(`${typeHash}${'00'.repeat(160)}`));
  expect(
    keccak256(stringToHex('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)')),
  ).toBe(typeHash);
});

/** A value twice: as JSON carries it, and as viem takes it. */
interface Value {
  json: unknown;
  native: unknown;
}
interface Typed {
  type: string;
  value: fc.Arbitrary<Value>;
}

const same = (value: fc.Arbitrary<unknown>) => value.map((each) => ({ json: each, native: each }));
const hex = (bytes: fc.Arbitrary<Uint8Array>) => same(bytes.map((each) => toHex(each)));
const sized = (size: number) => hex(fc.uint8Array({ minLength: size, maxLength: size }));

const integer = (signed: boolean, bits: number) => {
  const range = signed
    ? { min: -(2n ** BigInt(bits - 1)), max: 2n ** BigInt(bits - 1) - 1n }
    : { min: 0n, max: 2n ** BigInt(bits) - 1n };
  return fc.tuple(fc.bigInt(range), fc.integer({ min: 0, max: 2 })).map(([native, spelling]) => {
    if (spelling === 0 && BigInt.asIntN(53, native) === native) return { json: Number(native), native };
    if (spelling === 1 && native >= 0n) return { json: `0x${native.toString(16)}`, native };
    return { json: native.toString(), native };
  });
};

const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => bytes * 8);
const atom: fc.Arbitrary<Typed> = fc.oneof(
  bits.map((width) => ({ type: `uint${width}`, value: integer(false, width) })),
  bits.map((width) => ({ type: `int${width}`, value: integer(true, width) })),
  fc.integer({ min: 1, max: 32 }).map((size) => ({ type: `bytes${size}`, value: sized(size) })),
  fc.constant({ type: 'address', value: sized(20) }),
  fc.constant({ type: 'bool', value: same(fc.boolean()) }),
  fc.constant({ type: 'bytes', value: hex(fc.uint8Array({ maxLength: 80 })) }),
  fc.constant({
    type: 'string',
    value: same(fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replaceAll('\0', ''))),
  }),
);

const listOf = (element: fc.Arbitrary<Value>, length: { minLength: number; maxLength: number }) =>
  fc.array(element, length).map((values) => ({
    json: values.map(({ json }) => json),
    native: values.map(({ native }) => native),
  }));

const maybeArray = ({ type, value }: Typed): fc.Arbitrary<Typed> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ type, value }) },
    fc.constant({ type: `${type}[]`, value: listOf(value, { minLength: 0, maxLength: 3 }) }),
    fc.constant({ type: `${type}[2]`, value: listOf(value, { minLength: 2, maxLength: 2 }) }),
    fc.constant({
      type: `${type}[2][]`,
      value: listOf(listOf(value, { minLength: 2, maxLength: 2 }), { minLength: 0, maxLength: 2 }),
    }),
  );

interface Struct extends Typed {
  types: Record<string, { name: string; type: string }[]>;
}

/**
 * Structs of atoms and of the structs made before, so that the last one reaches most of them. They are met in another order than that of their names,
 * which the type hash goes by.
 */
const struct = (name: string, earlier: Struct | undefined): fc.Arbitrary<Struct> =>
  fc
    .tuple(
      fc.array(atom.chain(maybeArray), { minLength: 1, maxLength: 4 }),
      earlier === undefined ? fc.constant([]) : fc.array(maybeArray(earlier), { minLength: 1, maxLength: 2 }),
    )
    .map(([atoms, structs]) => {
      const members = [...structs, ...atoms];
      const fields = members.map(({ type }, index) => ({ name: `f${index}_${name}`, type }));
      const value = fc.tuple(...members.map((member) => member.value)).map((values) => ({
        json: Object.fromEntries(values.map(({ json }, index) => [fields[index]?.name ?? '', json])),
        native: Object.fromEntries(values.map(({ native }, index) => [fields[index]?.name ?? '', native])),
      }));
      return { type: name, value, types: { ...earlier?.types, [name]: fields } };
    });

const document = struct('Ant', undefined)
  .chain((first) => struct('Zebra', first))
  .chain((second) => struct('Mouse', second))
  .chain((root) => root.value.map((value) => ({ root, value })));

const domain = fc.record(
  {
    name: fc.string({ minLength: 1, maxLength: 10 }),
    version: fc.constantFrom('1', '2.0'),
    chainId: fc.constant(1),
    verifyingContract: fc.constant(`0x${'ab'.repeat(20)}`),
    salt: fc.constant(`0x${'cd'.repeat(32)}`),
  },
  { requiredKeys: ['name'] },
);

test('any document', async () => {
  await fc.assert(
    fc.asyncProperty(document, domain, async ({ root, value }, domainValue) => {
      const common = { types: root.types, primaryType: root.type, domain: domainValue };
      const expected = hashTypedData({ ...common, message: value.native } as unknown as TypedDataDefinition);
      expect(await digestOf({ ...common, message: value.json })).toBe(expected);
    }),
    { numRuns: 100 },
  );
});
