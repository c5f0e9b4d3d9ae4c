// What a command has of the world around it: where it writes, whom it asks, its environment. Tests hand in another one.
import type { Readable } from 'node:stream';
import { readSecretly } from './secret-prompt.ts';

export interface Terminal {
  env: Record<string, string | undefined>;
  folder: string;
  home: string;
  /** Whether a person looks at the output, or reads the errors, or answers. */
  isOutputSeen: boolean;
  isInputTyped: boolean;
  /** Resolves once it may be followed by more. */
  write(text: string | Uint8Array): Promise<void>;
  writeError(text: string): void;
  /** All that is handed in on standard input. */
  readInput(): Promise<string>;
  /** One line that is typed; a secret is not shown meanwhile. */
  ask(question: string, options?: { isSecret?: boolean }): Promise<string>;
  /** Runs a program that lies beside this one, and resolves with its exit code. */
  runBeside(program: string, args: readonly string[]): Promise<number>;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

type Seen = Pick<Terminal, 'runBeside' | 'signal'> & { home: string };

export function processTerminal({ home, signal, runBeside }: Seen): Terminal {
  const { stdin, stdout, stderr } = process;
  return {
    env: process.env,
    folder: process.cwd(),
    home,
    isOutputSeen: stdout.isTTY,
    isInputTyped: stdin.isTTY,
    write: (text) =>
      new Promise((written, failed) => {
        stdout.write(text, (error) => (error ? failed(error) : written()));
      }),
    writeError: (text) => void stderr.write(text),
    readInput: () => readAll(stdin),
    ask: (question, { isSecret = false } = {}) => readSecretly({ stdin, stderr }, question, { isSecret, signal }),
    runBeside,
    signal,
  };
}

async function readAll(input: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of input) pieces.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(pieces).toString('utf8');
}
