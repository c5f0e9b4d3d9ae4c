// Asks a person for one line. What is secret is not shown while it is typed, and does not stay in the terminal.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

interface Streams {
  stdin: NodeJS.ReadStream;
  stderr: NodeJS.WriteStream;
}

export async function readSecretly(
  { stdin, stderr }: Streams,
  question: string,
  { isSecret, signal }: { isSecret: boolean; signal: AbortSignal },
): Promise<string> {
  stderr.write(question);
  // The terminal is in raw mode meanwhile, so that it shows only what is written to `output`.
  const output = isSecret ? new Writable({ write: (_piece, _encoding, done) => done() }) : stderr;
  const lines = createInterface({ input: stdin, output, terminal: true });
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return (await lines.question('', { signal })).trim();
  } finally {
    lines.close();
    if (isSecret) stderr.write('\n');
  }
}
