// A service on a real port that answers what a test tells it to, one answer a request, and remembers what came in.
// Checks every signature.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CountersignClient } from '../../../src/client/client.ts';

/** `cut`: the connection ends without an answer. */
export type Scripted = 'cut' | { status?: number; headers?: Record<string, string>; body?: object | string };
/** A function is called when the request is there. */
export type Answering = Scripted | (() => Scripted);

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  atMs: number;
}

export interface ScriptedService {
  client: CountersignClient;
  received: Received[];
  /** The next answers, in this order; the last one is repeated. */
  script(...answers: Answering[]): void;
  stop(): Promise<void>;
}

export const ok = (data: unknown, headers: Record<string, string> = {}): Scripted => ({
  headers,
  body: { success: true, message: 'success', code: 0, data },
});

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Scripted => ({
  status,
  headers: { 'x-request-id': 'request-1', ...headers },
  body: { success: false, message: 'Do it differently.', code, data: null },
});

const credentials = { apiKey: 'the key', apiSecret: 'the secret' };

export async function startScriptedService(options: { retries?: number } = {}): Promise<ScriptedService> {
  let answers: Answering[] = [];
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const body = Buffer.concat(chunks).toString();
      received.push({ method, path, headers, body, atMs: performance.now() });
      const next = answers.length > 1 ? answers.shift() : answers[0];
      const answer = isSigned(received.at(-1) as Received)
        ? (next ?? refusal(500, 'no_script'))
        : refusal(401, 'unauthorized');
      const scripted = typeof answer === 'function' ? answer() : answer;
      if (scripted === 'cut') {
        request.socket.destroy();
        return;
      }
      const text = typeof scripted.body === 'string' ? scripted.body : JSON.stringify(scripted.body);
      response.writeHead(scripted.status ?? 200, scripted.headers).end(text);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    client: new CountersignClient({ baseUrl, ...credentials, ...options }),
    received,
    script: (...next) => {
      answers = next;
      received.length = 0;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** As the interface defines it, written down once more. */
function isSigned({ method, path, headers, body }: Received): boolean {
  const canonical = `method=${method}&path=${path}&timestamp=${String(headers['access-timestamp'])}&body=${body}`;
  const hex = createHmac('sha256', credentials.apiSecret).update(canonical).digest('hex');
  return (
    headers['access-sign'] === Buffer.from(hex).toString('base64') && headers['access-api-key'] === credentials.apiKey
  );
}
