// JSON-RPC 2.0 over HTTP, on the loopback interface only, for the sandbox's Solana chain. No page of a browser reaches
// it: it answers no cross-origin question and takes nothing but JSON.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { SolanaChain } from './chain.ts';
import { clusterMethods } from './cluster-methods.ts';
import type { Methods } from './methods.ts';
import { invalidParams, methodNotFound, RpcError } from './rpc-error.ts';
import { stateMethods } from './state-methods.ts';
import { transactionMethods } from './transaction-methods.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_BATCH = 100;
const methods: Methods = { ...clusterMethods, ...stateMethods, ...transactionMethods };

type Call = { id?: unknown; method?: unknown; params?: unknown };

export function serveSolana(chain: SolanaChain, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    answer(chain, request, response).catch((error: Error) => {
      console.error(error.stack);
      response.destroy();
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

async function answer(chain: SolanaChain, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET' && request.url === '/health') return reply(response, 200, 'ok', 'text/plain');
  if (request.method !== 'POST') return reply(response, 405, 'Used with POST only', 'text/plain');
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    return reply(response, 415, 'Supplied content type is not allowed: application/json is required', 'text/plain');
  const body = await readBody(request);
  if (body === undefined) return reply(response, 413, 'The body is too large', 'text/plain');
  reply(response, 200, toJson(await answerBody(chain, body)), 'application/json');
}

async function answerBody(chain: SolanaChain, body: string): Promise<unknown> {
  let calls: unknown;
  try {
    calls = JSON.parse(body);
  } catch {
    return failure(null, new RpcError(-32700, 'Parse error'));
  }
  if (!Array.isArray(calls)) return call(chain, calls as Call);
  if (calls.length > MAX_BATCH) return failure(null, invalidParams(`a batch of at most ${MAX_BATCH} was expected`));
  return Promise.all(calls.map((each) => call(chain, each as Call)));
}

async function call(chain: SolanaChain, given: Call): Promise<unknown> {
  const { id = null, method, params = [] } = given ?? {};
  try {
    if (typeof method !== 'string') throw new RpcError(-32600, 'Invalid request');
    const handle = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (handle === undefined) throw methodNotFound();
    if (!Array.isArray(params)) throw invalidParams('a list was expected');
    return { jsonrpc: '2.0', id, result: await handle(chain, params) };
  } catch (error) {
    if (error instanceof RpcError) return failure(id, error);
    console.error((error as Error).stack);
    return failure(id, new RpcError(-32603, 'Internal error'));
  }
}

function failure(id: unknown, { code, message, data }: RpcError): unknown {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reply(response: ServerResponse, status: number, body: string, type: string): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}

/** Amounts of lamports are JSON numbers beyond what JavaScript's numbers hold exactly. */
function toJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toJson(member)}`).join(',')}}`;
}
