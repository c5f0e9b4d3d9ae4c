// One child process of the local stack: started with its own log file, waited for, stopped by pid. It restarts nothing
// and knows no part by name. Children get a session of their own, so that Ctrl-C reaches the starter alone, which stops
// them in order.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LOG_MAX_BYTES = 20 * 1024 * 1024;

export type PartOptions = {
  command: string;
  args: string[];
  /** The whole environment of the child: what is not named here (keys, passwords) does not reach it. */
  environment: NodeJS.ProcessEnv;
  logFile: string;
  /** `stdin` and `ipc` close with the starter, also when it is killed: the child ends itself then. */
  lifeline?: 'none' | 'stdin' | 'ipc';
  user?: { uid: number; gid: number };
  stopSignal?: NodeJS.Signals;
  stopGraceMs?: number;
};

export type Part = {
  pid: number;
  logFile: string;
  stopSignal: NodeJS.Signals;
  /** Resolves with the way it ended, in words; never rejects. */
  exited: Promise<string>;
  hasExited: () => boolean;
  kill: (signal: NodeJS.Signals) => void;
  stop: () => Promise<void>;
  /** What the child wrote since it started. */
  output: () => string;
};

export async function startPart(options: PartOptions): Promise<Part> {
  const { logFile, lifeline = 'none', stopSignal = 'SIGTERM', stopGraceMs = 10_000 } = options;
  const log = openLog(logFile);
  const child = spawn(options.command, options.args, {
    ...options.user,
    cwd: options.user ? '/' : process.cwd(), // another user may not be let into ours
    env: options.environment,
    detached: true,
    stdio: [lifeline === 'stdin' ? 'pipe' : 'ignore', log.fd, log.fd, ...(lifeline === 'ipc' ? ['ipc' as const] : [])],
  });
  closeSync(log.fd);
  child.stdin?.on('error', () => {}); // a child that has ended closes its end: `exited` tells
  let ended = false;
  const exited = new Promise<string>((resolve) => {
    const end = (how: string) => {
      ended = true;
      resolve(how);
    };
    child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
    child.once('error', (error) => end(error.message));
  });
  if (child.pid === undefined) throw new Error(`${basename(options.command)} could not be started: ${await exited}.`);

  const kill = (signal: NodeJS.Signals) => {
    if (!ended) child.kill(signal);
  };
  const stop = async () => {
    kill(stopSignal);
    const timer = setTimeout(() => kill('SIGKILL'), stopGraceMs);
    await exited;
    clearTimeout(timer);
  };
  const output = () => readFileSync(logFile).subarray(log.startByte).toString('utf8');
  return { pid: child.pid, logFile, stopSignal, exited, hasExited: () => ended, kill, stop, output };
}

/** Asks again and again until `attempt` answers something; fails when the part ends first or the time is up. */
export async function waitUntilReady<Answer>(
  part: Part,
  timeoutMs: number,
  attempt: () => Answer | undefined | Promise<Answer | undefined>,
): Promise<Answer> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await attempt();
    if (answer !== undefined) return answer;
    if (part.hasExited()) throw new Error(`it ended (${await part.exited}): ${lastWordsOf(part)}`);
    if (Date.now() > deadline) {
      await part.stop();
      throw new Error(`it was not ready after ${timeoutMs / 1000} s: ${lastWordsOf(part)}`);
    }
    await sleep(20);
  }
}

/** After an error many a program still says that it stops. */
function lastWordsOf(part: Part): string {
  const lines = part.output().trim().split('\n');
  return (
    lines.findLast((line) => /\b(err(or)?|fatal|panic)\b/i.test(line)) ??
    (lines.at(-1) || 'it wrote nothing to its log')
  );
}

function openLog(path: string): { fd: number; startByte: number } {
  mkdirSync(dirname(path), { recursive: true });
  const sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (sizeBytes > LOG_MAX_BYTES) renameSync(path, `${path}.old`);
  return { fd: openSync(path, 'a', 0o600), startByte: sizeBytes > LOG_MAX_BYTES ? 0 : sizeBytes };
}
