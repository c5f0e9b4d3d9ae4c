// Mines on the chains of the sandbox whose nodes mine when they are told to. Solana's slots pass by themselves.
import { numberToHex } from 'viem';
import { BitcoinNode } from '../chains/bitcoin/rpc.ts';
import { askEvmNode } from '../chains/evm/node-client.ts';

type Mine = (rpcUrl: string, blocks: number) => Promise<unknown>;

const CHAIN_ID = 31_337;
const MINE_WITHIN_MS = 30_000;

/** Each asks first which chain the node is on, and mines on no other. */
export const miners: Readonly<Record<string, Mine | undefined>> = {
  ETHEREUM_SANDBOX: (rpcUrl, blocks) =>
    askEvmNode(rpcUrl, CHAIN_ID)({ method: 'anvil_mine', params: [numberToHex(blocks)] } as never),
  BTC_SANDBOX: (rpcUrl, blocks) => new BitcoinNode(rpcUrl, 'regtest').ask('generate', [blocks], MINE_WITHIN_MS),
};
