#!/usr/bin/env node
// The command line as a process: `countersign`. Ends with an exit code of exit-codes.ts.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { exitCodes, UsageError } from './exit-codes.ts';
import { run } from './program.ts';
import { processTerminal } from './terminal.ts';

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => interrupted.abort(new Error('interrupted')));
// Whoever reads no further, such as `head`, has what they wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? exitCodes.success : exitCodes.unforeseen);
});

/** By the same Node.js, with the same environment and terminal. Signals of the terminal reach both. */
function runBeside(program: string, args: readonly string[]): Promise<number> {
  const path = join(import.meta.dirname, `${program}.js`);
  if (!existsSync(path))
    throw new UsageError(`${program} is no part of this installation: it lies beside the service, in its dist folder.`);
  return new Promise((ended, failed) => {
    const child = spawn(process.execPath, [path, ...args], { stdio: 'inherit' });
    interrupted.signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
    child.once('error', failed);
    child.once('close', (code) => ended(code ?? exitCodes.interrupted));
  });
}

const terminal = processTerminal({ home: homedir(), signal: interrupted.signal, runBeside });
process.exitCode = await run(process.argv.slice(2), terminal);
