// Goal: what the console makes of what is filled in, and how it words sizes and differences, is right at the edges:
// days are those of who looks, also when clocks are set, a choice is read by its name alone, and of two texts as few
// lines as can be are shown as changed. Method: examples by hand, in a time zone that sets its clocks, and generated
// lines.
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedLines } from '../../../console/text/changed-lines.ts';
import { endOfDay, isDay, startOfDay } from '../../../console/text/days.ts';
import { transactionPage } from '../../../console/text/explorers.ts';
import { chosenIn } from '../../../console/text/form-fields.ts';
import { sizeInWords, words } from '../../../console/text/words.ts';

let zone: string | undefined;
beforeAll(() => {
  zone = process.env['TZ'];
  process.env['TZ'] = 'Europe/Zurich';
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test('a day goes from its first moment to the first one of the next, by the clocks of who looks', () => {
  expect([startOfDay('2026-01-31'), endOfDay('2026-01-31')]).toEqual([
    '2026-01-30T23:00:00.000Z',
    '2026-01-31T23:00:00.000Z',
  ]);
  // Of 23 hours, and of 25.
  expect([startOfDay('2026-03-29'), endOfDay('2026-03-29')]).toEqual([
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T22:00:00.000Z',
  ]);
  expect([startOfDay('2026-10-25'), endOfDay('2026-10-25')]).toEqual([
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ]);
});

test.each([
  ['2026-01-31', true],
  ['2026-13-01', false],
  ['2026-01-31T00:00:00Z', false],
  ['', false],
])('%s is a day: %s', (text, expected) => {
  expect(isDay(text)).toBe(expected);
});

test('choices are those of their own name', () => {
  const fields = { 'wallet:one': 'on', 'wallet:two': 'on', 'wallets:three': 'on', wallet: 'four', 'event:a:b': 'on' };
  expect(chosenIn(fields, 'wallet')).toEqual(['one', 'two']);
  expect(chosenIn(fields, 'event')).toEqual(['a:b']);
  expect(chosenIn(fields, 'scope')).toEqual([]);
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [18_119, '18.1 kB'],
  [1_530_000, '1.53 MB'],
  [2.5e15, '2500 TB'],
])('%s bytes are %s', (bytes, shown) => {
  expect(sizeInWords(bytes)).toBe(shown);
});

const inShort = (before: string, after: string) =>
  changedLines(before.split(''), after.split(''))
    .map(({ kind, line }) => `${{ same: '', gone: '-', new: '+' }[kind]}${line}`)
    .join('');

test('lines that are gone stand before those that came in their place', () => {
  expect(inShort('abc', 'abc')).toBe('abc');
  expect(inShort('abc', 'axc')).toBe('a-b+xc');
  expect(inShort('', 'ab')).toBe('+a+b');
  expect(inShort('ab', '')).toBe('-a-b');
  expect(inShort('xabc', 'abcx')).toBe('-xabc+x');
});

test('what is shown has either text whole, also of texts that are too long to be compared', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
  const assertWhole = (before: string[], after: string[]) => {
    const shown = changedLines(before, after);
    const of = (kind: string) => shown.filter((each) => each.kind !== kind).map(({ line }) => line);
    expect(of('new')).toEqual(before);
    expect(of('gone')).toEqual(after);
  };
  fc.assert(fc.property(lines, lines, assertWhole));
  const long = Array.from({ length: 2_001 }, (_, at) => String(at));
  assertWhole(long, long.toReversed());
});

test('a transaction is shown by others where they know the network, and what is no hash leads nowhere', () => {
  const hash = `0x${'ab'.repeat(32)}`;
  expect(transactionPage('ETHEREUM_MAINNET', hash)).toBe(`https://etherscan.io/tx/${hash}`);
  expect(transactionPage('ETHEREUM_SANDBOX', hash)).toBeUndefined();
  expect(transactionPage(undefined, hash)).toBeUndefined();
  expect(transactionPage('ETHEREUM_MAINNET', `${hash}/../../elsewhere`)).toBeUndefined();
});

test('short names are written as such', () => {
  expect([words('evm_message'), words('api_key'), words('pending_approval')]).toEqual([
    'EVM message',
    'API key',
    'pending approval',
  ]);
});
