// A small client of the HTTP interface: signs requests, and waits for operations by polling. Knows nothing of how the service
// works inside, and retries no write by itself.
import { type Credentials, signRequest } from './sign-request.ts';
import { WriteClock } from './write-clock.ts';

const FIRST_POLL_MS = 20;
const LONGEST_POLL_MS = 500;
const REQUEST_TIMEOUT_MS = 30_000;
const WAIT_MS = 60_000;

/** Shapes are those of openapi.json; `data` is null on errors. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Envelope = { success: boolean; message: string; code: number | string; data: any };
export type Answer = { status: number; headers: Headers; envelope: Envelope };
export type Query = Record<string, string | number | boolean>;
export type RequestOptions = { idempotencyKey?: string };
export type SignInput = {
  network_internal_code: string;
  signing_hash: string;
  key_type?: 'secp256k1' | 'ed25519';
  unsigned_tx?: string;
  derivation_path?: string;
};

export class CountersignError extends Error {
  override name = 'CountersignError';
  readonly status: number;
  readonly code: number | string;

  constructor(answer: Answer) {
    super(`${answer.status} ${answer.envelope.code}: ${answer.envelope.message}`);
    this.status = answer.status;
    this.code = answer.envelope.code;
  }
}

export class CountersignClient {
  readonly baseUrl: string;
  readonly #credentials: Credentials;
  readonly #clock = new WriteClock();

  constructor(options: { baseUrl: string } & Credentials) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#credentials = { apiKey: options.apiKey, apiSecret: options.apiSecret };
  }

  /** Any answer of the service is returned, also an error; only a network failure throws. `path` begins with /api/v1. */
  async request(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    const text = body === undefined ? '' : JSON.stringify(body);
    const second =
      method === 'GET' ? Math.floor(Date.now() / 1000) : this.#clock.secondFor(`${method} ${path} ${text}`);
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...signRequest(this.#credentials, { method, path, body: text }, second),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(options.idempotencyKey !== undefined && { 'X-Idempotency-Key': options.idempotencyKey }),
      },
      ...(body !== undefined && { body: text }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return { status: response.status, headers: response.headers, envelope: (await response.json()) as Envelope };
  }

  /** The `data` of a successful answer; throws CountersignError for any other. */
  async get(path: string, query: Query = {}): Promise<Envelope['data']> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) search.append(name, String(value));
    return dataOf(await this.request('GET', search.size === 0 ? path : `${path}?${search.toString()}`));
  }

  async createWallet(name: string, options: RequestOptions = {}): Promise<string> {
    const body = { name, wallet_type: 'mpc' };
    return dataOf(await this.request('POST', '/api/v1/wallets', body, options)).wallet_id;
  }

  /** Resolves with the creation status once it is final, `success` or `error`. */
  waitForWallet(walletId: string, withinMs = WAIT_MS): Promise<Envelope['data']> {
    return poll(withinMs, async () => {
      const creation = await this.get(`/api/v1/wallets/creation-status/${walletId}`);
      return creation.status === 'pending' ? undefined : creation;
    });
  }

  /** Resolves with the signing request as it was accepted. */
  async sign(walletId: string, input: SignInput, options: RequestOptions = {}): Promise<Envelope['data']> {
    return dataOf(await this.request('POST', `/api/v1/web3/${walletId}/sign`, input, options)).signing_request;
  }

  /** Resolves with the signing request once it is final, `success` or `failed`. */
  waitForSignature(signingId: string, withinMs = WAIT_MS): Promise<Envelope['data']> {
    return poll(withinMs, async () => {
      const request = await this.get(`/api/v1/signing-requests/${signingId}`);
      return ['success', 'failed'].includes(request.status) ? request : undefined;
    });
  }
}

function dataOf(answer: Answer): Envelope['data'] {
  if (!answer.envelope.success) throw new CountersignError(answer);
  return answer.envelope.data;
}

async function poll<Result>(withinMs: number, ask: () => Promise<Result | undefined>): Promise<Result> {
  const deadline = Date.now() + withinMs;
  for (let pauseMs = FIRST_POLL_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_POLL_MS)) {
    const result = await ask();
    if (result !== undefined) return result;
    if (Date.now() + pauseMs > deadline) throw new Error(`The operation was not final after ${withinMs / 1000} s.`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
