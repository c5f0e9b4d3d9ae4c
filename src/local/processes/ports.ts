// Finds TCP ports of the loopback interface that nothing listens on. Binds none of them: the caller does, at once.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';
/** Who means to use a port of the first address listens on the same port of this one, until its process ends. */
const CLAIMS = '127.0.0.2';
const STACKS = 8;
const STACK_STEP = 100;
/**
 * Below the range from which systems take the ports of outgoing connections: one of those could be gone before it is
 * bound.
 */
const ANY_PORT = { first: 20_000, count: 12_000, tries: 20 };

export async function isPortFree(port: number, host = LOOPBACK): Promise<boolean> {
  return (await tryListen(port, host)) !== undefined;
}

/**
 * Beside other stacks of ours, each start of a folder finds the same ports again: the preferred one, or a round number
 * above it. Of those that start in the same moment each finds its own.
 */
export async function findFreePort(preferred?: number): Promise<number> {
  const round =
    preferred === undefined ? [] : Array.from({ length: STACKS }, (_, stack) => preferred + STACK_STEP * stack);
  for (const port of round) if ((await isPortFree(port)) && (await claim(port))) return port;
  const any = Array.from({ length: ANY_PORT.tries }, () => ANY_PORT.first + randomInt(ANY_PORT.count));
  for (const port of [...any, 0]) {
    const free = await tryListen(port, LOOPBACK);
    if (free !== undefined) return free;
  }
  throw new Error('No free TCP port is left on 127.0.0.1.');
}

const claimed = new Set<number>();

/** False where another process has claimed it. A system without that second address has no claims. */
function claim(port: number): Promise<boolean> {
  if (claimed.has(port)) return Promise.resolve(true);
  const claims = createServer((connection) => connection.destroy()).unref();
  return new Promise((resolve) => {
    claims.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE'));
    claims.listen({ port, host: CLAIMS, exclusive: true }, () => {
      claimed.add(port);
      resolve(true);
    });
  });
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
