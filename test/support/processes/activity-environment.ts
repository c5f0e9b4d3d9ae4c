// What Temporal gives an activity while it runs, as a mock that does not log the failures that the tests ask for.
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

export function quietEnvironment(attempt = 1): MockActivityEnvironment {
  return new MockActivityEnvironment({ attempt }, { logger: new DefaultLogger('ERROR') });
}
