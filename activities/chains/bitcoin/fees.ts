// What a node says a transaction must pay to be mined soon. Builds nothing.

import type { FeeLevel } from '../../../domain/withdrawals/fee-levels.ts';
import { toSatoshis } from './node-records.ts';
import type { BitcoinNode } from './rpc.ts';
import { RpcError, rpcCodes } from './rpc.ts';

const blocksToWait: Record<FeeLevel, number> = { low: 24, medium: 6, high: 2 };

/**
 * In sat/vB, for a node that has seen too few blocks to tell: several times the least that nodes relay (1). So it is on
 * a regression test network; a transaction that waits too long at this rate can be replaced.
 */
export const fallbackRates: Record<FeeLevel, bigint> = { low: 2n, medium: 5n, high: 10n };

/**
 * A node that asks for more is wrong, or somebody wants the money to go to fees. The highest day of the main network
 * was about 700.
 */
const RATE_MAX = 2_000n;
const VBYTES_PER_KILOBYTE = 1_000n;

/**
 * In whole sat/vB, rounded up. Bitcoin Core's estimatesmartfee, else btcd's estimatefee, both in BTC a kilobyte; else
 * the fallback.
 */
export async function estimateRate(node: BitcoinNode, level: FeeLevel): Promise<bigint> {
  const bitcoins = await askForRate(node, blocksToWait[level]);
  if (bitcoins === undefined || bitcoins <= 0) return fallbackRates[level];
  const rate = (toSatoshis(bitcoins) + VBYTES_PER_KILOBYTE - 1n) / VBYTES_PER_KILOBYTE;
  return rate < RATE_MAX ? rate : RATE_MAX;
}

async function askForRate(node: BitcoinNode, blocks: number): Promise<number | undefined> {
  try {
    return (await node.ask<{ feerate?: number }>('estimatesmartfee', [blocks])).feerate;
  } catch (error) {
    if (!(error instanceof RpcError) || error.rpcCode !== rpcCodes.methodNotFound) throw error;
  }
  try {
    return await node.ask<number>('estimatefee', [blocks]);
  } catch (error) {
    if (error instanceof RpcError) return undefined; // so btcd says that it has seen too few blocks
    throw error;
  }
}
