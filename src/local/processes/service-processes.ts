// Runs the service's own programs as children: the migration, the API and the worker. Everything they need to know goes
// through their environment; nothing secret stands on a command line.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Part, startPart, waitUntilReady } from './part.ts';

const READY_WITHIN_MS = 60_000;
/**
 * Node.js 24 lets what is young in its heap grow to more than 20 did, which is 200 MiB more for a process with a
 * thousand connections. The image of the service and the units of systemd say the same: tests compare them with this.
 */
export const YOUNG_HEAP_OPTION = '--max-semi-space-size=16';
/**
 * What native code has freed goes back to the system: the allocator of the C library would keep an arena for each of
 * the threads, and large blocks among the small ones, which were 200 MiB of a worker after a crowd. Other C libraries
 * know nothing of it. It stands in the image and in the units, too.
 */
export const GLIBC_TUNABLES =
  'glibc.malloc.arena_max=2:glibc.malloc.mmap_threshold=131072:glibc.malloc.trim_threshold=131072';
/** Longer than the ten seconds that the processes give themselves. */
const STOP_GRACE_MS = 15_000;

export type ServiceContext = {
  /** The folder of the built programs. */
  dist: string;
  logDirectory: string;
  environment: NodeJS.ProcessEnv;
  onStart: (name: string, part: Part) => void;
};

/** Runs one of the operator's commands to its end and returns what it printed. */
export async function runCommand(context: ServiceContext, program: string, args: string[] = []): Promise<string> {
  try {
    const options = { env: context.environment, timeout: READY_WITHIN_MS };
    return (await promisify(execFile)(process.execPath, [join(context.dist, `${program}.js`), ...args], options))
      .stdout;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`${program} failed: ${stderr?.trim() || message}`, { cause: error });
  }
}

export async function startApi(context: ServiceContext, baseUrl: string, name = 'API'): Promise<Part> {
  return startProcess(context, name, 'server', () => answersHealth(baseUrl));
}

export async function startWorker(context: ServiceContext, name = 'worker'): Promise<Part> {
  return startProcess(context, name, 'worker', (part) => part.output().includes('"msg":"worker running"') || undefined);
}

async function startProcess(
  { dist, logDirectory, environment, onStart }: ServiceContext,
  name: string,
  program: string,
  isReady: (part: Part) => true | undefined | Promise<true | undefined>,
): Promise<Part> {
  const part = await startPart({
    command: process.execPath,
    args: [YOUNG_HEAP_OPTION, join(dist, `${program}.js`)],
    // Where nobody balances between processes.
    environment: { SHUTDOWN_DELAY_MS: '0', GLIBC_TUNABLES, ...environment },
    logFile: join(logDirectory, `${name.toLowerCase().replaceAll(' ', '-')}.log`),
    lifeline: 'ipc',
    stopGraceMs: STOP_GRACE_MS,
  });
  onStart(name, part);
  await waitUntilReady(part, READY_WITHIN_MS, () => isReady(part)).catch((error: Error) => {
    throw new Error(`The ${name} did not start, ${error.message} (log: ${part.logFile})`, { cause: error });
  });
  return part;
}

async function answersHealth(baseUrl: string): Promise<true | undefined> {
  try {
    const response = await fetch(`${baseUrl}/health`, { signal: AbortSignal.timeout(1_000) });
    await response.body?.cancel();
    return response.status === 200 || undefined;
  } catch {
    return undefined;
  }
}
