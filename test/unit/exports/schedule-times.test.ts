// Goal: a schedule of exports is due when clocks of its time zone say so, and an export of it is of whole days, weeks
// or months of its calendar, also where clocks are set. Method: examples by hand, and every hour of a year in time
// zones that do it differently.
import { expect, test } from 'vitest';
import { findCronFault, isDue, isTimeZone, windowBefore } from '../../../domain/exports/schedule-times.ts';

const at = (text: string) => new Date(text);

test.each([
  ['30 6 * * *', undefined],
  ['0 */4 1,15 1-6 *', undefined],
  ['5 0 * * 1-5', undefined],
  ['0 0 * * 7', undefined],
  ['* * * * *', /one minute/],
  ['*/5 * * * *', /one minute/],
  ['0 0 1 * 1', /not both/],
  ['0 24 * * *', /five fields/],
  ['0 0 0 * *', /five fields/],
  ['0 0 * * MON', /five fields/],
  ['0 0 * *', /five fields/],
  ['0 0 * * * *', /five fields/],
  ['0  0 * * *', /five fields/],
  ['0 5-1 * * *', /five fields/],
  ['0 */0 * * *', /five fields/],
  ['@daily', /five fields/],
  ['CRON_TZ=UTC 0 0 * * *', /five fields/],
])('%s: %s', (cron, fault) => {
  if (fault === undefined) expect(findCronFault(cron)).toBeUndefined();
  else expect(findCronFault(cron)).toMatch(fault);
});

test('names of time zones, and what is none', () => {
  for (const name of ['UTC', 'Europe/Zurich', 'America/Sao_Paulo']) expect(isTimeZone(name)).toBe(true);
  for (const name of ['', 'Mars/Olympus', '+02:00', '../etc/passwd']) expect(isTimeZone(name)).toBe(false);
});

test('it is due when the clocks of its time zone show it, at the full minute', () => {
  // In July Zurich is two hours ahead, in January one.
  expect(isDue('30 6 * * *', 'Europe/Zurich', at('2026-07-01T04:30:00Z'))).toBe(true);
  expect(isDue('30 6 * * *', 'Europe/Zurich', at('2026-01-01T05:30:00Z'))).toBe(true);
  expect(isDue('30 6 * * *', 'Europe/Zurich', at('2026-01-01T04:30:00Z'))).toBe(false);
  expect(isDue('30 6 * * *', 'Europe/Zurich', at('2026-01-01T05:30:01Z'))).toBe(false);
  // A Sunday is 0 and 7; the first of March 2026 is one.
  for (const day of ['0', '7']) expect(isDue(`0 0 * * ${day}`, 'UTC', at('2026-03-01T00:00:00Z'))).toBe(true);
  expect(isDue('0 0 * * 1', 'UTC', at('2026-03-01T00:00:00Z'))).toBe(false);
  expect(isDue('0 0 * * *', 'Mars/Olympus', at('2026-03-01T00:00:00Z'))).toBe(false);
});

test.each([
  ['previous_day', 'UTC', '2026-03-01T06:30:00Z', '2026-02-28T00:00:00Z', '2026-03-01T00:00:00Z'],
  ['previous_week', 'UTC', '2026-03-01T06:30:00Z', '2026-02-16T00:00:00Z', '2026-02-23T00:00:00Z'],
  ['previous_month', 'UTC', '2026-01-31T06:30:00Z', '2025-12-01T00:00:00Z', '2026-01-01T00:00:00Z'],
  // Late in the evening of UTC it is the next day already.
  ['previous_day', 'Europe/Zurich', '2026-07-01T23:30:00Z', '2026-06-30T22:00:00Z', '2026-07-01T22:00:00Z'],
  // A day of 23 hours, and one of 25.
  ['previous_day', 'Europe/Zurich', '2026-03-30T10:00:00Z', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
  ['previous_day', 'Europe/Zurich', '2026-10-26T10:00:00Z', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
  // A day that began at one o'clock.
  ['previous_day', 'America/Sao_Paulo', '2018-11-05T12:00:00Z', '2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z'],
] as const)('%s in %s, as of %s', (window, timeZone, moment, ...range) => {
  const [from, to] = range;
  expect(windowBefore(at(moment), window, timeZone)).toEqual({ from: new Date(from ?? ''), to: new Date(to ?? '') });
});

test.each(['Europe/Zurich', 'America/Havana', 'Asia/Kolkata', 'Pacific/Chatham', 'Australia/Lord_Howe'])(
  'days of %s follow one another without a gap and without overlapping',
  (timeZone) => {
    let last: { from: Date; to: Date } | undefined;
    for (let hour = 0; hour < 24 * 366; hour += 6) {
      const window = windowBefore(new Date(Date.UTC(2026, 0, 1, hour)), 'previous_day', timeZone);
      if (last !== undefined && window.from.getTime() !== last.from.getTime()) expect(window.from).toEqual(last.to);
      last = window;
    }
  },
);
