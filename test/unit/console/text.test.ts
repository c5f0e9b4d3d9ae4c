// Goal: what the console makes of what is filled in, and how it words sizes, is right at the edges: days are those of
// who looks, also when clocks are set, and a choice is read by its name alone. Method: examples by hand, in a time zone
// that sets its clocks.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endOfDay, isDay, startOfDay } from '../../../console/text/days.ts';
import { chosenIn } from '../../../console/text/form-fields.ts';
import { sizeInWords } from '../../../console/text/words.ts';

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
