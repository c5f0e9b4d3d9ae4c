// A Bitcoin node for tests that answers each method as the test says: what Bitcoin Core says where btcd says something
// else.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export class Refusal {
  readonly code: number;
  readonly message: string;

  constructor(code: number, message: string) {
    this.code = code;
    this.message = message;
  }
}

/** A method that is not named is unknown to the node. An answer is a result, or a `Refusal`. */
export type Script = Record<string, (...params: never[]) => unknown>;

interface ScriptedNode {
  rpcUrl: string;
  /** The methods that were asked, in order. */
  asked: string[];
  stop: () => void;
}

export async function startScriptedNode(script: Script): Promise<ScriptedNode> {
  const asked: string[] = [];
  const answer = (method: string, params: never[]): unknown => {
    asked.push(method);
    return method in script ? script[method]?.(...params) : new Refusal(-32_601, 'Method not found');
  };
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { method, params } = body as { method: string; params: never[] };
      const result = answer(method, params);
      const isRefusal = result instanceof Refusal;
      response.writeHead(isRefusal ? 500 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isRefusal ? { result: null, error: result } : { result, error: null }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { rpcUrl: `http://127.0.0.1:${port}`, asked, stop };
}
