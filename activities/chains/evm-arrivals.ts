// What arrived in a block of an EVM chain: first whom it may have paid, then which of them are ours, asked once, then what those got. Knows neither how
// native currency nor how tokens move.
import type { Arrival, Block, Watched } from './chain.ts';
import { findPlainMovements, findTracedMovements } from './evm-native-arrivals.ts';
import type { AskNode } from './evm-node.ts';
import { findTokenMovements } from './evm-token-arrivals.ts';

export async function readEvmArrivals(
  ask: AskNode,
  block: Block,
  watched: Watched,
  trace: boolean,
): Promise<Arrival[]> {
  const native = await (trace ? findTracedMovements : findPlainMovements)(ask, block);
  const tokens = await findTokenMovements(ask, block, watched.contracts);
  const recipients = new Set([...native.recipients, ...tokens.recipients]);
  if (recipients.size === 0) return [];
  const ours = await watched.ours([...recipients]);
  return [...(await native.arrivalsAt(ours)), ...(await tokens.arrivalsAt(ours))];
}
