// Finds the `temporal` program: on the PATH, else the one built here before, else builds it with Go. Starts no server.
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const SOURCE = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';
const PROGRESS_EVERY_MS = 10_000;

export async function findTemporal(binDirectory: string, report: (line: string) => void): Promise<string> {
  return findOnPath('temporal') ?? executable(join(binDirectory, 'temporal')) ?? (await install(binDirectory, report));
}

export function findOnPath(program: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const found = folder && executable(join(folder, program));
    if (found) return found;
  }
  return undefined;
}

async function install(binDirectory: string, report: (line: string) => void): Promise<string> {
  const go = findOnPath('go');
  if (go === undefined)
    throw new Error(
      'The program `temporal` is missing and there is no Go to build it with: install Go (https://go.dev/dl), put `temporal` on the PATH, or set TEMPORAL_ADDRESS.',
    );
  mkdirSync(binDirectory, { recursive: true });
  report('building the Temporal development server with Go (once, two to four minutes)');
  const startedMs = Date.now();
  const progress = setInterval(
    () => report(`building the Temporal development server: ${Math.round((Date.now() - startedMs) / 1000)} s`),
    PROGRESS_EVERY_MS,
  );
  try {
    await goInstall(go, binDirectory);
  } finally {
    clearInterval(progress);
  }
  report(`built the Temporal development server in ${Math.round((Date.now() - startedMs) / 1000)} s`);
  return join(binDirectory, 'temporal');
}

function goInstall(go: string, binDirectory: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let errors = '';
    const child = spawn(go, ['install', SOURCE], {
      env: { ...process.env, GOBIN: binDirectory, GOFLAGS: '', CGO_ENABLED: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-4_000);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`\`go install ${SOURCE}\` failed: ${errors.trim().split('\n').at(-1)}`));
    });
  });
}

function executable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}
