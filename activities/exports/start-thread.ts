// Starts a thread whose young heap is as small as its own limits say. V8's flag --max-semi-space-size, which production
// sets for its processes, holds for every isolate that is made while it is set, and outdoes the limits of a thread. So
// it is taken away while a thread starts; the isolates that are there do not ask for it again.
import { setFlagsFromString } from 'node:v8';
import { Worker, type WorkerOptions } from 'node:worker_threads';

const FLAG = '--max-semi-space-size';

/** What this process was started with, the last one counts; 0: V8 decides. */
const ofProcess = [...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/), ...process.execArgv].reduce(
  (megabytes, option) => /^--max[-_]semi[-_]space[-_]size=(\d+)$/.exec(option)?.[1] ?? megabytes,
  '0',
);
let starting = 0;

export function startThread(file: URL | string, options: WorkerOptions): Worker {
  setFlagsFromString(`${FLAG}=0`);
  starting += 1;
  let isStarting = true;
  const hasStarted = () => {
    if (!isStarting) return;
    isStarting = false;
    starting -= 1;
    if (starting === 0) setFlagsFromString(`${FLAG}=${ofProcess}`);
  };
  const thread = new Worker(file, options);
  thread.once('online', hasStarted);
  thread.once('exit', hasStarted);
  return thread;
}
