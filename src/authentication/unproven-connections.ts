// Bounds the connections of this process. Beyond them the one that has been open the longest without ever carrying a
// request with a right signature is closed: who has a key shows it within milliseconds of connecting. To refuse the
// newest would let the first crowd keep everybody out.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** So many more are taken for the moment that it takes to close others. */
const SLACK = 64;

export class Connections {
  readonly #max: number;
  /** In the order in which they came. */
  readonly #unproven = new Set<Socket>();
  #count = 0;

  /** Zero for no limit. */
  constructor(max: number) {
    this.#max = max;
  }

  install(app: FastifyInstance): void {
    if (this.#max === 0) return;
    app.server.maxConnections = this.#max + SLACK;
    app.server.on('connection', (socket: Socket) => this.#take(socket));
  }

  /** It has carried a request with a right signature. */
  prove(socket: Socket): void {
    this.#unproven.delete(socket);
  }

  #take(socket: Socket): void {
    this.#count += 1;
    this.#unproven.add(socket);
    socket.once('close', () => {
      this.#count -= 1;
      this.#unproven.delete(socket);
    });
    if (this.#count <= this.#max) return;
    const [oldest] = this.#unproven;
    if (oldest === undefined) return;
    // Not counted twice while it closes.
    this.#unproven.delete(oldest);
    oldest.destroy();
  }
}
