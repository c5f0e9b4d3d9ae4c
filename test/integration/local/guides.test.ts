// Goal: whoever follows a guide of docs/ gets what it says. Method: `npm start` as a reader starts it, in a project
// folder of its own; then every block of every guide is run there, page by page.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBtcd } from '../../../src/local/bitcoin/bitcoin-binary.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { findTemporal } from '../../../src/local/temporal/temporal-binary.ts';
import { program, readGuides, shellSession } from '../../support/documents/guides.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const MINUTE_MS = 60_000;
/** Where nobody has built the node program before, the start does. */
const FIRST_START_MS = 10 * MINUTE_MS;
const LONGEST_GUIDE_MS = 3 * MINUTE_MS;
const guides = readGuides();
const programs = guides.filter((guide) => program(guide) !== '');
const followed = guides.filter((guide) => program(guide) !== '' || shellSession(guide) !== '');
const fileOf = (name: string) => `guide-${name.replaceAll(/\W/g, '-')}.ts`;

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'countersign-guides-'));
  chmodSync(project, 0o755); // as root, PostgreSQL runs as another user
  for (const name of ['node_modules', 'mpc', 'src', 'docs', 'package.json'])
    symlinkSync(join(root, name), join(project, name));
  for (const guide of programs) writeFileSync(join(project, fileOf(guide.name)), program(guide));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

test(
  'the TypeScript of the guides has the types of the client',
  async () => {
    const compilerOptions = {
      target: 'es2023',
      module: 'nodenext',
      lib: ['es2023'],
      types: ['node'],
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      erasableSyntaxOnly: true,
      skipLibCheck: true,
    };
    const files = programs.map(({ name }) => fileOf(name));
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', project], { cwd: project }).catch((error) => error);
    expect(stdout).toBe('');
  },
  2 * MINUTE_MS,
);

describe.sequential('beside `npm start`', () => {
  let starter: ChildProcess;
  let ended: Promise<unknown>;
  let path: string;

  beforeAll(async () => {
    await run(process.execPath, [join(root, 'scripts/build.mjs')]);
    cpSync(join(root, 'dist'), join(project, 'dist'), { recursive: true });
    const reporting = { report: () => {}, signal: new AbortController().signal };
    const local = join(root, '.local');
    const programs = [await findBtcd(local, reporting), await findTemporal(local, reporting)].map(dirname);
    path = [...programs, join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
    const port = String(await findFreePort());
    starter = spawn(process.execPath, ['dist/local.js'], {
      cwd: project,
      // A reader has the machine to himself; here the process may be late by a second, and would send him away.
      env: { PATH: path, HOME: process.env['HOME'], PORT: port, EVENT_LOOP_DELAY_MAX_MS: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    ended = new Promise((done) => starter.once('close', done));
    await untilReady(starter);
  }, FIRST_START_MS);

  afterAll(async () => {
    starter?.kill('SIGTERM');
    await ended;
  }, MINUTE_MS);

  describe.each(followed)('$name', (guide) => {
    const session = shellSession(guide);
    if (session !== '')
      test(
        'the shell blocks run',
        () => follow('bash', ['--norc', '-euo', 'pipefail', '-c', session]),
        LONGEST_GUIDE_MS,
      );

    if (program(guide) !== '')
      test('the TypeScript blocks run', () => follow('tsx', [fileOf(guide.name)]), LONGEST_GUIDE_MS);
  });

  /** As in a terminal of a reader; what was printed is shown when it fails. */
  async function follow(command: string, args: string[]): Promise<void> {
    const env = { PATH: path, HOME: process.env['HOME'] };
    const done = run(command, args, { cwd: project, env, timeout: LONGEST_GUIDE_MS });
    await done.catch(({ message, stdout, stderr }: Error & { stdout: string; stderr: string }) => {
      throw new Error(`${message.slice(0, 200)}\n${stdout}\n${stderr}`);
    });
  }
});

async function untilReady(starter: ChildProcess): Promise<void> {
  let output = '';
  await new Promise<void>((ready, failed) => {
    for (const stream of [starter.stdout, starter.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Ctrl-C stops all')) ready();
      });
    starter.once('close', () => failed(new Error(`The starter ended: ${output}`)));
  });
}
