// A JSON-RPC node that stands before a real one, tells the truth by default, and for a while does not: it forgets
// transactions, stays behind, refuses, or says nothing.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const lies = ['forgets', 'stays behind', 'refuses', 'is silent'] as const;
export type Lie = (typeof lies)[number];

type Question = { id: unknown; method: string };
const SILENT_MS = 15_000;
const BEHIND_BLOCKS = 6n;
const ofTransactions = ['eth_getTransactionReceipt', 'eth_getTransactionByHash'];

export interface LyingNode {
  url: string;
  set: (lie: Lie | undefined) => void;
  stop: () => void;
}

export async function startLyingNode(truthUrl: string): Promise<LyingNode> {
  let lie: Lie | undefined;
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await request.toArray()).join('');
    if (lie === 'is silent') await new Promise((resolve) => setTimeout(resolve, SILENT_MS).unref());
    const headers = { 'content-type': 'application/json' };
    const truth = await (await fetch(truthUrl, { method: 'POST', headers, body })).json();
    const questions = [JSON.parse(body)].flat() as Question[];
    const answers = [truth].flat().map((answer, place) => answerOf(lie, questions[place], answer as object));
    response.writeHead(200, headers).end(JSON.stringify(Array.isArray(truth) ? answers : answers[0]));
  };
  // A node that is gone is one that hangs up.
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, set: (next) => void (lie = next), stop };
}

/** Pure: what a node that lies so says in the place of the true answer. */
export function answerOf(lie: Lie | undefined, question: Question | undefined, truth: object): object {
  const { id, method } = question ?? { id: null, method: '' };
  const says = (result: unknown) => ({ jsonrpc: '2.0', id, result });
  if (lie === 'refuses') return { jsonrpc: '2.0', id, error: { code: -32_000, message: 'the node is overloaded' } };
  if (lie === 'forgets' && ofTransactions.includes(method)) return says(null);
  if (lie === 'stays behind' && method === 'eth_blockNumber' && 'result' in truth) {
    const height = BigInt(truth.result as string);
    return says(`0x${(height > BEHIND_BLOCKS ? height - BEHIND_BLOCKS : 0n).toString(16)}`);
  }
  return truth;
}
