// Starts Temporal's development server with its history in a file that outlives it. For development and tests: a
// production service points TEMPORAL_ADDRESS at a cluster. Registers no workflow and starts none.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Connection } from '@temporalio/client';
import { searchAttributeKeys } from '../../../workflows/search-attributes.ts';
import { type Part, startPart, waitUntilReady } from '../processes/part.ts';
import { findFreePort } from '../processes/ports.ts';

export type TemporalOptions = {
  /** The path of the `temporal` program. */
  binary: string;
  directory: string;
  port?: number;
  uiPort?: number;
  logFile?: string;
  /** Called as soon as there is a process to stop. */
  onStart?: (part: Part) => void;
};
export type Temporal = Part & { address: string; uiUrl: string };

/** As the program's own option names them. */
const ATTRIBUTE_TYPES = { KEYWORD: 'Keyword', KEYWORD_LIST: 'KeywordList' } as const;
const SQLITE_PRAGMAS = ['journal_mode=wal', 'synchronous=normal'];

/**
 * By default each hop of a workflow waits up to 50 ms: 20 polls a second of a shard's transfer queue (see
 * ARCHITECTURE.md). Timers and retries that are due within a second wait for that second (timerProcessorMaxTimeShift).
 */
const DYNAMIC_CONFIG = [
  'history.transferProcessorMaxPollRPS=2000',
  'history.transferProcessorMaxPollHostRPS=20000',
  'history.timerProcessorMaxPollRPS=2000',
  'history.timerProcessorMaxPollHostRPS=20000',
  'history.timerProcessorMaxTimeShift="20ms"',
  'system.enableActivityEagerExecution=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
];

export async function startTemporal(options: TemporalOptions): Promise<Temporal> {
  const directory = resolve(options.directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 }); // histories are for their owner
  const port = options.port ?? (await findFreePort());
  const uiPort = options.uiPort ?? (await findFreePort());
  const part = await startPart({
    command: options.binary,
    args: [
      'server',
      'start-dev',
      '--ip',
      '127.0.0.1',
      '--port',
      String(port),
      '--ui-port',
      String(uiPort),
      '--db-filename',
      join(directory, 'temporal.db'),
      '--log-level',
      'warn',
      ...SQLITE_PRAGMAS.flatMap((value) => ['--sqlite-pragma', value]),
      ...DYNAMIC_CONFIG.flatMap((value) => ['--dynamic-config-value', value]),
      ...searchAttributeKeys.flatMap(({ name, type }) => ['--search-attribute', `${name}=${ATTRIBUTE_TYPES[type]}`]),
    ],
    environment: { PATH: process.env['PATH'], HOME: directory }, // no client configuration of the user's applies
    logFile: options.logFile ?? join(directory, 'temporal.log'),
  });
  options.onStart?.(part);
  const address = `127.0.0.1:${port}`;
  await waitUntilReady(part, 60_000, () => describesDefaultNamespace(address)).catch((error: unknown) => {
    throw new Error(`Temporal did not start, ${(error as Error).message} (log: ${part.logFile})`, { cause: error });
  });
  return { ...part, address, uiUrl: `http://127.0.0.1:${uiPort}` };
}

async function describesDefaultNamespace(address: string): Promise<true | undefined> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: '1s' });
    try {
      await connection.workflowService.describeNamespace({ namespace: 'default' });
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return undefined;
  }
}
