// Goal: the clients for Python and Go are what their own tools want of them, and are of today's document. Method: mypy
// in its strict mode, gofmt and go vet; the wheel is opened; what is generated is made again, and the same.
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { clientPackages, installPython, removePackages } from './packages.ts';

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const drivers = join(import.meta.dirname, 'drivers');
const WITHIN_MS = 600_000;
afterAll(removePackages);
const lackOf = (language: string) => clientPackages.find(({ name }) => name.endsWith(`for ${language}`))?.missing;
const isSkipped = (language: string) => lackOf(language) !== undefined && !process.env['CI'];

describe.skipIf(isSkipped('Python'))('Python', { timeout: WITHIN_MS }, () => {
  test('types are whole, also for whoever uses the wheel', async () => {
    const { python, site, wheel } = await installPython();
    const sources = ['clients/python/src', 'clients/python/examples'].map((path) => join(root, path));
    const env = { ...process.env, MYPYPATH: site };
    const cache = ['--cache-dir', join(site, '.mypy_cache')];
    const mypy = (...paths: string[]) => execute(python, ['-m', 'mypy', '--strict', ...cache, ...paths], { env });
    for (const paths of [sources.slice(0, 1), [...sources.slice(1), join(drivers, 'python.py')]])
      await mypy(...paths).catch(({ stdout }: { stdout: string }) => expect(stdout).toBe(''));
    const { stdout } = await execute(python, ['-m', 'zipfile', '--list', wheel]);
    expect(stdout).toContain('countersign/py.typed');
  });

  test('what is generated is of this document', async () => {
    await execute(process.execPath, ['--import', 'tsx', 'scripts/client-python.ts', '--check'], { cwd: root });
  });
});

describe.skipIf(isSkipped('Go'))('Go', { timeout: WITHIN_MS }, () => {
  test.each(['clients/go', 'test/conformance/client-packages/drivers/go'])(
    '%s is formatted and sound',
    async (path) => {
      const cwd = join(root, path);
      expect((await execute('gofmt', ['-l', '.'], { cwd })).stdout).toBe('');
      await execute('go', ['vet', './...'], { cwd });
      await execute('go', ['mod', 'tidy', '-diff'], { cwd });
    },
  );

  test('what is generated is of this document', async () => {
    await execute(process.execPath, ['--import', 'tsx', 'scripts/client-go.ts', '--check'], { cwd: root });
  });
});
