// Goal: types that are not those of EIP-712, or more of them than the nodes take, are refused with a sentence that says
// where. Method: a good document, one thing spoilt at a time.
import { describe, expect, it } from 'vitest';
import { readDocument, type TypedData } from '../../../domain/payloads/typed-data.ts';
import { domainType, field, mail, refusalOf, sample } from './documents.ts';

const withTypes = (types: object) => refusalOf({ ...mail, types: { ...mail.types, ...types } });

describe('refuses types', () => {
  it.each([
    'uint',
    'int',
    'uint0',
    'uint7',
    'uint264',
    'uint08',
    'bytes0',
    'bytes33',
    'function',
    'person',
    '',
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
    'constructor',
    'uint8[1000000000]',
  ])('that use the unknown type %j', (type) => {
    for (const used of [type, `${type}[]`])
      expect(refusalOf(sample(used, []))).toBe(
        `typed_data.types.Sample.x has the type "${used}", which is neither EIP-712's nor among types.`,
      );
  });

  it.each([
    '1Person',
    'Per son',
    'Person()',
    'Pérson',
    'Person$',
    'A:B',
    'Person\n',
    '',
    '__proto__',
    'address',
    'bool',
    'string',
    'bytes32',
    'bytesX',
    'uint',
    'uint7',
    'integer',
  ])('with the struct name %j, used or not', (name) => {
    const types = Object.fromEntries([...Object.entries(mail.types), [name, [field('b', 'bool')]]]);
    const sentence = `typed_data.types has the name "${name}", which no struct can have.`;
    expect(refusalOf({ ...mail, types })).toBe(sentence);
    expect(refusalOf({ ...mail, types, primaryType: name, message: { b: true } })).toBe(sentence);
  });

  it('with invalid, repeated or no fields, used or not', () => {
    for (const struct of ['Person', 'Unused']) {
      for (const name of ['', '1', 'a b', 'a-b', 'a$', 'grün', 'a,b', 'a(', '__proto__', 1])
        expect(withTypes({ [struct]: [{ name, type: 'bool' }] })).toContain('each a plain name');
      expect(withTypes({ [struct]: [field('a', 'bool'), field('a', 'uint8')] })).toContain('a field name twice');
      for (const fields of [[], {}, null, 'bool']) expect(withTypes({ [struct]: fields })).toContain('one or more');
      for (const wrong of [null, ['a', 'bool'], { name: 'a' }, { ...field('a', 'bool'), indexed: true }])
        expect(withTypes({ [struct]: [wrong] })).toContain('name and type, and nothing else');
      expect(withTypes({ [struct]: [field('a', 'nothing')] })).toContain(`types.${struct}.a has the type "nothing"`);
    }
  });

  it('that are none', () => {
    for (const types of [undefined, null, [], 'x']) expect(refusalOf({ ...mail, types })).toContain('types must be an');
  });
});

