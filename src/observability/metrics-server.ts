// A port of its own for a process that serves no HTTP otherwise: its metrics, and /health for whoever starts a dead one
// again. Answers nothing else.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scrape } from './scrape.ts';

const REQUEST_TIMEOUT_MS = 10_000;

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

export async function startMetricsServer(
  scrape: Scrape,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(scrape, request, response).catch(() => response.writeHead(500).end());
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answer(scrape: Scrape, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url?.split('?', 1)[0];
  if (request.method === 'GET' && path === '/health')
    return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"up"}');
  if (request.method !== 'GET' || path !== '/metrics') return void response.writeHead(404).end();
  if (!scrape.mayRead(request.headers.authorization)) return void response.writeHead(401).end();
  const text = await scrape.read();
  response.writeHead(200, { 'content-type': scrape.contentType, 'cache-control': 'no-store' }).end(text);
}
