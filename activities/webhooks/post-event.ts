// One POST to an endpoint of a stranger: in bounded time, with a bounded answer, to a checked address, following
// nothing. What it answers is its status alone.
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { refuseTarget, type TargetRules } from '../../domain/webhook-target.ts';
import { guardedLookup, type Resolve, TargetRefused } from './guarded-lookup.ts';

const ANSWER_MAX_BYTES = 64 * 1024;

export interface Answer {
  statusCode: number;
  retryAfter: string | undefined;
}

export interface Message {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Kept for one endpoint and a few seconds: connections are used again, and each was made to a checked address. */
export class Sender {
  readonly #rules: TargetRules;
  readonly #timeoutMs: number;
  readonly #lookup: LookupFunction;
  readonly #http: http.Agent;
  readonly #https: https.Agent;

  constructor(rules: TargetRules, options: { timeoutMs: number; atOnceMax: number; resolve?: Resolve | undefined }) {
    this.#rules = rules;
    this.#timeoutMs = options.timeoutMs;
    this.#lookup = guardedLookup(rules, options.resolve);
    const connections = { keepAlive: true, maxSockets: options.atOnceMax };
    this.#http = new http.Agent(connections);
    // Said aloud, or NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would let any certificate pass.
    this.#https = new https.Agent({ ...connections, rejectUnauthorized: true });
  }

  /** Throws when there was no answer: `describeFailure` says why. */
  async post(message: Message, signal: AbortSignal): Promise<Answer> {
    const refusal = refuseTarget(URL.canParse(message.url) ? new URL(message.url) : undefined, this.#rules);
    if (refusal !== undefined) throw new TargetRefused(`its url ${refusal}`);
    try {
      return await this.#request(message, signal);
    } catch (error) {
      // A connection that was kept may have been closed by the other side just now: nothing was taken.
      if (error instanceof KeptConnectionLost) return this.#request(message, signal);
      throw error;
    }
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #request({ url, headers, body }: Message, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const target = new URL(url);
      const [protocol, agent] = target.protocol === 'https:' ? [https, this.#https] : [http, this.#http];
      const request = protocol.request(target, { method: 'POST', headers, agent, lookup: this.#lookup, signal });
      const timer = setTimeout(() => request.destroy(new TimedOut(this.#timeoutMs)), this.#timeoutMs);
      let answer: Answer | undefined;
      request.on('close', () => clearTimeout(timer));
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (answer !== undefined) return resolve(answer);
        const wasKept = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        reject(wasKept ? new KeptConnectionLost() : error);
      });
      request.on('response', (response) => {
        const { statusCode = 0, headers: answered } = response;
        const known = { statusCode, retryAfter: answered['retry-after'] };
        answer = known;
        let receivedBytes = 0;
        response.on('data', (chunk: Buffer) => {
          receivedBytes += chunk.length;
          if (receivedBytes > ANSWER_MAX_BYTES) response.destroy();
        });
        // It has answered; what may go wrong after that changes nothing, nor does a body that has no end before the
        // time is over.
        response.on('error', () => {});
        response.on('close', () => resolve(known));
      });
      request.end(body);
    });
  }
}

class KeptConnectionLost extends Error {
  override name = 'KeptConnectionLost';
}

class TimedOut extends Error {
  override name = 'TimedOut';
  constructor(timeoutMs: number) {
    super(`there was no answer within ${timeoutMs / 1_000} seconds`);
  }
}

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before an answer',
  EPIPE: 'the connection was closed before an answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the connection was not made in time',
  ENOTFOUND: 'its name leads to no address',
  ENODATA: 'its name leads to no address',
};

/** One sentence for the log of deliveries: it names no address that a name leads to, and nothing of what was sent. */
export function describeFailure(error: unknown): string {
  if (error instanceof TargetRefused || error instanceof TimedOut) return error.message;
  if (error instanceof KeptConnectionLost) return 'the connection was closed before an answer';
  const code = codeOf(error);
  if (/^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_SSL|EPROTO)/.test(code))
    return `TLS was not agreed on (${code})`;
  return sentences[code] ?? `the request failed (${code})`;
}

/** When several addresses were tried, why the last one failed. */
function codeOf(error: unknown): string {
  const last = error instanceof AggregateError ? error.errors.at(-1) : error;
  return (last as NodeJS.ErrnoException | undefined)?.code ?? 'unknown';
}
