// Tells whoever reads a network, in this process, that a transaction has just been sent to it, so that a quiet network
// is looked at sooner. Nothing depends on it: another process's broadcasts are seen at the next look.
import { EventEmitter, once } from 'node:events';
import type { Chain } from './port/chain.ts';

export class Broadcasts {
  readonly #sent = new EventEmitter().setMaxListeners(0);

  /** The same chain; each of its broadcasts is told, whatever the node answered. */
  of(networkCode: string, chain: Chain): Chain {
    const broadcast: Chain['broadcast'] = async (...transaction) => {
      try {
        return await chain.broadcast(...transaction);
      } finally {
        this.#sent.emit(networkCode);
      }
    };
    return { ...chain, broadcast };
  }

  /** Whether there is one before `signal` aborts. */
  async next(networkCode: string, signal: AbortSignal): Promise<boolean> {
    return once(this.#sent, networkCode, { signal }).then(
      () => true,
      () => false,
    );
  }
}
