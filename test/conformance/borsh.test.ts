// Goal: our Borsh is the Borsh of the specification. Method: random values are encoded by the `borsh` package and by
// ours and must give the same bytes, which must decode to the same value; then what the package lets pass (trailing
// bytes, loose booleans of options, bad UTF-8) must be refused.
import { type Schema, serialize } from 'borsh';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import * as borsh from '../../activities/mpc/transport/borsh.ts';

const inner = borsh.struct({ id: borsh.u64, name: borsh.text(1_000), round: borsh.u16, count: borsh.u32 });
const codec = borsh.struct({
  list: borsh.vec(inner, 10),
  raw: borsh.bytes(1_000),
  hash: borsh.fixed(32),
  maybe: borsh.option(borsh.u8),
  choice: borsh.variants({ None: {}, One: { value: borsh.u8 }, Two: { left: borsh.u8, right: borsh.u32 } }),
});

const innerSchema: Schema = { struct: { id: 'u64', name: 'string', round: 'u16', count: 'u32' } };
const schema: Schema = {
  struct: {
    list: { array: { type: innerSchema } },
    raw: { array: { type: 'u8' } },
    hash: { array: { type: 'u8', len: 32 } },
    maybe: { option: 'u8' },
    choice: {
      enum: [
        { struct: { None: { struct: {} } } },
        { struct: { One: { struct: { value: 'u8' } } } },
        { struct: { Two: { struct: { left: 'u8', right: 'u32' } } } },
      ],
    },
  },
};

const u8 = fc.integer({ min: 0, max: 255 });
const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const anyBytes = (constraints: fc.IntArrayConstraints) => fc.uint8Array(constraints).map((value) => Buffer.from(value));
const values = fc.record({
  list: fc.array(
    fc.record({
      id: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      name: fc.string({ unit: 'binary', maxLength: 50 }),
      round: fc.integer({ min: 0, max: 65_535 }),
      count: u32,
    }),
    { maxLength: 5 },
  ),
  raw: anyBytes({ maxLength: 300 }),
  hash: anyBytes({ minLength: 32, maxLength: 32 }),
  maybe: fc.option(u8),
  choice: fc.oneof(
    fc.constant({ kind: 'None' as const }),
    fc.record({ kind: fc.constant('One' as const), value: u8 }),
    fc.record({ kind: fc.constant('Two' as const), left: u8, right: u32 }),
  ),
});

it('encodes as the package does and reads its own bytes back', () => {
  fc.assert(
    fc.property(values, (value) => {
      const { kind, ...fields } = value.choice;
      const reference = serialize(schema, { ...value, choice: { [kind]: fields } });
      const bytes = borsh.encode(codec, value);
      expect(Buffer.from(bytes).equals(reference)).toBe(true);
      expect(borsh.decode(codec, bytes)).toEqual(value);
    }),
    { numRuns: 300 },
  );
});

it('has one encoding for a value: whatever it accepts, it writes again byte for byte', () => {
  fc.assert(
    fc.property(values, fc.nat(), u8, (value, position, byte) => {
      const bytes = Buffer.from(borsh.encode(codec, value));
      bytes[position % bytes.length] = byte;
      let decoded: ReturnType<typeof codec.read>;
      try {
        decoded = borsh.decode(codec, bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(borsh.BorshError);
        return;
      }
      expect(Buffer.from(borsh.encode(codec, decoded)).equals(bytes)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

const refused: [string, borsh.Codec<unknown>, string][] = [
  ['trailing bytes', borsh.u8, '0100'],
  ['an option that is neither none nor some', borsh.option(borsh.u8), '0201'],
  ['an unknown variant', borsh.variants({ Only: {} }), '01'],
  ['an unknown name', borsh.names(['only']), '01'],
  ['text that is not UTF-8', borsh.text(10), '02000000c328'],
  ['an overlong UTF-8 form', borsh.text(10), '02000000c080'],
  ['more bytes than allowed', borsh.bytes(1), '020000000102'],
  ['a list longer than allowed', borsh.vec(borsh.u8, 1), '020000000102'],
  ['a length beyond the input', borsh.bytes(2 ** 32), 'ffffffff01'],
];
it.each(refused)('refuses %s', (_what, codec, hex) => {
  expect(() => borsh.decode(codec, Buffer.from(hex, 'hex'))).toThrow(borsh.BorshError);
});

const unwritable: [string, () => unknown][] = [
  ['a number above its size', () => borsh.encode(borsh.u8, 256)],
  ['a negative number', () => borsh.encode(borsh.u32, -1)],
  ['a fraction', () => borsh.encode(borsh.u16, 1.5)],
  ['a big number above 64 bits', () => borsh.encode(borsh.u64, 1n << 64n)],
  ['an array of another size', () => borsh.encode(borsh.fixed(2), Buffer.alloc(3))],
  ['a name that is not in the list', () => borsh.encode<string>(borsh.names(['only']), 'other')],
];
it.each(unwritable)('does not write %s', (_what, write) => {
  expect(write).toThrow(borsh.BorshError);
});
