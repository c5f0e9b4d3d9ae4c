// Goal: test/seconds.json, which says what `npm test` leaves to `npm run test:full` and to `npm run test:release`, is
// about files that there are; so nothing is lost between them. Method: the file is read.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const seconds = JSON.parse(read('test/seconds.json')) as Record<
  'essential' | 'full' | 'release',
  Record<string, number>
> & {
  fullRust: string[];
};

test.each(['essential', 'full', 'release'] as const)('every file of the suite %s is there', (suite) => {
  expect(Object.keys(seconds[suite]).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every file that searches deeper in the full suite is in both', () => {
  const deeper = Object.keys(seconds.full).filter((path) => path in seconds.essential);
  expect(deeper.length).toBeGreaterThan(0);
  for (const path of Object.keys(seconds.full).filter((each) => read(each).includes('byDepth(')))
    expect(deeper).toContain(path);
});

test('what is tried before a release is tried there alone', () => {
  const elsewhere = { ...seconds.essential, ...seconds.full };
  expect(Object.keys(seconds.release).filter((path) => path in elsewhere)).toEqual([]);
  expect(JSON.parse(read('package.json')).scripts['test:release']).toBe('node scripts/test.mjs --release');
});

test('every test of the node program that is left to the full suite is there', () => {
  const missing = seconds.fullRust.filter((name) => {
    const [test = '', ...modules] = name.split('::').toReversed();
    const file = join(root, 'mpc/tests/nodes', `${modules.toReversed().join('/')}.rs`);
    return !existsSync(file) || (test !== '' && !readFileSync(file, 'utf8').includes(test));
  });
  expect(seconds.fullRust.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});

test('two of the suites are what CI runs', () => {
  expect(read('.ci/run')).toMatch(/^npm test \|\| true$/m);
  expect(read('.ci/run')).toMatch(/^TESTS_BEGIN_UNTIL=\$FULL_TESTS_BEGIN_UNTIL npm run test:full \|\| true$/m);
});
