// Goal: an off-chain envelope of Solana is read as the standard has it, and nothing else is signed under that name, by
// the API and by the nodes alike. Method: envelopes that Solana's own library writes, and each with one thing wrong;
// all of them stand in mpc/vectors/solana-offchain.json, which the nodes' tests read too. UPDATE_VECTORS=1 writes it
// anew: then read the diff.
import { readFileSync, writeFileSync } from 'node:fs';
import { base58 } from '@scure/base';
import {
  type Address,
  offchainMessageContentRestrictedAsciiOf1232BytesMax as ascii,
  getOffchainMessageV0Encoder,
  offchainMessageContentUtf8Of65535BytesMax as long,
  type OffchainMessageContent,
  offchainMessageApplicationDomain,
  offchainMessageContentUtf8Of1232BytesMax as utf8,
} from '@solana/kit';
import { expect, test } from 'vitest';
import { isBlindMessage } from '../../../domain/payloads/message-digest.ts';
import { PayloadError } from '../../../domain/payloads/payload-error.ts';
import { assertSolanaMessage, readOffchain, writeOffchain } from '../../../domain/payloads/solana-offchain.ts';

const file = new URL('../../../mpc/vectors/solana-offchain.json', import.meta.url);
const keyOf = (byte: number) => base58.encode(new Uint8Array(32).fill(byte)) as Address;
const [ONE, TWO] = [keyOf(1), keyOf(2)];
const APPLICATION = keyOf(7);

function written(content: OffchainMessageContent, ...signers: Address[]): Buffer {
  const message = {
    version: 0,
    applicationDomain: offchainMessageApplicationDomain(APPLICATION),
    content,
    requiredSignatories: signers.map((address) => ({ address })),
  } as const;
  return Buffer.from(getOffchainMessageV0Encoder().encode(message as never));
}

/** Where the parts of one with one signer begin. */
const [VERSION, FORMAT, COUNT, LENGTH] = [16, 49, 50, 83];
const plain = written(ascii('Sign in, Bob'), ONE);
const changed = (at: number, ...bytes: number[]) =>
  Buffer.concat([plain.subarray(0, at), Buffer.from(bytes), plain.subarray(at + bytes.length)]);
/** Whatever the format says of it. */
const withBody = (format: number, body: Buffer) =>
  Buffer.concat([
    changed(FORMAT, format).subarray(0, LENGTH),
    Buffer.of(body.length & 0xff, (body.length >> 8) & 0xff),
    body,
  ]);

const right: Record<string, { bytes: Buffer; text: string; signers: Address[] }> = {
  'printable ASCII': { bytes: plain, text: 'Sign in, Bob', signers: [ONE] },
  'two signers': { bytes: written(ascii('both'), ONE, TWO), text: 'both', signers: [ONE, TWO] },
  'UTF-8': { bytes: written(utf8('Grüße,\n\tBob 👋'), ONE), text: 'Grüße,\n\tBob 👋', signers: [ONE] },
  'longer than a packet': { bytes: written(long('ü'.repeat(2_000)), ONE), text: 'ü'.repeat(2_000), signers: [ONE] },
  'as long as its format takes': {
    bytes: withBody(0, Buffer.alloc(1_232 - 85, 'a')),
    text: 'a'.repeat(1_147),
    signers: [ONE],
  },
};
const wrong: Record<string, Buffer> = {
  'its mark alone': plain.subarray(0, 16),
  'another version': changed(VERSION, 1),
  'an unknown format': changed(FORMAT, 3),
  'no signer': Buffer.concat([changed(COUNT, 0).subarray(0, 51), plain.subarray(LENGTH)]),
  'more signers than there are': changed(COUNT, 2),
  'no message': withBody(0, Buffer.alloc(0)),
  'a shorter length': changed(LENGTH, 11),
  'a longer length': changed(LENGTH, 13),
  'a byte behind': Buffer.concat([plain, Buffer.of(0x21)]),
  'a line in a format of one line': withBody(0, Buffer.from('a\nb')),
  'other letters than ASCII in its format': withBody(0, Buffer.from('ü')),
  'no UTF-8': withBody(1, Buffer.of(0x61, 0xff)),
  'a zero': withBody(1, Buffer.from('a\0')),
  'an escape': withBody(1, Buffer.from('\u001b[2J')),
  'a byte more than its format takes': withBody(1, Buffer.alloc(1_232 - 84, 'a')),
  'the start of a message': plain.subarray(0, 90),
};

const vectors = [
  ...Object.entries(right).map(([name, { bytes, text, signers }]) => ({
    name,
    bytes: bytes.toString('hex'),
    message: Buffer.from(text).toString('hex'),
    signers: signers.map((key) => Buffer.from(base58.decode(key)).toString('hex')),
  })),
  ...Object.entries(wrong).map(([name, bytes]) => ({
    name,
    bytes: bytes.toString('hex'),
    message: null,
    signers: null,
  })),
];
if (process.env['UPDATE_VECTORS'] === '1') writeFileSync(file, `${JSON.stringify(vectors, null, 1)}\n`);

test('the vectors are those that the nodes read', () => {
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(vectors);
});

test.each(Object.entries(right))('read: %s', (_name, { bytes, text, signers }) => {
  const { body, ...header } = readOffchain(bytes);
  expect(Buffer.from(body).toString()).toBe(text);
  expect(header).toMatchObject({ applicationDomain: APPLICATION, signers });
  assertSolanaMessage(bytes);
});

test.each(Object.entries(wrong))('refused: %s', (_name, bytes) => {
  expect(() => assertSolanaMessage(bytes)).toThrow(PayloadError);
});

test.each([
  ['Sign in, Bob', plain],
  ['Grüße,\n\tBob 👋', right['UTF-8']?.bytes],
  ['ü'.repeat(2_000), right['longer than a packet']?.bytes],
])('written as the library writes it: %s', (text, bytes) => {
  const envelope = writeOffchain({ signer: ONE, applicationDomain: APPLICATION, body: Buffer.from(text) });
  expect(Buffer.from(envelope)).toEqual(bytes);
});

test('what is too long for any format is not written', () => {
  const body = Buffer.alloc(65_536 - 85, 'a');
  expect(() => writeOffchain({ signer: ONE, applicationDomain: APPLICATION, body })).toThrow(PayloadError);
  expect(writeOffchain({ signer: ONE, applicationDomain: APPLICATION, body: body.subarray(1) })).toHaveLength(65_535);
});

test('a digest within an envelope is told as one', () => {
  const blind = (text: string) =>
    isBlindMessage({ kind: 'solana_message', hex: `0x${written(ascii(text), ONE).toString('hex')}` });
  expect(blind('5f'.repeat(32))).toBe(true);
  expect(blind('Sign in, Bob')).toBe(false);
});
