// What a block of an EVM chain moved to addresses of ours, and from them: first whom it may concern, then which of them are ours, asked once, then what those
// got and lost. Knows neither how native currency nor how tokens move.
import type { Arrival, Block, Movements, Watched } from '../port/chain.ts';
import { findPlainMovements, findTracedMovements, readTransactions } from './inbound-native-transfers.ts';
import { findTokenMovements } from './inbound-token-transfers.ts';
import type { AskNode } from './node-client.ts';
import { findEvmDepartures } from './outbound-transfers.ts';

export async function readEvmArrivals(
  ask: AskNode,
  block: Block,
  watched: Watched,
  trace: boolean,
): Promise<Arrival[]> {
  const { recipients, arrivalsAt } = await find(ask, block, watched, trace);
  return arrivalsAt(await askOurs(watched, recipients));
}

export async function readEvmMovements(
  ask: AskNode,
  block: Block,
  watched: Watched,
  trace: boolean,
): Promise<Movements> {
  const { recipients, arrivalsAt, ...sent } = await find(ask, block, watched, trace);
  const { senders, departuresFrom } = findEvmDepartures(ask, block, sent);
  const ours = await askOurs(watched, [...recipients, ...senders]);
  return { arrivals: await arrivalsAt(ours), departures: await departuresFrom(ours) };
}

async function find(ask: AskNode, block: Block, watched: Watched, trace: boolean) {
  const transactions = await readTransactions(ask, block);
  const native = trace
    ? await findTracedMovements(ask, block, transactions, watched.forgo)
    : findPlainMovements(ask, block, transactions);
  const tokens = await findTokenMovements(ask, block, watched);
  return {
    recipients: [...native.recipients, ...tokens.recipients],
    arrivalsAt: async (ours: ReadonlySet<string>) => [
      ...(await native.arrivalsAt(ours)),
      ...(await tokens.arrivalsAt(ours)),
    ],
    transactions,
    inner: native.inner,
    claims: tokens.claims,
  };
}

async function askOurs(watched: Watched, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  const asked = new Set(addresses);
  return asked.size === 0 ? asked : watched.ours([...asked]);
}
