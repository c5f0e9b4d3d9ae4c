// LISTEN for as long as the database connection is open. postgres.js 3.4.9 goes deaf for ever when a connection is lost
// while its LISTEN is under way: here each attempt has a client of its own, and another follows whatever ended it.
// Knows no channel and no payload.
import type { Sql } from 'postgres';
import { openLike } from './lost-connections.ts';

const LISTEN_AGAIN_AFTER_MS = 1_000;

export class LastingListeners {
  readonly #options: Sql['options'];
  readonly #clients = new Set<Sql>();
  #closed = false;

  constructor(options: Sql['options']) {
    this.#options = options;
  }

  /**
   * In the place of the driver's `listen`. `onListening` comes again after each loss: from then on everything is heard.
   */
  readonly listen = (channel: string, onNotify: (payload: string) => void, onListening = () => {}): void => {
    if (this.#closed) return;
    const again = () => this.listen(channel, onNotify, onListening);
    void this.#listenOnce(channel, onNotify, onListening).then(() => setTimeout(again, LISTEN_AGAIN_AFTER_MS).unref());
  };

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#clients].map((client) => client.end({ timeout: 0 })));
  }

  /** Resolves when the attempt has failed or its connection is gone; never rejects. */
  async #listenOnce(channel: string, onNotify: (payload: string) => void, onListening: () => void): Promise<void> {
    let client: Sql | undefined;
    await new Promise<void>((lost) => {
      client = openLike(this.#options, { max: 1, onclose: lost, onnotify: (_, payload) => onNotify(payload) });
      this.#clients.add(client);
      client.unsafe(`listen "${channel}"`).then(onListening, () => lost());
    });
    if (client === undefined) return;
    await client.end({ timeout: 0 });
    this.#clients.delete(client);
  }
}
