// Goal: the next times that somebody is shown who makes a schedule are those at which it is due. Method: examples by
// hand, and every minute of some weeks in which clocks are set, against the rule by which the service exports.
import { expect, test } from 'vitest';
import { isDue, nextTimesDue } from '../../../domain/exports/schedule-times.ts';

const next = (cron: string, timeZone: string, after: string, count = 2) =>
  nextTimesDue({ cron, timeZone }, new Date(after), count).map((moment) => moment.toISOString());

test.each([
  ['30 6 1 * *', 'Europe/Zurich', '2026-03-01T05:30:00Z', ['2026-04-01T04:30:00.000Z', '2026-05-01T04:30:00.000Z']],
  ['0 0 * * 7', 'UTC', '2026-03-01T00:00:00Z', ['2026-03-08T00:00:00.000Z', '2026-03-15T00:00:00.000Z']],
  ['0 23,1 * * *', 'UTC', '2026-03-01T12:00:00Z', ['2026-03-01T23:00:00.000Z', '2026-03-02T01:00:00.000Z']],
  // Two o'clock is left out on the day on which clocks go forward.
  ['15 2 * * *', 'Europe/Zurich', '2026-03-28T12:00:00Z', ['2026-03-30T00:15:00.000Z', '2026-03-31T00:15:00.000Z']],
  ['0 12 29 2 *', 'UTC', '2097-01-01T00:00:00Z', ['2104-02-29T12:00:00.000Z']],
] as const)('%s in %s after %s', (cron, timeZone, after, due) => {
  expect(next(cron, timeZone, after, due.length)).toEqual(due);
});

test('what is never due, and what is no schedule, has none', () => {
  expect(next('0 0 30 2 *', 'UTC', '2026-03-01T00:00:00Z')).toEqual([]);
  expect(next('often', 'UTC', '2026-03-01T00:00:00Z')).toEqual([]);
  expect(next('0 0 * * *', 'Mars/Olympus', '2026-03-01T00:00:00Z')).toEqual([]);
});

test.each([
  ['30 * * * *', 'Europe/Zurich', '2026-10-24T12:00:00Z'],
  ['30 2 * * *', 'Europe/Zurich', '2026-10-24T12:00:00Z'],
  ['15 1-3 * * *', 'America/New_York', '2026-03-07T12:00:00Z'],
  ['45 */6 * * *', 'Australia/Lord_Howe', '2026-04-04T00:00:00Z'],
] as const)('%s in %s after %s: none is left out and none is added', (cron, timeZone, after) => {
  const start = Date.parse(after);
  const minutes = Array.from({ length: 3 * 24 * 60 }, (_, minute) => new Date(start + (minute + 1) * 60_000));
  const due = minutes.filter((moment) => isDue(cron, timeZone, moment)).map((moment) => moment.toISOString());
  expect(due.length).toBeGreaterThan(0);
  expect(next(cron, timeZone, after, due.length)).toEqual(due);
});
