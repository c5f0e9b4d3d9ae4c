// Finds TCP ports of the loopback interface that nothing listens on. Holds none of them: the caller binds at once.
import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

export async function isPortFree(port: number, host = LOOPBACK): Promise<boolean> {
  return (await tryListen(port, host)) !== undefined;
}

export async function findFreePort(preferred = 0): Promise<number> {
  const port = (await tryListen(preferred, LOOPBACK)) ?? (await tryListen(0, LOOPBACK));
  if (port === undefined) throw new Error('No free TCP port is left on 127.0.0.1.');
  return port;
}

function tryListen(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}
