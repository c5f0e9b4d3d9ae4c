// A TCP connection's way through this process, which can be cut or made slow. Understands nothing of what it passes on,
// so that TLS goes through it as it is.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** `cut`: no connection stands or is made. `silent`: connections stand, and nothing arrives. */
export type GateState = 'open' | 'cut' | 'silent' | { delayMs: number };

export interface Gate {
  port: number;
  set: (state: GateState) => void;
  stop: () => void;
}

/** Before what listens on `target` of the loopback, which may not be there yet. */
export async function openGate(target: number): Promise<Gate> {
  let state: GateState = 'open';
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  const pass = (from: Socket, to: Socket) => {
    // One piece after the other: a delay must not change their order.
    let last = Promise.resolve();
    from.on('data', (bytes) => {
      from.pause();
      last = last
        .then(() => admission(() => state, waiting))
        .then(() => {
          if (!to.destroyed) to.write(bytes);
          from.resume();
        });
    });
    from.on('close', () => void last.then(() => to.destroy()));
  };
  const server = createServer((caller) => {
    if (state === 'cut') return void caller.resetAndDestroy();
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [caller, upstream]) {
      sockets.add(socket.on('error', () => {}));
      socket.setNoDelay(true).on('close', () => sockets.delete(socket));
    }
    pass(caller, upstream);
    pass(upstream, caller);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const set = (next: GateState) => {
    state = next;
    if (next === 'cut') reset();
    if (next !== 'silent') for (const go of waiting) go();
    waiting.clear();
  };
  const stop = () => {
    set('cut');
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, set, stop };
}

/** Resolves when the next piece may go on. */
async function admission(stateNow: () => GateState, waiting: Set<() => void>): Promise<void> {
  const state = stateNow();
  if (state === 'silent') await new Promise<void>((resolve) => waiting.add(resolve));
  else if (typeof state === 'object') await new Promise((resolve) => setTimeout(resolve, state.delayMs));
}
