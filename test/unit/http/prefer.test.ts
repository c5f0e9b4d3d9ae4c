// Goal: `Prefer: wait` is read as RFC 7240 writes it, and whatever cannot be read is no preference. Method: a table of
// header values, RFC 7240's own examples among them.
import { expect, test } from 'vitest';
import { preferredWaitSeconds } from '../../../src/http/waiting/prefer.ts';

test.each<[string | string[] | undefined, number | undefined]>([
  ['wait=10', 10],
  ['wait=0', 0],
  ['wait=30', 30],
  ['wait=31', 30],
  ['wait=99999999999999999999999', 30],
  ['WAIT=5', 5],
  ['wait = 5', 5],
  ['wait="5"', 5],
  ['wait="\\5"', 5],
  ['wait=5;strict', 5],
  ['wait=5 ; mode="a,b;c"', 5],
  // Several preferences in one header, several headers, and what Node makes of these.
  ['respond-async, wait=10', 10],
  ['wait=100, respond-async', 30],
  ['return=minimal; foo="some, wait=3", wait=7', 7],
  ['foo="wait=3"', undefined],
  [['respond-async', 'wait=8'], 8],
  [',, wait=4 ,', 4],
  // Only the first of two counts, whatever it is.
  ['wait=2, wait=9', 2],
  ['wait=soon, wait=9', undefined],
  // No whole number of seconds.
  [undefined, undefined],
  ['', undefined],
  ['wait', undefined],
  ['wait=', undefined],
  ['wait=""', undefined],
  ['wait=-1', undefined],
  ['wait=1.5', undefined],
  ['wait=1e1', undefined],
  ['wait=5 s', undefined],
  ['wait="5', undefined],
  ['wait=٣', undefined],
  ['waiting=5', undefined],
  ['foo bar wait=5', undefined],
  // A neighbour that cannot be read spoils nothing.
  ['(what is this), wait=6', 6],
])('%j → %j', (header, seconds) => {
  expect(preferredWaitSeconds(header)).toBe(seconds);
});

test('a header of any length is read in a moment', () => {
  const before = process.cpuUsage();
  for (const text of [' ', '"', ',', 'a', '\\', 'wait=5;', '"\\', 'a ='])
    preferredWaitSeconds(text.repeat(16_000 / text.length));
  // Of this process alone: what else the machine does is no matter of a header.
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});
