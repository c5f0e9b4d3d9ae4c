// A balancer as plain as they come: it asks each API whether it is ready, sends each request to the next one that is,
// over connections that it keeps, and repeats nothing. What cannot be passed on is answered 502. An API that answers
// 503 or closed its port gets no request from that moment; one that is silent only after SILENT_IN_A_ROW, as with
// Kubernetes.
import { once } from 'node:events';
import { Agent, createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const ASKED_EVERY_MS = 100;
/** On a machine that is busy an API that serves may take long to say so. */
const ANSWERS_WITHIN_MS = 3_000;
const SILENT_IN_A_ROW = 3;

export interface Balancer {
  url: string;
  /** Whether it sends requests there. */
  sendsTo(port: number): boolean;
  stop(): Promise<void>;
}

export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<number>();
  const ending = new AbortController();
  let turn = 0;
  const nextPort = (): number | undefined => {
    const candidates = ports.filter((port) => ready.has(port));
    turn += 1;
    return candidates[turn % candidates.length];
  };
  const server = createServer((incoming, outgoing) => passOn(incoming, outgoing, { port: nextPort(), agent }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asking = ports.map(async (port) => {
    let silent = 0;
    while (!ending.signal.aborted) {
      const answer = await askWhetherReady(port);
      silent = answer === 'silent' ? silent + 1 : 0;
      if (answer === 'ready') ready.add(port);
      if (answer === 'not ready' || silent === SILENT_IN_A_ROW) ready.delete(port);
      await sleep(ASKED_EVERY_MS, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sendsTo: (port) => ready.has(port),
    stop: async () => {
      ending.abort();
      await Promise.all(asking);
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

interface Way {
  port: number | undefined;
  agent: Agent;
}

function passOn(incoming: IncomingMessage, outgoing: ServerResponse, { port, agent }: Way): void {
  const fail = (why: string) => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end(why);
  };
  if (port === undefined) return fail('no API is ready');
  const { method, url: path, headers } = incoming;
  const passed = forward({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
    // Between the balancer and the API, not between the caller and the balancer.
    const { connection: _, 'keep-alive': __, ...kept } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, kept);
    answer.pipe(outgoing);
  });
  passed.on('error', (error) => fail(error.message));
  incoming.pipe(passed);
}

async function askWhetherReady(port: number): Promise<'ready' | 'not ready' | 'silent'> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    await answer.body?.cancel();
    return answer.status === 200 ? 'ready' : 'not ready';
  } catch (error) {
    return error instanceof DOMException && error.name === 'TimeoutError' ? 'silent' : 'not ready';
  }
}
