// Goal: types that are not those of EIP-712, or more of them than the nodes take, cost no session. Method: a good document, one thing spoilt at a time.
import { describe, expect, it } from 'vitest';
import type { TypedData } from '../../../activities/mpc/cluster.ts';
import { domainType, field, mail, refusalOf, sample } from './typed-data-samples.ts';

describe('refuses types', () => {
  const withTypes = (types: TypedData['types']) => refusalOf({ ...mail, types: { ...mail.types, ...types } });

  it.each(['uint', 'int', 'uint0', 'uint7', 'uint264', 'uint08', 'bytes0', 'bytes33', 'function', 'person', ''])(
    'that use the unknown type %j',
    (type) => {
      expect(refusalOf(sample(type, 1))).toContain('uses an unknown type');
      expect(refusalOf(sample(`${type}[]`, []))).toContain('uses an unknown type');
    },
  );

  it.each([
    'uint8[',
    'uint8]',
    'uint8[0]',
    'uint8[01]',
    'uint8[-1]',
    'uint8[1',
    'uint8[][a]',
    '[]',
    'uint8[] ',
    ' uint8',
  ])('that use the malformed type %j', (type) => expect(refusalOf(sample(type, []))).toContain('uses an unknown type'));

  it('that inherit a name', () => expect(refusalOf(sample('constructor', {}))).toContain('uses an unknown type'));

  it('without the primary type or the domain', () => {
    expect(refusalOf({ ...mail, primaryType: 'Post' })).toContain('uses an unknown type');
    const { EIP712Domain: _domain, ...types } = mail.types;
    expect(refusalOf({ ...mail, types })).toContain('uses an unknown type');
  });

  it.each([
    '1Person',
    'Per son',
    'Person()',
    'Pérson',
    'Person$',
    'A:B',
    'address',
    'string',
    'bytes32',
    'uint',
    'integer',
  ])('with the struct name %j', (name) => {
    const types = { EIP712Domain: domainType, [name]: [field('b', 'bool')] };
    expect(refusalOf({ ...mail, types, primaryType: name, message: { b: true } })).toContain(
      'a name that a struct cannot have',
    );
  });

  it('with invalid, repeated or no fields', () => {
    for (const name of ['', '1', 'a b', 'a-b', 'a$', 'grün', 'a,b', 'a(']) {
      expect(withTypes({ Person: [field(name, 'bool')] })).toContain('field name');
    }
    expect(withTypes({ Person: [field('a', 'bool'), field('a', 'bool')] })).toContain('field name');
    expect(withTypes({ Person: [] })).toContain('without fields');
  });

  it('with another domain than that of EIP-712', () => {
    const one = [
      field('title', 'string'),
      field('name', 'bytes'),
      field('chainId', 'uint8'),
      field('name', 'string[]'),
    ];
    for (const fields of [...one.map((only) => [only]), [field('version', 'string'), field('name', 'string')]]) {
      expect(withTypes({ EIP712Domain: fields })).toContain('other fields than EIP-712 knows');
    }
    expect(withTypes({ EIP712Domain: [] })).toContain('without fields');
  });
});

describe('has bounds:', () => {
  it('64 types', () => {
    const chain = (count: number): TypedData => {
      const types = Array.from({ length: count }, (_, index) => [
        `T${index}`,
        [field('f', index + 1 === count ? 'bool' : `T${index + 1}[]`)],
      ]);
      return {
        ...sample('', 0),
        types: { EIP712Domain: domainType, ...Object.fromEntries(types) },
        primaryType: 'T0',
        message: { f: [] },
      };
    };
    expect(refusalOf(chain(63))).toBe('accepted');
    expect(refusalOf(chain(64))).toContain('too many types');
  });

  it('4096 bytes of type text', () => {
    // EIP712Domain(string name) has 25 bytes, Sample(bool ) 13.
    const named = (length: number): TypedData => {
      const name = 'f'.repeat(length);
      return {
        ...sample('', 0),
        types: { EIP712Domain: domainType, Sample: [field(name, 'bool')] },
        message: { [name]: true },
      };
    };
    expect(refusalOf(named(4096 - 38))).toBe('accepted');
    expect(refusalOf(named(4096 - 37))).toContain('types that are too long');
  });

  it('a mebibyte of types to hash, for all structs together', () => {
    // EIP712Domain(string name) has 25 bytes, Sample(Item[] value) 20, Item(bool …) 11 and its field's name: 1024 in all.
    const name = 'f'.repeat(1024 - 25 - 20 - 11);
    const items = (count: number): TypedData => ({
      ...sample(
        'Item[]',
        Array.from({ length: count }, () => ({ [name]: true })),
      ),
      types: { ...sample('Item[]', 0).types, Item: [field(name, 'bool')] },
    });
    expect(refusalOf(items(1023))).toBe('accepted');
    expect(refusalOf(items(1024))).toContain('too many structs');
  });
});
