// A JSON-RPC node that stands in front of a real one, and answers chosen methods in a test's own way.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Question = { method: string; params: { value?: string; address?: string[] }[] };
export type Answer = (response: ServerResponse, truth: () => Promise<{ result?: unknown }>) => void | Promise<void>;

export const says = (result: unknown) => (response: ServerResponse) =>
  void response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));

export const refuses =
  (message: string, code = -32_000) =>
  (response: ServerResponse) =>
    void response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } }));

/** The true answer with one change. */
export const alters =
  (change: (result: never) => unknown): Answer =>
  async (response, truth) =>
    says(change((await truth()).result as never))(response);

export interface AnsweringProxy {
  /** Name and port. */
  host: string;
  /** By method; what is not there is answered truly. */
  answers: Map<string, Answer>;
  asked: Question[];
  stop: () => void;
}

export async function startAnsweringProxy(url: string): Promise<AnsweringProxy> {
  const answers = new Map<string, Answer>();
  const asked: Question[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await request.toArray()).join('');
    const { method, params } = JSON.parse(body) as Question;
    asked.push({ method, params });
    const { authorization = '' } = request.headers;
    const headers = { 'content-type': 'application/json', authorization };
    const truth = async () => (await (await fetch(url, { method: 'POST', headers, body })).json()) as object;
    const tellTruth: Answer = async (to) => void to.end(JSON.stringify(await truth()));
    await (answers.get(method) ?? tellTruth)(response, truth);
  };
  // A node that is gone is one that hangs up: whoever asked hears of it.
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, answers, asked, stop };
}
