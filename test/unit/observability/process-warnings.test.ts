// Goal: a warning of Node is a line of the log, and nothing else is printed. Method: a warning in this process, whose
// own listeners are put back.
import { afterEach, expect, test } from 'vitest';
import { logProcessWarnings } from '../../../src/observability/process-warnings.ts';

const before = process.listeners('warning');
afterEach(() => {
  process.removeAllListeners('warning');
  for (const listener of before) process.on('warning', listener);
});

test('a warning of Node goes to the log, and to nobody else', async () => {
  const lines: object[] = [];
  logProcessWarnings({ warn: (details) => lines.push(details) });
  process.emitWarning('a listener too many', 'TestWarning');
  await expect.poll(() => lines).toMatchObject([{ err: { name: 'TestWarning', message: 'a listener too many' } }]);
  expect(process.listenerCount('warning')).toBe(1);
});
