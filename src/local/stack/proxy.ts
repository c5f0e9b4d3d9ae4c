// The proxy before the APIs: Caddy on loopback, which asks each of them /ready and sends requests to those that can
// serve. It repeats only what no API has begun to answer, and writes down no request.
import { join } from 'node:path';
import { writeAtomically } from '../atomic-file.ts';
import { startPart } from '../processes/part.ts';
import { type Placement, supervise } from '../processes/supervise.ts';

const NAME = 'The proxy';
/** How often an API is asked: it says that it is about to stop twice as long before it does. */
const ASKED_EVERY_MS = 1_000;
export const API_SHUTDOWN_DELAY_MS = 2 * ASKED_EVERY_MS;

export type ProxyOptions = Placement & { program: string; port: number; apiPorts: readonly number[] };

/** Returns its base URL. */
export async function startProxy(options: ProxyOptions): Promise<string> {
  const { program, directory, logFile, port, supervision, onStart } = options;
  const file = join(directory, 'caddy.json');
  writeAtomically(file, JSON.stringify(configurationOf(options), null, 2), 0o600);
  const baseUrl = `http://127.0.0.1:${port}`;
  const start = async () => {
    const part = await startPart({
      command: program,
      args: ['run', '--config', file],
      environment: { PATH: process.env['PATH'], HOME: directory },
      logFile,
    });
    onStart(NAME, part);
    return part;
  };
  await supervise({ name: NAME, supervision, start, isReady: () => passesOn(baseUrl) });
  return baseUrl;
}

function configurationOf({ port, apiPorts }: ProxyOptions): object {
  const proxy = {
    handler: 'reverse_proxy',
    upstreams: apiPorts.map((apiPort) => ({ dial: `127.0.0.1:${apiPort}` })),
    load_balancing: { selection_policy: { policy: 'round_robin' }, try_duration: '5s', try_interval: '100ms' },
    health_checks: {
      active: { uri: '/ready', interval: `${ASKED_EVERY_MS}ms`, timeout: '2s' },
      passive: { fail_duration: '1s' },
    },
  };
  const server = {
    listen: [`127.0.0.1:${port}`],
    automatic_https: { disable: true },
    routes: [{ handle: [proxy] }],
  };
  return {
    admin: { disabled: true },
    logging: { logs: { default: { level: 'WARN' } } },
    apps: { http: { servers: { api: server } } },
  };
}

async function passesOn(baseUrl: string): Promise<true | undefined> {
  try {
    const response = await fetch(`${baseUrl}/ready`, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.status === 200 || undefined;
  } catch {
    return undefined;
  }
}
