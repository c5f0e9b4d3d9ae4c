// Goal: of a shortage that is about the same nobody is told twice, and of another one always. Method: pairs at the
// edge.
import { expect, test } from 'vitest';
import { isSimilarShortage, type Shortage } from '../../../domain/withdrawals/shortage.ts';

const short = (more: Partial<Shortage> = {}): Shortage => ({
  assetId: 'a',
  symbol: 'ETH',
  missing: '0.001',
  waitsUntil: '2026-01-01T00:00:00.000Z',
  ...more,
});

test.each([
  ['the same', {}, true],
  ['a little more', { missing: '0.001999' }, true],
  ['twice as much', { missing: '0.002' }, false],
  ['a little less', { missing: '0.000501' }, true],
  ['half as much', { missing: '0.0005' }, false],
  ['another currency', { assetId: 'b' }, false],
  ['another time', { waitsUntil: '2026-01-02T00:00:00.000Z' }, false],
  ['nobody can say how much any more', { missing: null }, false],
])('%s', (_name, more, expected) => {
  expect(isSimilarShortage(short(), short(more))).toBe(expected);
  expect(isSimilarShortage(short(more), short())).toBe(expected);
});

test('of which nobody can say how much, twice', () => {
  expect(isSimilarShortage(short({ missing: null }), short({ missing: null }))).toBe(true);
});
