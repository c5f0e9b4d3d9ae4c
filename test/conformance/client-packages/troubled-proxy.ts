// Stands between a client and the service and passes everything on, but for the troubles that a test asks for: an
// answer that is lost after the service has done the work, or an answer that the service did not give. Remembers what
// came in.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Passed {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  atMs: number;
}

/** `lose`: the service's answer. Otherwise this answer, without asking the service. */
export type Trouble = 'lose' | { status: number; code?: string; headers?: Record<string, string> };

export interface TroubledProxy {
  url: string;
  passed: Passed[];
  /** For the next requests with this method whose path begins so, one each. */
  trouble(method: string, path: string, ...troubles: Trouble[]): void;
  stop(): Promise<void>;
}

export async function startTroubledProxy(serviceUrl: string): Promise<TroubledProxy> {
  const expected: { method: string; path: string; trouble: Trouble }[] = [];
  const server = createServer((request, response) => {
    void pass(request, response).catch(() => request.socket.destroy());
  });

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    proxy.passed.push({ method, path, headers, atMs: performance.now() });
    const body = await bodyOf(request);
    const place = expected.findIndex((each) => each.method === method && path.startsWith(each.path));
    const trouble = place === -1 ? undefined : expected.splice(place, 1)[0]?.trouble;
    if (typeof trouble === 'object') {
      const { code = 'dependency_unavailable' } = trouble;
      const refusal = { success: false, message: 'Come back later.', code, data: null };
      response.writeHead(trouble.status, { 'content-type': 'application/json', ...trouble.headers });
      response.end(JSON.stringify(refusal));
      return;
    }
    const { host: _host, connection: _connection, 'content-length': _length, ...passedOn } = headers;
    const answer = await fetch(serviceUrl + path, {
      method,
      headers: passedOn as Record<string, string>,
      ...(body.length === 0 ? {} : { body }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (trouble === 'lose') {
      request.socket.destroy();
      return;
    }
    const {
      'transfer-encoding': _encoding,
      'content-encoding': _content,
      ...kept
    } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, { ...kept, 'content-length': String(bytes.length) }).end(bytes);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: TroubledProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed: [],
    trouble: (method, path, ...troubles) => expected.push(...troubles.map((trouble) => ({ method, path, trouble }))),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
