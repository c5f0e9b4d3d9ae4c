// Goal: others make good clients of openapi.json. Method: the generators that are used most for Go, Python and
// TypeScript make one each, what they make compiles, and no name in it is longer than a line can bear. Beside it: every
// operation has a name of its own, and what many operations share is one component.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { installPythonTool } from '../support/processes/python-tool.ts';

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const document = join(root, 'openapi.json');
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const NAME_MAX = 40;
/** With values of lists as literals, as the generator's own option has it. */
const PYTHON_MODELS_MAX = 232;
const DOCUMENT_BYTES_MAX = 405_000;
/** A generator may have to be compiled or installed first. */
const GENERATED_WITHIN_MS = 600_000;

const directory = mkdtempSync(join(tmpdir(), 'countersign-clients-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const { paths, components } = JSON.parse(readFileSync(document, 'utf8')) as {
  paths: Record<string, Record<string, { operationId?: string }>>;
  components: { schemas: Record<string, unknown> };
};

describe('the document', () => {
  const names = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));

  test('names each operation, as a method of a client would be called', () => {
    expect(names.filter((name) => name === undefined || !/^[a-z][A-Za-z]+$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => (name?.length ?? 0) > NAME_MAX)).toEqual([]);
  });

  test('has short names for its components, and is small', () => {
    expect(Object.keys(components.schemas).filter((name) => name.length > NAME_MAX)).toEqual([]);
    expect(statSync(document).size).toBeLessThanOrEqual(DOCUMENT_BYTES_MAX);
  });
});

describe('clients that others generate', { timeout: GENERATED_WITHIN_MS }, () => {
  test('Go, by oapi-codegen: it compiles', async ({ skip }) => {
    const hasGo = await execute('go', ['version']).then(
      () => true,
      () => false,
    );
    if (!hasGo && !process.env['CI']) return skip('there is no Go on the PATH');
    const place = join(directory, 'go');
    const settings = { cwd: directory, env: { ...process.env, GOFLAGS: '-mod=mod' }, maxBuffer: 64 * 1024 * 1024 };
    await execute('mkdir', [place]);
    const made = await execute(
      'go',
      ['run', OAPI_CODEGEN, '-generate', 'types,client', '-package', 'client', document],
      settings,
    );
    writeFileSync(join(place, 'client.go'), made.stdout);
    for (const args of [
      ['mod', 'init', 'client'],
      ['mod', 'tidy'],
      ['build', './...'],
    ])
      await execute('go', args, { ...settings, cwd: place });
  });

  test('Python, by openapi-python-client: one class a thing, and short names', async ({ skip }) => {
    const requirements = join(import.meta.dirname, 'generated-clients/requirements.txt');
    const installed = await installPythonTool('openapi-python-client', requirements);
    if ('missing' in installed) {
      if (process.env['CI']) throw new Error(installed.missing);
      return skip(installed.missing);
    }
    const config = join(directory, 'python.yaml');
    writeFileSync(config, 'literal_enums: true\npost_hooks: []\n');
    const place = join(directory, 'python');
    const args = ['generate', '--path', document, '--output-path', place, '--meta', 'none', '--config', config];
    const { stdout, stderr } = await execute(installed.program, args);
    // The one thing that it does not know is the picture of a logo.
    const warnings = `${stdout}${stderr}`.match(/WARNING parsing .* within/g);
    expect(warnings).toEqual(['WARNING parsing GET /logos/{file} within']);
    const files = readdirSync(join(place, 'models')).filter((name) => name.endsWith('.py') && name !== '__init__.py');
    const classes = files.filter((name) => /^class /m.test(readFileSync(join(place, 'models', name), 'utf8')));
    expect(classes.length).toBeLessThanOrEqual(PYTHON_MODELS_MAX);
    expect(files.filter((name) => name.length - '.py'.length > NAME_MAX)).toEqual([]);
    await execute('python3', ['-m', 'compileall', '-q', place]);
  });

  test('TypeScript, by hey-api: it compiles', async () => {
    const place = join(root, 'build/generated-client');
    rmSync(place, { recursive: true, force: true });
    await execute(join(root, 'node_modules/.bin/openapi-ts'), ['--input', document, '--output', place, '--silent'], {
      cwd: root,
    });
    const strict = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--target',
      'es2022',
    ];
    await execute(join(root, 'node_modules/.bin/tsc'), [...strict, join(place, 'index.ts')], { cwd: directory });
  });
});
