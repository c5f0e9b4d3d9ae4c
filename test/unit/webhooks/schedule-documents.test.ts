// Goal: the schedule of deliveries stands where one looks for it, and is the one in the code. Method: the schedule in
// words, looked for in the guide and in the document of the API.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { standardSchedule } from '../../../activities/webhooks/retry-schedule.ts';

const root = resolve(import.meta.dirname, '../../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8').replaceAll(/\s+/g, ' ');

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

test.each(['docs/events.md', 'openapi.json'])('%s says when attempts are made', (file) => {
  const { delaysMs } = standardSchedule;
  const [seconds = 0, ...others] = delaysMs;
  const minutes = others.filter((ms) => ms < HOUR_MS).map((ms) => `${ms / MINUTE_MS} minutes`);
  const hours = others.filter((ms) => ms >= HOUR_MS).map((ms) => ms / HOUR_MS);
  const words = [`${seconds / SECOND_MS} seconds`, ...minutes, hours.slice(0, -1).join(', ')].join(', ');
  const sentence = `at once, then ${words} and ${hours.at(-1)} hours after the one before`;
  expect(textOf(file).includes(sentence)).toBe(true);
});
