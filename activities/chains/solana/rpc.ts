// One Solana RPC endpoint, asked through kit: with a time limit, only when it belongs to the expected cluster, and with
// errors that say what failed and never where: addresses of nodes carry keys. Retries nothing; who asks decides.
import {
  createSolanaRpc,
  isSolanaError,
  type PendingRpcRequest,
  type Rpc,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  type SolanaErrorCode,
  type SolanaRpcApi,
} from '@solana/kit';
import { ChainError, type ChainErrorCode } from '../port/chain-error.ts';
import { lacksFunds } from './insufficient-funds.ts';

/** The hash of the cluster's first block names the cluster; without it any is taken. */
export interface SolanaEndpoint {
  rpcUrl: string;
  genesisHash?: string;
}

export type AskSolana = <Answer>(question: (rpc: Rpc<SolanaRpcApi>) => PendingRpcRequest<Answer>) => Promise<Answer>;

/** Blocks of the main network are megabytes. */
const TIMEOUT_MS = 30_000;

export class SolanaNodeError extends ChainError {
  /** Of the JSON-RPC, or of the transaction when the node refused one. */
  readonly solanaCode: SolanaErrorCode | undefined;

  constructor(message: string, code?: ChainErrorCode, solanaCode?: SolanaErrorCode) {
    super(message, code);
    this.solanaCode = solanaCode;
  }
}

export function connectSolana({ rpcUrl, genesisHash }: SolanaEndpoint): AskSolana {
  const { url, headers } = withoutUserinfo(rpcUrl);
  const rpc = createSolanaRpc(url, { headers });
  const ask: AskSolana = async (question) => {
    try {
      return await question(rpc).send({ abortSignal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch (error) {
      throw asNodeError(error);
    }
  };
  if (genesisHash === undefined) return ask;
  let isChecked = false;
  return async (question) => {
    if (!isChecked) {
      const found = await ask((rpc) => rpc.getGenesisHash());
      if (found !== genesisHash)
        throw new SolanaNodeError('The Solana node belongs to another cluster.', 'wrong_chain');
      isChecked = true;
    }
    return ask(question);
  };
}

/** `fetch` takes no user and password within a URL, and shows them in its refusal. */
function withoutUserinfo(rpcUrl: string): { url: string; headers: { authorization?: string } } {
  const url = URL.canParse(rpcUrl) ? new URL(rpcUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error('The address of a Solana node is not an HTTP URL.');
  const { username, password } = url;
  url.username = '';
  url.password = '';
  if (username === '' && password === '') return { url: url.href, headers: {} };
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { url: url.href, headers: { authorization: `Basic ${credentials.toString('base64')}` } };
}

/** Passes no text of the node or of `fetch` on, and no cause: either may name the address. */
function asNodeError(error: unknown): SolanaNodeError {
  if (isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)) {
    const { cause } = error;
    if (!isSolanaError(cause)) return new SolanaNodeError('The Solana node refused the transaction.');
    const code = lacksFunds(cause) ? 'insufficient_funds' : undefined;
    const message = `The Solana node refused the transaction: ${cause.message}`;
    return new SolanaNodeError(message, code, cause.context.__code);
  }
  if (isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) {
    const { statusCode } = error.context;
    return new SolanaNodeError(`The Solana node answered with HTTP status ${statusCode}.`, 'unavailable');
  }
  if (isSolanaError(error)) {
    const { __code: solanaCode } = error.context;
    return new SolanaNodeError(`The Solana node answered with error ${solanaCode}.`, undefined, solanaCode);
  }
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  return new SolanaNodeError(
    isLate ? `The Solana node did not answer within ${TIMEOUT_MS} ms.` : 'The Solana node cannot be reached.',
    'unavailable',
  );
}
