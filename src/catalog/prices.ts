// What an asset is worth in US dollars, for display only: nothing may be decided by it. A deployment without a source
// shows no prices.
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Logger } from '../../domain/logger.ts';
import { Remembered } from './remembered.ts';

const REMEMBERED_MS = 60_000;
const TIMEOUT_MS = 2_000;
const ANSWER_MAX_BYTES = 1024 * 1024;

/** Decimal strings by symbol, in upper case. */
export type Prices = ReadonlyMap<string, string>;

export interface PriceSource {
  /** Never fails: no price is known while the source is not. */
  current(): Promise<Prices>;
}

const none: Prices = new Map();
export const noPrices: PriceSource = { current: async () => none };

/**
 * Asks an address that answers `{"ETH": "3123.4", …}`, at most once a minute, also when it fails. The address may hold
 * a secret: it is never logged.
 */
export class HttpPriceSource implements PriceSource {
  readonly #prices: Remembered<Prices>;

  constructor(url: string, log: Pick<Logger, 'warn'>) {
    this.#prices = new Remembered(REMEMBERED_MS, async () => {
      try {
        return readPrices(await fetchJson(url));
      } catch (error) {
        log.warn({ reason: reasonOf(error) }, 'the price source gave no prices');
        return none;
      }
    });
  }

  current(): Promise<Prices> {
    return this.#prices.get();
  }
}

class PriceSourceError extends Error {
  override name = 'PriceSourceError';
}

async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok || response.body === null) throw new PriceSourceError(`it answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > ANSWER_MAX_BYTES) throw new PriceSourceError(`its answer is longer than ${ANSWER_MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

const priceList = Type.Record(Type.String(), Type.Unknown());
const price = Type.String({ pattern: '^(0|[1-9]\\d{0,17})(\\.\\d{1,18})?$' });

/** What is no decimal string is left out: a number may have lost digits already. */
function readPrices(answer: unknown): Prices {
  if (!Value.Check(priceList, answer)) throw new PriceSourceError('its answer is no object of prices by symbol');
  return new Map(
    Object.entries(answer).flatMap(([symbol, value]) =>
      Value.Check(price, value) ? [[symbol.toUpperCase(), value] as const] : [],
    ),
  );
}

/** Our own words, or only the kind of failure: a message of the platform may repeat the address. */
function reasonOf(error: unknown): string {
  if (error instanceof PriceSourceError) return error.message;
  return error instanceof Error ? error.name : 'unknown';
}
