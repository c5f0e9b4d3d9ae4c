// Runs Schemathesis.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPythonTool } from '../../support/processes/python-tool.ts';
import type { SeededValues } from './seed.ts';

const here = import.meta.dirname;

/** The program, or why there is none. */
export const installSchemathesis = () => installPythonTool('st', join(here, 'requirements.txt'));

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
  { address, known, directory }: { address: string; known: SeededValues; directory: string },
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
