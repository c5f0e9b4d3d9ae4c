// Asks one EVM node over JSON-RPC. Every call has a deadline and a size limit, none is repeated here (the caller's
// retries are), and no failure tells the node's address: it may hold a key.
import {
  type BaseError,
  createClient,
  type EIP1193RequestFn,
  type EIP1474Methods,
  type Hex,
  HttpRequestError,
  http,
  ResponseBodyTooLargeError,
  RpcRequestError,
} from 'viem';
import { ChainError } from '../port/chain-error.ts';

/** One call within a transaction, as geth's callTracer tells it. A frame with an error undid all of its calls. */
export interface CallFrame {
  type: string;
  from: Hex;
  to?: Hex;
  value?: Hex;
  error?: string;
  calls?: readonly CallFrame[];
}

type TraceMethod = {
  Method: 'debug_traceBlockByHash';
  Parameters: [hash: Hex, options: { tracer: 'callTracer'; timeout: string }];
  ReturnType: readonly { txHash?: Hex; result?: CallFrame }[] | null;
};
export type AskNode = EIP1193RequestFn<[...EIP1474Methods, TraceMethod]>;

/** The node understood the question and answered with an error. */
export class NodeRefusal extends ChainError {
  override name = 'NodeRefusal';
}

/**
 * In the words of geth, Erigon, Nethermind, Besu and anvil. What a contract gives as the reason of its revert is not
 * the node's word.
 */
const LACKS_FUNDS =
  /^(?!.*revert).*(insufficient ?funds|insufficient balance|upfront cost exceeds|exceeds account balance)/is;

const TIMEOUT_MS = 20_000;
/** A full block with all of its transactions or their traces. */
const ANSWER_BYTES_MAX = 128 * 1024 * 1024;
const REASON_CHARACTERS_MAX = 300;

/** The first call asks which chain the node is on; while it is another one, every call fails. */
export function askEvmNode(rpcUrl: string, chainId: number): AskNode {
  const transport = http(rpcUrl, { retryCount: 0, timeout: TIMEOUT_MS, maxResponseBodySize: ANSWER_BYTES_MAX });
  const client = createClient({ transport });
  const ask = (async (request: { method: string }) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS); // viem's own deadline ends with the answer's headers
    try {
      return await client.request(request as never, { signal });
    } catch (error) {
      throw failureOf(error as Error, request.method, signal.aborted, rpcUrl);
    }
  }) as AskNode;

  let checked: Promise<void> | undefined;
  const check = async () => {
    const answered = readQuantity(await ask({ method: 'eth_chainId' }), 'chain id');
    if (answered !== BigInt(chainId))
      throw new ChainError(`the node is on chain ${answered}, and chain ${chainId} is expected`, 'wrong_chain');
  };
  return (async (request: never) => {
    checked ??= check();
    try {
      await checked;
    } catch (error) {
      checked = undefined;
      throw error;
    }
    return ask(request);
  }) as AskNode;
}

/** Carries no cause: viem's errors show the address, and causes reach logs and histories. */
function failureOf(error: Error, method: string, timedOut: boolean, rpcUrl: string): ChainError {
  const found = 'walk' in error ? (error as BaseError).walk((each) => each instanceof RpcRequestError) : null;
  if (found instanceof RpcRequestError) {
    const code = LACKS_FUNDS.test(found.details) ? 'insufficient_funds' : undefined;
    return new NodeRefusal(`${method}: ${withoutSecrets(found.details, rpcUrl)}`, code);
  }
  const unavailable = (what: string) => new ChainError(`${method}: the node ${what}`, 'unavailable');
  if (timedOut) return unavailable(`did not answer within ${TIMEOUT_MS / 1_000} s`);
  if (error instanceof ResponseBodyTooLargeError) return new ChainError(`${method}: the answer is too large`);
  if (error instanceof HttpRequestError && error.status !== undefined)
    return unavailable(`answered with HTTP status ${error.status}`);
  return unavailable('cannot be reached, or answered what is not JSON-RPC');
}

/** A provider may repeat the key of its address in what it says. */
function withoutSecrets(text: string, rpcUrl: string): string {
  const { username, password, pathname, searchParams } = new URL(rpcUrl);
  const parts = [username, password, decodeURIComponent(password), ...pathname.split('/'), ...searchParams.values()];
  const secrets = parts.filter((part) => part.length >= 6);
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text).slice(0, REASON_CHARACTERS_MAX);
}

export function readQuantity(answer: unknown, what: string): bigint {
  if (typeof answer !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(answer))
    throw new ChainError(`the node answered no ${what}`);
  return BigInt(answer);
}
