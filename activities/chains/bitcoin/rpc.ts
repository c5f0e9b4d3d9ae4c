// Asks one Bitcoin node over the JSON-RPC that Bitcoin Core and btcd share, after it has said that it is on the right
// network. Knows no addresses.
import type { BitcoinNetwork } from '../../../domain/catalog/bitcoin-networks.ts';
import { ChainError, type ChainErrorCode } from '../port/chain-error.ts';

const TIMEOUT_MS = 30_000;

/** How the two programs name the networks. Ours of the addresses `tb1…` are all those whose coins have no value. */
const names: Record<BitcoinNetwork, readonly string[]> = {
  mainnet: ['main', 'mainnet'],
  testnet: ['test', 'testnet3', 'testnet4', 'signet'],
  regtest: ['regtest'],
};

/** Programs of other coins are made of the same code, and name their networks alike. */
const FIRST_BLOCK = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';

/** The codes of Bitcoin Core's rpc/protocol.h that btcd shares, and those of JSON-RPC. */
export const rpcCodes = {
  misc: -1,
  notFound: -5,
  invalidParameter: -8,
  malformed: -22,
  transactionError: -25,
  transactionRejected: -26,
  alreadyInChain: -27,
  methodNotFound: -32_601,
} as const;

/** The node understood the call and refused it. */
export class RpcError extends ChainError {
  override name = 'RpcError';
  /** One of `rpcCodes`, or another that is not told apart here. */
  readonly rpcCode: number;

  constructor(method: string, rpcCode: number, message: string) {
    super(`The Bitcoin node refuses ${method}: ${message}`);
    this.rpcCode = rpcCode;
  }
}

interface Answer {
  result?: unknown;
  error?: { code: number; message: string } | null;
}

/**
 * One node. A name and password in its address become an Authorization header; its errors name the host and nothing
 * else of the address.
 */
export class BitcoinNode {
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #network: BitcoinNetwork;
  #checked: Promise<void> | undefined;

  constructor(rpcUrl: string, network: BitcoinNetwork) {
    if (!URL.canParse(rpcUrl)) throw new ChainError('The address of the Bitcoin node is no URL.');
    const url = new URL(rpcUrl);
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    this.#headers = { 'content-type': 'application/json' };
    if (credentials !== ':') this.#headers['authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`;
    url.username = '';
    url.password = '';
    this.#url = url;
    this.#network = network;
  }

  async ask<T>(method: string, params: readonly unknown[] = [], timeoutMs = TIMEOUT_MS): Promise<T> {
    this.#checked ??= this.#checkNetwork(timeoutMs).catch((error: unknown) => {
      this.#checked = undefined;
      throw error;
    });
    await this.#checked;
    return this.#send<T>(method, params, timeoutMs);
  }

  async #checkNetwork(timeoutMs: number): Promise<void> {
    const { chain, initialblockdownload } = await this.#send<{ chain: string; initialblockdownload?: boolean }>(
      'getblockchaininfo',
      [],
      timeoutMs,
    );
    if (!names[this.#network].includes(chain))
      throw this.#failure(`is on ${chain}, not on ${this.#network}`, 'wrong_chain');
    // A regression test network without new blocks calls itself behind.
    if (initialblockdownload === true && this.#network !== 'regtest')
      throw this.#failure('is still downloading the chain');
    if (this.#network === 'mainnet' && (await this.#send('getblockhash', [0], timeoutMs)) !== FIRST_BLOCK)
      throw this.#failure('calls its chain the main one, and its first block is not that of Bitcoin', 'wrong_chain');
  }

  async #send<T>(method: string, params: readonly unknown[], timeoutMs: number): Promise<T> {
    const { error, result } = await this.#post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), timeoutMs);
    if (error) throw new RpcError(method, error.code, error.message);
    if (result === undefined) throw this.#failure('answers neither a result nor an error');
    return result as T;
  }

  /**
   * Both programs put a refusal into the body, whatever the HTTP status; an error of `fetch` is not passed on, lest it
   * show the address.
   */
  async #post(body: string, timeoutMs: number): Promise<Answer> {
    const signal = AbortSignal.timeout(timeoutMs);
    let status: number;
    let text: string;
    try {
      const response = await fetch(this.#url, { method: 'POST', headers: this.#headers, body, signal });
      status = response.status;
      text = await response.text();
    } catch {
      throw this.#failure(signal.aborted ? `has not answered within ${timeoutMs} ms` : 'cannot be reached');
    }
    if (status === 401 || status === 403) throw this.#failure('refuses the name and password');
    try {
      const answer: unknown = JSON.parse(text);
      if (typeof answer === 'object' && answer !== null) return answer;
    } catch {} // said below
    throw this.#failure(`answers HTTP ${status} without JSON`);
  }

  #failure(what: string, code: ChainErrorCode = 'unavailable'): ChainError {
    return new ChainError(`The Bitcoin node at ${this.#url.host} ${what}.`, code);
  }
}
