// The shared Temporal server, and a task queue of its own for a test file, so that files running at once never serve
// each other.
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';

export type TestTemporal = { address: string; namespace: string; taskQueue: string };

export function testTemporal(name: string): TestTemporal {
  return {
    address: inject('temporalAddress'),
    namespace: 'default',
    taskQueue: `${name}-${randomBytes(6).toString('hex')}`,
  };
}
