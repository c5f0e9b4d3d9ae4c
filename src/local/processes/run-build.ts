// Runs one long build of a program (Cargo, Go) with progress lines. The build has a process group of its own, so that
// stopping also ends the compilers that it started.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const PROGRESS_EVERY_MS = 20_000;

export type BuildOptions = {
  /** What is built, for the progress lines. */
  name: string;
  command: string;
  args: string[];
  environment?: NodeJS.ProcessEnv;
  directory?: string;
  logFile: string;
  reporting: Reporting;
};
export type Reporting = {
  report: (line: string) => void;
  /** Aborted when everything is to stop. */
  signal: AbortSignal;
};

export async function runBuild(options: BuildOptions): Promise<void> {
  const { name, reporting } = options;
  const startedMs = Date.now();
  const seconds = () => Math.round((Date.now() - startedMs) / 1000);
  reporting.report(`building ${name} (once; some minutes)`);
  const progress = setInterval(() => reporting.report(`building ${name}: ${seconds()} s`), PROGRESS_EVERY_MS);
  try {
    await run(options);
  } finally {
    clearInterval(progress);
  }
  reporting.report(`built ${name} in ${seconds()} s`);
}

function run({ name, command, args, environment, directory, logFile, reporting }: BuildOptions): Promise<void> {
  const { signal } = reporting;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: directory,
      env: { ...process.env, ...environment },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const endGroup = () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    };
    signal.addEventListener('abort', endGroup, { once: true });
    let log = '';
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => {
      signal.removeEventListener('abort', endGroup);
      mkdirSync(dirname(logFile), { recursive: true });
      writeFileSync(logFile, log);
      if (code === 0) resolve();
      else reject(new Error(`Building ${name} failed: ${firstError(log)} (log: ${logFile})`));
    });
  });
}

function firstError(log: string): string {
  const lines = log.trim().split('\n');
  return lines.find((line) => line.startsWith('error')) ?? lines.at(-1) ?? 'it wrote nothing';
}
