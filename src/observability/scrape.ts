// What Prometheus is shown, and to whom: the state is read, then all metrics of the process are written as text.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Registry } from 'prom-client';
import type { StateMetrics } from './state-metrics.ts';

export class Scrape {
  readonly contentType: string;
  readonly #registry: Registry;
  readonly #state: StateMetrics;
  readonly #tokenHash: Buffer | undefined;

  /** Without a token everybody may read. */
  constructor({
    registry,
    state,
    token = '',
  }: { registry: Registry; state: StateMetrics; token?: string | undefined }) {
    this.contentType = registry.contentType;
    this.#registry = registry;
    this.#state = state;
    this.#tokenHash = token === '' ? undefined : sha256(`Bearer ${token}`);
  }

  /** By the Authorization header. */
  mayRead(authorization: string | undefined): boolean {
    return this.#tokenHash === undefined || timingSafeEqual(this.#tokenHash, sha256(authorization ?? ''));
  }

  async read(): Promise<string> {
    await this.#state.refresh();
    return this.#registry.metrics();
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
