// Installs Schemathesis once, into build/, and runs it. Needs python3 and, the first time, the Python package index.
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Known } from './seed.ts';

const here = import.meta.dirname;
const requirements = join(here, 'requirements.txt');
const execute = promisify(execFile);

/** The program, or why there is none. */
export async function installSchemathesis(): Promise<{ program: string } | { missing: string }> {
  const python = process.env['PYTHON'] ?? 'python3';
  const version = await execute(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).catch(
    () => undefined,
  );
  if (version === undefined) return { missing: `${python} is not there, or older than 3.11` };
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const directory = resolve(here, '../../../build', `schemathesis-${hash}`);
  const program = join(directory, 'bin/st');
  const complete = join(directory, 'complete');
  if (existsSync(complete)) return { program };
  rmSync(directory, { recursive: true, force: true });
  try {
    await execute(python, ['-m', 'venv', directory]);
    await execute(join(directory, 'bin/pip'), ['install', '--quiet', '--require-hashes', '-r', requirements]);
  } catch (error) {
    return { missing: `it cannot be installed: ${(error as Error).message}` };
  }
  writeFileSync(complete, '');
  return { program };
}

export interface Summary {
  running_time: number;
  operations: { total: number; tested: number };
  test_cases: { generated: number; unique_failures: number };
  /** By operation and phase: how many well-formed cases got 2xx, and how many a 4xx that is about what they sent. */
  valid_rates: Record<string, Record<string, { accepted: number; rejected: number }>>;
}

/** `said` is what Schemathesis printed. */
export async function runSchemathesis(
  program: string,
  { address, known, directory }: { address: string; known: Known; directory: string },
): Promise<{ exitCode: number | null; said: string; summary: Summary }> {
  const report = join(directory, 'report.json');
  // Too long for a variable.
  const knownFile = join(directory, 'known.json');
  writeFileSync(knownFile, JSON.stringify(known));
  const config = ['--config-file', join(here, 'schemathesis.toml')];
  const reporting = ['--no-color', '--report', 'json', '--report-json-path', report];
  const child = spawn(program, [...config, 'run', `${address}/openapi.json`, '--checks', 'all', ...reporting], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      SCHEMATHESIS_HOOKS: join(here, 'hooks.py'),
      COUNTERSIGN_KNOWN_FILE: knownFile,
    },
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const exitCode = await new Promise<number | null>((done, fail) => {
    child.on('error', fail);
    child.on('close', done);
  });
  return { exitCode, said, summary: JSON.parse(readFileSync(report, 'utf8')) as Summary };
}
