// Goal: who waits for something waits longer than it may take, also where the two cannot share a constant: the client
// stands alone, and the node program is another language. Method: the constants and the sources are compared.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { msOptionalToNumber } from '@temporalio/common/lib/time.js';
import type { ActivityOptions } from '@temporalio/workflow';
import { describe, expect, test } from 'vitest';
import { commandLifetimeMs } from '../../../activities/mpc/client/command.ts';
import { unreadableForMs } from '../../../activities/mpc/client/follow-cluster.ts';
import { COIN_SCAN_MAX_MS, HEARTBEAT_EVERY_MS, TURN_WAIT_MAX_MS } from '../../../domain/time-limits.ts';
import { HELD_MAX_SECONDS } from '../../../src/client/until-final.ts';
import { preferredWaitSeconds } from '../../../src/http/waiting/prefer.ts';
import * as allOptions from '../../../workflows/activity-options.ts';

const { rowOptions: _inTheWorkerItself, atOnceOptions: _thereToo, groupOptions: _andThere, ...inQueues } = allOptions;
const options = Object.entries(inQueues).filter(
  (entry): entry is [string, ActivityOptions] => typeof entry[1] === 'object',
);
/** Without one, time never runs out. */
const msOf = (duration: ActivityOptions['heartbeatTimeout']) =>
  msOptionalToNumber(duration) ?? Number.POSITIVE_INFINITY;

describe.each(options)('an activity with %s', (name, { startToCloseTimeout, heartbeatTimeout }) => {
  test('has two thirds of its attempt left when it has waited for its turn', () => {
    expect(TURN_WAIT_MAX_MS).toBeLessThanOrEqual(msOf(startToCloseTimeout) / 3);
  });

  test('may miss two heartbeats', () => {
    expect(msOf(heartbeatTimeout)).toBeGreaterThanOrEqual(3 * HEARTBEAT_EVERY_MS);
  });

  // Nobody waits for a reconciliation.
  test('is tried again within a minute of the death of its worker', () => {
    const withinMs = name === 'reconciliationOptions' ? 120_000 : 60_000;
    expect(Math.min(msOf(startToCloseTimeout), msOf(heartbeatTimeout))).toBeLessThanOrEqual(withinMs);
  });
});

test('an attempt to build a transaction outlasts the scan of a Bitcoin node, once its turn has come', () => {
  expect(msOf(allOptions.prepareOptions.startToCloseTimeout)).toBeGreaterThan(TURN_WAIT_MAX_MS + COIN_SCAN_MAX_MS);
});

test('the client asks for no longer a wait than the service grants', () => {
  expect(preferredWaitSeconds(`wait=${HELD_MAX_SECONDS}`)).toBe(HELD_MAX_SECONDS);
  expect(preferredWaitSeconds(`wait=${HELD_MAX_SECONDS + 1}`)).toBe(HELD_MAX_SECONDS);
});

const readCrate = (path: string) => readFileSync(join(import.meta.dirname, '../../../mpc/src', path), 'utf8');

test('a node accepts commands of twice the lifetime, so that the clocks may differ by the other half', () => {
  const [, aheadMs = ''] = /COMMAND_AHEAD_MS: u64 = ([\d_]+);/.exec(readCrate('limits.rs')) ?? [];
  expect(2 * commandLifetimeMs).toBe(Number(aheadMs.replaceAll('_', '')));
});

test('workers and nodes wait alike for a cluster file that is being written', () => {
  const [, seconds = ''] =
    /UNREADABLE_FOR: Duration = Duration::from_secs\((\d+)\)/.exec(readCrate('process/file_watch.rs')) ?? [];
  expect(unreadableForMs).toBe(Number(seconds) * 1_000);
});
