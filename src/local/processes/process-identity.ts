// Tells one process from another that got the same pid later: pid and start time together. Never looks processes up by
// name.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export type ProcessIdentity = { pid: number; startedAt: string };

/** Undefined when no such process runs (a zombie counts as gone: it holds nothing any more). */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? linuxStartTime(pid) : ask(pid, 'lstart=');
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt;
}

export function commandLineOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return ask(pid, 'command=');
  return readOptional(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ');
}

/** Sends the signal to exactly this process, waits for its end, and kills it when the grace is over. */
export async function stopProcess(identity: ProcessIdentity, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  signalProcess(identity, signal);
  if (await hasEnded(identity, graceMs)) return;
  signalProcess(identity, 'SIGKILL');
  if (!(await hasEnded(identity, 5_000))) throw new Error(`Process ${identity.pid} did not end after SIGKILL.`);
}

function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function hasEnded(identity: ProcessIdentity, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (isRunning(identity)) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/** The boot id makes ticks since boot unique over restarts of the machine. */
function linuxStartTime(pid: number): string | undefined {
  const stat = readOptional(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  const bootId = readOptional('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  return `${bootId}/${fields[18]}`; // field 22 of proc(5), starttime: 18 after the state and its successor
}

function readOptional(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function ask(pid: number, column: string): string | undefined {
  try {
    const output = execFileSync('ps', ['-o', 'stat=', '-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [, state, rest] = /^(\S+)\s+(.*)$/s.exec(output) ?? [];
    return state?.startsWith('Z') ? undefined : rest;
  } catch {
    return undefined;
  }
}
