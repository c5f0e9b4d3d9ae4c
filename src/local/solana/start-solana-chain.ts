// The sandbox's Solana: litesvm behind a JSON-RPC of our own (solana/), as a process of its own. Its transactions are
// kept in a file and executed again when it starts.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { MissingProgram } from '../processes/missing-program.ts';
import { startPart } from '../processes/part.ts';
import { findFreePort } from '../processes/ports.ts';
import { type Placement, supervise } from '../processes/supervise.ts';

const NAME = 'Solana chain';
const PORT = 8899;

/** `program` is what Node runs: the built process, or its source in tests. */
export async function startSolanaChain(options: Placement, program: readonly string[]): Promise<string> {
  refuseWithoutLitesvm();
  const port = options.port ?? (await findFreePort(PORT));
  await supervise({
    name: NAME,
    supervision: options.supervision,
    start: async () => {
      const part = await startPart({
        command: process.execPath,
        args: ['--enable-source-maps', ...program],
        environment: {
          PATH: process.env['PATH'],
          SOLANA_PORT: String(port),
          SOLANA_DIRECTORY: resolve(options.directory),
        },
        logFile: options.logFile,
        lifeline: 'ipc',
      });
      options.onStart(NAME, part);
      return part;
    },
    isReady: (part) => /^ready /m.test(part.output()) || undefined,
  });
  return `http://127.0.0.1:${port}`;
}

function refuseWithoutLitesvm(): void {
  const require = createRequire(import.meta.url);
  try {
    require('litesvm');
  } catch (error) {
    throw new MissingProgram(
      'the package litesvm does not load on this platform: run `npm ci` with optional packages, or name a node in RPC_URLS',
      { cause: error },
    );
  }
}
