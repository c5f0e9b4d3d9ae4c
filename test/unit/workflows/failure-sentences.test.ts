// Goal: each way in which an activity gives up becomes the right code and sentence of the row. Method: failures as
// Temporal builds them, one of each shape; those that the real server builds are tried in
// test/workflow/time-outs.test.ts.
import { ActivityFailure, ApplicationFailure, CancelledFailure, TimeoutFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { describeFailure } from '../../../workflows/failure.ts';

type RetryState = ActivityFailure['retryState'];

function activityFailure(
  cause: Error,
  retryState: RetryState = 'NON_RETRYABLE_FAILURE',
  activityType = 'fulfilSigningRequest',
): ActivityFailure {
  return new ActivityFailure('Activity task failed', activityType, '1', retryState, 'worker', cause);
}

function timeout(timeoutType: TimeoutFailure['timeoutType'], cause?: Error): TimeoutFailure {
  const failure = new TimeoutFailure('activity timeout', undefined, timeoutType);
  if (cause !== undefined) Object.assign(failure, { cause });
  return failure;
}

const refusal = ApplicationFailure.nonRetryable('the nodes refuse this', 'mpc_refused');
const notReady = ApplicationFailure.retryable('two nodes are unreachable', 'cluster_not_ready');

describe('the code and the sentence of the cluster are kept', () => {
  const refused = { code: 'mpc_refused', reason: 'the nodes refuse this', timedOut: false };
  const outOfTime = { code: 'cluster_not_ready', reason: 'two nodes are unreachable', timedOut: true };

  test.each([
    ['refused', activityFailure(refusal), refused],
    ['time ran out between attempts', activityFailure(notReady, 'TIMEOUT'), outOfTime],
    [
      'time ran out in an attempt, after others failed',
      activityFailure(timeout('SCHEDULE_TO_CLOSE', notReady), 'TIMEOUT'),
      outOfTime,
    ],
  ])('%s', (_what, error, described) => {
    expect(describeFailure(error)).toEqual(described);
  });
});

describe('silence of a chain is not that of the cluster', () => {
  test.each(['prepareTransaction', 'broadcastTransaction', 'sendFaucetPayment', 'recordTransaction'])('%s', (type) => {
    expect(describeFailure(activityFailure(timeout('SCHEDULE_TO_CLOSE'), 'TIMEOUT', type))).toEqual({
      code: 'dependency_unavailable',
      reason: 'the node of the network did not answer in time',
      timedOut: true,
    });
  });
});

describe('silence of the cluster is mpc_timeout', () => {
  const types = ['START_TO_CLOSE', 'SCHEDULE_TO_CLOSE', 'SCHEDULE_TO_START', 'HEARTBEAT'] as const;
  test.each(types)('%s', (type) => {
    expect(describeFailure(activityFailure(timeout(type), 'TIMEOUT'))).toEqual({
      code: 'mpc_timeout',
      reason: 'the cluster did not answer in time',
      timedOut: true,
    });
  });
});

test('a cancellation is called one, and not a time-out', () => {
  expect(describeFailure(activityFailure(new CancelledFailure('cancelled')))).toMatchObject({
    code: 'cancelled',
    timedOut: false,
  });
});

test('what has no code of ours is internal_error, without its text', () => {
  const gave = describeFailure(
    activityFailure(ApplicationFailure.create({ message: 'Failed query: select 1', type: 'Error' })),
  );
  expect(gave).toMatchObject({ code: 'internal_error', timedOut: false });
  expect(gave.reason).not.toContain('query');
});

test('what is no failure of an activity is thrown on: a defect of the workflow is not a failure of the cluster', () => {
  const defect = new TypeError('a defect');
  expect(() => describeFailure(defect)).toThrow(defect);
});
