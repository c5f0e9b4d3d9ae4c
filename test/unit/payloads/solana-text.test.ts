// Goal: nothing but text is signed on Solana without being read as a transaction. Method: texts and bytes at the edges;
// messages of letters and tabs.
import { expect, test } from 'vitest';
import { requiredSigners } from '../../../domain/payloads/solana-message.ts';
import { assertSolanaText } from '../../../domain/payloads/solana-text.ts';

test.each(['hello', 'Grüße,\n\tBob\r\n', '👋', 'a'.repeat(65_536)])('text: %s', (text) => {
  assertSolanaText(Buffer.from(text));
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a zero', Buffer.from('hello\0')],
  ['an escape', Buffer.from('\u001b[2J')],
  ['a control character of the second block', Buffer.from('\u0085')],
  ['half a letter', Buffer.from('ü').subarray(0, 1)],
  ['the mark of a version', Buffer.of(0x80, 1)],
  ['more than is signed', Buffer.alloc(65_537, 'a')],
])('refused: %s', (_name, bytes) => {
  expect(() => assertSolanaText(bytes)).toThrow(/^message /);
});

/**
 * By the least numbers that are text, of signers, accounts and instructions, it has 1,250 bytes, and no message has
 * more than 1,232.
 */
test('refused: the shortest message that is tabs and letters in every byte is no transaction, and one byte of another is no text', () => {
  const keys = Array.from({ length: 32 }, (_, index) => Buffer.alloc(32, 97 + (index % 20)));
  const instruction = Buffer.concat([Buffer.of(10, 9), Buffer.alloc(9, 9), Buffer.of(9), Buffer.alloc(9, 'x')]);
  const all = Array.from({ length: 9 }, () => instruction);
  const message = Buffer.concat([Buffer.of(10, 9, 9, 32), ...keys, Buffer.alloc(32, 'h'), Buffer.of(9), ...all]);
  expect(message).toHaveLength(1_250);
  assertSolanaText(message);
  expect(() => requiredSigners(message)).toThrow('at most 1232');
  const shorter = Buffer.concat([message.subarray(0, 4 + 33 * 32), Buffer.of(1), instruction]);
  expect(requiredSigners(shorter)).toHaveLength(10);
  expect(() => assertSolanaText(shorter)).toThrow('not text');
});
