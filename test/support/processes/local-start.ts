// A project folder of a test's own, in which `npm start` runs as a reader starts it: the built programs, and the real
// parts.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';
import { findBtcd } from '../../../src/local/bitcoin/bitcoin-binary.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { type Recorded, readRecordedParts } from '../../../src/local/processes/running-parts.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

export interface Starter {
  process: ChildProcess;
  output: () => string;
  exit: Promise<number | NodeJS.Signals | null>;
}

export interface Project {
  directory: string;
  port: number;
  start(environment?: Record<string, string>): Starter;
  /** What runs now, of what the start has written down. */
  parts(): Recorded[];
  /** What the demo prints. */
  demo(...args: string[]): Promise<string>;
  remove(): void;
}

export async function makeProject(): Promise<Project> {
  await run(process.execPath, [join(root, 'scripts/build.mjs')]);
  const directory = mkdtempSync(join(tmpdir(), 'countersign-start-'));
  chmodSync(directory, 0o755); // as root, PostgreSQL runs as another user
  cpSync(join(root, 'dist'), join(directory, 'dist'), { recursive: true });
  for (const name of ['node_modules', 'mpc', 'package.json']) symlinkSync(join(root, name), join(directory, name));
  const port = await findFreePort();
  const btcd = await findBtcd(join(root, '.local'), { report: () => {}, signal: new AbortController().signal });
  return {
    directory,
    port,
    start: (environment = {}) => {
      const { PATH, HOME } = process.env;
      const path = `${dirname(btcd)}:${PATH}`;
      const program = join(directory, 'dist/local.js');
      return startProgram([program], directory, { PATH: path, HOME, PORT: String(port), ...environment });
    },
    parts: () => readRecordedParts(join(directory, '.local/run.json')),
    demo: async (...args) => {
      const credentials = join(directory, '.local/credentials.json');
      const demo = [join(root, 'src/demo/main.ts'), '--credentials', credentials, ...args];
      return (await run(join(root, 'node_modules/.bin/tsx'), demo)).stdout;
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Runs one of the programs that start everything. */
export function startProgram(args: string[], directory: string, environment: NodeJS.ProcessEnv): Starter {
  const child = spawn(process.execPath, args, {
    cwd: directory,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const exit = new Promise<number | NodeJS.Signals | null>((done) =>
    child.once('close', (code, signal) => done(signal ?? code)),
  );
  return { process: child, output: () => output, exit };
}

export async function untilReady(started: Starter, withinMs: number): Promise<void> {
  const ended = started.exit.then((how) => {
    throw new Error(`the starter ended (${how}): ${started.output()}`);
  });
  const ready = vi.waitFor(() => expect(started.output()).toContain('Ctrl-C stops all'), {
    timeout: withinMs,
    interval: 50,
  });
  await Promise.race([ready, ended]);
}
