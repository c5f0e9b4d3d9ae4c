// Random EIP-712 documents: struct types that refer to each other and, through arrays, to themselves, with values of
// every form that the API takes.
import * as fc from 'fast-check';
import { getAddress, toHex } from 'viem';
import type { TypedData } from '../../../domain/payloads/typed-data.ts';

type Fields = TypedData['types'][string];

const hexOf = (sizeBytes: number) =>
  fc.uint8Array({ minLength: sizeBytes, maxLength: sizeBytes }).map((bytes) => toHex(bytes));

/** The ends of the range come often: that is where sign and width matter. */
function integer(bits: number, signed: boolean): fc.Arbitrary<unknown> {
  const [min, max] = signed ? [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n] : [0n, 2n ** BigInt(bits) - 1n];
  return fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max, 0n)).chain((value) => {
    const forms: unknown[] = [value.toString()];
    if (value >= 0n) forms.push(`0x${value.toString(16)}`);
    if (Number.isSafeInteger(Number(value))) forms.push(Number(value));
    return fc.constantFrom(...forms);
  });
}

function atomValue(type: string): fc.Arbitrary<unknown> {
  if (type === 'string') return fc.string({ unit: 'binary', maxLength: 20 });
  if (type === 'bytes') return fc.uint8Array({ maxLength: 40 }).map((bytes) => toHex(bytes));
  if (type === 'bool') return fc.boolean();
  if (type === 'address')
    return fc.oneof(
      hexOf(20),
      hexOf(20).map((address) => getAddress(address)),
    );
  const size = Number(/\d+$/.exec(type)?.[0]);
  return type.startsWith('bytes') ? hexOf(size) : integer(size, type.startsWith('int'));
}

const atomType = fc.oneof(
  fc.constantFrom('string', 'bytes', 'bool', 'address'),
  fc.integer({ min: 1, max: 32 }).chain((size) => fc.constantFrom(`uint${8 * size}`, `int${8 * size}`, `bytes${size}`)),
);
const suffix = fc.constantFrom('', '', '[]', '[2]', '[][1]', '[2][]');
const fieldName = fc.stringMatching(/^[A-Za-z_]\w{0,6}$/);
const structNames = ['Alpha', 'Beta', 'Gamma_2', '_delta'];

/** A struct holds later ones as they are, and any one, itself too, in open arrays. */
function fieldsOf(position: number): fc.Arbitrary<Fields> {
  const references = [
    ...structNames.slice(position + 1).flatMap((name) => [name, `${name}[2]`]),
    ...structNames.flatMap((name) => [`${name}[]`, `${name}[1][]`]),
  ];
  const atom = fc.tuple(atomType, suffix).map((parts) => parts.join(''));
  const type = fc.oneof({ weight: 3, arbitrary: atom }, { weight: 2, arbitrary: fc.constantFrom(...references) });
  return fc.uniqueArray(fc.record({ name: fieldName, type }), {
    minLength: 1,
    maxLength: 4,
    selector: ({ name }) => name,
  });
}

function valueOf(types: TypedData['types'], type: string, depth: number): fc.Arbitrary<unknown> {
  const [, element, digits] = /^(.*)\[(\d*)\]$/.exec(type) ?? [];
  if (element !== undefined && digits !== undefined) {
    const length = digits === '' ? { minLength: 0, maxLength: depth > 4 ? 0 : 2 } : exactly(Number(digits));
    // Built only where an element can occur: a type may hold itself.
    if (length.maxLength === 0) return fc.constant([]);
    return fc.array(valueOf(types, element, depth + 1), length);
  }
  const fields = Object.hasOwn(types, type) ? types[type] : undefined;
  if (fields === undefined) return atomValue(type);
  return fc.record(Object.fromEntries(fields.map((field) => [field.name, valueOf(types, field.type, depth + 1)])));
}

const exactly = (length: number) => ({ minLength: length, maxLength: length });

const domainFields: Fields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

export const typedDataDocuments: fc.Arbitrary<TypedData> = fc
  .tuple(
    fc.subarray([...domainFields], { minLength: 1 }),
    fc.tuple(...structNames.map((_name, position) => fieldsOf(position))),
    fc.constantFrom(...structNames, 'EIP712Domain'),
  )
  .chain(([domain, structs, primaryType]) => {
    const types: TypedData['types'] = {
      EIP712Domain: domain,
      ...Object.fromEntries(structNames.map((name, position) => [name, structs[position] ?? []])),
    };
    const message = primaryType === 'EIP712Domain' ? fc.constant({}) : valueOf(types, primaryType, 1);
    return fc.record({
      types: fc.constant(types),
      primaryType: fc.constant(primaryType),
      domain: valueOf(types, 'EIP712Domain', 1) as fc.Arbitrary<TypedData['domain']>,
      message: message as fc.Arbitrary<TypedData['message']>,
    });
  });
