// Lets an API process leave without a failed request: its probe says no first, so that a balancer sends requests
// elsewhere, while the port stays open and whoever still comes is served and told to connect anew. Closes nothing.
import type { FastifyInstance } from 'fastify';
import type { LongPoll } from './waiting/long-poll.ts';

export class Draining {
  #begun = false;
  readonly #whenBegun: (() => void)[] = [];

  get hasBegun(): boolean {
    return this.#begun;
  }

  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    for (const listener of this.#whenBegun) listener();
  }

  whenBegun(listener: () => void): void {
    this.#whenBegun.push(listener);
  }
}

/** From the beginning on each answer is the last one of its connection, and who waits for an end is answered now. */
export function installDraining(app: FastifyInstance, draining: Draining, waiting: LongPoll): void {
  draining.whenBegun(() => waiting.close());
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (draining.hasBegun) reply.header('connection', 'close');
    done(null, payload);
  });
}
