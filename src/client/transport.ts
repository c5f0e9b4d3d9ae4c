// Sends one request: signed, with an idempotency key when it writes, and again when it failed in a way that may pass.
// Knows no route.
import { CountersignError, UnreachableError } from './errors.ts';
import { pause, pauseAfterMs } from './retry.ts';
import { type Credentials, type SignableRequest, signRequest } from './sign-request.ts';
import { WriteClock } from './write-clock.ts';

const RETRIES = 3;
const ANSWER_WITHIN_MS = 30_000;

/** The headers that say who asks. */
type Authorization = Record<string, string>;
/** In the place of a secret: whatever else proves who asks, such as a key that cannot be read out. */
export type Authorize = (request: SignableRequest, unixSeconds: number) => Authorization | Promise<Authorization>;

export type TransportOptions = ConnectionOptions & (Credentials | { authorize: Authorize });

interface ConnectionOptions {
  /** Scheme, host and port, as in `http://127.0.0.1:8150`. */
  baseUrl: string;
  /** How often a request that failed is sent again; 3 when absent, 0 for never. */
  retries?: number;
  /** In the place of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With the query string. */
  path: string;
  body?: unknown;
  /** Of a write; a random one when absent. Every attempt carries the same, so that the service does the work once. */
  idempotencyKey?: string | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  answerWithinMs?: number;
}

export interface Answer {
  status: number;
  headers: Headers;
  data: unknown;
}

export class Transport {
  readonly #authorize: Authorize;
  readonly #baseUrl: string;
  readonly #retries: number;
  readonly #fetch: typeof globalThis.fetch;
  readonly #clock = new WriteClock();

  constructor({ baseUrl, retries = RETRIES, fetch = globalThis.fetch, ...proof }: TransportOptions) {
    this.#authorize = authorizeBy(proof);
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#retries = retries;
    this.#fetch = fetch;
  }

  /** Resolves with a successful answer; throws CountersignError for any other, UnreachableError when there is none. */
  send(request: Request): Promise<Answer> {
    return this.#repeat(request, async (init) => {
      const timeUp = AbortSignal.timeout(request.answerWithinMs ?? ANSWER_WITHIN_MS);
      const signal = request.signal === undefined ? timeUp : AbortSignal.any([request.signal, timeUp]);
      const { response, text } = await this.#orUnreachable(async () => {
        const response = await this.#fetch(this.#baseUrl + request.path, { ...init, signal });
        return { response, text: await response.text() };
      });
      return readAnswer(response, text);
    });
  }

  /**
   * Resolves with the bytes of a successful answer, piece by piece as they come, once it has begun; throws as `send`
   * does. An answer that breaks off throws as well, and is not asked for again: a part is never taken for the whole.
   */
  stream({ path, signal: abort }: Pick<Request, 'path' | 'signal'>): Promise<AsyncGenerator<Uint8Array, void>> {
    return this.#repeat({ method: 'GET', path, signal: abort }, async (init) => {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new Error('no answer in time')), ANSWER_WITHIN_MS);
      const signal = abort === undefined ? late.signal : AbortSignal.any([abort, late.signal]);
      try {
        const response = await this.#orUnreachable(() => this.#fetch(this.#baseUrl + path, { ...init, signal }));
        if (!response.ok) throw refusalOf(response, await this.#orUnreachable(() => response.text()));
        return this.#pieces(response, abort);
      } finally {
        clearTimeout(timer);
      }
    });
  }

  async *#pieces({ body }: Response, abort: AbortSignal | undefined): AsyncGenerator<Uint8Array, void> {
    if (body === null) return;
    const reader = body.getReader();
    try {
      for (;;) {
        const { done, value } = await this.#orUnreachable(() => reader.read());
        if (done) break;
        yield value;
      }
    } catch (error) {
      abort?.throwIfAborted();
      throw error;
    } finally {
      // Also of a reader who takes no more.
      await reader.cancel().catch(() => {});
    }
  }

  /** Signs each attempt anew, and goes on as long as what failed may pass. */
  async #repeat<Result>(
    { method, path, body, signal, ...request }: Request,
    attemptOnce: (init: RequestInit) => Promise<Result>,
  ): Promise<Result> {
    const text = body === undefined ? '' : JSON.stringify(body);
    const idempotencyKey = method === 'GET' ? undefined : (request.idempotencyKey ?? crypto.randomUUID());
    for (let attempt = 1; ; attempt += 1) {
      try {
        const signed = await this.#authorize({ method, path, body: text }, this.#secondFor(method, path, text));
        const headers = {
          ...request.headers,
          ...signed,
          ...(text === '' ? {} : { 'Content-Type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'X-Idempotency-Key': idempotencyKey }),
        };
        // Never redirected: a signature is for one path.
        return await attemptOnce({ method, headers, ...(text === '' ? {} : { body: text }), redirect: 'error' });
      } catch (error) {
        signal?.throwIfAborted();
        const pauseMs = attempt > this.#retries ? undefined : pauseAfterMs(attempt, error);
        if (pauseMs === undefined) throw error;
        await pause(pauseMs, signal);
      }
    }
  }

  async #orUnreachable<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      throw new UnreachableError(this.#baseUrl, error);
    }
  }

  /** A write's own, since the service takes each signature once. */
  #secondFor(method: string, path: string, body: string): number {
    return method === 'GET' ? Math.floor(Date.now() / 1000) : this.#clock.secondFor(`${method} ${path} ${body}`);
  }
}

function authorizeBy(proof: Credentials | { authorize: Authorize }): Authorize {
  if ('authorize' in proof) return proof.authorize;
  const credentials = { apiKey: proof.apiKey, apiSecret: proof.apiSecret };
  return (request, unixSeconds) => signRequest(credentials, request, unixSeconds);
}

function readAnswer(response: Response, text: string): Answer {
  const { ok, status, headers } = response;
  const envelope = parseEnvelope(text);
  if (ok && envelope?.success === true) return { status, headers, data: envelope.data };
  throw refusalOf(response, text);
}

function refusalOf({ status, headers }: Response, text: string): CountersignError {
  const envelope = parseEnvelope(text);
  const message = envelope?.message ?? 'the answer is not from this service: something stands in between';
  return new CountersignError(status, String(envelope?.code ?? 'unexpected_answer'), message, headers);
}

interface Envelope {
  success: boolean;
  message: string;
  code: number | string;
  data: unknown;
}

function parseEnvelope(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'success' in value ? (value as Envelope) : undefined;
  } catch {
    return undefined;
  }
}
