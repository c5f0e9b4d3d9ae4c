// How much of a token an address held before what came last, told by a node that keeps no old states: from a state that
// it has, and from the logs since, which it keeps with their blocks. A log that claims too much makes it less, never
// more.
import { type Address, encodeEventTopics, erc20Abi, type Hex, numberToHex } from 'viem';
import type { TokenHolder } from '../port/chain.ts';
import { ChainError } from '../port/chain-error.ts';
import type { Block } from '../port/movements.ts';
import { type AskNode, readQuantity } from './node-client.ts';
import { probeTokenBalance } from './token-balance.ts';

export async function readBalanceBeforeArrivals(
  ask: AskNode,
  holder: TokenHolder,
  since: number,
  at: Pick<Block, 'number' | 'hash'>,
): Promise<bigint> {
  const [contract, address] = [holder.contract as Address, holder.address as Address];
  const balance = await probeTokenBalance(ask, contract, address, at.hash as Hex);
  if (balance === undefined) throw new ChainError(`the contract ${contract} answers no balance`);
  if (since >= at.number) return balance;
  const topics = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { to: address } }) as Hex[];
  const [fromBlock, toBlock] = [numberToHex(since + 1), numberToHex(at.number)];
  const logs = await ask({ method: 'eth_getLogs', params: [{ address: contract, fromBlock, toBlock, topics }] });
  return logs.reduce((rest, { data }) => rest - readQuantity(data, 'amount'), balance);
}
