// Stands before PostgreSQL and passes everything on, but for answers that a test wants lost: the server has done what
// it was asked, and whoever asked never hears of it.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface AnswerLosingProxy {
  /** The same database behind the proxy. */
  url: string;
  /** How many answers were lost, each with its connection. */
  lost: number;
  stop(): void;
}

/** Of a server, as one chunk of bytes. `COMMIT\0` and `UPDATE 1\0` stand in them as they are. */
export type IsLost = (answer: Buffer) => boolean;

export async function startAnswerLosingProxy(databaseUrl: string, isLost: IsLost): Promise<AnswerLosingProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((caller) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [caller, upstream]) sockets.add(socket.on('error', () => {}));
    caller.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => {
      if (!isLost(bytes)) return void caller.write(bytes);
      proxy.lost += 1;
      caller.resetAndDestroy();
    });
    caller.on('close', () => upstream.destroy());
    upstream.on('close', () => caller.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  const proxy: AnswerLosingProxy = { url: url.href, lost: 0, stop };
  return proxy;
}
