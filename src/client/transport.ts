// Sends one request: signed, with an idempotency key when it writes, and again when it failed in a way that may pass.
// Knows no route.
import { CountersignError, UnreachableError } from './errors.ts';
import { pause, pauseAfterMs } from './retry.ts';
import { type Credentials, signRequest } from './sign-request.ts';
import { WriteClock } from './write-clock.ts';

const RETRIES = 3;
const ANSWER_WITHIN_MS = 30_000;

export interface TransportOptions extends Credentials {
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
  readonly #credentials: Credentials;
  readonly #baseUrl: string;
  readonly #retries: number;
  readonly #fetch: typeof globalThis.fetch;
  readonly #clock = new WriteClock();

  constructor({ baseUrl, apiKey, apiSecret, retries = RETRIES, fetch = globalThis.fetch }: TransportOptions) {
    this.#credentials = { apiKey, apiSecret };
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#retries = retries;
    this.#fetch = fetch;
  }

  /** Resolves with a successful answer; throws CountersignError for any other, UnreachableError when there is none. */
  async send({ method, path, body, signal, ...request }: Request): Promise<Answer> {
    const text = body === undefined ? '' : JSON.stringify(body);
    const idempotencyKey = method === 'GET' ? undefined : (request.idempotencyKey ?? crypto.randomUUID());
    for (let attempt = 1; ; attempt += 1) {
      try {
        const signed = signRequest(
          this.#credentials,
          { method, path, body: text },
          this.#secondFor(method, path, text),
        );
        const headers = {
          ...request.headers,
          ...signed,
          ...(text === '' ? {} : { 'Content-Type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'X-Idempotency-Key': idempotencyKey }),
        };
        const timeUp = AbortSignal.timeout(request.answerWithinMs ?? ANSWER_WITHIN_MS);
        return await this.#exchange(path, { method, headers, ...(text === '' ? {} : { body: text }) }, timeUp, signal);
      } catch (error) {
        signal?.throwIfAborted();
        const pauseMs = attempt > this.#retries ? undefined : pauseAfterMs(attempt, error);
        if (pauseMs === undefined) throw error;
        await pause(pauseMs, signal);
      }
    }
  }

  async #exchange(path: string, init: RequestInit, timeUp: AbortSignal, abort: AbortSignal | undefined) {
    const signal = abort === undefined ? timeUp : AbortSignal.any([abort, timeUp]);
    let response: Response;
    let text: string;
    try {
      // Never redirected: a signature is for one path.
      response = await this.#fetch(this.#baseUrl + path, { ...init, redirect: 'error', signal });
      text = await response.text();
    } catch (error) {
      throw new UnreachableError(this.#baseUrl, error);
    }
    return readAnswer(response, text);
  }

  /** A write's own, since the service takes each signature once. */
  #secondFor(method: string, path: string, body: string): number {
    return method === 'GET' ? Math.floor(Date.now() / 1000) : this.#clock.secondFor(`${method} ${path} ${body}`);
  }
}

function readAnswer({ ok, status, headers }: Response, text: string): Answer {
  const envelope = parseEnvelope(text);
  if (ok && envelope?.success === true) return { status, headers, data: envelope.data };
  const message = envelope?.message ?? 'the answer is not from this service: something stands in between';
  throw new CountersignError(status, String(envelope?.code ?? 'unexpected_answer'), message, headers);
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
