// A small program that carries out one client's calls, spoken to by lines of JSON. The test judges; a driver only does.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Refusal {
  /** `refused`, `unreachable`, `failed`, `open`, `webhook`, or the language's own. */
  kind: string;
  message: string;
  status?: number | null;
  code?: string | null;
}

export interface Program {
  command: string;
  args: string[];
  cwd: string;
}

export class CallFailed extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`${refusal.kind}: ${refusal.message}`);
    this.refusal = refusal;
  }
}

export class Driver {
  readonly #process: ChildProcess;
  readonly #waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  #said = '';

  constructor({ command, args, cwd }: Program) {
    this.#process = spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    const { stdout, stderr } = this.#process;
    if (stdout === null || stderr === null) throw new Error('The driver has no output.');
    createInterface({ input: stdout }).on('line', (line) => this.#waiting.shift()?.resolve(line));
    stderr.on('data', (chunk: Buffer) => {
      this.#said += chunk.toString();
    });
    this.#process.once('close', (code) => {
      for (const { reject } of this.#waiting) reject(new Error(`The driver ended (${code}): ${this.#said}`));
    });
  }

  /** Resolves with what the client returned; rejects with CallFailed when it threw. */
  // oxlint-disable-next-line typescript/no-explicit-any
  async call(client: string, call: string, given: object): Promise<any> {
    const line = await new Promise<string>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#process.stdin?.write(`${JSON.stringify({ client, call, given })}\n`);
    });
    const { result, error } = JSON.parse(line) as { result: unknown; error?: Refusal };
    if (error !== undefined) throw new CallFailed(error);
    return result;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once('close', resolve));
    this.#process.stdin?.end();
    await ended;
  }
}
