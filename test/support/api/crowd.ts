// Many connections that each send the beginning of a request and keep the rest to themselves: the crowd before
// authentication. Answers are counted by their status.
import { connect, type Socket } from 'node:net';

/** More at once would only wait in the queue of the listening socket. */
const CONNECTING_AT_ONCE = 200;

export interface Crowd {
  /** Of those that are open now. */
  open(): number;
  /** How often each status was answered. */
  answers: Map<number, number>;
  leave(): void;
}

/** Resolves when all are connected and have handed over what they send. */
export async function gather(
  port: number,
  size: number,
  sent: (index: number) => readonly (string | Buffer)[],
): Promise<Crowd> {
  const sockets = new Set<Socket>();
  const answers = new Map<number, number>();
  const join = (index: number): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        for (const part of sent(index)) socket.write(part);
        resolve();
      });
      sockets.add(socket);
      socket.on('data', (bytes) => {
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString('latin1'))?.[1] ?? 0);
        answers.set(status, (answers.get(status) ?? 0) + 1);
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        resolve();
      });
    });
  for (let from = 0; from < size; from += CONNECTING_AT_ONCE) {
    const to = Math.min(size, from + CONNECTING_AT_ONCE);
    await Promise.all(Array.from({ length: to - from }, (_, offset) => join(from + offset)));
  }
  return {
    open: () => sockets.size,
    answers,
    leave: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
