// A terminal that nobody sits at: what the command line writes is kept, and what is typed is handed in.
import { run } from '../../../src/command-line/program.ts';
import type { Terminal } from '../../../src/command-line/terminal.ts';

export interface Ended {
  code: number;
  output: string;
  errors: string;
  /** The output of `--json`, a record a line. */
  // oxlint-disable-next-line typescript/no-explicit-any
  records: () => any[];
}

export interface Scripted extends Partial<Omit<Terminal, 'write' | 'tell' | 'ask' | 'readInput'>> {
  input?: string;
  /** What a person answers, one after another. */
  answers?: readonly string[];
  /** As it is written. */
  onOutput?: (text: string) => void;
}

export async function runCommand(
  args: readonly string[],
  { input = '', answers, onOutput, ...surroundings }: Scripted = {},
): Promise<Ended> {
  let output = '';
  let errors = '';
  const left = [...(answers ?? [])];
  const code = await run(args, {
    env: {},
    folder: '/nonexistent',
    home: '/nonexistent',
    isOutputSeen: false,
    isInputTyped: answers !== undefined,
    signal: new AbortController().signal,
    runBeside: () => Promise.reject(new Error('nothing lies beside')),
    write: async (written) => {
      const text = typeof written === 'string' ? written : Buffer.from(written).toString();
      output += text;
      onOutput?.(text);
    },
    writeError: (text) => {
      errors += text;
    },
    readInput: async () => input,
    ask: async (question) => {
      errors += question;
      return left.shift() ?? '';
    },
    ...surroundings,
  });
  const records = () =>
    output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  return { code, output, errors, records };
}
