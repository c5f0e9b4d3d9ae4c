// A client of the service in the style of existing callers: signs the path without its query, sends ACCESS-SIGN as
// base64 of hex, and follows transactions with a back-off, by the statuses that it knows. Written from the description
// of their wire alone: shares nothing with src/client.
import { createHmac } from 'node:crypto';

export interface Credentials {
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
}

export interface Followed {
  transaction_id: string;
  status: string;
  hash?: string;
  failed_reason?: string;
}

export class CallError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const OPEN = ['pending', 'pending_approval'];
const DONE = ['completed', 'confirmed'];
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const PATIENCE_MS = 90_000;

export class ServiceClient {
  readonly #credentials: Credentials;
  #lastSecond = 0;

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  // oxlint-disable-next-line typescript/no-explicit-any
  get = (path: string): Promise<any> => this.#call('GET', path);
  // oxlint-disable-next-line typescript/no-explicit-any
  post = (path: string, body: object): Promise<any> => this.#call('POST', path, body);

  followTransaction = (walletId: string, transactionId: string): Promise<Followed> =>
    this.#follow(`/web3/transaction/${walletId}/${transactionId}`);

  /** The alias view, which has the signature of an EVM message. */
  followSignature = (walletId: string, transactionId: string): Promise<Followed & { signature?: string }> =>
    this.#follow(`/web3/${walletId}/sign/${transactionId}`);

  async #follow(path: string): Promise<Followed> {
    const until = Date.now() + PATIENCE_MS;
    for (let pauseMs = FIRST_PAUSE_MS; Date.now() < until; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
      const followed: Followed = await this.get(path);
      if (DONE.includes(followed.status)) return followed;
      if (!OPEN.includes(followed.status)) throw new Error(`${followed.status}: ${followed.failed_reason ?? ''}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    throw new Error('it has not ended');
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const { baseUrl, apiKey, apiSecret } = this.#credentials;
    const url = new URL(`/api/v1${path}`, baseUrl);
    const text = body === undefined ? '' : JSON.stringify(body);
    const timestamp = this.#nextSecond();
    const canonical = `method=${method}&path=${url.pathname}&timestamp=${timestamp}&body=${text}`;
    const hex = createHmac('sha256', apiSecret).update(canonical).digest('hex');
    const answer = await fetch(url, {
      method,
      ...(text === '' ? {} : { body: text }),
      headers: {
        ...(text === '' ? {} : { 'content-type': 'application/json' }),
        'ACCESS-API-KEY': apiKey,
        'ACCESS-TIMESTAMP': String(timestamp),
        'ACCESS-SIGN': Buffer.from(hex).toString('base64'),
      },
    });
    const envelope = (await answer.json()) as { success: boolean; code: string; message: string; data: unknown };
    if (!envelope.success) throw new CallError(answer.status, envelope.code, envelope.message);
    return envelope.data;
  }

  /** Two equal writes in one second would be one: each call of a test has a second of its own. */
  #nextSecond(): number {
    this.#lastSecond = Math.max(Math.floor(Date.now() / 1000), this.#lastSecond + 1);
    return this.#lastSecond;
  }
}
