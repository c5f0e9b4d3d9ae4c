// The chains of this deployment, each behind its node, by the codes of the catalogue. Asks no node yet: a chain says by
// itself, at its first question, when its node is on another one. No error of this file shows an address: it may hold a
// key.
import { bitcoinNetworkOf } from '../../domain/catalog/bitcoin-networks.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import { bitcoinChain } from './bitcoin/bitcoin-chain.ts';
import { Broadcasts } from './broadcasts.ts';
import { evmChain } from './evm/evm-chain.ts';
import { withLowerFee } from './lower-fee.ts';
import type { Chain } from './port/chain.ts';
import { solanaChain } from './solana/solana-chain.ts';

export interface Chains {
  /** Undefined for a network without a node, and for one whose family is not supported yet. */
  find(networkCode: string): Chain | undefined;
  /**
   * The same chain behind a node of another operator, to see by it what a lying node would make up; undefined where
   * there is none.
   */
  findSecond(networkCode: string): Chain | undefined;
  /** Whether one node is enough to say that a withdrawal moved nothing, where there is no second one. */
  isTrustedAlone(networkCode: string): boolean;
  /** Whether this process sends a transaction to the network before `signal` aborts. */
  nextBroadcast(networkCode: string, signal: AbortSignal): Promise<boolean>;
}

export type ChainNetwork = Pick<NetworkRow, 'internalCode' | 'chainId' | 'addressType' | 'confirmationBlocks'>;
/** By internal code; http or https, also with a name and a password. */
export type RpcUrls = Readonly<Record<string, string>>;

export interface ConnectOptions {
  /**
   * Codes of EVM networks whose nodes, the second ones too, answer `debug_traceBlockByHash`: what contracts pass on is
   * seen there.
   */
  trace?: readonly string[];
  secondRpcUrls?: RpcUrls;
  /** Codes of networks whose only node is the operator's own and believed alone; absent: of all. */
  trustedAlone?: readonly string[] | undefined;
}

/** The first blocks of Solana's clusters; the sandbox has another with each new start. */
const solanaGenesis: Readonly<Record<string, string>> = {
  SOL_MAINNET: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  SOL_DEVNET: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
};

/** Throws for an address that is none, and for a code that is not among `networks`. */
export function connectChains(
  rpcUrls: RpcUrls,
  networks: readonly ChainNetwork[],
  options: ConnectOptions = {},
): Chains {
  const byCode = new Map(networks.map((network) => [network.internalCode, network]));
  const connect = (urls: RpcUrls) =>
    new Map(
      Object.entries(urls).map(([code, rpcUrl]) => {
        const network = byCode.get(code);
        if (network === undefined)
          throw new Error(`${code} has the address of a node, and is no network of the catalogue.`);
        if (!isHttpUrl(rpcUrl)) throw new Error(`The address of the node of ${code} is no http(s) URL.`);
        return [code, chainOf(network, rpcUrl, options.trace?.includes(code) ?? false)];
      }),
    );
  const [first, second] = [connect(rpcUrls), connect(options.secondRpcUrls ?? {})];
  for (const [code, other] of second) {
    const chain = first.get(code);
    if (chain !== undefined && other !== undefined) first.set(code, withLowerFee(chain, other));
  }
  const broadcasts = new Broadcasts();
  for (const [code, chain] of first) if (chain !== undefined) first.set(code, broadcasts.of(code, chain));
  return {
    find: (code) => first.get(code),
    findSecond: (code) => second.get(code),
    isTrustedAlone: (code) => options.trustedAlone?.includes(code) ?? true,
    nextBroadcast: (code, signal) => broadcasts.next(code, signal),
  };
}

function chainOf(network: ChainNetwork, rpcUrl: string, trace: boolean): Chain | undefined {
  const { internalCode, addressType, chainId, confirmationBlocks } = network;
  switch (addressType) {
    case 'evm':
      if (chainId === null) throw new Error(`${internalCode} is an EVM network without a chain id.`);
      return evmChain({ rpcUrl, chainId, confirmations: confirmationBlocks, trace });
    case 'btc':
      return bitcoinChain({ rpcUrl, network: bitcoinNetworkOf(internalCode), confirmations: confirmationBlocks });
    case 'sol': {
      const genesisHash = solanaGenesis[internalCode];
      return solanaChain({ rpcUrl, ...(genesisHash === undefined ? {} : { genesisHash }) });
    }
    case 'tron':
      return undefined;
  }
}

const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
