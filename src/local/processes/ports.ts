// Finds TCP ports of the loopback interface that nothing listens on. Holds none of them: the caller binds at once.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';
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
 * above it.
 */
export async function findFreePort(preferred?: number): Promise<number> {
  const round =
    preferred === undefined ? [] : Array.from({ length: STACKS }, (_, stack) => preferred + STACK_STEP * stack);
  const any = Array.from({ length: ANY_PORT.tries }, () => ANY_PORT.first + randomInt(ANY_PORT.count));
  for (const port of [...round, ...any, 0]) {
    const free = await tryListen(port, LOOPBACK);
    if (free !== undefined) return free;
  }
  throw new Error('No free TCP port is left on 127.0.0.1.');
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