describe('the domain', () => {
  const all = {
    name: 'x',
    version: '1',
    chainId: 1,
    verifyingContract: `0x${'11'.repeat(20)}`,
    salt: `0x${'00'.repeat(32)}`,
  };
  const typesOf = (...fields: string[]) => fields.map((name) => field(name, name === 'chainId' ? 'uint256' : 'string'));

  it('may be left out of the types, and is then completed in the order of EIP-712', () => {
    const { EIP712Domain: _written, ...types } = mail.types;
    expect(readDocument({ ...mail, types })).toEqual(readDocument(mail));
    const reversed = Object.fromEntries(Object.entries(all).toReversed());
    expect(readDocument({ ...mail, types, domain: reversed }).document.types['EIP712Domain']).toEqual([
      field('name', 'string'),
      field('version', 'string'),
      field('chainId', 'uint256'),
      field('verifyingContract', 'address'),
      field('salt', 'bytes32'),
    ]);
  });

  it.each<[string, object, readonly unknown[]]>([
    ['a field that its type leaves out', { name: 'x', version: '1' }, typesOf('name')],
    ['fewer fields than its type', { name: 'x' }, typesOf('name', 'version')],
    ['a type in another order', { name: 'x', version: '1' }, typesOf('version', 'name')],
    ['a type of other types', { name: 'x' }, [field('name', 'bytes')]],
    ['a narrower chain id', { chainId: 1 }, [field('chainId', 'uint8')]],
    ['a type of other fields', { name: 'x' }, typesOf('name', 'title')],
  ])('may not have %s', (_what, domain, EIP712Domain) => {
    expect(refusalOf({ ...mail, domain, types: { ...mail.types, EIP712Domain } })).toBe(
      'typed_data.types.EIP712Domain must list the fields of domain with their types, in the order of EIP-712.',
    );
  });

  it('has some of the fields of EIP-712 and no others', () => {
    expect(refusalOf({ ...mail, domain: {} })).toContain('domain is empty');
    expect(refusalOf({ ...mail, domain: { name: 'x', owner: 1 } })).toContain('a field "owner", which EIP-712');
    for (const domain of [undefined, null, [], 'x'])
      expect(refusalOf({ ...mail, domain })).toContain('domain must be an object');
  });

  it('can be all that is signed, without a message', () => {
    const document = { ...mail, types: { EIP712Domain: domainType }, primaryType: 'EIP712Domain', message: {} };
    expect(readDocument(document).document).toEqual(document);
    for (const message of [{ name: 'x' }, [], undefined])
      expect(refusalOf({ ...document, message })).toContain('must be an empty object');
  });
});

describe('the primary type', () => {
  it('is one of the types', () => {
    for (const primaryType of ['Post', 'toString', '', 1, null])
      expect(refusalOf({ ...mail, primaryType })).toBe('typed_data.primaryType must name one of the types.');
  });

  it('may be left out where only one can be it', () => {
    const { primaryType: _named, ...unnamed } = mail;
    expect(readDocument(unnamed).document.primaryType).toBe('Mail');
    const self = { ...mail.types, Mail: [...(mail.types['Mail'] ?? []), field('replies', 'Mail[]')] };
    const message = { ...mail.message, replies: [] };
    expect(readDocument({ ...unnamed, types: self, message }).document.primaryType).toBe('Mail');
    const two = { ...mail.types, Other: [field('a', 'bool')] };
    expect(refusalOf({ ...unnamed, types: two })).toContain('2 types are referred to by no other');
    const none = { ...mail.types, Person: [field('mails', 'Mail[2][]')] };
    expect(refusalOf({ ...unnamed, types: none })).toContain('0 types are referred to by no other');
  });
});

describe('has bounds, for used and unused types together:', () => {
  it('64 types', () => {
    const chain = (count: number): TypedData => {
      const types = Array.from({ length: count }, (_, index) => [
        `T${index}`,
        [field('f', index + 1 === count ? 'bool' : `T${index + 1}[]`)],
      ]);
      return {
        ...mail,
        types: { EIP712Domain: domainType, ...Object.fromEntries(types) },
        primaryType: 'T0',
        message: { f: [] },
      };
    };
    expect(refusalOf(chain(63))).toBe('accepted');
    expect(refusalOf(chain(64))).toContain('has 65 types, and at most 64 can be');
    expect(refusalOf({ ...chain(63), types: { ...chain(63).types, Unused: domainType } })).toContain('has 65 types');
  });

  it('4096 bytes of type text', () => {
    // EIP712Domain(string name) has 25 bytes, Sample(bool x) 14, Unused(bool ) 13.
    const unused = (length: number) => sample('bool', true, { Unused: [field('f'.repeat(length), 'bool')] });
    expect(refusalOf(unused(4096 - 52))).toBe('accepted');
    expect(refusalOf(unused(4096 - 51))).toContain('types is too long');
  });
});
